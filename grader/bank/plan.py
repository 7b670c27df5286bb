"""Which steps a question needs, and how to run only what a mistake changes.

A template may ask for the scores only: then no rule about its softmax holds, and no mistake made in the softmax can
show.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache

from grader import trace
from grader.model import Array, Ask, Mistake, Pipeline, Step, Template, Trace


def asked_steps(asks: Iterable[Ask]) -> tuple[str, ...]:
    """The steps whose values the blanks ask for or compare."""
    steps: dict[str, None] = {}
    for ask in asks:
        if ask.step is not None:
            steps[ask.step] = None
        for option in ask.options:
            if isinstance(option.truth, Mapping):
                steps.update(dict.fromkeys(option.truth["same"]))
    return tuple(steps)


def needed(steps: Mapping[str, Step], given: Iterable[str], wanted: Iterable[str]) -> frozenset[str]:
    """The steps computed on the way from what is given to what is wanted, the wanted ones among them."""
    known, found, waiting = set(given), set(), list(wanted)
    while waiting:
        name = waiting.pop()
        if name in known or name in found or name not in steps:
            continue
        found.add(name)
        waiting += [*steps[name].needs, *steps[name].optional]
    return frozenset(found)


@lru_cache(maxsize=1024)
def relevant(pipeline: str, given: frozenset[str], wanted: tuple[str, ...]) -> frozenset[str]:
    """`needed` for a pipeline by name, remembered: it is the same for every draw of a template."""
    return needed({step.name: step for step in trace.pipelines()[pipeline].steps}, given, wanted)


def relevant_to(template: Template, given: Iterable[str]) -> frozenset[str]:
    """The steps that this template's questions need."""
    wanted = (*asked_steps(template.ask), *(name for pair in template.fair.differ for name in pair))
    return relevant(template.pipeline, frozenset(given), wanted)


@dataclass(frozen=True)
class _Detour:
    """What is computed again when a mistake is made, all the names it changes, and the mistake's own steps here."""

    course: Pipeline
    changed: frozenset[str]
    mistake: Mistake


def _reached(steps: Mapping[str, Step], given: frozenset[str]) -> set[str]:
    """What is there once every step that these inputs allow has run: a pipeline may be entered half-way."""
    had = set(given)
    for step in steps.values():
        if had.issuperset(step.needs):
            had.add(step.name)
    return had


@lru_cache(maxsize=8192)
def _detour(pipeline: str, given: frozenset[str], wanted: tuple[str, ...], mistake: Mistake) -> _Detour:
    steps = {step.name: step for step in trace.pipelines()[pipeline].steps}
    had = set(given)
    for step in steps.values():
        if had.issuperset(step.needs):
            had.add(step.name)
    forms = trace.made_with(mistake, had)
    wrong = {name: form for name, form in forms.items() if name in had & steps.keys() and name not in given}
    changed = set(wrong)
    for step in steps.values():
        if step.name not in given and changed & {*step.needs, *step.optional}:
            changed.add(step.name)
    use = needed(steps | wrong, given, wanted) & changed
    course = Pipeline(pipeline, tuple(step for step in steps.values() if step.name in use))
    return _Detour(course, frozenset(changed), replace(mistake, steps=tuple(wrong.values())))


def run_wrong(
    pipeline: str, given: frozenset[str], wanted: tuple[str, ...], right: Trace, mistake: Mistake
) -> Mapping[str, Array] | None:
    """The trace with this mistake, as far as wanted; `None` if it does not fit the shapes."""
    detour = _detour(pipeline, given, wanted, mistake)
    kept = {name: value for name, value in right.items() if name not in detour.changed}
    try:
        return trace.run(detour.course, kept, (detour.mistake,))
    except Exception:  # noqa: BLE001 (whatever a mistake raises, it shows)
        return None
