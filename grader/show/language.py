"""Which language to speak: what was asked for, else the environment's, else that of the files, else English."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal

Lang = Literal["en", "zh"]

_VARIABLES = ("LC_ALL", "LC_MESSAGES", "LANG")


def named(text: str | None) -> Lang | None:
    """The language of a locale's name, if it is one of ours."""
    start = (text or "").lower()[:2]
    return "zh" if start == "zh" else "en" if start == "en" else None


def asked(arguments: Sequence[str], environment: Mapping[str, str]) -> Lang | None:
    """The language that the command line or GRADE_LANG asks for."""
    for place, argument in enumerate(arguments):
        if argument == "--lang" and place + 1 < len(arguments):
            return named(arguments[place + 1])
        if argument.startswith("--lang="):
            return named(argument.removeprefix("--lang="))
    return named(environment.get("GRADE_LANG"))


def choose(asked_for: Lang | None, environment: Mapping[str, str], files: Iterable[Lang | None] = ()) -> Lang:
    """The language to speak. A Chinese locale comes before the files' language, an English one after it."""
    local = next((named(environment[name]) for name in _VARIABLES if environment.get(name)), None)
    spoken = {lang for lang in files if lang is not None}
    if asked_for is not None:
        return asked_for
    if local == "zh" or spoken == {"zh"}:
        return "zh"
    return "en"
