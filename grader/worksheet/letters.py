"""Letters of options, and true or false, as people type them in English and Chinese."""

import re
import unicodedata
from collections.abc import Sequence
from typing import Final

from grader.worksheet.unreadable import Unreadable, short

_JOINERS: Final = re.compile(r"\bAND\b|[和与及&+]")
_PREFIX: Final = re.compile(r"^\s*(?:OPTIONS?|ANSWERS?|选项|答案|选)[\s:]*")
_MARKS: Final = re.compile(r"[\s,;、。./|()\[\]{}*`'\":_-]+")
_NONE: Final = {"NONE", "NONEOFTHEM", "NEITHER", "NOTHING", "无", "没有", "都不", "都不是", "都不对", "以上都不是"}

TRUE: Final = {"T", "TRUE", "Y", "YES", "RIGHT", "CORRECT", "对", "是", "真", "正确", "√", "✓", "✔", "☑", "✅"}
FALSE: Final = {
    "F",
    "FALSE",
    "N",
    "NO",
    "WRONG",
    "INCORRECT",
    "错",
    "否",
    "假",
    "不对",
    "不是",
    "错误",
    "×",
    "✗",
    "✘",
    "❌",
}


def _plain(text: str) -> str:
    return unicodedata.normalize("NFKC", text).upper().replace("\ufe0f", "")


def read_letters(text: str, letters: Sequence[str]) -> tuple[str, ...]:
    """The letters chosen, in order and once each; `()` if none of them is said to be. Raises `Unreadable`."""
    parts = _MARKS.sub(" ", _JOINERS.sub(" ", _PREFIX.sub("", _plain(text)))).split()
    if "".join(parts) in _NONE:
        return ()
    chosen = set("".join(parts))
    if not chosen or not chosen <= set(letters):
        raise Unreadable("option", text=short(text), letters=", ".join(letters))
    return tuple(letter for letter in letters if letter in chosen)


def read_letter(text: str, letters: Sequence[str]) -> tuple[str, ...]:
    """The one letter chosen. Raises `Unreadable`."""
    chosen = read_letters(text, letters)
    if not chosen:
        raise Unreadable("option", text=short(text), letters=", ".join(letters))
    if len(chosen) > 1:
        raise Unreadable("several-options", text=short(text), letters=", ".join(letters))
    return chosen


def truth_of(text: str) -> bool | None:
    """Whether a word says true or false, or both of two do, as in `F (false)`; `None` if it says neither."""
    words = _MARKS.sub(" ", _plain(re.sub(r"\b(?:np|numpy)\.", "", text))).split()
    for said, known in ((True, TRUE), (False, FALSE)):
        if words and ("".join(words) in known or all(word in known for word in words)):
            return said
    return None


def read_truth(text: str) -> bool:
    """True or false. Raises `Unreadable`."""
    truth = truth_of(text)
    if truth is None:
        raise Unreadable("truth", text=short(text))
    return truth
