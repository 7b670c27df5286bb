"""Laws of size: how large weights are, by their scores, and softmax alone."""

import numpy as np

from grader.judge.law import (
    NOTHING,
    SEEN,
    Broken,
    Experiment,
    Law,
    far,
    first,
    register,
    returned_rows,
    rows,
    shown,
    touched_rows,
)
from grader.judge.law_scene import PLENTY, Inputs, Scene
from grader.model import Array

LAWS: list[Law] = []
"""The laws of this module, the most telling first."""

law = register(LAWS)

RATIO = 1e-3
"""How far the logarithm of a ratio of weights may be off."""
LARGE = 512.0
"""What makes scores large when it is added to every key."""
FAR = 2048.0
"""What makes rows of scores large, and far from each other."""


# --- softmax alone -----------------------------------------------------------------------------------------------


@law("law-own-row", takes=("masked",), returns=("weights",))
def softmax_own_row(scene: Scene) -> Experiment:
    """A row's weights depend on that row alone."""
    lead = scene.base["masked"].shape[:-1]
    changed = [tuple(0 for _ in lead), tuple(size - 1 for size in lead)] if lead else []
    if not changed:
        return None
    inputs = []
    for row in changed:
        array = scene.base["masked"].copy()
        array[row] = scene.other("masked")[row]
        inputs.append(scene.but(masked=array))
    base, *others = yield [scene.base, *inputs]
    for row, other in zip(changed, others, strict=True):
        moved = touched_rows(far(other["weights"], base["weights"]))
        moved[row] = False
        place = first(moved)
        if place is not None:
            return {"row": shown(place), "changed": shown(row)}
    return None


@law("law-equal-scores", takes=("masked",), returns=("weights",))
def softmax_equal(scene: Scene) -> Experiment:
    """Equal scores get equal weights."""
    (got,) = yield [scene.but(masked=np.full(scene.base["masked"].shape, 0.5))]
    count = scene.base["masked"].shape[-1]
    place = first(far(got["weights"], 1 / count))
    return None if place is None else {"count": count, "cell": shown(place), "got": float(got["weights"][place])}


@law("law-columns-moved", takes=("masked",), returns=("weights",))
def softmax_permuted(scene: Scene) -> Experiment:
    """Scores in another order give the same weights in that order."""
    base, other = yield [scene.base, scene.but(masked=np.flip(scene.base["masked"], axis=-1))]
    place = first(touched_rows(far(other["weights"], np.flip(base["weights"], axis=-1))))
    return None if place is None else {"row": shown(place)}


@law("law-row-shift", takes=("masked",), returns=("weights",))
def softmax_shift(scene: Scene) -> Experiment:
    """The same number added to a whole row changes nothing."""
    base, other = yield [scene.base, scene.but(masked=scene.base["masked"] + 1.5)]
    place = first(touched_rows(far(other["weights"], base["weights"])))
    return None if place is None else {"row": shown(place), "added": 1.5}


@law("law-large-numbers", takes=("masked",), returns=("weights",), finite=False)
def softmax_large(scene: Scene) -> Experiment:
    """Scores far above or below zero keep their weights."""
    shifts = (FAR, -FAR)
    base, *others = yield [scene.base, *(scene.but(masked=scene.base["masked"] + shift) for shift in shifts)]
    if not np.isfinite(base["weights"]).all():
        return None  # whatever it is, it is not how large they are
    for shift, other in zip(shifts, others, strict=True):
        place = first(far(other["weights"], base["weights"]))
        if place is not None:
            return {"row": shown(place[:-1]), "added": shift, "got": float(other["weights"][place])}
    return None


@law("law-far-rows", takes=("masked",), returns=("weights",), finite=False)
def softmax_far_rows(scene: Scene) -> Experiment:
    """Rows far from each other keep their weights."""
    if scene.base["masked"].ndim < PLENTY:
        return None
    steps = FAR * np.arange(scene.base["masked"].shape[-2])[:, None]  # (n, 1)
    base, other = yield [scene.base, scene.but(masked=scene.base["masked"] + steps)]
    if not np.isfinite(base["weights"]).all():
        return None
    place = first(far(other["weights"], base["weights"]))
    numbers = {"apart": FAR}
    return None if place is None else numbers | {"row": shown(place[:-1]), "got": float(other["weights"][place])}


# --- how large the weights are -----------------------------------------------------------------------------------


def _logarithms(scene: Scene, got: Array, scores: str) -> tuple[Array, Array] | None:
    """How far each key's weight, as a logarithm, is above the first one's; and its score above the first one's."""
    want = scene.right(scene.base)[scores]
    if np.any(got <= NOTHING):
        return None
    return np.log(got) - np.log(got[..., :1]), want - want[..., :1]


@law("law-scale", takes=("q", "k"), returns=("weights",))
def scale(scene: Scene) -> Experiment:
    """The weights are those of scores over the root of d_k, and of no other divisor."""
    (got,) = yield [scene.base]
    return _divisor(_logarithms(scene, got["weights"], "scores"), scene.base["q"].shape[-1])


@law("law-scale", takes=("wq", "wk"), returns=("weights",))
def scale_projected(scene: Scene) -> Experiment:
    """The same where queries and keys are projected first."""
    (got,) = yield [scene.base]
    return _divisor(_logarithms(scene, got["weights"], "scores"), scene.base["wq"].shape[-1])


def _two_tokens(scene: Scene) -> Inputs:
    """Two tokens, and the identity for the output matrix: then the weights inside the heads can be seen."""
    return scene.but(scene.mixing[1], x=scene.base["x"][..., :2, :])


def _seen_in_heads(scene: Scene, got: Array) -> tuple[Array, Array] | None:
    """For every head and token the logarithm of its weights' ratio, and the difference of its two scores, unscaled."""
    right = scene.right(_two_tokens(scene))
    values = right["v_heads"]  # (H, 2, d_head)
    mixed = np.moveaxis(got.reshape(2, len(values), -1), 1, 0)  # (2, d_model) -> (H, 2, d_head)
    apart = values[:, :1] - values[:, 1:]  # (H, 1, d_head)
    share = ((mixed - values[:, 1:]) * apart).sum(axis=-1) / (apart * apart).sum(axis=-1)  # (H, 2)
    if np.any(far(share[..., None] * apart + values[:, 1:], mixed)) or np.any((share <= 0) | (share >= 1)):
        return None  # not a mix of the two values
    return np.log(share) - np.log1p(-share), right["scores"][..., 0] - right["scores"][..., 1]


@law("law-scale", takes=("x", "wq", "wk", "n_heads"), returns=("projected",))
def scale_of_heads(scene: Scene) -> Experiment:
    """The same inside the heads."""
    (got,) = yield [_two_tokens(scene)]
    return _divisor(_seen_in_heads(scene, got["projected"]), scene.base["wq"].shape[-1] // int(scene.base["n_heads"]))


def _divisor(pairs: tuple[Array, Array] | None, width: int) -> Broken:
    """The one divisor that the weights fit, if it is another than the root of the width."""
    if pairs is None:
        return None
    ratios, differences = pairs
    factor = float((ratios * differences).sum() / (differences * differences).sum())
    root = float(np.sqrt(width))
    if factor <= 0 or abs(factor * root - 1) < RATIO or np.any(np.abs(ratios - factor * differences) > RATIO):
        return None
    return {"divisor": 1 / factor, "root": root, "width": width}


@law("law-temperature", takes=("masked",), returns=("weights",))
def temperature(scene: Scene) -> Experiment:
    """Two weights are to each other as e to the difference of their scores, not of a multiple of it."""
    (got,) = yield [scene.base]
    pairs = _logarithms(scene, got["weights"], "masked")
    found = _divisor(pairs, 1)
    return None if found is None else {"factor": 1 / found["divisor"]}


@law("law-order", returns=("weights",))
def order(scene: Scene) -> Experiment:
    """A higher score gets a larger weight."""
    (got,) = yield [scene.base]
    right, weights = scene.right(scene.base), got["weights"]
    if "masked" not in right:
        return None
    higher = right["masked"][..., :, None] > right["masked"][..., None, :] + SEEN  # (..., m, m)
    place = first(higher & (weights[..., :, None] < weights[..., None, :] - NOTHING))
    return (
        None if place is None else {"row": shown(place[:-2]) if place[:-2] else 0, "high": place[-2], "low": place[-1]}
    )


@law("law-ratio", returns=("weights",))
def ratio(scene: Scene) -> Experiment:
    """Two weights are to each other as e to the difference of their scores."""
    (got,) = yield [scene.base]
    if "masked" not in scene.right(scene.base):
        return None
    pairs = _logarithms(scene, got["weights"], "masked")
    place = None if pairs is None else first(np.abs(pairs[0] - pairs[1]) > RATIO)
    if pairs is None or place is None:
        return None
    numbers = {"row": shown(place[:-1]), "key": place[-1]}
    return numbers | {"got": float(np.exp(pairs[0][place])), "wanted": float(np.exp(pairs[1][place]))}


@law("law-head-ratio", takes=("x", "wq", "wk", "n_heads"), returns=("projected",))
def ratio_in_heads(scene: Scene) -> Experiment:
    """Inside a head two weights are to each other as e to the difference of their scaled scores."""
    (got,) = yield [_two_tokens(scene)]
    pairs = _seen_in_heads(scene, got["projected"])
    if pairs is None:
        return None
    wanted = pairs[1] / np.sqrt(scene.base["wq"].shape[-1] // int(scene.base["n_heads"]))  # (H, 2)
    place = first(np.abs(pairs[0] - wanted) > RATIO)
    if place is None:
        return None
    numbers = {"head": place[0], "token": place[1], "wo": scene.parameter["wo"]}
    return numbers | {"got": float(np.exp(pairs[0][place])), "wanted": float(np.exp(wanted[place]))}


# --- shifts that do not matter -----------------------------------------------------------------------------------


@law("law-key-shift", takes=("q", "k"))
def key_shift(scene: Scene) -> Experiment:
    """The same vector added to every key changes nothing."""
    if not returned_rows(scene):
        return None
    base, other = yield [scene.masked, scene.but(scene.masked, k=scene.base["k"] + scene.base["q"][..., :1, :])]
    for step in returned_rows(scene):
        touched = rows(far(other[step], base[step]))
        if touched:
            return {"returned": scene.returned[step], "token": touched[0], "name": scene.parameter["k"]}
    return None


@law("law-large-scores", takes=("q", "k"), finite=False)
def large_scores(scene: Scene) -> Experiment:
    """Scores far above or below zero keep their weights."""
    if not returned_rows(scene):
        return None
    asked = [scene.but(k=scene.base["k"] + sign * LARGE) for sign in (1, -1)]
    base, *others = yield [scene.base, *asked]
    for other in others:
        for step in (step for step in returned_rows(scene) if np.isfinite(base[step]).all()):
            touched = rows(far(other[step], base[step], 0.01))
            if touched:
                return {
                    "returned": scene.returned[step],
                    "token": touched[0],
                    "added": LARGE,
                    "name": scene.parameter["k"],
                }
    return None
