"""Problem sets: which templates, in which order, for how many points and attempts, and what is shown."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

from grader.bank import load
from grader.errors import BadInput
from grader.model import Text


@dataclass(frozen=True, slots=True)
class Entry:
    """One problem of a set: its template, a pin if its numbers are fixed, points and attempts if the set says so."""

    template: str
    pin: str | None = None
    points: Fraction | None = None
    attempts: int | None = None


@dataclass(frozen=True, slots=True)
class ProblemSet:
    """A set file. `show` and `attempts` are the set's own settings, handed on as they stand."""

    name: str
    title: Text
    problems: tuple[Entry, ...]
    attempts: int | None
    show: Mapping[str, Any] = field(default_factory=dict)
    text: Text | None = None
    file: Path | None = None


@cache
def _index() -> Mapping[str, Path]:
    return {path.stem: path for path in sorted((load.root() / "sets").glob("*.yaml"))}


def names() -> tuple[str, ...]:
    """The names of the bank's own sets."""
    return tuple(_index())


def find(name: str | Path) -> ProblemSet:
    """A set of the bank by name, or a course's own by its path; `BadInput` with the nearest name if there is none."""
    path = Path(name)
    if path.suffix in {".yaml", ".yml"}:
        return read(path)
    known = _index()
    if str(name) not in known:
        raise BadInput("unknown-set", name=str(name), nearest=load.nearest(str(name), known))
    return read(known[str(name)])


def read(path: Path) -> ProblemSet:
    """The set of one file; `BadInput` if something needed is missing or of the wrong kind."""
    raw = load.read(path)
    try:
        return _build(raw, path)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise BadInput("bad-set", file=path, reason=str(error)) from error


def _build(raw: Mapping[str, Any], path: Path) -> ProblemSet:
    return ProblemSet(
        name=path.stem,
        title=_text(raw["title"]),
        problems=tuple(_entry(one) for one in raw["problems"]),
        attempts=raw.get("attempts"),
        show=_show(raw.get("show")),
        text=_text(raw["text"]) if "text" in raw else None,
        file=path,
    )


def _text(raw: Mapping[str, str]) -> Text:
    return Text(raw["en"], raw["zh"])


def _show(raw: Any) -> Mapping[str, Any]:
    """`show: [a, b]` is short for both being true."""
    return dict.fromkeys(raw, True) if isinstance(raw, list) else dict(raw or {})


def _entry(raw: Mapping[str, Any] | str) -> Entry:
    """One entry; a bare name is a template with nothing else said."""
    if isinstance(raw, str):
        return Entry(raw)
    extra = set(raw) - {"template", "pin", "points", "attempts"}
    if extra:
        raise ValueError(", ".join(sorted(extra)))
    points = load.points(raw["points"]) if "points" in raw else None
    return Entry(raw["template"], raw.get("pin"), points, raw.get("attempts"))
