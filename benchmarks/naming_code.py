"""Functions made from the catalogue, and functions that are wrong at random: what is said of them."""

import random
import time
from collections.abc import Iterable, Iterator, Sequence

import numpy as np
from tally import Tally, product, said

from grader import trace
from grader.bank import draw, load, seeds
from grader.judge import diagnose, function, index, probes, sets
from grader.judge.seen import Exercise, Seen
from grader.judge.seen import exercise as exercise_of
from grader.model import Outcome, Template, Variant

STOPS = "stops wherever it is wrong"
"""What gives no wrong value anywhere: there is nothing to know it by but that it stops."""

UNREACHED = "told that no input reaches the result"
"""A result of one number whatever is handed in is that of a placeholder too: it is called by what all of them share."""


def functions() -> Iterator[tuple[Template, Exercise]]:
    """Every function exercise: its template, its exercise, its plan with all inputs there."""
    for template in load.bank():
        if template.function is not None:
            variant = draw.rebuild(template, seeds.DEFAULT, 0)
            yield template, exercise_of(template, probes.of(variant))


def outcome(ground: sets.Ground, members: sets.Members) -> Outcome:
    """What a function that makes these mistakes gives on one input."""
    given = ground.gives(members)
    if given is None:
        return Outcome("exception", error="ValueError")
    return Outcome("returned", tuple(np.array(one) for one in given))


def drawn_sets(exercise: Exercise, size: int, count: int, rng: random.Random) -> list[sets.Members]:
    """Some sets of a size that can be made together; all of them if there are no more."""
    places = range(len(exercise.mistakes))
    if size == 1:
        every = [(place,) for place in places]
        return every if len(every) <= count else rng.sample(every, count)
    found: set[sets.Members] = set()
    for _ in range(50 * count):
        members = tuple(sorted(rng.sample(places, min(size, len(places)))))
        together = all(exercise.whole.together(members[:place], one) for place, one in enumerate(members))
        if len(members) == size and together:
            found.add(members)
        if len(found) == count:
            break
    return sorted(found)


def identified(
    template: Template, exercise: Exercise, members_of: Iterable[sets.Members], rng: random.Random, tally: Tally
) -> None:
    """Functions with so many mistakes, each on a variant of its own."""
    for members in members_of:
        variant = draw.rebuild(template, seeds.self_study(rng.randrange(10**9)), 0)
        outcomes = [outcome(exercise.ground(trace.to_arrays(case.inputs)), members) for case in variant.cases]
        judged = function.judge(variant, outcomes)
        if all(step.status == "right" for step in judged.steps):
            continue  # the cases do not show it: nothing is asked
        begin = time.perf_counter()
        told = diagnose.function(
            variant,
            judged,
            outcomes,
            lambda inputs, made=members: [outcome(exercise.ground(one), made) for one in inputs],
        )
        tally.seconds.append(time.perf_counter() - begin)
        kind = _judged(exercise, variant, members, said(step.findings for step in told.steps))
        if kind == "silent" and any(one.code == "law-same-for-all" for step in told.steps for one in step.findings):
            kind = UNREACHED
        tally.counts[kind] += 1
        if kind in {"silent", "named without it"}:
            tally.odd.append((template.id, exercise.ids(members)))


def _judged(exercise: Exercise, variant: Variant, members: sets.Members, found: Sequence[frozenset[str]]) -> str:
    if not found:
        grounds = [exercise.on(probe) for probe in probes.of(variant)]
        grounds += [exercise.ground(trace.to_arrays(case.inputs)) for case in variant.cases]
        shows = any(ground.gives(members) is not None and not _is_right(ground, members) for ground in grounds)
        return "silent" if shows else STOPS
    if frozenset(exercise.ids(members)) in found:
        return "named"
    fresh = [exercise.ground(probe.inputs) for probe in probes.more(variant, 12)]
    same = any(_same_everywhere(exercise, fresh, members, ids) for ids in found)
    return "named, a set that is the same" if same else "named without it"


def _is_right(ground: sets.Ground, members: sets.Members) -> bool:
    return Seen(ground, outcome(ground, ())).agrees(members)


def _same_everywhere(
    exercise: Exercise, grounds: Sequence[sets.Ground], members: sets.Members, ids: Iterable[str]
) -> bool:
    """Whether some way of making these mistakes gives the same on fresh inputs."""
    ways = [[place for place, one in enumerate(exercise.mistakes) if one.id == name] for name in sorted(ids)]
    return any(
        all(Seen(ground, outcome(ground, members)).agrees(tuple(sorted(made))) for ground in grounds)
        for made in product(ways)
    )


def false(template: Template, exercise: Exercise, count: int, rng: random.Random, tally: Tally) -> None:
    """Functions whose values are wrong at random: nobody may be accused."""
    for number in range(count):
        variant = draw.rebuild(template, seeds.self_study(rng.randrange(10**9)), 0)
        seed, kind = rng.randrange(10**9), number % 3
        ask = lambda inputs, seed=seed, kind=kind: [  # noqa: E731
            _spoiled(outcome(exercise.ground(one), ()), seed + place, kind) for place, one in enumerate(inputs)
        ]
        outcomes = ask([trace.to_arrays(case.inputs) for case in variant.cases])
        judged = function.judge(variant, outcomes)
        if all(step.status == "right" for step in judged.steps):
            continue
        begin = time.perf_counter()
        told = diagnose.function(variant, judged, outcomes, ask)
        tally.seconds.append(time.perf_counter() - begin)
        tally.counts["named" if said(step.findings for step in told.steps) else "silent"] += 1


def _spoiled(given: Outcome, seed: int, kind: int) -> Outcome:
    """One cell changed, all cells drawn anew, or cells shuffled, of what is given back last."""
    rng = np.random.default_rng(seed)
    values = [np.array(one) for one in given.values]
    flat = values[-1].reshape(-1)
    if values[-1].dtype == bool:
        flat[rng.integers(flat.size)] ^= True
    elif kind == 0:
        flat[rng.integers(flat.size)] += rng.choice([-1, 1]) * 10.0 ** -rng.integers(0, 4)
    elif kind == 1:
        flat[:] = rng.uniform(-1, 1, flat.size)
    else:
        rng.shuffle(flat)
    return Outcome("returned", tuple(values))


def indexes(most: int) -> Iterator[tuple[str, int, float]]:
    """How long the index of each exercise takes, and how many sets stand in it."""
    for template, exercise in functions():
        variant = draw.rebuild(template, seeds.DEFAULT, 0)
        ground = exercise.on(probes.of(variant)[0])
        begin = time.perf_counter()
        made = index.build(ground, *((2,) if most < sets.MOST else (most, most)))
        yield template.id, len(made.members), time.perf_counter() - begin
