"""Laws of reading: what may have an influence on what.

"Query i" and "key j" where they come in apart, "token" where both are made from the same X.
"""

from collections.abc import Iterator, Sequence

import numpy as np

from grader.judge.law import (
    NO_WEIGHT,
    SEEN,
    Broken,
    Experiment,
    Law,
    far,
    first,
    register,
    returned_rows,
    rows,
)
from grader.judge.law_scene import Inputs, Scene, Values
from grader.model import Array

LAWS: list[Law] = []
"""The laws of this module, the most telling first."""

law = register(LAWS)

FEW, MANY = 3, 6
"""How many keys are changed, one at a time."""


# --- who may read whom -------------------------------------------------------------------------------------------


def _influence(scene: Scene, inputs: Inputs, keys: Sequence[int]) -> list[Inputs]:
    """The inputs, and the inputs with each of these keys (and its value) changed."""
    return [inputs, *(scene.row_changed(inputs, scene.reading, key) for key in keys)]


def _wrongly(
    scene: Scene, keys: Sequence[int], got: Sequence[Values], allowed: Array
) -> Iterator[tuple[str, int, int]]:
    """Every returned step and query that changed with a key that it may not read."""
    base, *others = got
    for key, other in zip(keys, others, strict=True):
        for step in returned_rows(scene):
            for row in rows(far(other[step], base[step])):
                if not allowed[row, key] and not (scene.same_tokens and row == key):
                    yield scene.returned[step], row, key


def _some_keys(scene: Scene, count: int) -> Sequence[int]:
    """Some keys; the more queries are kept from reading one, the sooner it is taken."""
    blocked = (~scene.mask).sum(axis=0)
    return sorted(range(scene.m), key=lambda key: (-int(blocked[key]), -key))[:count]


def _first_of(found: Iterator[tuple[str, int, int]]) -> Broken:
    return next(({"returned": name, "token": row, "changed": key} for name, row, key in found), None)


@law("law-weights-values", returns=("weights",))
def weights_without_values(scene: Scene) -> Experiment:
    """The weights do not depend on the values."""
    name = next((one for one in ("v", "wv") if scene.has(one)), None)
    if name is None:
        return None
    base, other = yield [scene.base, scene.but(**{name: scene.other(name)})]
    touched = rows(far(other["weights"], base["weights"]))
    return (
        {"weights": scene.returned["weights"], "name": scene.parameter[name], "token": touched[0]} if touched else None
    )


@law("law-own-query")
def own_query(scene: Scene) -> Experiment:
    """A query decides on its own row alone."""
    if not scene.asking or not scene.reading or scene.same_tokens or not returned_rows(scene):
        return None
    changed = sorted({0, scene.n - 1})
    base, *others = yield [scene.base, *(scene.row_changed(scene.base, scene.asking, row) for row in changed)]
    for row, other in zip(changed, others, strict=True):
        for step in returned_rows(scene):
            for touched in rows(far(other[step], base[step])):
                if touched != row:
                    return {"returned": scene.returned[step], "token": touched, "changed": row}
    return None


@law("law-future")
def future(scene: Scene) -> Experiment:
    """Under a causal mask no later token has any influence."""
    is_causal = any(step.name == "mask" and "n" not in step.needs for step in scene.pipeline.steps)
    if not (scene.asking and scene.reading) or not (is_causal or scene.has("mask")):
        return None
    size = min(scene.n, scene.m)
    keys = range(1, size)[-FEW:]
    got = yield _influence(scene, scene.causal, keys)
    return _first_of(_wrongly(scene, keys, got, np.tri(size, dtype=bool)))


def _blocked(scene: Scene) -> Experiment:
    keys = _some_keys(scene, MANY)
    got = yield _influence(scene, scene.masked, keys)
    return _first_of(_wrongly(scene, keys, got, scene.mask))


@law("law-blocked-key", takes=("mask",))
def blocked_key(scene: Scene) -> Experiment:
    """A blocked key, and its value, have no influence."""
    return (yield from _blocked(scene)) if scene.takes_mask and not scene.same_tokens else None


@law("law-blocked-token", takes=("mask",))
def blocked_token(scene: Scene) -> Experiment:
    """A token that may not be read has no influence."""
    return (yield from _blocked(scene)) if scene.takes_mask and scene.same_tokens else None


def _unread(scene: Scene) -> Experiment:
    keys = _some_keys(scene, FEW)
    asked = [one for inputs, _ in scene.settings for one in _influence(scene, inputs, keys)]
    answers = yield asked
    for start in range(0, len(asked), len(keys) + 1):
        found = _kept_still(scene, keys, asked[start : start + len(keys) + 1], answers[start : start + len(keys) + 1])
        if found is not None:
            return found
    return None


def _kept_still(scene: Scene, keys: Sequence[int], asked: Sequence[Inputs], got: Sequence[Values]) -> Broken:
    """A query whose row stays as it is though a key that it reads has changed."""
    step = returned_rows(scene)[-1]
    right, base = scene.right(asked[0])[step], got[0][step]
    for key, inputs, other in zip(keys, asked[1:], got[1:], strict=True):
        must = (np.abs(scene.right(inputs)[step] - right) > SEEN).any(axis=-1)
        still = (np.abs(other[step] - base) < NO_WEIGHT).all(axis=-1)
        place = first(must & still)
        if place is not None:
            return {"returned": scene.returned[step], "token": place[-1], "changed": key}
    return None


@law("law-allowed-key")
def allowed_key(scene: Scene) -> Experiment:
    """A key that may be read, with its value, has some influence."""
    apart = scene.asking and scene.reading and not scene.same_tokens and returned_rows(scene)
    return (yield from _unread(scene)) if apart else None


@law("law-allowed-token")
def allowed_token(scene: Scene) -> Experiment:
    """A token that may be read has some influence."""
    return (yield from _unread(scene)) if scene.asking and scene.same_tokens and returned_rows(scene) else None


@law("law-open-mask", takes=("mask",))
def open_mask(scene: Scene) -> Experiment:
    """A mask that allows everything is as good as none."""
    if not scene.takes_mask or not returned_rows(scene):
        return None
    base, other = yield [scene.base, scene.but(mask=np.ones_like(scene.mask))]
    for step in returned_rows(scene):
        touched = rows(far(other[step], base[step]))
        if touched:
            return {"returned": scene.returned[step], "token": touched[0]}
    return None
