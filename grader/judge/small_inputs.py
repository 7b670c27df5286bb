"""Small inputs of an exercise: sizes from one up, small whole numbers, masks that leave every query a key.

The shapes are those the template states in the names of its sizes, so that n rows of Q go with n rows of a mask.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from grader.judge.law_scene import generic
from grader.model import Array, Template

Inputs = Mapping[str, Array]
Sizes = Mapping[str, int]

FACTOR = 1000.0
"""What makes scores so large that exponentials overflow."""
FEW = 3
"""How many changes go together where all of them are too many."""
TWOS = 2
"""A size of two is the smallest at which rows, keys or heads can be mistaken for each other."""


@dataclass(frozen=True, slots=True)
class Shapes:
    """What each input of a function is made of: a size, an array whose axes are sizes, a mask, or lengths."""

    names: tuple[str, ...]
    specs: Mapping[str, Mapping[str, Any]]
    fixed: Mapping[str, int]

    def axes(self, name: str) -> tuple[int | str, ...]:
        """The axes of an input, by the names of sizes or as numbers."""
        spec = self.specs[name]
        return tuple(spec.get("shape") or spec.get("lengths") or ())

    def shape(self, name: str, sizes: Sizes) -> tuple[int, ...]:
        """The shape of an input at these sizes."""
        return tuple(axis if isinstance(axis, int) else sizes[axis] for axis in self.axes(name))


def shapes_of(template: Template, case: str) -> Shapes | None:
    """The shapes of one case of an exercise; `None` if an input is of a kind that cannot be made small here."""
    function = template.function
    assert function is not None  # noqa: S101 -- only functions have cases
    cases = sorted(function.cases, key=lambda one: one.name != case)
    specs: dict[str, Mapping[str, Any]] = {}
    for name in (one.input for one in function.parameters):
        own, *others = (one.draw for one in cases)
        drawn = [draw[name] for draw in (own, template.draw, *others) if draw.get(name)]
        spec = next((one for one in drawn if "lengths" in one or "shape" in one), None)
        if spec is None and name not in template.sizes:
            return None
        if spec is not None:
            specs[name] = spec
    used = {axis for spec in specs.values() for axis in (spec.get("shape") or spec.get("lengths") or ())}
    used |= {one.input for one in function.parameters if one.input in template.sizes}
    names = tuple(name for name in template.sizes if name in used)
    fixed = {one.input: 0 for one in function.parameters if one.input in template.sizes}
    return Shapes(names, specs, fixed)


# --- sizes -------------------------------------------------------------------------------------------------------


def profiles(names: Sequence[str]) -> Iterator[dict[str, int]]:
    """Sizes from the smallest up: all one, one or two of them two, all two, all three, all different."""
    for count in range(TWOS + 1):
        for twos in combinations(names, count):
            yield {name: TWOS if name in twos else 1 for name in names}
    yield dict.fromkeys(names, 2)
    yield dict.fromkeys(names, 3)
    yield {name: 2 + place for place, name in enumerate(names)}
    if "n_heads" in names:
        yield {**dict.fromkeys(names, 2), "n_heads": 1}
        yield {**dict.fromkeys(names, 2), "n": 1, "d_model": 4}
        yield {**dict.fromkeys(names, 2), "n": 3, "d_model": 4}


# --- numbers -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Manner:
    """How numbers are chosen: which of several choices, how large they get, matrices of weights as the identity."""

    version: int = 0
    top: int = 2
    least: int = -2
    identity: bool = False
    factor: float = 1.0
    opposite: bool = False
    mask: str = ""


def numbers(name: str, shape: tuple[int, ...], manner: Manner) -> Array:
    """Small whole numbers for an input."""
    if manner.identity and name.startswith("w") and len(shape) == TWOS:
        return np.eye(shape[0], shape[1])
    span = manner.top - manner.least + 1
    raw = np.rint(generic(name, shape, 2 + manner.version) * (8 if name.startswith("w") else 4)) + 6  # 0..12
    found: Array = raw % span + manner.least
    if name.startswith("w"):
        return found
    if manner.opposite:
        found = np.abs(found) * (-1.0 if name in {"k", "masked"} else 1.0) - (name == "masked")
    return np.asarray(found * manner.factor + 0.0)  # no minus zero


def mask(shape: tuple[int, ...], kind: str) -> Array:
    """A mask: causal, the last key blocked for all, or without symmetry."""
    rows, keys = shape
    if kind == "causal":
        return np.tri(rows, keys, dtype=bool)
    allowed = np.ones(shape, dtype=bool)
    if kind == "last":
        allowed[:, -1] = False
    else:
        allowed[np.arange(rows), (2 * np.arange(rows) + 1) % keys] = False
    return allowed


def make(shapes: Shapes, sizes: Sizes, manner: Manner) -> Inputs:
    """The inputs of these sizes and numbers; without a mask if the manner names none."""
    made: dict[str, Array] = {}
    for name in shapes.fixed:
        made[name] = np.array(sizes[name])
    for name, spec in shapes.specs.items():
        shape = shapes.shape(name, sizes)
        if "mask" in spec:
            if manner.mask:
                made[name] = mask(shape, manner.mask)
        elif "lengths" in spec:
            most = spec["most"] if isinstance(spec["most"], int) else sizes[spec["most"]]
            made[name] = (np.arange(*shape) + manner.version) % most + 1
        else:
            made[name] = numbers(name, shape, manner)
    return made


# --- smaller than others -----------------------------------------------------------------------------------------


def sizes_in(shapes: Shapes, inputs: Inputs) -> dict[str, int]:
    """The sizes that some inputs have."""
    found = {name: int(inputs[name]) for name in shapes.fixed if name in inputs}
    for name in shapes.specs:
        if name in inputs:
            axes = zip(shapes.axes(name), inputs[name].shape, strict=True)
            found |= {axis: length for axis, length in axes if isinstance(axis, str)}
    return found


def cut(shapes: Shapes, inputs: Inputs, sizes: Sizes) -> Inputs:
    """The front part of some inputs, of these sizes."""
    made: dict[str, Array] = {}
    for name, array in inputs.items():
        if name in shapes.fixed:
            made[name] = np.array(sizes[name])
        elif name in shapes.specs:
            made[name] = array[tuple(slice(length) for length in shapes.shape(name, sizes))]
    return made


def cuts(shapes: Shapes, inputs: Inputs) -> Iterator[Inputs]:
    """The inputs with sizes cut down: as many as can be to one, then one size after the other by one."""
    sizes = sizes_in(shapes, inputs)
    large = [name for name, size in sizes.items() if size > 1]
    for count in range(len(large), 0, -1):
        for names in combinations(large, count):
            yield cut(shapes, inputs, {**sizes, **dict.fromkeys(names, 1)})
    for name in large:
        yield cut(shapes, inputs, {**sizes, name: sizes[name] - 1})


def whole(inputs: Inputs) -> Inputs:
    """The inputs rounded to whole numbers."""
    return {name: np.rint(array) + 0.0 if array.dtype == np.float64 else array for name, array in inputs.items()}


def levelled(inputs: Inputs) -> Iterator[Inputs]:
    """The same inputs with one array made plain as a whole: zeros, an identity of weights, numbers of size one."""
    for name, array in inputs.items():
        if array.dtype != np.float64:
            continue
        yield {**inputs, name: np.zeros_like(array)}
        if name.startswith("w") and array.ndim == TWOS:
            yield {**inputs, name: np.eye(array.shape[0], array.shape[1])}
        yield {**inputs, name: np.sign(array) + 0.0}


def together(several: Sequence[Inputs]) -> Iterator[Inputs]:
    """The changes of several inputs in one, each number the plainest that it is in any of them; then of the first few.

    Only inputs of the same names and shapes go together with the first.
    """
    looks = [{name: array.shape for name, array in inputs.items()} for inputs in several]
    alike = [inputs for inputs, look in zip(several, looks, strict=True) if look == looks[0]]
    for count in {len(alike), min(len(alike), FEW)} - {0, 1}:
        yield {name: _plainest([inputs[name] for inputs in alike[:count]]) for name in alike[0]}


def _plainest(arrays: Sequence[Array]) -> Array:
    if arrays[0].dtype != np.float64:
        return arrays[0]
    stacked = np.stack(arrays)
    places = np.argmin(np.abs(stacked), axis=0)[None]
    return np.asarray(np.take_along_axis(stacked, places, axis=0)[0])


def plainer(inputs: Inputs) -> Iterator[Inputs]:
    """The same inputs with one number made plainer: 0, else 1, else without its sign; or with no mask."""
    if "mask" in inputs:
        yield {name: array for name, array in inputs.items() if name != "mask"}
    for name, array in inputs.items():
        if array.dtype != np.float64:
            continue
        for place in np.ndindex(*array.shape):
            now = float(array[place])
            for value in (0.0, 1.0, np.sign(now) * FACTOR, abs(now)):
                if abs(value) < abs(now) or value == -now != 0:
                    changed = array.copy()
                    changed[place] = value
                    yield {**inputs, name: changed}
