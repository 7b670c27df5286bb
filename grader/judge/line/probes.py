"""Inputs to look for a mistake on: shaped like the graded cases, of other numbers.

The reference's values on a probe are handed to the submission's process, one after the other, to see which of them
makes its result right. So no probe may hold the numbers of a graded case.
"""

from collections.abc import Iterator, Mapping

import numpy as np

from grader.model import Array, Variant
from grader.trace import to_arrays

KEPT = frozenset({"n_heads", "d_model", "d_head"})
"""Sizes that others must fit."""


def probes(variant: Variant) -> Iterator[dict[str, Array]]:
    """One probe for each graded case, in their order; cases of one shape and one kind of mask once."""
    seen = set()
    for place, case in enumerate(variant.cases):
        inputs = to_arrays(case.inputs)
        kind = tuple((name, value.shape, _kind(name, value)) for name, value in inputs.items())
        if kind not in seen:
            seen.add(kind)
            yield _fresh(variant, inputs, np.random.Generator(np.random.Philox(key=1 + place)))


def _kind(name: str, value: Array) -> tuple[object, ...]:
    if value.dtype == bool:
        return (name, _is_causal(value))
    if value.dtype.kind == "i":
        return (name, int(value)) if value.ndim == 0 else (name,)
    return (round(float(np.log2(1e-9 + np.abs(value).max(initial=0.0)))), bool(value.max(initial=-1.0) < 0))


def _fresh(variant: Variant, inputs: Mapping[str, Array], random: np.random.Generator) -> dict[str, Array]:
    handed = (
        {parameter.input for parameter in variant.template.function.parameters} if variant.template.function else ()
    )
    fresh: dict[str, Array] = {}
    for name, value in inputs.items():
        if value.dtype == bool:
            fresh[name] = value.copy() if _is_causal(value) else _mask(value.shape, random)
        elif value.dtype.kind == "i":
            grows = value.ndim == 0 and name in handed and name not in KEPT and value > 1
            fresh[name] = value + 1 if grows else value
        else:
            low, high = float(value.min(initial=-1.0)), float(value.max(initial=1.0))
            fresh[name] = np.round(random.uniform(low, high, value.shape), 3)
    for name, value in fresh.items():
        if value.dtype.kind == "i" and value.ndim:
            most = int(fresh["m"]) if "m" in fresh else int(value.max())
            fresh[name] = random.integers(1, most + 1, value.shape)
    return fresh


def _mask(shape: tuple[int, ...], random: np.random.Generator) -> Array:
    """At least one key allowed in every row, and one blocked where there are two."""
    mask = random.random(shape) < 0.6  # noqa: PLR2004
    for row in mask.reshape(-1, shape[-1]):
        first, second = (*random.permutation(shape[-1]), -1)[:2]
        row[first] = True
        if shape[-1] > 1:
            row[second] = False
    return mask


def _is_causal(mask: Array) -> bool:
    return mask.ndim == 2 and bool(np.array_equal(mask, np.tri(*mask.shape, dtype=bool)))  # noqa: PLR2004
