"""Laws of the parts: masks, heads split and merged, projections, raw scores."""

import numpy as np

from grader.judge.law import Experiment, Law, far, first, register, rows
from grader.judge.law_scene import Scene
from grader.model import Array

LAWS: list[Law] = []
"""The laws of this module, the most telling first."""

law = register(LAWS)


# --- masks -------------------------------------------------------------------------------------------------------


@law("law-mask-future", takes=("n",), returns=("mask",))
def mask_future(scene: Scene) -> Experiment:
    """A causal mask lets no token read a later one."""
    (got,) = yield [scene.base]
    place = first(np.triu(got["mask"], 1))
    return None if place is None else {"token": place[0], "key": place[1]}


@law("law-mask-self", takes=("n",), returns=("mask",))
def mask_self(scene: Scene) -> Experiment:
    """A causal mask lets every token read itself."""
    (got,) = yield [scene.base]
    place = first(~np.diagonal(got["mask"]))
    return None if place is None else {"token": place[0]}


@law("law-mask-past", takes=("n",), returns=("mask",))
def mask_past(scene: Scene) -> Experiment:
    """A causal mask lets every token read all earlier ones."""
    (got,) = yield [scene.base]
    place = first(np.tril(~got["mask"], -1))
    return None if place is None else {"token": place[0], "key": place[1]}


def _spoken(scene: Scene, place: tuple[int, ...]) -> dict[str, int]:
    row, key = place
    return {"row": row, "key": key, "length": int(scene.base["lengths"][row])}


@law("law-mask-padding", takes=("lengths", "m"), returns=("mask",))
def mask_padding(scene: Scene) -> Experiment:
    """A padding mask lets no filling be read."""
    (got,) = yield [scene.base]
    keys = np.arange(int(scene.base["m"]))
    place = first(got["mask"] & (keys >= scene.base["lengths"][:, None]))  # (B, m)
    return None if place is None else _spoken(scene, place)


@law("law-mask-token", takes=("lengths", "m"), returns=("mask",))
def mask_token(scene: Scene) -> Experiment:
    """A padding mask lets every real token be read."""
    (got,) = yield [scene.base]
    keys = np.arange(int(scene.base["m"]))
    place = first(~got["mask"] & (keys < scene.base["lengths"][:, None]))  # (B, m)
    return None if place is None else _spoken(scene, place)


# --- heads -------------------------------------------------------------------------------------------------------


def _counted(array: Array) -> Array:
    """The cells numbered from 0, row by row: a result then tells where each number came from."""
    return np.arange(array.size, dtype=np.float64).reshape(array.shape)


def _origins(got: Array, source: Array) -> tuple[Array, ...] | None:
    """Where in the source each number of the result stands; `None` if some number is not of the source."""
    whole = np.rint(got)
    if np.any(got != whole) or np.any(whole < 0) or np.any(whole >= source.size):
        return None
    return tuple(np.unravel_index(whole.astype(np.int64), source.shape))


@law("law-numbers-kept", takes=("x", "n_heads"), returns=("heads",))
def split_keeps(scene: Scene) -> Experiment:
    """Splitting moves every number once and makes none."""
    x = _counted(scene.base["x"])
    (got,) = yield [scene.but(x=x)]
    return (
        None if np.array_equal(np.sort(got["heads"], axis=None), x.ravel()) else {"returned": scene.returned["heads"]}
    )


@law("law-split-token", takes=("x", "n_heads"), returns=("heads",))
def split_token(scene: Scene) -> Experiment:
    """Row i of every head holds numbers of token i alone."""
    x = _counted(scene.base["x"])
    (got,) = yield [scene.but(x=x)]
    came = _origins(got["heads"], x)
    if came is None:
        return None
    place = first(came[0] != np.arange(x.shape[0])[:, None])  # (H, n, d_head)
    return None if place is None else {"head": place[0], "token": place[1], "other": int(came[0][place])}


@law("law-split-head", takes=("x", "n_heads"), returns=("heads",))
def split_head(scene: Scene) -> Experiment:
    """Head h holds the h-th block of neighbouring columns, in their order."""
    x = _counted(scene.base["x"])
    (got,) = yield [scene.but(x=x)]
    came = _origins(got["heads"], x)
    if came is None:
        return None
    wanted = np.arange(x.shape[1]).reshape(got["heads"].shape[0], 1, -1)  # (H, 1, d_head)
    place = first(came[1] != wanted)
    if place is None:
        return None
    return {
        "head": place[0],
        "place": place[2],
        "column": int(came[1][place]),
        "wanted": int(wanted[place[0], 0, place[2]]),
    }


@law("law-numbers-kept", takes=("heads",), returns=("concat",))
def merge_keeps(scene: Scene) -> Experiment:
    """Merging moves every number once and makes none."""
    heads = _counted(scene.base["heads"])
    (got,) = yield [scene.but(heads=heads)]
    kept = np.array_equal(np.sort(got["concat"], axis=None), heads.ravel())
    return None if kept else {"returned": scene.returned["concat"]}


@law("law-merge-token", takes=("heads",), returns=("concat",))
def merge_token(scene: Scene) -> Experiment:
    """Row i of the result holds numbers of token i alone."""
    heads = _counted(scene.base["heads"])
    (got,) = yield [scene.but(heads=heads)]
    came = _origins(got["concat"], heads)
    if came is None:
        return None
    place = first(came[1] != np.arange(heads.shape[1])[:, None])  # (n, H * d_head)
    return None if place is None else {"token": place[0], "other": int(came[1][place])}


@law("law-merge-head", takes=("heads",), returns=("concat",))
def merge_head(scene: Scene) -> Experiment:
    """The heads stand side by side, in order."""
    heads = _counted(scene.base["heads"])
    (got,) = yield [scene.but(heads=heads)]
    came = _origins(got["concat"], heads)
    if came is None:
        return None
    width = heads.shape[2]
    column = np.arange(heads.shape[0] * width)
    place = first((came[0] != column // width) | (came[2] != column % width))
    if place is None:
        return None
    at = {"column": place[1], "head": int(came[0][place]), "place": int(came[2][place])}
    return at | {"wanted": place[1] // width, "wanted_place": place[1] % width}


# --- projections -------------------------------------------------------------------------------------------------

MATRIX_OF = {"q": "wq", "k": "wk", "v": "wv"}


@law("law-own-matrix", takes=("x", "wq", "wk", "wv"), returns=("q", "k", "v"))
def own_matrix(scene: Scene) -> Experiment:
    """Queries, keys and values each depend on their own matrix alone."""
    base, *others = yield [scene.base, *(scene.but(**{w: scene.other(w)}) for w in MATRIX_OF.values())]
    for matrix, other in zip(MATRIX_OF.values(), others, strict=True):
        for step, own in MATRIX_OF.items():
            if own != matrix and np.any(far(other[step], base[step])):
                return {"returned": scene.returned[step], "matrix": scene.parameter[matrix]}
    return None


@law("law-projection-token", takes=("x",), returns=("q", "k", "v"))
def projection_token(scene: Scene) -> Experiment:
    """Each token is projected on its own."""
    changed = (0, scene.n - 1)
    base, *others = yield [scene.base, *(scene.row_changed(scene.base, ("x",), row) for row in changed)]
    for row, other in zip(changed, others, strict=True):
        for step in MATRIX_OF:
            for touched in rows(far(other[step], base[step])):
                if touched != row:
                    return {"returned": scene.returned[step], "token": touched, "changed": row}
    return None


@law("law-identity", takes=("x", "wq", "wk", "wv"), returns=("q", "k", "v"))
def identity(scene: Scene) -> Experiment:
    """The identity for X gives back the matrices themselves."""
    (got,) = yield [scene.but(x=np.eye(scene.base["x"].shape[-1]))]
    for step, matrix in MATRIX_OF.items():
        if np.any(far(got[step], scene.base[matrix])):
            return {"returned": scene.returned[step], "matrix": scene.parameter[matrix], "name": scene.parameter["x"]}
    return None


@law("law-linear", takes=("x",), returns=("q", "k", "v"))
def projections_linear(scene: Scene) -> Experiment:
    """The projection of a sum is the sum of the projections."""
    return (yield from _additive(scene, "x"))


def _additive(scene: Scene, name: str) -> Experiment:
    one, two = scene.base[name], scene.other(name)
    base, other, both = yield [scene.base, scene.but(**{name: two}), scene.but(**{name: one + two})]
    for step, returned in scene.returned.items():
        place = first(far(both[step], base[step] + other[step]))
        if place is not None:
            return {"returned": returned, "name": scene.parameter[name], "cell": str(list(place))}
    return None


# --- raw scores --------------------------------------------------------------------------------------------------


@law("law-score-pair", takes=("q", "k"), returns=("scores",))
def score_pair(scene: Scene) -> Experiment:
    """A score depends on its own query and its own key alone."""
    base, query, key = yield [
        scene.base,
        scene.row_changed(scene.base, ("q",), 0),
        scene.row_changed(scene.base, ("k",), scene.m - 1),
    ]
    moved = far(query["scores"], base["scores"])
    place = first(moved & (np.arange(scene.n) != 0)[:, None])  # (n, m)
    if place is not None:
        return {"token": place[0], "key": place[1], "name": scene.parameter["q"], "changed": 0}
    moved = far(key["scores"], base["scores"])
    place = first(moved & (np.arange(scene.m) != scene.m - 1))  # (n, m)
    if place is not None:
        return {"token": place[0], "key": place[1], "name": scene.parameter["k"], "changed": scene.m - 1}
    return None


@law("law-score-place", takes=("q", "k"), returns=("scores",))
def score_place(scene: Scene) -> Experiment:
    """Where all queries are alike, and all keys, all scores are."""
    vector = scene.base["q"][:1]  # (1, d_k)
    q, k = (np.repeat(vector, count, axis=0) for count in (scene.n, scene.m))
    (got,) = yield [scene.but(q=q, k=k)]
    scores, wanted = got["scores"], float((vector * vector).sum())
    place = first(far(scores, wanted))
    if place is None or not np.any(far(scores, scores[place])):
        return None
    return {"token": place[0], "key": place[1], "wanted": wanted, "got": float(scores[place])}


@law("law-score-units", takes=("q", "k"), returns=("scores",))
def score_units(scene: Scene) -> Experiment:
    """A query and a key that hold a single 1 score 1 if it stands at the same place, else 0, wherever they stand."""
    width = scene.base["q"].shape[-1]
    keys = np.arange(scene.m) % width
    turns = [(np.arange(scene.n) + start) % width for start in range(0, width, scene.n)]
    units = np.eye(width)
    got = yield [scene.but(q=units[queries], k=units[keys]) for queries in turns]  # (n, d_k), (m, d_k)
    for queries, one in zip(turns, got, strict=True):
        wrong = far(one["scores"], units[queries] @ units[keys].T)
        for place in np.argwhere(wrong):
            query, key = int(queries[place[0]]), int(keys[place[1]])
            if wrong[queries == query][:, keys == key].all():
                numbers = {"query": query, "key": key, "wanted": int(query == key), "n": scene.n, "m": scene.m}
                return numbers | {"got": float(one["scores"][tuple(place)])}
    return None


@law("law-linear", takes=("q", "k"), returns=("scores",))
def scores_linear_in_queries(scene: Scene) -> Experiment:
    """The scores of a sum of queries are the sum of their scores."""
    return (yield from _additive(scene, "q"))


@law("law-linear", takes=("q", "k"), returns=("scores",))
def scores_linear_in_keys(scene: Scene) -> Experiment:
    """The scores of a sum of keys are the sum of their scores."""
    return (yield from _additive(scene, "k"))
