"""The class list: one row a student, an `id` that names the folder and a `name` to show."""

import csv
import io
import re
from dataclasses import dataclass
from pathlib import Path

from grader.errors import BadInput
from grader.worksheet.collect import decode

ID_COLUMNS = ("id", "student", "student_id", "学号")
NAME_COLUMNS = ("name", "full_name", "姓名")
_FOLDER = re.compile(r"[\w.@+-]+")


@dataclass(frozen=True, slots=True)
class Student:
    """One student; the id is text, so leading zeros stay."""

    id: str
    name: str


def read(path: Path) -> tuple[Student, ...]:
    """The students of a CSV file, in its order. `BadInput` with the line for a row that cannot be used."""
    rows = csv.DictReader(io.StringIO(decode(path.read_bytes(), path), newline=""), skipinitialspace=True)
    columns = {(name or "").strip().lower(): name for name in rows.fieldnames or ()}
    id_column = next((columns[name] for name in ID_COLUMNS if name in columns), None)
    if id_column is None:
        raise BadInput("roster-no-id", file=path, line=1, read=", ".join(columns) or "-")
    name_column = next((columns[name] for name in NAME_COLUMNS if name in columns), None)
    students: dict[str, Student] = {}
    for row in rows:
        student = _student(row, id_column, name_column, path, rows.line_num)
        if student.id.casefold() in {known.casefold() for known in students}:
            raise BadInput("roster-twice", file=path, line=rows.line_num, read=student.id)
        students[student.id] = student
    if not students:
        raise BadInput("roster-empty", file=path)
    return tuple(students.values())


def _student(row: dict[str, str], id_column: str, name_column: str | None, path: Path, line: int) -> Student:
    identity = (row[id_column] or "").strip()
    if not _FOLDER.fullmatch(identity) or set(identity) == {"."}:
        raise BadInput("roster-bad-id", file=path, line=line, read=identity)
    return Student(identity, ((row[name_column] or "") if name_column else "").strip())
