"""Where a law is tried: inputs of an exercise with numbers of our own, and what comes back for them.

The shapes are those of one of the variant's cases; the numbers are never a graded case's, but generic ones that floats
hold exactly, so that a sum or a shift of them is exact too.
"""

from collections.abc import Mapping, Sequence
from functools import cached_property, lru_cache
from typing import Any

import numpy as np

from grader.model import Array, Case, FunctionSpec, Outcome, Pipeline, Variant
from grader.trace import pipelines, run, to_array

Inputs = Mapping[str, Array]
Values = Mapping[str, Array]
"""What was returned, by step: float64, or bool for a mask."""

ASKING = (("q",), ("x_q",), ("x",))
"""The inputs that hold one row for each query: the first of these that are there."""
READING = (("k", "v"), ("k",), ("x_kv",), ("x",))
"""The inputs that hold one row for each key."""
QUARTERS = 6
"""The numbers are quarters from -6/4 to 6/4, those of a weight matrix half as large."""
PLENTY = 2
"""How long an axis must be for a law about two rows, two heads or two keys."""


class Scene:
    """The inputs of one case, by name, with our own numbers and without a mask, and the settings made from them."""

    def __init__(self, pipeline: Pipeline, spec: FunctionSpec, case: Case) -> None:
        """Keep the case's shapes and whole numbers; every other number becomes ours."""
        self.pipeline, self.spec = pipeline, spec
        self.returned = {one.step: one.name for one in spec.returns}
        self.numbers = {one.step: one.name for one in spec.returns if one.dtype == "float"}
        self.parameter = {one.input: one.name for one in spec.parameters}
        self.base: Inputs = {
            name: generic(name, numbers.shape) if numbers.kind == "decimal" else to_array(numbers)
            for name, numbers in case.inputs.items()
            if name in self.parameter and numbers.kind != "boolean"
        }
        self._shapes: dict[Any, dict[str, tuple[tuple[int, ...], bool]]] = {}

    # --- roles

    @cached_property
    def asking(self) -> tuple[str, ...]:
        """The inputs with one row for each query."""
        return next((names for names in ASKING if self.has(*names)), ())

    @cached_property
    def reading(self) -> tuple[str, ...]:
        """The inputs with one row for each key."""
        return next((names for names in READING if self.has(*names)), ())

    @property
    def same_tokens(self) -> bool:
        """Whether queries and keys are the same tokens."""
        return self.asking == self.reading

    @property
    def n(self) -> int:
        """How many queries there are."""
        return int(self.base[self.asking[0]].shape[-2])

    @property
    def m(self) -> int:
        """How many keys there are."""
        return int(self.base[self.reading[0]].shape[-2])

    def has(self, *names: str) -> bool:
        """Whether the function takes all of these inputs."""
        return all(name in self.parameter for name in names)

    @property
    def takes_mask(self) -> bool:
        """Whether a mask of queries by keys may be handed in."""
        return self.has("mask") and bool(self.asking and self.reading)

    # --- settings

    def but(self, inputs: Inputs | None = None, /, **changed: Array) -> Inputs:
        """The same inputs (the base's if none are named) with some of them changed."""
        return {**(self.base if inputs is None else inputs), **changed}

    @cached_property
    def mask(self) -> Array:
        """A mask without symmetry: every query has an allowed and a blocked key; nobody may read the last of three."""
        rows, keys = np.ogrid[: self.n, : self.m]
        mask = (rows * rows + 2 * keys + rows * keys) % 3 != 1
        mask[:, PLENTY:][:, -1:] = False
        mask[~mask.any(axis=1), 0] = True
        full = np.flatnonzero(mask.all(axis=1))
        mask[full, (full + 1) % self.m] = self.m < PLENTY
        return np.asarray(mask)

    @cached_property
    def masked(self) -> Inputs:
        """The base under the mask, or the base itself if no mask can be handed in."""
        return self.but(mask=self.mask) if self.takes_mask else self.base

    @cached_property
    def settings(self) -> Sequence[tuple[Inputs, Array]]:
        """The base without and with the mask, and who may read whom in each."""
        everyone = np.ones((self.n, self.m), dtype=bool)
        return [(self.base, everyone), *([(self.masked, self.mask)] if self.takes_mask else [])]

    @cached_property
    def causal(self) -> Inputs:
        """As many queries as keys, under a causal mask."""
        size = min(self.n, self.m)
        rows = {name: self.base[name][..., :size, :] for name in (*self.asking, *self.reading)}
        mask = {"mask": np.tri(size, dtype=bool)} if self.takes_mask else {}
        return self.but(**rows, **mask)

    @cached_property
    def mixing(self) -> tuple[str, Inputs]:
        """The step that holds the mixed values, and inputs for which it does: the output matrix is the identity."""
        if "projected" in self.returned and self.has("wo"):
            return "projected", self.but(wo=np.eye(self.base["wo"].shape[0]))
        return "output", self.base

    def other(self, name: str) -> Array:
        """Other numbers for an input, of the same shape."""
        return generic(name, self.base[name].shape, 1)

    def row_changed(self, inputs: Inputs, names: Sequence[str], row: int) -> Inputs:
        """The inputs with other numbers in one row of each of these."""
        changed = {name: inputs[name].copy() for name in names}
        for name, array in changed.items():
            array[..., row, :] = self.other(name)[..., row, :]
        return self.but(inputs, **changed)

    # --- what comes back

    def right(self, inputs: Inputs) -> Values:
        """Every step of the reference on these inputs."""
        return run(self.pipeline, inputs)

    def values(self, inputs: Inputs, outcome: Outcome) -> Values | None:
        """What was returned by step, or `None` if it is not even of the right shapes and kinds."""
        if outcome.ending != "returned" or len(outcome.values) != len(self.spec.returns):
            return None
        try:
            wanted = self._wanted(inputs)
        except (ValueError, IndexError, KeyError, TypeError):
            return None  # inputs that this exercise does not bear
        found: dict[str, Array] = {}
        for returned, value in zip(self.spec.returns, outcome.values, strict=True):
            shape, boolean = wanted[returned.step]
            if value.shape != shape or value.dtype.kind not in ("b" if boolean else "iuf"):
                return None
            found[returned.step] = value if boolean else value.astype(np.float64)
        return found

    def _wanted(self, inputs: Inputs) -> dict[str, tuple[tuple[int, ...], bool]]:
        """The shape and kind of each returned value; the reference is run once for all inputs of the same shapes."""
        key = tuple((name, array.shape if array.ndim else int(array)) for name, array in inputs.items())
        if key not in self._shapes:
            right = self.right(inputs)
            self._shapes[key] = {step: (right[step].shape, right[step].dtype == bool) for step in self.returned}
        return self._shapes[key]


def scenes(variant: Variant) -> tuple[Scene, ...]:
    """Two places to try the laws: the first case of sizes that are all at least two, and one of another form.

    The other has more axes or equal sizes: some functions run, or go wrong, only there.
    """
    spec = variant.template.function
    assert spec is not None  # noqa: S101 -- only functions can be asked again
    pipeline = pipelines()[variant.template.pipeline]
    names = {one.input for one in spec.parameters}
    fit = [case for case in variant.cases if all(size >= PLENTY for size in _sizes(case, names))]
    first = next((case for case in fit if _axes(case) >= PLENTY), next(iter(fit), variant.cases[0]))
    others = [case for case in fit if _sizes(case, names) != _sizes(first, names)]
    other = max(others, key=lambda case: (_axes(case), -len(set(_sizes(case, names)))), default=None)
    return tuple(Scene(pipeline, spec, case) for case in (first, other) if case is not None)


def _sizes(case: Case, names: set[str]) -> tuple[int, ...]:
    """Every length of every array handed in, masks left out, and the numbers of heads or tokens."""
    given = [numbers for name, numbers in case.inputs.items() if name in names and numbers.kind != "boolean"]
    return tuple(size for numbers in given for size in (numbers.shape or (int(float(numbers.cells[0])),)))


def _axes(case: Case) -> int:
    return max(len(numbers.shape) for numbers in case.inputs.values())


@lru_cache(maxsize=512)
def _quarters(seed: int, size: int) -> tuple[int, ...]:
    """Whole numbers from -6 to 6 that follow no pattern."""
    found, state = [], seed
    for _ in range(size):
        state = (state * 1103515245 + 12345) % 2**31
        found.append((state >> 16) % (2 * QUARTERS + 1) - QUARTERS)
    return tuple(found)


def generic(name: str, shape: tuple[int, ...], version: int = 0) -> Array:
    """Numbers for an input, always the same: quarters that follow no pattern; eighths for a weight matrix."""
    seed = sum(ord(letter) * 31**place for place, letter in enumerate(name)) + 977 * version
    part = 8 if name.startswith("w") else 4
    return np.array(_quarters(seed, int(np.prod(shape))), dtype=np.float64).reshape(shape) / part
