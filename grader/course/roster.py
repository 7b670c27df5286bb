"""The class list: one row a student, an `id` that names the folder and a `name` to show."""

import csv
import io
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from grader.errors import BadInput
from grader.worksheet.collect import decode

ID_COLUMNS = ("id", "student", "student_id", "student id", "学号")
NAME_COLUMNS = ("name", "full_name", "full name", "姓名")
DELIMITERS = ",;\t，"
LONGEST = 100
_FOLDER = re.compile(r"[\w@+-][\w.@+-]*(?<!\.)")
_RESERVED = re.compile(r"(?:con|prn|aux|nul|(?:com|lpt)[0-9])(?:\..*)?|course\..*", re.IGNORECASE)
"""Names that Windows keeps for itself, and those of our own files beside the folders."""


@dataclass(frozen=True, slots=True)
class Student:
    """One student; the id is text, so leading zeros stay."""

    id: str
    name: str


def read(path: Path) -> tuple[Student, ...]:
    """The students of a CSV file, in its order. `BadInput` with the line for a row that cannot be used."""
    rows = _rows(decode(path.read_bytes(), path), path)
    _, heading = next(rows, (1, []))
    columns = {name.lower(): place for place, name in reversed(list(enumerate(heading)))}
    id_column = _first(ID_COLUMNS, columns)
    if id_column is None:
        raise BadInput("roster-no-id", file=path, line=1, read=", ".join(heading) or "-")
    name_column = _first(NAME_COLUMNS, columns)
    students: dict[str, Student] = {}
    for line, row in rows:
        student = Student(_id(_cell(row, id_column), path, line), _cell(row, name_column))
        if student.id.casefold() in students:
            raise BadInput("roster-twice", file=path, line=line, read=student.id)
        students[student.id.casefold()] = student
    if not students:
        raise BadInput("roster-empty", file=path)
    return tuple(students.values())


def _rows(text: str, path: Path) -> Iterator[tuple[int, list[str]]]:
    """The rows that hold anything, each with the line it ends on; commas, semicolons or tabs between the cells."""
    first = next((line for line in text.splitlines() if line.strip()), "")
    delimiter = max(DELIMITERS, key=first.count)
    rows = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, skipinitialspace=True)
    try:
        for row in rows:
            cells = [cell.strip() for cell in row]
            if any(cells):
                yield rows.line_num, cells
    except csv.Error as error:
        raise BadInput("roster-no-csv", file=path, line=rows.line_num, reason=str(error)) from None


def _first(names: Sequence[str], columns: Mapping[str, int]) -> int | None:
    return next((columns[name] for name in names if name in columns), None)


def _cell(row: Sequence[str], column: int | None) -> str:
    return row[column] if column is not None and column < len(row) else ""


def _id(read: str, path: Path, line: int) -> str:
    """An id that can name a folder on every system."""
    if len(read) > LONGEST or not _FOLDER.fullmatch(read) or _RESERVED.fullmatch(read):
        raise BadInput("roster-bad-id", file=path, line=line, read=read[:LONGEST])
    return read
