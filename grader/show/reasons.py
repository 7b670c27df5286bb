"""Reasons that others give in English (Python, NumPy, PyYAML, the system), told in Chinese with the original behind.

The English half of a sentence whose code begins with `reason-` is what they say; what stands at its placeholders goes
into the Chinese half.
"""

import re
import string
from collections.abc import Mapping
from functools import cache
from typing import Any

from grader.model import Lang, Words

CODE = "reason-"
NAMES = ("reason", "message", "problem")
"""Under which names sentences hold reasons of others."""


def told(numbers: Mapping[str, Any], words: Words, lang: Lang) -> Mapping[str, Any]:
    """A sentence's numbers; in Chinese, with the usual reasons among them in Chinese too."""
    if lang == "en":
        return numbers
    reasons = {name: _told(numbers[name], words) for name in NAMES if _is_said(numbers.get(name))}
    return {**numbers, **reasons} if reasons else numbers


def _is_said(reason: object) -> bool:
    """Whether this can be a reason: several words, not the name of a problem."""
    return isinstance(reason, str) and " " in reason


def _told(reason: str, words: Words) -> str:
    for code in words.sentences:
        if code.startswith(CODE):
            both = words.sentences[code]
            found = _pattern(both.en).fullmatch(reason.strip())
            if found:
                return f"{both.zh.format(**found.groupdict())}（{reason.strip()}）"
    return reason


@cache
def _pattern(said: str) -> re.Pattern[str]:
    parts = string.Formatter().parse(said)
    return re.compile("".join(re.escape(text) + (f"(?P<{name}>.+?)" if name else "") for text, name, _, _ in parts))
