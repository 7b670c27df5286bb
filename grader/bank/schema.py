"""A template held against the grammar: every fault at once, each with its line and column.

Slow beside `load` (pydantic, jinja2), so it is imported only to check, or to read a course's own folder.
"""

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from grader.bank import bounds, load, meaning
from grader.bank.entries import kinds_in
from grader.bank.grammar import DRAW, Strict, TemplateModel, TextModel, fields, model_at
from grader.bank.places import Loc, Places
from grader.bank.values import OURS
from grader.errors import BadInput, BadInputs
from grader.model import Template

# --- from pydantic's errors to ours ------------------------------------------------------------------------------

_KINDS = {
    "string_type": "wanted-text",
    "int_type": "wanted-integer",
    "int_from_float": "wanted-integer",
    "float_type": "wanted-number",
    "bool_type": "wanted-boolean",
    "list_type": "wanted-list",
    "dict_type": "wanted-mapping",
    "model_type": "wanted-mapping",
    "model_attributes_type": "wanted-mapping",
    "string_pattern_mismatch": "not-a-name",
    "literal_error": "not-one-of",
    "greater_than_equal": "number-too-small",
    "less_than_equal": "number-too-large",
    "too_short": "list-too-short",
    "too_long": "list-too-long",
} | {code: code for code in OURS}
"""Every kind of error that the grammar can raise, and the code of its sentence."""
_LIMITS = ("limit", "ge", "le", "min_length", "max_length")
_READ = 60


def _unknown_key(places: Places, loc: Loc, key: str, model: type[Strict], value: Any) -> BadInput:
    """A key that is not known; inside `{en: ..., zh: ...}` a key without a value is text after an unquoted comma."""
    if value is None and model is TextModel:
        return places.fault(loc, "text-needs-quotes", of_key=True, read=key)
    code, said = load.unknown("unknown-key", key, fields(model), key=key)
    return places.fault(loc, code, of_key=True, **said)


def _as_read(value: Any) -> str:
    """A value as the file has it, more or less, and not too long."""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= _READ else text[:_READ] + "…"


def _details(error: Mapping[str, Any]) -> dict[str, Any]:
    """The numbers of an error's sentence: the limit that was passed, what is allowed, how many there were."""
    context = error.get("ctx") or {}
    said: dict[str, Any] = {}
    for name in _LIMITS:
        if name in context:
            said["limit"] = context[name]
    if "actual_length" in context:
        said["count"] = context["actual_length"]
    if "expected" in context:
        said["allowed"] = re.findall(r"'([^']*)'", str(context["expected"]))
    return said


def _fault(places: Places, model: type[Strict], start: Loc, error: Mapping[str, Any]) -> tuple[Loc, BadInput]:
    """One of pydantic's errors as one of ours, with the location in the file that it is about."""
    loc = (*start, *error["loc"])
    kind, key = str(error["type"]), str(loc[-1]) if loc else ""
    around = places.real(loc[:-1])
    if kind == "extra_forbidden":
        where = (*around, key)
        return where, _unknown_key(places, where, key, model_at(error["loc"][:-1], model), error["input"])
    if kind == "missing":
        return (*around, key), places.fault(around, "missing-key", wanted=key)
    where = places.real(loc)
    at = ".".join(map(str, where))
    if error["input"] is None:
        return where, places.fault(where, "no-value", at=at)
    code = _KINDS.get(kind, "not-allowed")
    return where, places.fault(where, code, at=at, read=_as_read(error["input"]), **_details(error))


def _validate(model: type[Strict], raw: Any, places: Places, start: Loc = ()) -> Iterator[BadInput]:
    """The faults of some plain data, the first one at each place (a union reports each kind that it tried)."""
    try:
        model.model_validate(raw)
    except ValidationError as errors:
        seen: set[Loc] = set()
        for error in errors.errors(include_url=False):
            where, fault = _fault(places, model, start, error)
            if where not in seen:
                seen.add(where)
                yield fault


def _draws(raw: Mapping[str, Any]) -> Iterator[tuple[Loc, Mapping[str, Any]]]:
    """Every entry of `draw`, of the template and of a function's cases, with its location."""
    holders: list[tuple[Loc, Any]] = [((), raw)]
    function = raw.get("function")
    cases = function.get("cases") if isinstance(function, Mapping) else None
    if isinstance(cases, list):
        holders += [(("function", "cases", place), case) for place, case in enumerate(cases)]
    for loc, holder in holders:
        draw = holder.get("draw") if isinstance(holder, Mapping) else None
        for name, spec in (draw or {}).items() if isinstance(draw, Mapping) else ():
            if isinstance(spec, Mapping):
                yield (*loc, "draw", str(name)), spec


def _draw_faults(raw: Mapping[str, Any], places: Places) -> Iterator[BadInput]:
    for loc, spec in _draws(raw):
        kinds = kinds_in(spec)
        if not kinds:
            keys = [str(key) for key in spec]
            code, said = load.unknown("unknown-draw", next(iter(keys), ""), DRAW, read=keys or "-")
            yield places.fault(loc, code, **{**said, "name": loc[-1]})
        else:
            yield from _validate(DRAW[kinds[0]], spec, places, loc)


# --- the check ---------------------------------------------------------------------------------------------------


def faults(path: Path) -> tuple[list[BadInput], Template | None]:
    """Every fault of a template file, in order of lines, and the template if it can be built at all."""
    places = Places(path)
    raw = load.read(path)
    if raw is None:
        return [BadInput("empty-file", file=path)], None
    if not isinstance(raw, Mapping):
        return [places.fault((), "no-template", read=_as_read(raw))], None
    found = [*places.twice(), *_validate(TemplateModel, raw, places), *_draw_faults(raw, places)]
    template: Template | None = None
    try:
        template = load.build(raw, path)
        counted = () if found else bounds.faults(template)
        found += meaning.faults(template, places)
        found += [places.fault(loc, code, **said) for loc, code, said in counted]
    except Exception as error:  # noqa: BLE001 (whatever the structure's faults led to; alone, it is a fault of its own)
        if not found:
            found.append(BadInput("bad-template", file=path, reason=repr(error)))
    return sorted(found, key=lambda fault: (fault.line or 0, fault.column or 0)), template


def check(path: Path) -> Template:
    """The template of a file, held against the whole grammar; `BadInputs` with every fault."""
    found, template = faults(path)
    if found or template is None:
        raise BadInputs(tuple(found))
    return template
