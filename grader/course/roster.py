"""The class list: one row a student, an `id` that names the folder and a `name` to show."""

import csv
import io
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from grader.errors import BadInput, BadInputs
from grader.worksheet.collect import decode

ID_COLUMNS = ("id", "student", "student_id", "student id", "学号")
NAME_COLUMNS = ("name", "full_name", "full name", "姓名")
DELIMITERS = ",;\t，"
LONGEST = 100
_FOLDER = re.compile(r"[\w@+-][\w.@+-]*(?<!\.)")
MOST_FAULTS = 20
_RESERVED = re.compile(r"(?:con|prn|aux|nul|(?:com|lpt)[0-9])(?:\..*)?|course\..*", re.IGNORECASE)
"""Names that Windows keeps for itself, and those of our own files beside the folders."""


@dataclass(frozen=True, slots=True)
class Student:
    """One student; the id is text, so leading zeros stay."""

    id: str
    name: str


def read(path: Path) -> tuple[Student, ...]:
    """The students of a CSV file, in its order.

    `BadInput` with the line for a row that cannot be used, `BadInputs` where there are several; so many are told.
    """
    rows = _rows(decode(path.read_bytes(), path), path)
    _, heading = next(rows, (1, []))
    columns = [name.lower() for name in heading]
    id_column = _column(ID_COLUMNS, columns, path)
    if id_column is None:
        raise BadInput("roster-no-id", file=path, line=1, read=", ".join(heading) or "-")
    name_column = _column(NAME_COLUMNS, columns, path)
    students: dict[str, Student] = {}
    faults: list[BadInput] = []
    for line, row in rows:
        student = Student(_cell(row, id_column), _cell(row, name_column))
        code = "roster-twice" if student.id.casefold() in students else _unfit(student.id)
        if code:
            faults.append(BadInput(code, file=path, line=line, read=student.id[:LONGEST]))
        else:
            students[student.id.casefold()] = student
    if faults:
        raise _together(faults, path)
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


def _column(names: Sequence[str], columns: Sequence[str], path: Path) -> int | None:
    """The place of the column that has the first of these names. `BadInput` if two columns have it."""
    name = next((name for name in names if name in columns), None)
    if name is None:
        return None
    if columns.count(name) > 1:
        raise BadInput("roster-two-columns", file=path, line=1, read=name)
    return columns.index(name)


def _cell(row: Sequence[str], column: int | None) -> str:
    return row[column] if column is not None and column < len(row) else ""


def _unfit(read: str) -> str:
    """Why an id cannot name a folder on every system; nothing if it can."""
    if len(read) > LONGEST or not _FOLDER.fullmatch(read):
        return "roster-bad-id"
    return "roster-reserved-id" if _RESERVED.fullmatch(read) else ""


def _together(faults: Sequence[BadInput], path: Path) -> BadInput | BadInputs:
    if len(faults) == 1:
        return faults[0]
    more = len(faults) - MOST_FAULTS
    rest = (BadInput("roster-more", file=path, count=more),) if more > 0 else ()
    return BadInputs((*faults[:MOST_FAULTS], *rest))
