"""Laws of mixing: heads apart, orders that do not matter, an output within its values and linear in them."""

from collections.abc import Sequence

import numpy as np

from grader.judge.law import (
    SEEN,
    Experiment,
    Law,
    far,
    first,
    register,
    returned_rows,
    rows,
    weight_at,
)
from grader.judge.law_scene import Inputs, Scene
from grader.model import Array

LAWS: list[Law] = []
"""The laws of this module, the most telling first."""

law = register(LAWS)


# --- plain cases -------------------------------------------------------------------------------------------------


@law("law-one-key", takes=("k", "v"), returns=("output",))
def one_key(scene: Scene) -> Experiment:
    """With a single key its value is the output."""
    (got,) = yield [scene.but(k=scene.base["k"][..., :1, :], v=scene.base["v"][..., :1, :])]
    place = first(far(got["output"], np.broadcast_to(scene.base["v"][..., :1, :], got["output"].shape)))
    return None if place is None else {"returned": scene.returned["output"], "token": place[-2]}


@law("law-equal-keys", takes=("k",), returns=("weights",))
def equal_keys(scene: Scene) -> Experiment:
    """Equal keys get equal weights."""
    keys = np.broadcast_to(scene.base["k"][..., :1, :], scene.base["k"].shape).copy()
    (got,) = yield [scene.but(k=keys)]
    place = first(far(got["weights"], 1 / scene.m))
    return None if place is None else weight_at(got["weights"], place) | {"count": scene.m}


# --- several heads -----------------------------------------------------------------------------------------------


@law("law-heads-apart", takes=("n_heads", "wq", "wk", "wv", "wo"), returns=("projected",))
def heads_apart(scene: Scene) -> Experiment:
    """With the identity for the output matrix, a head's columns depend on its own blocks of the matrices alone."""
    _, inputs = scene.mixing
    count = int(scene.base["n_heads"])
    width = scene.base["wq"].shape[-1] // count
    tried = [(name, head) for name in ("wq", "wk", "wv") for head in sorted({0, count - 1})]
    asked = []
    for name, head in tried:
        matrix = inputs[name].copy()
        matrix[:, head * width : (head + 1) * width] = scene.other(name)[:, head * width : (head + 1) * width]
        asked.append(scene.but(inputs, **{name: matrix}))
    base, *others = yield [inputs, *asked]
    for (name, head), other in zip(tried, others, strict=True):
        moved = np.asarray(far(other["projected"], base["projected"]).any(axis=0))  # (d_model,)
        moved[head * width : (head + 1) * width] = False
        place = first(moved)
        if place is not None:
            numbers = {
                "returned": scene.returned["projected"],
                "name": scene.parameter[name],
                "wo": scene.parameter["wo"],
            }
            return numbers | {"head": place[0] // width, "changed": head}
    return None


@law("law-output-matrix", takes=("wo",), returns=("projected",))
def output_matrix(scene: Scene) -> Experiment:
    """The output matrix multiplies, at the end, what comes out with the identity in its place."""
    _, inputs = scene.mixing
    plain, base = yield [inputs, scene.base]
    touched = rows(far(base["projected"], plain["projected"] @ scene.base["wo"]))
    numbers = {"returned": scene.returned["projected"], "wo": scene.parameter["wo"]}
    return numbers | {"token": touched[0]} if touched else None


# --- orders that do not matter -----------------------------------------------------------------------------------


def _moved(inputs: Inputs, names: Sequence[str], axes: Sequence[int]) -> dict[str, Array]:
    """The rows of these inputs in reverse, and these axes of a mask with them."""
    moved = {name: np.flip(inputs[name], axis=-2) for name in names}
    if "mask" in inputs:
        moved["mask"] = np.flip(inputs["mask"], axis=tuple(axes))
    return moved


def _after_moving(scene: Scene, names: Sequence[str], axes: Sequence[int]) -> Experiment:
    """The results for reversed rows are the results reversed: rows for queries, columns of weights for keys."""
    base, other = yield [scene.masked, scene.but(scene.masked, **_moved(scene.masked, names, axes))]
    for step in returned_rows(scene):
        turn = [axis for axis in axes if axis == -2 or step == "weights"]  # noqa: PLR2004 -- the axis of queries
        touched = rows(far(other[step], np.flip(base[step], axis=tuple(turn))))
        if touched:
            return {
                "returned": scene.returned[step],
                "token": touched[0],
                "names": [scene.parameter[one] for one in names],
            }
    return None


@law("law-keys-moved")
def keys_moved(scene: Scene) -> Experiment:
    """The order of the keys (with their values and columns of the mask) does not matter."""
    apart = scene.asking and scene.reading and not scene.same_tokens
    return (yield from _after_moving(scene, scene.reading, (-1,))) if apart else None


@law("law-queries-moved")
def queries_moved(scene: Scene) -> Experiment:
    """Queries in another order (with rows of the mask) give the same rows in that order."""
    apart = scene.asking and scene.reading and not scene.same_tokens
    return (yield from _after_moving(scene, scene.asking, (-2,))) if apart else None


@law("law-tokens-moved")
def tokens_moved(scene: Scene) -> Experiment:
    """Tokens in another order (with both axes of the mask) give the same rows in that order."""
    return (yield from _after_moving(scene, scene.asking, (-2, -1))) if scene.asking and scene.same_tokens else None


# --- the output is a mix of values -------------------------------------------------------------------------------


@law("law-values-range", returns=("output",))
def values_range(scene: Scene) -> Experiment:
    """The output lies within the range of the values that may be read."""
    return (yield from _range(scene)) if scene.mixing[0] == "output" else None


@law("law-values-range-heads", takes=("wo",), returns=("projected",))
def values_range_of_heads(scene: Scene) -> Experiment:
    """The same with the identity for the output matrix."""
    broken = yield from _range(scene)
    return broken and {**broken, "wo": scene.parameter["wo"]}


def _range(scene: Scene) -> Experiment:
    step, inputs = scene.mixing
    if not (scene.has("v") or (scene.has("wv") and scene.reading)):
        return None
    masks = [allowed for _, allowed in scene.settings]
    asked = [scene.but(inputs, **({} if place == 0 else {"mask": mask})) for place, mask in enumerate(masks)]
    for allowed, one, got in zip(masks, asked, (yield asked), strict=True):
        values = np.where(allowed[:, :, None], scene.right(one)["v"], np.nan)  # (n, m, d_v)
        low, high = np.nanmin(values, axis=1), np.nanmax(values, axis=1)  # (n, d_v)
        place = first((got[step] < low - SEEN) | (got[step] > high + SEEN))
        if place is not None:
            numbers = {"returned": scene.returned[step], "token": place[0], "column": place[1]}
            bounds = {"low": float(low[place]), "high": float(high[place])}
            return numbers | bounds | {"got": float(got[step][place])}
    return None


@law("law-linear-values")
def linear_in_values(scene: Scene) -> Experiment:
    """The output for a sum of values is the sum of the outputs."""
    name = next((one for one in ("v", "wv") if scene.has(one)), None)
    steps = [step for step in returned_rows(scene) if step != "weights"]
    if name is None or not steps:
        return None
    one, two = scene.base[name], scene.other(name)
    base, other, both = yield [scene.base, scene.but(**{name: two}), scene.but(**{name: one + two})]
    touched = rows(far(both[steps[0]], base[steps[0]] + other[steps[0]]))
    numbers = {"returned": scene.returned[steps[0]], "name": scene.parameter[name]}
    return numbers | {"token": touched[0]} if touched else None
