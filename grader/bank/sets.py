"""Problem sets: which templates, in which order, for how many points and attempts."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

from grader.bank import load
from grader.errors import BadInput, BadInputs
from grader.model import LANGS, Text


@dataclass(frozen=True, slots=True)
class Entry:
    """One problem of a set: its template, a pin if its numbers are fixed, points and attempts if the set says so."""

    template: str
    pin: str | None = None
    points: Fraction | None = None
    attempts: int | None = None


@dataclass(frozen=True, slots=True)
class ProblemSet:
    """A set file. `attempts` is how often a class may be given new numbers; a problem's own goes over it."""

    name: str
    title: Text
    problems: tuple[Entry, ...]
    attempts: int | None
    text: Text | None = None
    file: Path | None = None


@cache
def _index() -> Mapping[str, Path]:
    return {path.stem: path for path in sorted((load.root() / "sets").glob("*.yaml"))}


def names() -> tuple[str, ...]:
    """The names of the bank's own sets."""
    return tuple(_index())


def path(name: str) -> Path:
    """The file of a set of the bank."""
    return _index()[name]


def find(name: str | Path) -> ProblemSet:
    """A set of the bank by name, or a course's own by its path; `BadInput` with the nearest name if there is none."""
    path = Path(name)
    if path.suffix in {".yaml", ".yml"}:
        return read(path)
    known = _index()
    if str(name) not in known:
        code, said = load.unknown("unknown-set", str(name), known)
        raise BadInput(code, **said)
    return read(known[str(name)])


def read(path: Path) -> ProblemSet:
    """The set of one file; `BadInputs` with everything that is missing or of the wrong kind."""
    raw = load.read(path)
    faults = list(_faults(raw))
    if faults:
        from grader.bank.places import Places  # noqa: PLC0415 -- a sound set has no need of lines

        places = Places(path)
        raise BadInputs(
            tuple(places.fault(loc, code, of_key=code.startswith("unknown-key"), **said) for loc, code, said in faults)
        )
    return _build(raw, path)


def on_attempt(problem_set: ProblemSet, attempt: int) -> ProblemSet:
    """The set as it is given out for the N-th time: the problems that allow it; `BadInput` if none does."""
    most = [entry.attempts or problem_set.attempts or attempt for entry in problem_set.problems]
    left = tuple(entry for entry, last in zip(problem_set.problems, most, strict=True) if attempt <= last)
    if not left:
        raise BadInput("attempts-used-up", file=problem_set.file, attempt=attempt, most=max(most))
    return replace(problem_set, problems=left)


def _build(raw: Mapping[str, Any], path: Path) -> ProblemSet:
    return ProblemSet(
        name=path.stem,
        title=_text(raw["title"]),
        problems=tuple(_entry(one) for one in raw["problems"]),
        attempts=raw.get("attempts"),
        text=_text(raw["text"]) if "text" in raw else None,
        file=path,
    )


def _text(raw: Mapping[str, str]) -> Text:
    return Text(raw["en"], raw["zh"])


def _entry(raw: Mapping[str, Any] | str) -> Entry:
    """One entry; a bare name is a template with nothing else said."""
    if isinstance(raw, str):
        return Entry(raw)
    points = load.points(raw["points"]) if "points" in raw else None
    return Entry(raw["template"], raw.get("pin"), points, raw.get("attempts"))


# --- what is wrong with a set ------------------------------------------------------------------------------------

Fault = tuple[tuple[str | int, ...], str, dict[str, Any]]
KEYS = ("title", "problems", "attempts", "text")
ENTRY_KEYS = ("template", "pin", "points", "attempts")


def _faults(raw: Any) -> Iterator[Fault]:
    """Everything that is wrong with a set: where, the code, and what its sentence says."""
    if not isinstance(raw, dict):
        yield (), "wanted-mapping", {"at": "set", "read": _said(raw)}
        return
    yield from _unknown((), raw, KEYS)
    for name in ("title", "text"):
        if name in raw or name == "title":
            yield from _text_faults(name, raw.get(name))
    yield from _attempts_faults((), raw)
    problems = raw.get("problems")
    if not isinstance(problems, list):
        yield _wrong(("problems",), "wanted-list", problems)
        return
    if not problems:
        yield ("problems",), "list-too-short", {"at": "problems", "count": 0, "limit": 1}
    for place, entry in enumerate(problems):
        yield from _entry_faults(("problems", place), entry)


def _text_faults(name: str, raw: Any) -> Iterator[Fault]:
    if not isinstance(raw, dict):
        yield _wrong((name,), "wanted-mapping", raw)
        return
    for lang in LANGS:
        said = raw.get(lang)
        if not isinstance(said, str):
            yield _wrong((name, lang), "wanted-text", said)
        elif not said.strip():
            yield (name, lang), "empty-text", {"at": name, "read": said}


def _entry_faults(loc: tuple[str | int, ...], raw: Any) -> Iterator[Fault]:
    if isinstance(raw, str):
        return
    if not isinstance(raw, dict):
        yield _wrong(loc, "wanted-mapping", raw)
        return
    yield from _unknown(loc, raw, ENTRY_KEYS)
    if not isinstance(raw.get("template"), str):
        yield _wrong((*loc, "template"), "wanted-text", raw.get("template"))
    if "pin" in raw and not isinstance(raw["pin"], str):
        yield _wrong((*loc, "pin"), "wanted-text", raw["pin"])
    if "points" in raw and not _is_points(raw["points"]):
        yield _wrong((*loc, "points"), "wanted-number", raw["points"])
    elif "points" in raw and not load.points(raw["points"]):
        yield (*loc, "points"), "number-not-above", {"at": "points", "read": _said(raw["points"]), "limit": 0}
    yield from _attempts_faults(loc, raw)


def _attempts_faults(loc: tuple[str | int, ...], raw: Mapping[str, Any]) -> Iterator[Fault]:
    attempts = raw.get("attempts", 1)
    if not isinstance(attempts, int) or isinstance(attempts, bool) or attempts < 1:
        yield _wrong((*loc, "attempts"), "wanted-count", attempts)


def _is_points(raw: Any) -> bool:
    if isinstance(raw, bool):
        return False
    try:
        load.points(raw)
    except ValueError:
        return False
    return True


def _unknown(loc: tuple[str | int, ...], raw: Mapping[str, Any], known: Sequence[str]) -> Iterator[Fault]:
    for key in raw:
        if key not in known:
            yield (*loc, key), *load.unknown("unknown-key", str(key), known, key=str(key))


def _wrong(loc: tuple[str | int, ...], code: str, read: Any) -> Fault:
    """A value of the wrong kind, or none at all."""
    if read is None:
        return loc, "missing-key", {"wanted": str(loc[-1])}
    return loc, code, {"at": str(loc[-1]), "read": _said(read)}


def _said(read: Any) -> str:
    return str(read)[:60] or "-"
