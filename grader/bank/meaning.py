"""What a template's parts say about each other: names that must exist, texts that must agree, answers that must be."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from grader import trace
from grader.bank import load, placeholders, wording
from grader.bank.places import Loc, Places
from grader.errors import BadInput
from grader.model import Ask, FunctionSpec, Option, Template

Fault = tuple[Loc, str, dict[str, Any]]
_INTEGERS = frozenset({"index", "pick", "value"})
_SIGNS = frozenset({"*", "/"})


def faults(template: Template, places: Places) -> list[BadInput]:
    """Every fault of a template that its structure alone does not show."""
    checks = (
        _identity(template),
        _kind_of_question(template),
        _sizes(template.sizes, {}, ()),
        _draw(template.draw, template.sizes, template, ()),
        _asks(template),
        _names(template),
        _pins(template),
        _cases(template),
        _function(template),
        placeholders.faults(template),
        wording.faults(template),
    )
    return [places.fault(loc, code, **numbers) for check in checks for loc, code, numbers in check]


def _unknown(loc: Loc, code: str, name: str, known: Iterable[str]) -> Fault:
    return loc, *load.unknown(code, name, known)


def _repeated(names: Iterable[str], at: Loc, key: str) -> Iterator[Fault]:
    """A fault for each name that an earlier one has taken."""
    seen: set[str] = set()
    for place, name in enumerate(names):
        if name in seen:
            yield (*at, place, key), "name-taken", {"name": name}
        seen.add(name)


def _identity(template: Template) -> Iterator[Fault]:
    if isinstance(template.id, str) and template.id != template.file.stem:
        yield ("id",), "id-not-file-name", {"name": template.id, "wanted": template.file.stem}
    if template.pipeline not in trace.pipelines():
        yield _unknown(("pipeline",), "unknown-pipeline", template.pipeline, trace.pipelines())


def _kind_of_question(template: Template) -> Iterator[Fault]:
    if bool(template.ask) == (template.function is not None):
        yield ("ask",), "ask-or-function", {}


# --- sizes and draws ---------------------------------------------------------------------------------------------


def _sizes(sizes: Mapping[str, Any], earlier: Mapping[str, Any], at: Loc) -> Iterator[Fault]:
    """Sizes worked out from others: `NAME / NAME` or `NAME * NAME` of earlier ones."""
    known = set(earlier)
    for name, spec in sizes.items():
        if isinstance(spec, str):
            yield from _size_expression((*at, "sizes", name), spec, known)
        known.add(name)


def _size_expression(loc: Loc, spec: str, known: set[str]) -> Iterator[Fault]:
    parts = spec.split()
    if len(parts) != 3 or parts[1] not in _SIGNS:  # noqa: PLR2004 (a name, a sign, a name)
        yield loc, "bad-size", {"read": spec}
        return
    for part in (parts[0], parts[2]):
        if part.isdigit() and not int(part):
            yield loc, "bad-size", {"read": spec}
        if not part.isdigit() and part not in known:
            yield _unknown(loc, "unknown-size", part, known)


def _size_names(spec: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Each size that an entry names, with the key it stands under."""
    for key in ("shape", "shares", "lengths", "index", "most"):
        names = spec.get(key, ())
        yield from ((key, name) for name in (names if isinstance(names, list) else [names]) if isinstance(name, str))
    if isinstance(spec.get("times"), str):
        yield "times", spec["times"].removeprefix("sqrt_")


def _draw(draw: Mapping[str, Any], sizes: Mapping[str, Any], template: Template, at: Loc) -> Iterator[Fault]:
    before: set[str] = set()
    for name, spec in draw.items():
        loc = (*at, "draw", name)
        if name in sizes:
            yield loc, "name-taken", {"name": name}
        if spec is not None:
            yield from _entry(spec, sizes, before, template, loc)
        before.add(name)


def _entry(
    spec: Mapping[str, Any], sizes: Mapping[str, Any], before: set[str], template: Template, loc: Loc
) -> Iterator[Fault]:
    for key, size in _size_names(spec):
        if size not in sizes:
            yield _unknown((*loc, key), "unknown-size", size, sizes)
    if "like" in spec and spec["like"] not in before:
        yield _unknown((*loc, "like"), "unknown-input", spec["like"], before)
    if {"low", "high"} <= spec.keys() and spec["low"] > spec["high"]:
        yield (*loc, "low"), "low-over-high", {"low": spec["low"], "high": spec["high"]}
    for field in spec.get("unless") or ():
        yield from _field(template, field, (*loc, "unless", field))


# --- questions ---------------------------------------------------------------------------------------------------


def _steps(template: Template) -> set[str]:
    """What a blank may ask for: the pipeline's steps and the inputs."""
    pipeline = trace.pipelines().get(template.pipeline)
    return {step.name for step in pipeline.steps} | {*template.draw, *template.sizes} if pipeline else set()


def _asks(template: Template) -> Iterator[Fault]:
    yield from _repeated((ask.name for ask in template.ask), ("ask",), "name")
    for place, ask in enumerate(template.ask):
        at: Loc = ("ask", place)
        yield from _step_and_cells(template, ask, at)
        yield from _answer(template, ask, at)
        for number, option in enumerate(ask.options):
            yield from _option(template, ask, option, (*at, "options", number))


def _step_and_cells(template: Template, ask: Ask, at: Loc) -> Iterator[Fault]:
    steps = _steps(template)
    if ask.step is not None and steps and ask.step not in steps:
        yield _unknown((*at, "step"), "unknown-step", ask.step, steps)
    if ask.step is None and ask.kind in ("numbers", "shape", "mask"):
        yield at, "missing-key", {"wanted": "step"}
    integers = {name for name, spec in template.draw.items() if _INTEGERS & spec.keys()} | set(template.sizes)
    for index in ask.take:
        if isinstance(index, str) and index not in integers:
            yield _unknown((*at, "take"), "unknown-index", index, integers)


def _answer(template: Template, ask: Ask, at: Loc) -> Iterator[Fault]:
    """Whether it is said what is right, and said in a way that can be."""
    if ask.kind in ("choice", "choices") and len(ask.options) < 2:  # noqa: PLR2004 (one option is no choice)
        yield at, "missing-key", {"wanted": "options"}
    if ask.kind == "truth" and ask.feedback is None:
        yield at, "missing-key", {"wanted": "feedback"}
    keys = {"true", "false"} if ask.kind == "truth" else {option.key for option in ask.options}
    if ask.right is None:
        yield from _nothing_right(ask, at)
    elif not ask.right.startswith("case."):
        if ask.right not in keys:
            yield _unknown((*at, "right"), "unknown-option", ask.right, keys)
    else:
        yield from _field(template, ask.right.removeprefix("case."), (*at, "right"))
        yield from _case_answers(template, ask, keys)
    yield from _repeated((option.key for option in ask.options), (*at, "options"), "key")


def _nothing_right(ask: Ask, at: Loc) -> Iterator[Fault]:
    unmarked = [option for option in ask.options if option.mistake is None and option.truth is None]
    unsaid = ask.kind == "truth" or (ask.kind == "choice" and len(unmarked) != 1)
    if unsaid or (ask.kind == "choices" and unmarked):
        yield at, "missing-key", {"wanted": "truth" if ask.kind == "choices" else "right"}


def _case_answers(template: Template, ask: Ask, keys: set[str]) -> Iterator[Fault]:
    """A case's answer must be one of the options, or a truth."""
    field = str(ask.right).removeprefix("case.")
    for place, case in enumerate(template.cases):
        for answer in case[field] if isinstance(case.get(field), list) else [case.get(field)]:
            said = str(answer).lower() if isinstance(answer, bool) else str(answer)
            if field in case and said not in keys:
                yield _unknown(("cases", place, field), "unknown-option", said, keys)


def _option(template: Template, ask: Ask, option: Option, at: Loc) -> Iterator[Fault]:
    if option.feedback is None and _may_be_wrong(template, ask, option):
        yield at, "missing-key", {"wanted": "feedback"}
    if option.mistake is not None and option.mistake not in trace.catalogue():
        yield _unknown((*at, "mistake"), "unknown-mistake", option.mistake, trace.catalogue())
    steps = _steps(template)
    if isinstance(option.truth, Mapping):
        for step in option.truth["same"]:
            if step not in steps:
                yield _unknown((*at, "truth"), "unknown-step", step, steps)
    elif isinstance(option.truth, str) and option.truth.startswith("case."):
        yield from _field(template, option.truth.removeprefix("case."), (*at, "truth"))


def _may_be_wrong(template: Template, ask: Ask, option: Option) -> bool:
    """Whether some variant has this option wrong, so that it needs a word of feedback."""
    if option.truth is not None:
        return option.truth is not True
    if ask.right is None:
        return option.mistake is not None
    if not ask.right.startswith("case."):
        return option.key != ask.right
    field = ask.right.removeprefix("case.")
    return any(case.get(field) != option.key for case in template.cases)


def _field(template: Template, field: str, loc: Loc) -> Iterator[Fault]:
    """A field that is read from the drawn case must stand in every case."""
    if not template.cases or any(field not in case for case in template.cases):
        yield _unknown(loc, "unknown-field", field, {name for case in template.cases for name in case})


# --- other names -------------------------------------------------------------------------------------------------


def _names(template: Template) -> Iterator[Fault]:
    lists = ((("about",), template.about), (("fair", "unseen"), template.fair.unseen))
    for at, mistakes in lists:
        for place, mistake in enumerate(mistakes):
            if mistake not in trace.catalogue():
                yield _unknown((*at, place), "unknown-mistake", mistake, trace.catalogue())
    steps = _steps(template)
    for place, pair in enumerate(template.fair.differ):
        for name in pair:
            if steps and name not in steps:
                yield _unknown(("fair", "differ", place), "unknown-step", name, steps)


def _cases(template: Template) -> Iterator[Fault]:
    for place, case in enumerate(template.cases):
        if not isinstance(case.get("key"), str):
            yield ("cases", place), "missing-key", {"wanted": "key"}
        yield from _case_texts(case, ("cases", place))
    yield from _repeated((str(case.get("key", place)) for place, case in enumerate(template.cases)), ("cases",), "key")


def _case_texts(case: Mapping[str, Any], at: Loc) -> Iterator[Fault]:
    """Texts of a case that say nothing in one of the languages."""
    for field, raw in case.items():
        for lang, text in raw.items() if load.is_text(raw) else ():
            if text is None or not str(text).strip():
                yield (*at, field, lang), "empty-text", {"at": field, "read": ""}


def _pins(template: Template) -> Iterator[Fault]:
    """A pin gives every drawn number and every size that has a choice, and names a case that exists."""
    for name, pin in template.pins.items():
        at: Loc = ("pins", name)
        wanted = {entry for entry, spec in template.draw.items() if not {"value", "like"} & spec.keys()}
        for missing in sorted(wanted - set(pin.get("inputs") or ())):
            yield at, "pin-incomplete", {"name": name, "wanted": missing}
        for extra in sorted(set(pin.get("inputs") or ()) - set(template.draw)):
            yield _unknown((*at, "inputs", extra), "unknown-input", extra, template.draw)
        for extra in sorted(set(pin.get("sizes") or ()) - set(template.sizes)):
            yield _unknown((*at, "sizes", extra), "unknown-size", extra, template.sizes)
        keys = {str(case.get("key")) for case in template.cases}
        if "case" in pin and pin["case"] not in keys:
            yield _unknown((*at, "case"), "unknown-case", str(pin["case"]), keys)


def _function(template: Template) -> Iterator[Fault]:
    function = template.function
    if function is None:
        return
    steps = _steps(template)
    for place, returned in enumerate(function.returns):
        if steps and returned.step not in steps:
            yield _unknown(("function", "returns", place, "step"), "unknown-step", returned.step, steps)
    yield from _repeated((one.name for one in function.cases), ("function", "cases"), "name")
    for place, case in enumerate(function.cases):
        at: Loc = ("function", "cases", place)
        sizes = {**template.sizes, **case.sizes}
        yield from _sizes(case.sizes, template.sizes, at)
        yield from _draw(case.draw, sizes, template, at)
    yield from _parameters(template, function)


def _parameters(template: Template, function: FunctionSpec) -> Iterator[Fault]:
    """Every parameter's input is given in each case, or it has a default."""
    for place, parameter in enumerate(function.parameters):
        for case in function.cases:
            given = {name for name, spec in {**template.draw, **case.draw}.items() if spec is not None}
            given |= {*template.sizes, *case.sizes}
            if parameter.input not in given and parameter.default is None:
                loc: Loc = ("function", "parameters", place, "input")
                yield _unknown(loc, "unknown-input", parameter.input, given)
                break
