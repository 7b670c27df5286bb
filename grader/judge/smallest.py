"""The smallest failing example of a function: sizes from one up, small whole numbers, shown in full.

Candidates are tried in a few rounds of one question each: small inputs first, and parts of a case that is known to
fail; then the best one made smaller and plainer. The smallest in which the submission still differs is shown.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

import numpy as np

from grader.judge.conventions import arguments, turned
from grader.judge.function import compare
from grader.judge.small_inputs import (
    FACTOR,
    Inputs,
    Manner,
    Shapes,
    cut,
    cuts,
    levelled,
    make,
    plainer,
    profiles,
    shapes_of,
    sizes_in,
    together,
    whole,
)
from grader.model import Array, AskAgain, FailingCase, FunctionSpec, Outcome, Pipeline, Variant
from grader.trace import pipelines, run, to_arrays

ROUNDS = 4
BATCH = 30
"""How many candidates are tried in one round."""
CUTS = 12
"""How many of them are smaller in size, where numbers are to be made plainer too."""
STOPPED = frozenset({"timeout", "memory", "output-limit"})
"""Endings after which nothing more is asked: each would take as long again."""
TEN = 10.0
"""Numbers of one digit are easy to reckon with."""
FAINT = 1e-3
"""A difference below this hardly shows in the digits that are printed."""
OTHER_KIND = 1000.0
"""What it costs to fail in another way, or in another value, than the known case; much more than any size."""


@dataclass(frozen=True, slots=True)
class _Failure:
    """A candidate in which the submission differs: which value, how, and how large the example is to read."""

    inputs: Inputs
    place: int
    kind: str
    yours: tuple[Array, ...] | None
    right: tuple[Array, ...]
    cost: float


def failing(
    variant: Variant, ask: AskAgain, known: FailingCase | None = None, alone: AskAgain | None = None
) -> FailingCase | None:
    """The smallest case found in which a submission differs from the reference; else the known one.

    Without a known case (the function only crashes) it may be a case that crashes: then there is nothing of yours.
    What was found must fail in a fresh process as well, where `alone` asks; else all is asked there.
    """
    search = _Search(variant, known)
    if search.shapes is None:
        return known
    best = _shrunk(search, ask)
    if best is None or (known is not None and search.known_cost <= best.cost):
        return known
    if alone is None:
        return search.shown(best)
    (outcome,) = alone([best.inputs])
    again = search.judged(best.inputs, best.right, outcome)
    return failing(variant, alone, known) if again is None else search.shown(again)


def _shrunk(search: "_Search", ask: AskAgain) -> _Failure | None:
    """The plainest failure that a few rounds find: each goes on from the best so far, until none is plainer."""
    best: _Failure | None = None
    better: list[_Failure] = []
    for turn in range(ROUNDS):
        if turn and not better and (best is not None or turn > 1):
            break
        near = search.beyond(turn) if best is None else search.near(best, better)
        tried = search.fresh(near if turn else search.first())
        outcomes = ask([inputs for inputs, _ in tried]) if tried else []
        if not tried or any(outcome.ending in STOPPED for outcome in outcomes):
            break
        judged = (search.judged(*one, outcome) for one, outcome in zip(tried, outcomes, strict=True))
        worth = np.inf if best is None else best.cost
        better = sorted((one for one in judged if one is not None and one.cost < worth), key=lambda one: one.cost)
        best = better[0] if better else best
    return best


class _Search:
    """What is fixed during one search: the exercise, the known case, what was tried."""

    def __init__(self, variant: Variant, known: FailingCase | None) -> None:
        spec = variant.template.function
        assert spec is not None  # noqa: S101 -- only functions can be asked again
        self.spec: FunctionSpec = spec
        self.pipeline: Pipeline = pipelines()[variant.template.pipeline]
        self.conventions: Mapping[str, str] = variant.chosen.get("conventions", {})
        self.kind = _kind_of(known)
        self.returned = known and known.returned
        name, self.case = self._case(variant, known)
        self.shapes: Shapes | None = shapes_of(variant.template, name)
        self.needs_mask = any(one.input == "mask" and one.default != "None" for one in spec.parameters)
        self.order = {step.name: place for place, step in enumerate(self.pipeline.steps)}
        self.tried: set[tuple[tuple[str, bytes], ...]] = set()
        self.known_cost = _size_of(self.case) + _hardness([known.expected]) if known else np.inf

    def _case(self, variant: Variant, known: FailingCase | None) -> tuple[str, Inputs]:
        """The known case's name and inputs as the pipeline names them; the first case's if none is known."""
        named = next((case for case in variant.cases if known and case.name == known.name), variant.cases[0])
        wanted = {one.input for one in self.spec.parameters}
        return named.name, {name: array for name, array in to_arrays(named.inputs).items() if name in wanted}

    # --- candidates

    def fresh(self, candidates: Iterable[Inputs]) -> list[tuple[Inputs, tuple[Array, ...]]]:
        """The first candidates of a round that were not tried yet, with what is right, if the exercise allows them."""
        new = ((one, self._right(one)) for one in candidates if self._is_new(one))
        return list(islice(((one, right) for one, right in new if right is not None), BATCH))

    def first(self) -> Iterator[Inputs]:
        """Small inputs of many sizes, large and masked ones among them, and front parts of the known case."""
        assert self.shapes is not None  # noqa: S101 -- looked at before
        masked = "mask" in self.shapes.specs
        if masked:
            for manner in (Manner(mask="last"), Manner(mask="causal"), Manner(mask="other"), Manner(1, mask="other")):
                yield from self._made([_two(self.shapes), _three(self.shapes)], manner)
        for manner in (Manner(factor=FACTOR), Manner(factor=FACTOR, opposite=True)):
            yield from self._made([_two(self.shapes)], manner)
        if "masked" in self.shapes.specs:
            yield from self._made(profiles(self.shapes.names), Manner(1, 1, 1, factor=FACTOR))
        yield from self._parts((2, 3))
        if not self.needs_mask:
            yield from self._made(profiles(self.shapes.names), Manner())
            for manner in (Manner(identity=True), Manner(1), Manner(2, 1, -1)):
                yield from self._made([_thin(self.shapes), _two(self.shapes), _three(self.shapes)], manner)

    def beyond(self, turn: int) -> Iterator[Inputs]:
        """Nothing small failed: larger parts of the known case, other numbers."""
        assert self.shapes is not None  # noqa: S101 -- looked at before
        yield from self._parts((1, 4, 5, 6) if turn == 1 else (7, 8))
        kinds = ("last", "causal", "other") if "mask" in self.shapes.specs else ("",)
        for version in range(turn, turn + 2):
            for kind in kinds:
                for factor in (1.0, FACTOR):
                    yield from self._made([_three(self.shapes)], Manner(version, mask=kind, factor=factor))
        yield self.case
        yield whole(self.case)

    def near(self, best: _Failure, better: Sequence[_Failure]) -> Iterator[Inputs]:
        """All that made it plainer together; one size smaller, other small numbers, one number plainer."""
        assert self.shapes is not None  # noqa: S101 -- looked at before
        sizes = sizes_in(self.shapes, best.inputs)
        yield from together([one.inputs for one in better])
        yield from islice(cuts(self.shapes, best.inputs), CUTS)
        yield from levelled(best.inputs)
        kind = "last" if "mask" in best.inputs else ""
        for version in range(2):
            yield from self._made([sizes], Manner(version, 1, 0, identity=True, mask=kind))
            yield from self._made([sizes], Manner(version, 1, -1, mask=kind))
        yield from plainer(best.inputs)

    def _made(self, sizes: Iterable[Mapping[str, int]], manner: Manner) -> Iterator[Inputs]:
        assert self.shapes is not None  # noqa: S101 -- looked at before
        for one in sizes:
            yield make(self.shapes, one, manner)

    def _parts(self, lengths: Sequence[int]) -> Iterator[Inputs]:
        """Front parts of the known case, in whole numbers and as they are."""
        assert self.shapes is not None  # noqa: S101 -- looked at before
        sizes = sizes_in(self.shapes, self.case)
        for length in lengths:
            part = cut(self.shapes, self.case, {name: min(size, length) for name, size in sizes.items()})
            yield whole(part)
            yield part

    def _is_new(self, inputs: Inputs) -> bool:
        key = tuple((name, str(array.shape).encode() + array.tobytes()) for name, array in inputs.items())
        if key in self.tried:
            return False
        self.tried.add(key)
        return True

    def _right(self, inputs: Inputs) -> tuple[Array, ...] | None:
        """What the reference returns; nothing if it takes no such inputs, or a query has no key left."""
        mask = inputs.get("mask")
        if self.needs_mask if mask is None else not mask.any(axis=-1).all():
            return None
        if any(array.size == 0 for array in inputs.values()):
            return None
        try:
            trace = run(self.pipeline, inputs)
            right = tuple(trace[one.step] for one in self.spec.returns)
        except (ValueError, IndexError, KeyError, TypeError, ArithmeticError):
            return None
        return right if all(bool(np.all(np.isfinite(one))) for one in right) else None

    # --- judging

    def judged(self, inputs: Inputs, right: tuple[Array, ...], outcome: Outcome) -> _Failure | None:
        """How a candidate fails, if it does."""
        if outcome.ending != "returned":
            return self._failure(inputs, 0, "crash", None, right) if outcome.ending == "exception" else None
        pairs = zip(self.spec.returns, right, outcome.values, strict=True)
        found = {place: compare(*one) for place, one in enumerate(pairs)}
        wrong = {place: difference.kind for place, difference in found.items() if difference is not None}
        if not wrong:
            return None
        place = min(wrong, key=lambda one: self.order.get(self.spec.returns[one].step, 0))
        return self._failure(inputs, place, wrong[place], outcome.values, right)

    def _failure(
        self, inputs: Inputs, place: int, kind: str, yours: tuple[Array, ...] | None, right: tuple[Array, ...]
    ) -> _Failure:
        cost = _size_of(inputs) + _hardness([right[place]])
        is_other = self.returned is not None and self.returned != self.spec.returns[place].name
        cost += OTHER_KIND if kind != self.kind or is_other else 0.0
        if kind == "value" and yours is not None and yours[place].dtype != bool:
            cost += OTHER_KIND / 10 * bool(np.max(np.abs(yours[place] - right[place])) < FAINT)
        return _Failure(inputs, place, kind, yours, right, cost)

    # --- showing

    def shown(self, best: _Failure) -> FailingCase:
        """The example as the learner meets it: their convention, the names of their parameters."""
        assert self.shapes is not None  # noqa: S101 -- looked at before
        handed = arguments(self.spec, self.conventions, best.inputs)
        inputs = {
            parameter.name: None if value is None else np.asarray(value)
            for parameter, value in zip(self.spec.parameters, handed, strict=True)
        }
        sizes = sizes_in(self.shapes, best.inputs)
        name = ", ".join(f"{size} = {sizes[size]}" for size in self.shapes.names if size in sizes)
        want = turned(self.spec, self.conventions, best.right)[best.place]
        yours = None if best.yours is None else turned(self.spec, self.conventions, best.yours)[best.place]
        return FailingCase(name, self.spec.returns[best.place].name, inputs, yours, want)


def _two(shapes: Shapes) -> dict[str, int]:
    return dict.fromkeys(shapes.names, 2)


def _thin(shapes: Shapes) -> dict[str, int]:
    """Two queries and two keys of one number each."""
    return {name: 2 if name in {"n", "m"} else 1 for name in shapes.names}


def _three(shapes: Shapes) -> dict[str, int]:
    return {**dict.fromkeys(shapes.names, 3), **({"n_heads": 1} if "n_heads" in shapes.names else {})}


def _kind_of(known: FailingCase | None) -> str:
    """How the known case fails; without one the function only crashes."""
    if known is None or known.yours is None:
        return "crash"
    if known.yours.shape != known.expected.shape:
        return "shape"
    if (known.yours.dtype == bool) != (known.expected.dtype == bool) or known.yours.dtype.kind == "c":
        return "dtype"
    return "value" if np.all(np.isfinite(known.yours.astype(np.float64))) else "not-finite"


def _size_of(inputs: Inputs) -> float:
    """How much there is to read: a cell counts one, and a little more the larger or longer its number."""
    cells = [array for array in inputs.values() if array.ndim]
    count = float(sum(array.size for array in cells))
    for array in cells:
        if array.dtype == np.float64:
            size = np.abs(array)
            count += float(np.sum(np.where(size != np.rint(size), 1.5, np.where(size < TEN, size / 20, 4.0))))
    return count + sum(int(array) for array in inputs.values() if not array.ndim) / 2


def _hardness(expected: Sequence[Array]) -> float:
    """How much there is to work out: whole numbers are easiest, short decimals easy."""
    total = 0.0
    for array in expected:
        value = array.astype(np.float64)
        whole, short = value == np.rint(value), np.abs(value * 1000 - np.rint(value * 1000)) < 1e-9  # noqa: PLR2004
        total += float(np.sum(np.where(whole, 1.0, np.where(short, 1.5, 2.0))))
    return total
