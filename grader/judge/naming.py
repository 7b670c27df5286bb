"""Which mistakes a submission makes: the smallest set that gives what it gave, on every input it ran on.

The index of one probe gives candidates; each is run on every probe and every graded case, and must agree to the last
digits that the comparison allows, in shape, in NaN and in raising. So nobody is accused of what does not reproduce
their numbers. Sets that fit equally are tried on fresh inputs until the submission has decided between them; those that
no input tells apart are one class.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from grader.judge import coincide, probes
from grader.judge.classes import called
from grader.judge.compare import CODE_TOLERANCE, close
from grader.judge.probes import Probe
from grader.judge.seen import OVERFLOWS, Exercise, Seen, Shelf
from grader.judge.sets import FAILED, MOST, Given, Members, Plan
from grader.model import Array, AskAgain, Finding, Variant

TRIED: Final = 3000
"""How many candidates are held against the first inputs before the search is given up."""
_FRESH: Final = 8
"""How many fresh inputs are tried for one that tells two sets apart."""
_MANY: Final = 16
"""How many fresh inputs what fits is tried on where each says little."""
_CONFIRMED: Final = 4
"""For how many sets that fit further inputs are sought that could refute them."""
_TURNS: Final = 3
"""How often the search goes on after all that fitted was refuted."""


@dataclass(frozen=True, slots=True)
class Naming:
    """What is needed to name: the exercise, all that was seen of the submission, a way to ask for more."""

    exercise: Exercise
    variant: Variant
    probes: Sequence[Probe]
    seen: Sequence[Seen]
    ask: AskAgain
    shelf: Shelf


def name(naming: Naming) -> Finding | None:
    """The finding that names the mistakes; `None` if no set gives all that the submission gave.

    What fits is tried on further inputs that could refute it; if they do, what they gave counts with the rest, and the
    search goes on.
    """
    if not _shows_values(naming.seen) or _mostly_stops(naming.seen):
        naming = _beyond(naming)
    if not _shows_values(naming.seen) or not _shows_numbers(naming.seen):
        return None
    for _ in range(_TURNS):
        fits = _fitting(naming)
        further = (
            probes.more(naming.variant, _MANY) if any(_is_coarse(naming, one) for one in fits[:_CONFIRMED]) else ()
        )
        seen = _asked(naming, [*_telling(naming, fits), *_confirming(naming, fits), *further])
        left = [members for members in fits if all(one.agrees(members) for one in seen)]
        if left or not fits:
            return _finding(naming, left)
        naming = replace(naming, seen=(*naming.seen, *seen))
    return None


def _shows_values(seen: Iterable[Seen]) -> bool:
    """Whether some wrong value was seen: that code stops may have any reason, but for an overflow."""
    returned = (one for one in seen if one.outcome.ending == "returned")
    return any(one.outcome.error in OVERFLOWS for one in seen) or any(not one.agrees(()) for one in returned)


def _shows_numbers(seen: Iterable[Seen]) -> bool:
    """Whether some number was seen at all: what is NaN everywhere may have come about in any way."""
    values = (value for one in seen if one.outcome.ending == "returned" for value in one.outcome.values)
    return any(one.outcome.error in OVERFLOWS for one in seen) or any(np.isfinite(value).any() for value in values)


def _mostly_stops(seen: Sequence[Seen]) -> bool:
    return 2 * sum(one.outcome.ending == "exception" for one in seen) > len(seen)


def _beyond(naming: Naming) -> Naming:
    """The same with inputs beside the contract, on which code may run that only ever stopped."""
    tried = probes.unfit(naming.variant.template)
    return replace(naming, probes=(*tried, *naming.probes), seen=(*_asked(naming, tried), *naming.seen))


# --- which sets fit ----------------------------------------------------------------------------------------------


def _fitting(naming: Naming) -> list[Members]:
    """All sets of the smallest size that agree with everything seen."""
    places = _best_known(naming.seen[: len(naming.probes)])
    for size in range(1, (1 if _is_flat(naming.seen) else MOST) + 1):
        for place in places:
            found, searched = _found(naming, place, size)
            if found:
                return found
            if searched:
                break  # else another probe may leave fewer candidates
    return []


def _is_flat(seen: Sequence[Seen]) -> bool:
    """Whether a value holds one number throughout wherever it should not: a placeholder, which no mistakes led to."""
    runs = [one for one in seen if one.outcome.ending == "returned"]
    pairs = [zip(one.ground.gives(()) or (), one.outcome.values, strict=False) for one in runs]
    return any(
        all(_is_one_number(yours) for _, yours in each) and not all(_is_one_number(right) for right, _ in each)
        for each in zip(*pairs, strict=False)
    )


def _is_coarse(naming: Naming, members: Members) -> bool:
    """Whether a set leaves whole numbers alone in a step that holds others: what went before hardly shows."""
    grounds = [naming.exercise.on(probe) for probe in naming.probes]
    runs = [(ground.right, ground.values(members)) for ground in grounds]
    for step in (step.name for step in naming.exercise.pipeline.steps):
        both = [(right[step], made.get(step, FAILED)) for right, made in runs if step in right]
        known = [(right, made) for right, made in both if made is not FAILED and right is not FAILED]
        if known and all(_is_whole(made) for _, made in known) and not all(_is_whole(right) for right, _ in known):
            return True
    return False


def _is_whole(value: Array) -> bool:
    return value.dtype.kind == "f" and bool(np.all(value == np.rint(value)))


def _is_one_number(value: Array) -> bool:
    return value.size == 0 or bool(np.all(value == value.flat[0]))


def _found(naming: Naming, place: int, size: int) -> tuple[list[Members], bool]:
    """The sets of a size that agree with everything, by the index of one probe; whether all candidates were tried."""
    found: list[Members] = []
    for tried, members in enumerate(_candidates(naming, place, size)):
        if tried == TRIED:
            return found, False
        if all(seen.agrees(members) for seen in naming.seen):
            found.append(members)
    return found, True


def _best_known(seen: Sequence[Seen]) -> list[int]:
    """On which probes the submission is known best: finite numbers, else most of them, else most values at all."""
    returned = [place for place, one in enumerate(seen) if one.outcome.ending == "returned"]
    if not returned:
        return []
    sizes = {place: sum(value.size for value in seen[place].outcome.values) for place in returned}
    finite = {place: sum(int(np.isfinite(value).sum()) for value in seen[place].outcome.values) for place in returned}
    first = [place for place in returned if finite[place] == sizes[place]][:1]
    most = [max(returned, key=lambda place: known[place]) for known in (finite, sizes)]
    return list(dict.fromkeys([*first, *most]))


def _candidates(naming: Naming, place: int, size: int) -> Iterator[Members]:
    """The sets of a size that may be it: what the index of one probe says, with what that probe cannot show."""
    seen, probe, exercise = naming.seen[place], naming.probes[place], naming.exercise
    unseen = [number for number, way in enumerate(seen.ground.plan.ways) if not way.forms]
    if seen.agrees(()):
        yield from _grown((), unseen, size, exercise.whole)
    for shown in range(1, size + 1):
        index = exercise.index(probe, shown, naming.shelf)
        for members in index.find(seen.outcome.values):
            if len(members) == shown:
                yield from _grown(members, unseen, size - shown, exercise.whole)


def _grown(members: Members, places: Sequence[int], by: int, whole: Plan) -> Iterator[Members]:
    """A set with so many more mistakes of these places."""
    if by == 0:
        yield tuple(sorted(members))
        return
    for number, place in enumerate(places):
        if whole.together(members, place):
            yield from _grown((*members, place), places[number + 1 :], by - 1, whole)


# --- which of them it is -----------------------------------------------------------------------------------------


def _asked(naming: Naming, tried: Sequence[Probe]) -> list[Seen]:
    """What the submission gives on further inputs."""
    if not tried:
        return []
    outcomes = naming.ask([probe.inputs for probe in tried])
    grounds = [naming.exercise.on(probe) for probe in tried]
    return [Seen(ground, outcome) for ground, outcome in zip(grounds, outcomes, strict=True)]


def _telling(naming: Naming, fits: Sequence[Members]) -> list[Probe]:
    """Fresh inputs on which two of the sets give different values; also such that right code stops at."""
    if len({naming.exercise.ids(members) for members in fits}) <= 1:
        return []
    fresh = [*probes.more(naming.variant, _FRESH), *probes.unfit(naming.variant.template)]
    return [probe for probe in fresh if _tells(naming.exercise, probe, fits)]


def _confirming(naming: Naming, fits: Sequence[Members]) -> list[Probe]:
    """Inputs on which code that only looks like one of these sets would show it.

    Sets that run only where some sizes coincide have been seen running only where perhaps more of them did. So they are
    tried where no more do, and where they must stop although all but one of these coincidences are there.
    """
    found: dict[str, Probe] = {}
    for members in fits[:_CONFIRMED]:
        patterns = [
            (one, probes.at(naming.variant.template, one.sizes, f"alike_{place}", kinds=False)[0])
            for place, one in enumerate(coincide.of(naming.variant.template))
        ]
        runs = [naming.exercise.on(probe).gives(members) is not None for _, probe in patterns]
        if not any(runs) or runs[0]:
            continue  # seen already on sizes that are all unlike
        sizes, needed = patterns[runs.index(True)]
        kinds = probes.at(naming.variant.template, sizes.sizes, needed.name)
        stops = [probe for (one, probe), ran in zip(patterns, runs, strict=True) if one.coarse and not ran]
        found |= {probe.name: probe for probe in (*kinds, *stops)}
    return list(found.values())


def _tells(exercise: Exercise, probe: Probe, fits: Iterable[Members]) -> bool:
    """Whether two of the sets give different values on this input."""
    ground = exercise.on(probe)
    first, *rest = [ground.gives(members) for members in fits]
    return not all(_alike(first, other) for other in rest)


def _alike(one: Given | None, other: Given | None) -> bool:
    if one is None or other is None:
        return one is other
    return all(close(mine, yours, CODE_TOLERANCE) for mine, yours in zip(one, other, strict=True))


# --- how it is said ----------------------------------------------------------------------------------------------


def _finding(naming: Naming, fits: Sequence[Members]) -> Finding | None:
    """One class, called by a name that fits all of it; the set that people make most often stands first."""
    if not fits:
        return None
    classes = dict.fromkeys(naming.exercise.ids(members) for members in fits)
    first, *others = sorted(classes, key=lambda ids: rank(naming, ids))
    code = first[0] if len(first) == 1 else "several-mistakes"
    return Finding(code, called((first, *others)), first, tuple(others))


UNUSUAL: Final = frozenset({"scores_already_scaled", "scale_twice", "scale_by_input_dim", "scale_by_d_model"})
"""Mistakes that are seldom what was done where a plainer one gives the same."""


def rank(naming: Naming, ids: Sequence[str]) -> tuple[int, int, int]:
    """How likely a set is what was done: the plain ones, what the exercise is about, then the catalogue's order."""
    about, all_ids = naming.variant.template.about, [mistake.id for mistake in naming.exercise.mistakes]
    places = [about.index(one) if one in about else len(about) + all_ids.index(one) for one in ids]
    return len(UNUSUAL.intersection(ids)), max(places), sum(places)
