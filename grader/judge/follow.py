"""Follow-through: what a step should be, given the learner's own earlier values.

The learner's typed cells take the place of a step's own in the inputs, so the pipeline goes on from them. One mistake
costs once, with a guard: a wrong value that makes the rest trivial (zeros, the identity, constant rows) carries no
credit on.
"""

from collections.abc import Collection, Iterable, Mapping

import numpy as np

from grader.judge.compare import expected, half_unit
from grader.model import Array, Blank, Mistake, Pipeline, Trace
from grader.trace import run

UNROUNDED = 1e-9
"""A typed value this near to the one computed was not rounded."""


class Follower:
    """The learner's own trace, grown blank by blank in the pipeline's order."""

    def __init__(self, pipeline: Pipeline, inputs: Mapping[str, Array], right: Trace) -> None:
        """Start from the variant's inputs and its right trace; nothing typed yet."""
        self.pipeline = pipeline
        self.right = right
        self.inputs = dict(inputs)
        self.order = {step.name: place for place, step in enumerate(pipeline.steps)}
        self._typed: list[tuple[Blank, Array, Array]] = []

    def before(self, step: str, without: Collection[str] = ()) -> dict[str, Array]:
        """The inputs and the learner's own values of the steps before this one, but `without` those of some blanks."""
        return self._overridden([(blank, array) for blank, array, _ in self._earlier(step, without)])

    def own(self, blank: Blank, mistakes: Iterable[Mistake] = (), without: Collection[str] = ()) -> Array | None:
        """What this blank should hold from the learner's own earlier values; `None` if they lead nowhere.

        With mistakes: also in the cells of earlier steps that were not asked for, where these were made as well.
        """
        assert blank.step is not None  # noqa: S101 -- only blanks of a step are followed
        mistakes = tuple(mistakes)
        earlier = [(other, array) for other, array, _ in self._earlier(blank.step, without)]
        return self._solve(blank, self._overridden(earlier, mistakes), mistakes)

    def whole(self, blank: Blank) -> Array:
        """The whole of this blank's step from the learner's own earlier values, the right one if they lead nowhere."""
        inputs = {name: array for name, array in self.before(blank.step or "").items() if name != blank.step}
        return self._try(inputs, (), blank.step).get(blank.step or "", self.right[blank.step or ""])

    def spread(
        self, blank: Blank, own: Array, mistakes: Iterable[Mistake] = (), without: Collection[str] = ()
    ) -> Array:
        """How far the answer may move when each earlier value moves within the digits it was typed with."""
        assert blank.step is not None  # noqa: S101 -- only blanks of a step are followed
        earlier = [(other, array) for other, array, _ in self._earlier(blank.step, without)]
        rounded = [loose for *_, loose in self._earlier(blank.step, without)]
        moved, mistakes = np.zeros(own.shape), tuple(mistakes)
        for place, ((other, array), loose) in enumerate(zip(earlier, rounded, strict=True)):
            for index in np.ndindex(*array.shape):
                if not loose[index]:
                    continue
                nudged = array.copy()
                nudged[index] += half_unit(other.decimals)
                values = [*earlier[:place], (other, nudged), *earlier[place + 1 :]]
                there = self._solve(blank, self._overridden(values), mistakes)
                if there is not None and there.shape == own.shape:
                    moved = moved + np.nan_to_num(np.abs(there - own))
        return moved

    def is_rounded(self, blank: Blank) -> bool:
        """Whether some earlier value that was typed may have been rounded."""
        return any(np.any(loose) for *_, loose in self._earlier(blank.step or ""))

    def take(self, blank: Blank, array: Array, own: Array | None) -> None:
        """Put what was typed for this blank in place of the step's own.

        A cell that follows exactly from values that were not rounded was not rounded either; any other may have been.
        """
        loose = np.full(array.shape, blank.kind == "numbers")
        if own is not None and own.shape == array.shape and not self.is_rounded(blank):
            loose &= ~np.isclose(array, own, rtol=0, atol=UNROUNDED)
        self._typed.append((blank, array, loose))

    def taken_before(self, blank: Blank) -> frozenset[str]:
        """The names of the blanks whose typed values lead up to this one."""
        return frozenset(other.name for other, *_ in self._earlier(blank.step or ""))

    def typed_before(self, blank: Blank) -> list[tuple[Blank, Array]]:
        """The blanks whose typed values lead up to this one, with what was typed."""
        return [(other, array) for other, array, _ in self._earlier(blank.step or "")]

    def linked(self, step: str, other: str) -> bool:
        """Whether one of two steps is made of the other."""
        return other in self.made_of(step) or step in self.made_of(other)

    def made_of(self, step: str) -> frozenset[str]:
        """All steps that lead to this one."""
        found, needed = set[str](), {step}
        for one in reversed(self.pipeline.steps):
            if one.name in needed:
                needed.update(one.needs, one.optional)
                found.add(one.name)
        return frozenset(found - {step})

    def _earlier(self, step: str, without: Collection[str] = ()) -> list[tuple[Blank, Array, Array]]:
        return [one for one in self._typed if self._is_before(one[0], step) and one[0].name not in without]

    def _is_before(self, blank: Blank, step: str) -> bool:
        return self.order.get(blank.step or "", -1) < self.order.get(step, -1)

    def _overridden(self, typed: Iterable[tuple[Blank, Array]], mistakes: Iterable[Mistake] = ()) -> dict[str, Array]:
        inputs = dict(self.inputs)
        for blank, array in sorted(typed, key=lambda item: self.order.get(item[0].step or "", -1)):
            step = blank.step or ""
            if blank.cells:
                whole = inputs[step] if step in inputs else self._try(inputs, mistakes, step).get(step)
            else:
                whole = self.right[step]
            if whole is not None and _has_room(whole, blank, array):
                inputs[step] = _placed(whole, blank, array)
        return inputs

    def _solve(self, blank: Blank, inputs: Mapping[str, Array], mistakes: Iterable[Mistake] = ()) -> Array | None:
        inputs = {name: array for name, array in inputs.items() if name != blank.step}
        trace = self._try(inputs, mistakes, blank.step)
        try:
            return expected(blank, trace)
        except (KeyError, IndexError):
            return None  # not reached, or of a shape that has no such cell

    def _try(self, inputs: Mapping[str, Array], mistakes: Iterable[Mistake] = (), until: str | None = None) -> Trace:
        try:
            return run(self.pipeline, inputs, mistakes, until)
        except (ValueError, IndexError, ZeroDivisionError, TypeError, ArithmeticError):
            return {}  # a learner's values, or a mistake, may not fit the shapes: nothing follows


def is_degenerate(array: Array) -> bool:
    """Whether a value makes what follows trivial: zeros, the identity, or rows that are constant."""
    if array.size == 0 or not np.any(array):
        return True
    if array.size == 1:
        return False
    if array.ndim >= 2 and array.shape[-1] == array.shape[-2] and np.array_equal(array, np.eye(array.shape[-1])):  # noqa: PLR2004
        return True
    return array.ndim >= 1 and array.shape[-1] > 1 and bool(np.all(array == array[..., :1]))


def _has_room(whole: Array, blank: Blank, array: Array) -> bool:
    """Whether a step, made with mistakes perhaps, has the cells that were typed."""
    try:
        return np.asarray(whole[blank.cells]).shape == array.shape
    except IndexError:
        return False


def _placed(whole: Array, blank: Blank, array: Array) -> Array:
    """The step's array with the typed cells in it; a boolean step takes an additive mask (0 = may attend)."""
    out = whole.copy() if whole.dtype == bool else whole.astype(np.float64)
    out[blank.cells] = (array == 0) if whole.dtype == bool else array
    return out
