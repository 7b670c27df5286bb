"""Laws of results: they can be relied on, weights are shares, the output is made of the values."""

import numpy as np

from grader.judge.law import (
    NO_WEIGHT,
    NOTHING,
    SEEN,
    Broken,
    Experiment,
    Law,
    far,
    first,
    register,
    rows,
    shown,
    weight_at,
)
from grader.judge.law_scene import PLENTY, Inputs, Scene, Values
from grader.model import Array

LAWS: list[Law] = []
"""The laws of this module, the most telling first."""

law = register(LAWS)

HALF = 0.01
"""How far off half precision may be."""


# --- results that can be relied on -------------------------------------------------------------------------------


@law("law-nan", finite=False)
def finite(scene: Scene) -> Experiment:
    """Numbers of ordinary size give numbers, where no mask blocks anything."""
    (got,) = yield [scene.base]
    return _no_number(scene, got)


@law("law-nan-masked", takes=("mask",), finite=False)
def finite_masked(scene: Scene) -> Experiment:
    """They do under a mask as well that leaves every query a key."""
    if not scene.takes_mask:
        return None
    base, got = yield [scene.base, scene.masked]
    return None if _no_number(scene, base) else _no_number(scene, got)


def _no_number(scene: Scene, got: Values) -> Broken:
    """The first cell that is no number, in the value that is computed first."""
    for step in (one.name for one in scene.pipeline.steps if one.name in scene.numbers):
        place = first(~np.isfinite(got[step]))
        if place is not None:
            return {"returned": scene.returned[step], "cell": str(list(place)), "got": float(got[step][place])}
    return None


@law("law-not-repeatable")
def repeatable(scene: Scene) -> Experiment:
    """The same call gives the same result."""
    base, *again = yield [scene.masked, scene.but(scene.masked), scene.but(scene.masked)]
    for step, name in scene.returned.items():
        if any(np.any(far(other[step], base[step], 0.0)) for other in again):
            return {"returned": name}
    return None


@law("law-same-for-all")
def same_for_all(scene: Scene) -> Experiment:
    """Other arrays give another result."""
    names = [name for name, array in scene.base.items() if array.dtype == np.float64]
    inputs = scene.but(**{name: scene.other(name) for name in names})
    base, other = yield [scene.base, inputs]
    if not names or not _moves(scene, scene.base, inputs) or _differ(scene, base, other, NOTHING):
        return None
    return {"function": scene.spec.name, "names": ", ".join(scene.parameter[name] for name in names)}


@law("law-unused")
def unused(scene: Scene) -> Experiment:
    """Every array has some influence."""
    names = [name for name, array in scene.base.items() if array.dtype == np.float64]
    asked = [scene.base, *(scene.but(**{name: scene.other(name)}) for name in names)]
    base, *others = yield asked
    for name, inputs, other in zip(names, asked[1:], others, strict=True):
        if _moves(scene, asked[0], inputs) and not _differ(scene, base, other, NOTHING):
            return {"name": scene.parameter[name], "function": scene.spec.name}
    return None


@law("law-unused-mask", takes=("mask",))
def unused_mask(scene: Scene) -> Experiment:
    """A mask that blocks keys has some influence."""
    if not scene.takes_mask:
        return None
    base, other = yield [scene.base, scene.masked]
    if _moves(scene, scene.base, scene.masked) and not _differ(scene, base, other, NOTHING):
        return {"name": scene.parameter["mask"], "function": scene.spec.name}
    return None


def _moves(scene: Scene, before: Inputs, after: Inputs) -> bool:
    """Whether the reference's results show the change from one input to the other."""
    return _differ(scene, scene.right(before), scene.right(after), SEEN)


def _differ(scene: Scene, before: Values, after: Values, least: float) -> bool:
    return any(bool(np.any(np.abs(after[step] - before[step]) > least)) for step in scene.numbers)


@law("law-rounded", mistake="rounded_output")
def rounded(scene: Scene) -> Experiment:
    """Results that are right are not rounded."""
    (got,) = yield [scene.masked]
    right = scene.right(scene.masked)
    for step, name in scene.numbers.items():
        apart = np.abs(got[step] - right[step])
        for decimals in range(2, 6):
            if _is_round(got[step], decimals) and np.any(apart > NOTHING) and np.all(apart < 10.0**-decimals):
                return {"returned": name, "decimals": decimals}
    return None


def _is_round(values: Array, decimals: int) -> bool:
    scaled = values * 10.0**decimals
    return bool(np.all(np.abs(scaled - np.rint(scaled)) < NOTHING))


@law("law-half-precision", mistake="float16_precision")
def half_precision(scene: Scene) -> Experiment:
    """Results have more than the three digits of half precision."""
    (got,) = yield [scene.masked]
    right = scene.right(scene.masked)
    for step, name in scene.numbers.items():
        apart = np.abs(got[step] - right[step])
        if np.array_equal(_half(got[step]), got[step]) and np.any(apart > NOTHING) and np.all(apart < HALF):
            return {"returned": name}
    return None


def _half(values: Array) -> Array:
    return values.astype(np.float16).astype(values.dtype)


# --- the weights are shares --------------------------------------------------------------------------------------


@law("law-columns-sum", returns=("weights",))
def columns_sum(scene: Scene) -> Experiment:
    """Not the columns but the rows add up to one."""
    (got,) = yield [scene.base]
    weights = got["weights"]
    if weights.ndim < PLENTY or first(far(weights.sum(axis=-1), 1.0)) is None or np.any(far(weights.sum(axis=-2), 1.0)):
        return None
    place = first(far(weights.sum(axis=-1), 1.0))
    assert place is not None  # noqa: S101 -- looked at above
    return {"returned": scene.returned["weights"], "row": shown(place), "sum": float(weights.sum(axis=-1)[place])}


@law("law-rows-sum", returns=("weights",))
def rows_sum(scene: Scene) -> Experiment:
    """Every row of weights adds up to one."""
    (got,) = yield [scene.base]
    return _sum_of_a_row(scene, got["weights"])


@law("law-rows-sum-masked", takes=("mask",), returns=("weights",))
def rows_sum_masked(scene: Scene) -> Experiment:
    """Every row of weights adds up to one under a mask as well."""
    (got,) = yield [scene.masked]
    return _sum_of_a_row(scene, got["weights"])


def _sum_of_a_row(scene: Scene, weights: Array) -> Broken:
    sums = weights.sum(axis=-1)
    place = first(far(sums, 1.0))
    if place is None:
        return None
    return {"returned": scene.returned["weights"], "row": shown(place), "sum": float(sums[place])}


@law("law-weights-range", returns=("weights",))
def weights_range(scene: Scene) -> Experiment:
    """Every weight lies in [0, 1]."""
    for got in (yield [scene.base, *([scene.masked] if scene.takes_mask else [])]):
        place = first((got["weights"] < -NOTHING) | (got["weights"] > 1 + NOTHING))
        if place is not None:
            numbers = {"returned": scene.returned["weights"], "cell": str(list(place))}
            return numbers | {"weight": float(got["weights"][place])}
    return None


@law("law-blocked-weight", takes=("mask",), returns=("weights",))
def blocked_weight(scene: Scene) -> Experiment:
    """A blocked key gets no weight."""
    (got,) = yield [scene.masked]
    place = first((np.abs(got["weights"]) > NOTHING) & ~scene.mask)
    return None if place is None else weight_at(got["weights"], place)


@law("law-allowed-weight", returns=("weights",))
def allowed_weight(scene: Scene) -> Experiment:
    """Every key that may be read gets some weight."""
    if not (scene.asking and scene.reading):
        return None
    inputs = [one for one, _ in scene.settings]
    for one, got in zip(inputs, (yield inputs), strict=True):
        place = first((np.abs(got["weights"]) < NO_WEIGHT) & (scene.right(one)["weights"] > SEEN))
        if place is not None:
            return weight_at(got["weights"], place)
    return None


# --- the output is made of the values ----------------------------------------------------------------------------


@law("law-mix", returns=("weights", "output"))
def mix(scene: Scene) -> Experiment:
    """The output is the returned weights times the values."""
    for inputs, got in zip(asked := [one for one, _ in scene.settings], (yield asked), strict=True):
        touched = rows(far(got["output"], got["weights"] @ scene.right(inputs)["v"]))
        if touched:
            numbers = {"returned": scene.returned["output"], "weights": scene.returned["weights"]}
            return numbers | {"token": touched[0]}
    return None


def _equal_values(scene: Scene, inputs: Inputs) -> Inputs:
    """The inputs with the same value at every key; where values are projected, a 1 before each token makes them."""
    if "v" in inputs:
        return scene.but(inputs, v=np.broadcast_to(inputs["v"][..., :1, :], inputs["v"].shape).copy())
    name = scene.reading[0]
    x, wv = inputs[name].copy(), np.zeros_like(inputs["wv"])
    x[..., 0], wv[0] = 1.0, inputs["wv"][0]
    return scene.but(inputs, **{name: x, "wv": wv})


@law("law-equal-values", returns=("output",))
def equal_values(scene: Scene) -> Experiment:
    """If all values are the same, that value is the output."""
    return (yield from _equal(scene)) if scene.mixing[0] == "output" else None


@law("law-equal-values-heads", takes=("wo",), returns=("projected",))
def equal_values_in_heads(scene: Scene) -> Experiment:
    """The same with the identity for the output matrix."""
    broken = yield from _equal(scene)
    return broken and {**broken, "wo": scene.parameter["wo"]}


def _equal(scene: Scene) -> Experiment:
    step, inputs = scene.mixing
    if not (scene.has("v") or (scene.has("wv") and scene.reading)):
        return None
    masks = [{}, {"mask": scene.mask}] if scene.takes_mask else [{}]
    asked = [_equal_values(scene, scene.but(inputs, **mask)) for mask in masks]
    for one, got in zip(asked, (yield asked), strict=True):
        touched = rows(far(got[step], np.broadcast_to(scene.right(one)["v"][..., :1, :], got[step].shape)))
        if touched:
            return {"returned": scene.returned[step], "token": touched[0]}
    return None
