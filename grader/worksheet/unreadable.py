"""Why a text could not be read: a code and numbers, as everywhere."""

from typing import Any

from grader.model import Finding


class Unreadable(Exception):
    """A text that is no answer. Never costs a try; the finding says what was read and what is wanted."""

    def __init__(self, code: str, **numbers: Any) -> None:
        """Keep the code after `unreadable-` and the numbers of its sentence."""
        super().__init__(code, numbers)
        self.code = f"unreadable-{code}"
        self.numbers = numbers

    def finding(self, line: int | None = None) -> Finding:
        """The reason as a finding, at a line of the file."""
        return Finding(self.code, self.numbers, line=line)


def short(text: str, limit: int = 40) -> str:
    """A text on one line and cut, fit to stand inside a sentence."""
    text = " ".join(text.split())
    return text if len(text) <= limit else text[: limit - 3] + "..."
