"""A template and a seed to a variant: drawn, held against the rules, proven, and drawn again until it is fair.

`rebuild` makes the same variant again from its redraw index, without the search and the proof.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from grader import trace
from grader.bank import blanks, chance, fair, plan, proof
from grader.bank.entries import Drawing, Unfair, draw_all, draw_sizes
from grader.bank.load import unknown
from grader.bank.seeds import DEFAULT, Stream
from grader.errors import BadInput, GradeError
from grader.model import Case, CaseSpec, Seed, Template, Trace, Variant

REDRAWS = 500
"""How many draws are tried before a template counts as unfair; the author's check finds such templates."""
_PASSED_OVER = 150
"""How many fair ones are passed over for one in which no two mistakes agree by chance."""


def draw(template: Template, seed: Seed) -> Variant:
    """The first fair variant of this seed, with its certificate; a pin's numbers are taken as they are.

    Where the answers can carry it (chains and matrices), a variant in which two mistakes look the same by chance is
    passed over too, as long as a better one turns up; if none does, the certificate says which pairs these are.
    """
    if seed.pin is not None:
        return _fixed(template, seed)
    broken: Counter[tuple[str, str]] = Counter()
    spare: list[Variant] = []
    for redraw in range(REDRAWS):
        try:
            variant = _certified(template, seed, redraw, must=True)
        except Unfair as unfair:
            broken[unfair.rule, unfair.what] += 1
            continue
        variant = _with_chance(variant)
        if not _by_chance(variant):
            return variant
        spare.append(variant)
        if len(spare) > _PASSED_OVER:
            break
    if spare:
        return min(spare, key=lambda variant: len(_by_chance(variant)))
    (rule, what), times = broken.most_common(1)[0]
    raise GradeError(f"unfair-{rule}", template=template.id, what=what, times=times, tries=REDRAWS)


def _with_chance(variant: Variant) -> Variant:
    """A variant whose certificate names the pairs that agree by chance, if there are any."""
    pairs = chance.by_chance(variant)
    if not pairs or variant.certificate is None:
        return variant
    return replace(variant, certificate=replace(variant.certificate, chance=pairs))


def _by_chance(variant: Variant) -> tuple[tuple[str, str], ...]:
    return variant.certificate.chance if variant.certificate else ()


def _fixed(template: Template, seed: Seed) -> Variant:
    """A pin's variant: it may break the rules of a fair draw, but it must be possible at all."""
    try:
        return _with_chance(_certified(template, seed, 0, must=False))
    except Unfair as unfair:
        said = {"what": unfair.what, "times": 1, "tries": 1}
        raise GradeError(f"unfair-{unfair.rule}", template=template.id, **said) from unfair


def rebuild(template: Template, seed: Seed, redraw: int) -> Variant:
    """The variant of this seed and redraw index, without proof; `BadInput` if it was never one."""
    try:
        return _candidate(template, seed, redraw, fair=False)[0]
    except Unfair as unfair:
        raise BadInput("never-drawn", template=template.id, redraw=redraw) from unfair


def _certified(template: Template, seed: Seed, redraw: int, *, must: bool) -> Variant:
    """One draw with its certificate; with `must`, `Unfair` if it breaks a rule or hides a mistake."""
    variant, right = _candidate(template, seed, redraw, fair=must)
    if template.function is not None:
        certificate = proof.certify_function(template, variant.cases)
        if must:
            proof.check(certificate.hidden, template.fair.unseen)
        return replace(variant, certificate=certificate)
    evidence = proof.gather(template, variant.blanks, right, variant.inputs)
    if must:
        proof.check(proof.hidden(evidence), template.fair.unseen)
    return replace(variant, certificate=proof.certify(evidence, template.fair.unseen))


def _candidate(template: Template, seed: Seed, redraw: int, *, fair: bool) -> tuple[Variant, Trace]:
    """One draw, and its right trace; with `fair`, `Unfair` if it breaks a rule that needs no mistakes."""
    stream = partial(Stream, template.id, template.drawing_hash, seed, redraw)
    if template.function is not None:
        return _function(template, seed, redraw, stream), {}
    return _questions(template, seed, redraw, stream, must=fair)


# --- worksheets --------------------------------------------------------------------------------------------------


def pinned(template: Template, name: str | None) -> Mapping[str, Any]:
    """A template's pin by name; nothing without a name, nor for a function's default conventions."""
    if name is None or (template.function is not None and name == DEFAULT.text):
        return {}
    if name not in template.pins:
        code, said = unknown("unknown-pin", name, template.pins, template=template.id)
        raise BadInput(code, **said)
    return template.pins[name]


def _case(template: Template, pin: Mapping[str, Any], stream: partial[Stream]) -> Mapping[str, Any]:
    """The drawn case, or the one that a pin names; nothing where a template has none."""
    if not template.cases:
        return {}
    if "case" in pin:
        return next(case for case in template.cases if case["key"] == pin["case"])
    return stream("case").pick(template.cases)


def _questions(
    template: Template, seed: Seed, redraw: int, stream: partial[Stream], *, must: bool
) -> tuple[Variant, Trace]:
    pin = pinned(template, seed.pin)
    at = Drawing(stream, _case(template, pin, stream), specs=template.draw)
    draw_sizes({**template.sizes, **pin.get("sizes", {})}, at)
    draw_all(at, pin.get("inputs"), fair.rows_of_input if must else None)
    right = trace.run(trace.pipelines()[template.pipeline], trace.to_arrays(at.values))
    fair.small(right)
    if must:
        fair.check(template, right, plan.relevant_to(template, at.values))
    chosen: dict[str, Any] = {"case": at.case["key"]} if at.case else {}
    if "words" in pin:
        chosen["words"] = pin["words"]
    made = blanks.make(template, at, right, fair=must)
    return Variant(template, seed, redraw, at.values, chosen, made, ()), right


# --- functions ---------------------------------------------------------------------------------------------------


def _function(template: Template, seed: Seed, redraw: int, stream: partial[Stream]) -> Variant:
    """The cases of a function exercise and the conventions drawn for it."""
    function = template.function
    assert function is not None  # noqa: S101 (the caller has looked)
    default = DEFAULT.text in (seed.text, seed.pin)
    conventions = {
        name: settings[0] if default else stream(f"convention:{name}").pick(settings)
        for name, settings in function.conventions.items()
    }
    cases = tuple(_one_case(template, case, stream) for case in function.cases)
    return Variant(template, seed, redraw, {}, {"conventions": conventions}, (), cases)


def _one_case(template: Template, case: CaseSpec, stream: partial[Stream]) -> Case:
    specs: dict[str, Any] = {**template.draw, **case.draw}
    constants = {name: spec["value"] for name, spec in case.draw.items() if spec and "value" in spec}
    specs |= {name: template.draw[name] for name in constants if name in template.draw}  # they keep the kind of number
    at = Drawing(lambda name: stream(f"{case.name}:{name}"), specs=specs)
    draw_sizes({**template.sizes, **case.sizes}, at)
    draw_all(at, constants)
    return Case(case.name, at.values)
