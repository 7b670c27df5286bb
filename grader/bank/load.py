"""YAML files to the model's words, quickly: no validation here (see `schema`), and only the files asked for are read.

A template is found by its file's name, so marking one worksheet reads one template. A course may have a bank folder of
its own, which goes over ours; its files are validated in full before use.
"""

import difflib
import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

from grader.bank import plain
from grader.errors import BadInput
from grader.model import (
    Ask,
    CaseSpec,
    Fairness,
    FunctionSpec,
    Option,
    Parameter,
    Returned,
    Template,
    Text,
)
from grader.worksheet import points as worth

RULES = 1
"""The version of the drawing rules; part of every drawing hash, raised when the same fields would draw otherwise."""

_NOTHING = Text("", "")
_OF_VALUES = (ValueError, LookupError, ArithmeticError, AttributeError, TypeError, RecursionError)
"""What PyYAML raises at a date in the 13th month, at `!!bool maybe`, at brackets without end."""
_LISTED = 20


@cache
def root() -> Path:
    """The installed problem bank: the folder beside the `grader` package."""
    return Path(__file__).resolve().parents[2] / "problem_bank"


def read(path: Path) -> Any:
    """The plain data of a YAML file; `BadInput` with the place when it cannot be read. A copy is kept of our own."""
    text = _text_of(path)
    if root() in path.parents:
        return plain.kept(text, lambda: _yaml(path, text, "load"))
    _composed(path, text)  # an author's own file may go round in circles
    return _yaml(path, text, "load")


def compose(path: Path) -> Any:
    """The nodes of a YAML file, which know their lines and columns and still hold keys given twice."""
    return _composed(path, _text_of(path))


def _composed(path: Path, text: str) -> Any:
    from grader.bank import nodes  # noqa: PLC0415 -- our own files are read without

    found = _yaml(path, text, "compose")
    nodes.check(found, path)
    return found


def _text_of(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput("unreadable-file", file=path, reason=getattr(error, "strerror", None) or "not UTF-8") from error


def _yaml(path: Path, text: str, how: str) -> Any:
    """What one of PyYAML's functions makes of a text."""
    import yaml  # noqa: PLC0415 -- what is kept is read without

    try:
        return getattr(yaml, how)(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        line, column = (mark.line + 1, mark.column + 1) if mark else (None, None)
        raise BadInput("bad-yaml", file=path, line=line, column=column, problem=error.problem or "") from error
    except (yaml.YAMLError, *_OF_VALUES) as error:
        raise BadInput("bad-yaml", file=path, problem=str(error)) from error


# --- finding -----------------------------------------------------------------------------------------------------


def _templates(folder: Path) -> Iterator[Path]:
    """The template files of a bank folder, in order of chapter and name; `templates/` inside it if there is one."""
    inner = folder / "templates"
    yield from sorted((inner if inner.is_dir() else folder).rglob("*.yaml"))


@cache
def _index(folder: Path) -> Mapping[str, Path]:
    return {path.stem: path for path in _templates(folder)}


def index(roots: Sequence[Path] = ()) -> Mapping[str, Path]:
    """Template id -> file, of our bank and of `roots`, whose templates go over ours of the same id."""
    return {name: path for folder in (root(), *roots) for name, path in _index(folder).items()}


def nearest(name: str, known: Iterable[str], cutoff: float = 0.6) -> str:
    """The known name that what was typed may have been meant for, or `""` if none is similar."""
    return next(iter(difflib.get_close_matches(name, sorted(known), n=1, cutoff=cutoff)), "")


def unknown(code: str, name: str, known: Iterable[str], **more: Any) -> tuple[str, dict[str, Any]]:
    """The code and numbers for a name that is not known: with the nearest, or `…-none` with what there is."""
    all_of = sorted(known)
    near = nearest(name, all_of)
    listed = all_of[:_LISTED] + ["…"] * (len(all_of) > _LISTED)
    said = {"name": name, "nearest": near, "known": listed or "-", **more}
    return (code if near else f"{code}-none"), said


def find(template_id: str, roots: Sequence[Path] = ()) -> Template:
    """The template of this id; `BadInput` with the nearest id if there is none."""
    known = index(roots)
    if template_id not in known:
        code, said = unknown("unknown-problem", template_id, known)
        raise BadInput(code, **said)
    return _load(known[template_id])


def bank(roots: Sequence[Path] = ()) -> Iterator[Template]:
    """Every template, one after the other, in order of chapter and name."""
    return (_load(path) for path in index(roots).values())


@cache
def _load(path: Path) -> Template:
    if root() in path.parents:
        return load(path)
    from grader.bank import schema  # noqa: PLC0415 (pydantic is slow to import, and needed only here)

    return schema.check(path)


# --- building ----------------------------------------------------------------------------------------------------


def load(path: Path) -> Template:
    """The template of one file, not validated."""
    raw = read(path)
    try:
        return build(raw, path)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise BadInput("bad-template", file=path, reason=repr(error)) from error


def build(raw: Mapping[str, Any], path: Path) -> Template:
    """A template's dataclass from plain data that is known to be in order."""
    parts: dict[str, Any] = {
        "pipeline": raw["pipeline"],
        "sizes": raw.get("sizes") or {},
        "draw": raw.get("draw") or {},
        "cases": tuple(raw.get("cases") or ()),
        "pins": raw.get("pins") or {},
        "ask": tuple(_ask(one) for one in raw.get("ask") or ()),
        "function": _function(raw["function"]) if raw.get("function") else None,
        "fair": _fair(raw.get("fair") or {}),
    }
    return Template(
        id=raw["id"],
        chapter=path.parent.name,
        title=_text(raw["title"]),
        statement=_text(raw["statement"]),
        skill=raw["skill"],
        difficulty=raw["difficulty"],
        minutes=raw["minutes"],
        hints=tuple(_text(hint) for hint in raw["hints"]),
        about=tuple(raw.get("about") or ()),
        drawing_hash=drawing_hash(parts),
        file=path,
        **parts,
    )


def _text(raw: Mapping[str, str]) -> Text:
    return Text(raw["en"], raw["zh"])


def _maybe_text(raw: Mapping[str, str] | None) -> Text | None:
    return _text(raw) if raw else None


def points(raw: float | str) -> Fraction:
    """Points as an exact fraction: `2`, `"1/2"` or `0.5`. Errors: `ValueError`."""
    return worth.read(raw)


def _option(raw: Mapping[str, Any]) -> Option:
    return Option(
        raw["key"], _text(raw["text"]), _maybe_text(raw.get("feedback")), raw.get("mistake"), raw.get("truth")
    )


def _right(raw: object) -> str | None:
    """YAML reads `right: true` as a boolean; the model keeps the word."""
    return str(raw).lower() if isinstance(raw, bool) else raw  # type: ignore[return-value]


def _ask(raw: Mapping[str, Any]) -> Ask:
    kind, take, note = raw.get("kind", "numbers"), raw.get("take", ()), raw.get("note")
    return Ask(
        name=raw["name"],
        kind=kind,
        step=raw.get("step"),
        take=tuple(take) if isinstance(take, list | tuple) else (take,),
        decimals=raw.get("decimals", 4 if kind == "numbers" else 0),
        points=points(raw.get("points", 1)),
        note=Text(note, note) if isinstance(note, str) else (_maybe_text(note) or _NOTHING),
        options=tuple(_option(one) for one in raw.get("options") or ()),
        right=_right(raw.get("right")),
        shuffle=raw.get("shuffle", True),
        feedback=_maybe_text(raw.get("feedback")),
    )


def _function(raw: Mapping[str, Any]) -> FunctionSpec:
    return FunctionSpec(
        name=raw["name"],
        parameters=tuple(
            Parameter(one["name"], one["input"], one["shape"], _default(one)) for one in raw["parameters"]
        ),
        returns=tuple(
            Returned(one["name"], one["step"], one["shape"], points(one.get("points", 1)), one.get("dtype", "float"))
            for one in raw["returns"]
        ),
        cases=tuple(CaseSpec(one["name"], one.get("sizes") or {}, one.get("draw") or {}) for one in raw["cases"]),
        conventions={name: tuple(settings) for name, settings in (raw.get("conventions") or {}).items()},
    )


def _default(raw: Mapping[str, Any]) -> str | None:
    """A parameter's default as Python writes it; `default: None` in YAML is the word, no key is no default."""
    return str(raw["default"]) if "default" in raw else None


def _fair(raw: Mapping[str, Any]) -> Fairness:
    given = dict(raw)
    if "differ" in given:
        given["differ"] = tuple((first, second) for first, second in given["differ"])
    if "unseen" in given:
        given["unseen"] = tuple(given["unseen"])
    return Fairness(**given)


# --- the hash of what draws --------------------------------------------------------------------------------------


def is_text(raw: object) -> bool:
    """Whether plain data is a text in two languages: wording, which never draws."""
    return isinstance(raw, Mapping) and set(raw) == {"en", "zh"}


def _wordless(raw: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in raw.items() if not is_text(value) and key != "words"}


def _drawing_ask(ask: Ask) -> dict[str, Any]:
    kept = ("name", "kind", "step", "take", "decimals", "right", "shuffle")
    options = [(option.key, option.mistake, option.truth) for option in ask.options]
    return {name: getattr(ask, name) for name in kept} | {"options": options}


def _drawing_function(function: FunctionSpec) -> dict[str, Any]:
    return {
        "name": function.name,
        "parameters": [(one.name, one.input, one.default) for one in function.parameters],
        "returns": [(one.name, one.step, one.dtype) for one in function.returns],
        "cases": [asdict(one) for one in function.cases],
        "conventions": function.conventions,
    }


def drawing_hash(parts: Mapping[str, Any]) -> str:
    """Eight hex digits of SHA-256 over the fields that draw, with defaults filled in; wording changes nothing."""
    drawing = {
        "rules": RULES,
        "pipeline": parts["pipeline"],
        "sizes": parts["sizes"],
        "draw": parts["draw"],
        "cases": [_wordless(case) for case in parts["cases"]],
        "pins": {name: _wordless(pin) for name, pin in parts["pins"].items()},
        "ask": [_drawing_ask(ask) for ask in parts["ask"]],
        "function": _drawing_function(parts["function"]) if parts["function"] else None,
        "fair": asdict(parts["fair"]),
    }
    canonical = json.dumps(drawing, sort_keys=True, ensure_ascii=True, separators=(",", ":"))
    return hashlib.sha256(canonical.encode()).hexdigest()[:8]
