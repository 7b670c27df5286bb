"""Which steps a question needs, and how to run only what a mistake changes.

A template may ask for the scores only: then no rule about its softmax holds, and no mistake made in the softmax can
show.
"""

from collections.abc import Iterable, Mapping
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


@lru_cache(maxsize=8192)
def _detour(
    pipeline: str, given: frozenset[str], wanted: tuple[str, ...], mistake_id: str
) -> tuple[Pipeline, frozenset[str]]:
    """The steps to compute again when a mistake is made, and all the names that it changes."""
    steps = {step.name: step for step in trace.pipelines()[pipeline].steps}
    wrong = {step.name: step for step in trace.catalogue()[mistake_id].steps}
    changed = set(wrong)
    for step in steps.values():
        if step.name not in given and changed & {*step.needs, *step.optional}:
            changed.add(step.name)
    use = needed(steps | wrong, given, wanted) & changed
    return Pipeline(pipeline, tuple(step for step in steps.values() if step.name in use)), frozenset(changed)


def run_wrong(
    pipeline: str, given: frozenset[str], wanted: tuple[str, ...], right: Trace, mistake: Mistake
) -> Mapping[str, Array] | None:
    """The trace with this mistake, as far as wanted; `None` if it does not fit the shapes."""
    course, changed = _detour(pipeline, given, wanted, mistake.id)
    kept = {name: value for name, value in right.items() if name not in changed}
    try:
        return trace.run(course, kept, (mistake,))
    except Exception:  # noqa: BLE001 (whatever a mistake raises, it shows)
        return None
