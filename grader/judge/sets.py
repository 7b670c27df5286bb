"""Sets of mistakes made together, and what each gives: many sets on one input, sharing what they have in common.

A `Plan` says which steps lead from some names to the wanted ones, and how each way of making a mistake computes them.
A `Ground` is a plan with numbers: it runs one set, or walks through all sets up to a size, each from its parent's
values, so that only what lies behind the added mistake is computed again.

Two mistakes can be made together if no step is computed by both: where both change a step, only one of them would be
seen, and which one would be a guess.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

import numpy as np

from grader.model import Array, Mistake, Pipeline, Step

MOST: Final = 3
"""How many mistakes are looked for together."""


class Failed:
    """A step that raised, or that needs one that did."""


FAILED: Final = Failed()
Members = tuple[int, ...]
"""A set of mistakes: their places in the plan's list of ways, in order."""
Values = dict[str, Any]
Given = tuple[Array, ...]
"""What was given back, in the order of what is wanted."""


@dataclass(frozen=True, slots=True)
class Way:
    """One way of making a mistake here: the steps that it computes itself, and the place of the first of them."""

    mistake: Mistake
    forms: Mapping[str, Step]
    first: int


@dataclass(frozen=True, slots=True, eq=False)
class Plan:
    """The steps that lead to what is wanted, in order, and the ways of making mistakes on them."""

    course: tuple[Step, ...]
    wanted: tuple[str, ...]
    ways: tuple[Way, ...]

    def together(self, members: Iterable[int], another: int) -> bool:
        """Whether another mistake can be made beside these: another id, and no step in common."""
        new = self.ways[another]
        return all(
            new.mistake.id != self.ways[one].mistake.id and new.forms.keys().isdisjoint(self.ways[one].forms)
            for one in members
        )


@lru_cache(maxsize=512)
def plan(pipeline: Pipeline, given: frozenset[str], wanted: tuple[str, ...], mistakes: tuple[Mistake, ...]) -> Plan:
    """How to get from the given names to the wanted ones, rightly or with any of these mistakes.

    A mistake none of whose steps can be computed its way here has no forms: it changes nothing.
    """
    reached = _reached(pipeline, given)
    here = {step.name: step for step in pipeline.steps if step.name in reached and step.name not in given}
    forms = [changed_by(mistake, here, reached) for mistake in mistakes]
    wide = _leading_to(wanted, here, forms)
    course = tuple(step for step in here.values() if step.name in wide)
    place = {step.name: number for number, step in enumerate(course)}
    ways = []
    for mistake, made in zip(mistakes, forms, strict=True):
        kept = {name: form for name, form in made.items() if name in place}
        ways.append(Way(mistake, kept, min((place[name] for name in kept), default=len(course))))
    return Plan(course, wanted, tuple(ways))


def _reached(pipeline: Pipeline, given: Collection[str]) -> frozenset[str]:
    there = set(given)
    for step in pipeline.steps:
        if there.issuperset(step.needs):
            there.add(step.name)
    return frozenset(there)


def changed_by(mistake: Mistake, here: Mapping[str, Step], there: Collection[str]) -> dict[str, Step]:
    """What a mistake makes of the steps that are computed here: the first form of each whose needs are all there.

    A form that is the right step again does not count.
    """
    forms: dict[str, Step] = {}
    for form in mistake.steps:
        if form.name in here and form.name not in forms and all(name in there for name in form.needs):
            forms[form.name] = form
    return {
        name: form for name, form in forms.items() if form.run is not here[name].run or form.needs != here[name].needs
    }


def _leading_to(wanted: Iterable[str], here: Mapping[str, Step], forms: Sequence[Mapping[str, Step]]) -> frozenset[str]:
    """The steps that matter for what is wanted, whichever of the mistakes are made."""
    found: set[str] = set()
    waiting = list(wanted)
    while waiting:
        name = waiting.pop()
        if name in found or name not in here:
            continue
        found.add(name)
        for step in (here[name], *(made[name] for made in forms if name in made)):
            waiting += [*step.needs, *step.optional]
    return frozenset(found)


class Ground:
    """A plan with numbers: what any set of its mistakes gives on one input."""

    def __init__(self, made: Plan, inputs: Mapping[str, Array]) -> None:
        """Compute the right values once."""
        self.plan = made
        self.right: Values = dict(inputs)
        self._go_on(self.right, {}, 0, set(inputs), always=True)

    def values(self, members: Members) -> Values:
        """Every value when these mistakes are made; a step that cannot be computed is `FAILED`."""
        forms: dict[str, Step] = {}
        for member in reversed(members):  # of two that compute one step the first is made
            forms.update(self.plan.ways[member].forms)
        if not forms:
            return self.right
        there = dict(self.right)
        self._go_on(there, forms, min(self.plan.ways[member].first for member in members), set(forms))
        return there

    def gives(self, members: Members) -> Given | None:
        """What is given back when these mistakes are made; `None` if that raises."""
        return self.wanted(self.values(members))

    def wanted(self, values: Values) -> Given | None:
        """The wanted ones of some values; `None` if one of them is missing or could not be computed."""
        found = tuple(values.get(name, FAILED) for name in self.plan.wanted)
        return None if any(one is FAILED for one in found) else found

    def walk(self, most: int, least: int = 1) -> Iterator[tuple[Members, Values]]:
        """All sets of `least` to `most` mistakes that can be made together, each with its values."""
        places = sorted(
            (place for place, way in enumerate(self.plan.ways) if way.forms), key=lambda one: self.plan.ways[one].first
        )
        for members, values in self._deeper((), {}, self.right, places, most):
            if len(members) >= least:
                yield tuple(sorted(members)), values

    def _deeper(
        self, members: Members, forms: dict[str, Step], values: Values, places: Sequence[int], most: int
    ) -> Iterator[tuple[Members, Values]]:
        for number, place in enumerate(places):
            if not self.plan.together(members, place):
                continue
            way = self.plan.ways[place]
            both, there, now = {**forms, **way.forms}, dict(values), (*members, place)
            self._go_on(there, both, way.first, set(way.forms))
            yield now, there
            if len(now) < most:
                yield from self._deeper(now, both, there, places[number + 1 :], most)

    def _go_on(
        self, values: Values, forms: Mapping[str, Step], start: int, changed: set[str], *, always: bool = False
    ) -> None:
        """Compute what the changed names change, from a place of the course on."""
        with np.errstate(all="ignore"):
            for right in self.plan.course[start:]:
                name = right.name
                step = forms.get(name, right)
                if (
                    always
                    or name in changed
                    or not changed.isdisjoint(step.needs)
                    or not changed.isdisjoint(step.optional)
                ):
                    values[name] = _computed(step, values)
                    changed.add(name)


def _computed(step: Step, values: Values) -> Any:
    arguments = [values.get(name, FAILED) for name in step.needs]
    arguments += [values.get(name) for name in step.optional]
    if any(argument is FAILED for argument in arguments):
        return FAILED
    try:
        return np.asarray(step.run(*arguments))
    except Exception:  # noqa: BLE001 -- a mistake may not fit the shapes, each in its own way
        return FAILED
