"""What can go wrong outside judging, as codes and numbers; the sentences are in the bank's words.

GradeError           exit 3, our own fault unless a subclass says otherwise
└── BadInput         exit 2, a file or an argument that cannot be used: file, line, column, what was read
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any


class GradeError(Exception):
    """An error with a code of the bank's words and the numbers for its sentence."""

    exit_code = 3

    def __init__(self, code: str, **numbers: Any) -> None:
        """Keep the code and the numbers; `str()` shows both, for logs."""
        super().__init__(code, numbers)
        self.code = code
        self.numbers: Mapping[str, Any] = numbers

    def __reduce__(self) -> tuple[Any, ...]:
        """How it goes from one process to another."""
        return _again, (type(self), self.args, self.__dict__)


class BadInput(GradeError):
    """A file or an argument that cannot be used."""

    exit_code = 2

    def __init__(
        self, code: str, *, file: Path | None = None, line: int | None = None, column: int | None = None, **numbers: Any
    ) -> None:
        """Keep the place beside the code and the numbers."""
        super().__init__(code, **numbers)
        self.file = file
        self.line = line
        self.column = column


class BadInputs(GradeError):
    """Several faults at once, all to be shown."""

    exit_code = 2

    def __init__(self, faults: tuple[BadInput, ...]) -> None:
        """Keep the faults in the order they were found."""
        super().__init__("bad-inputs", count=len(faults))
        self.faults = faults


def _again(kind: type[GradeError], arguments: tuple[Any, ...], state: dict[str, Any]) -> GradeError:
    error = kind.__new__(kind, *arguments)
    error.__dict__.update(state)
    return error
