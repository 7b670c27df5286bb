"""Laws of what is left out: no weight and no score, at random or because no loop reaches it."""

from typing import Any

import numpy as np

from grader.judge.law import NOTHING, SEEN, Broken, Experiment, Law, register
from grader.judge.law_scene import PLENTY, Inputs, Scene, generic
from grader.model import Array

LAWS: list[Law] = []
"""The laws of this module, the most telling first."""

law = register(LAWS)

_ALIKE = 1e-4
"""How far factors that must be one and the same may be apart."""
_FEW = 3
"""With fewer scores left in a row, chance would find a common factor."""
_WIDE = 8
"""How wide a head is in which as many tokens can be told apart by what comes out."""


@law("law-dropout", returns=("weights",), mistake="dropout_active")
def dropped_weights(scene: Scene) -> Experiment:
    """No weight is left out while all others are blown up alike."""
    inputs = _tall(scene)
    asked = [inputs, scene.but(inputs), scene.masked if scene.takes_mask else scene.base]
    got = yield asked
    want = [scene.right(inputs)["weights"] for inputs in asked]
    found = _dropped([one["weights"] for one in got], want)
    return found and {"returned": scene.returned["weights"], **found}


@law("law-dropout", takes=("x", "wq", "wk", "wv", "wo", "n_heads"), returns=("projected",), mistake="dropout_active")
def dropped_weights_in_heads(scene: Scene) -> Experiment:
    """The same inside heads, where each is as wide as there are tokens, so that its weights can be worked out."""
    count = int(scene.base["n_heads"])
    inputs = _wide(scene, count)
    asked = [inputs, scene.but(inputs)]
    got = yield asked
    right = scene.right(inputs)
    solved = np.linalg.pinv(right["v_heads"])  # (H, d_head, n)
    made = [np.stack(np.split(one["projected"], count, axis=-1)) @ solved for one in got]  # (H, n, n)
    found = _dropped(made, [right["weights"]] * len(made))
    return found and {"returned": scene.returned["projected"], **found}


def _tall(scene: Scene) -> Inputs:
    """So many weights that some would be left out."""
    rows = {**dict.fromkeys(scene.reading, _WIDE + 1), **dict.fromkeys(scene.asking, _WIDE)}
    if scene.has("masked"):
        return scene.but(masked=generic("masked", (_WIDE, _WIDE + 1)))
    return scene.but(**{name: generic(name, (many, scene.base[name].shape[-1])) for name, many in rows.items()})


def _wide(scene: Scene, count: int) -> Inputs:
    """Heads as wide as there are tokens, and the identity for the output matrix."""
    width = count * _WIDE
    shapes = {"x": (_WIDE, width), **dict.fromkeys(("wq", "wk", "wv"), (width, width))}
    return scene.but(**{name: generic(name, shape) for name, shape in shapes.items()}, wo=np.eye(width))


def _dropped(got: list[Array], want: list[Array]) -> Broken:
    """The one factor by which all weights are too large that are not 0, and a place of one that is."""
    factors, first, patterns = [], None, []
    for one, right in zip(got, want, strict=True):
        shows = right > SEEN
        gone = shows & (np.abs(one) < NOTHING)
        factors.append((one / np.where(shows, right, 1.0))[shows & ~gone])
        patterns.append(gone)
        first = first if first is not None or not gone.any() else np.argwhere(gone)[0]
    every = np.concatenate(factors)
    if first is None or not every.size or np.ptp(every) > _ALIKE * abs(every[0]):
        return None
    by_chance = not np.array_equal(patterns[0], patterns[1])  # of the same call
    if every[0] <= 1 + SEEN and not by_chance:
        return None
    return {"cell": str([int(place) for place in first]), "factor": float(every[0])}


@law("law-dropout-scores", returns=("weights",), mistake="dropout_before_softmax")
def dropped_scores(scene: Scene) -> Experiment:
    """No score is put to 0 while all others are blown up alike."""
    (got,) = yield [scene.base]
    found = _some_scores_zero(scene, got["weights"])
    return found if found is not None and found["factor"] > 1 + SEEN else None


@law("law-scores-zero", returns=("weights",))
def zero_scores(scene: Scene) -> Experiment:
    """No score is 0 while all others are as they should be."""
    (got,) = yield [scene.base]
    found = _some_scores_zero(scene, got["weights"])
    return found if found is not None and found["factor"] <= 1 + SEEN else None


def _some_scores_zero(scene: Scene, weights: Array) -> dict[str, Any] | None:
    """The first score that was 0 in what was softmaxed, and the one factor by which all others are too large."""
    right = scene.right(scene.base)
    scores = right.get("scaled", right["masked"])
    if weights.ndim != PLENTY or np.any(weights <= 0):
        return None
    rows = [_row_of_dropped(row, scores[place]) for place, row in enumerate(np.log(weights))]
    known = [row for row in rows if row is not None and row[0]]
    if not known or any(row is None or abs(row[1] - known[0][1]) > _ALIKE * known[0][1] for row in rows):
        return None
    place = next(number for number, row in enumerate(rows) if row is not None and row[0])
    cell = [place, known[0][0][0]]
    return {"returned": scene.returned["weights"], "cell": str(cell), "factor": known[0][1]}


def _row_of_dropped(logs: Array, scores: Array) -> tuple[list[int], float] | None:
    """Which scores of a row were 0 and by how much the others are too large; `None` if that is not what happened."""
    slopes = (logs - logs[0])[1:] / (scores - scores[0])[1:]
    if np.ptp(slopes) < _ALIKE:
        return [], float(slopes[0])
    for place in range(len(logs)):
        apart = logs - logs[place]
        gone = np.abs(apart) < NOTHING
        left = ~gone & (np.abs(scores) > SEEN)
        factors = apart[left] / scores[left]
        if len(factors) >= _FEW and np.ptp(factors) < _ALIKE and factors[0] > 1 - SEEN:
            return [int(one) for one in np.flatnonzero(gone)], float(factors[0])
    return None
