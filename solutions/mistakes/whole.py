"""Decimals cut off: by arrays of whole numbers, made like an input of whole numbers or by a type that was asked for."""

from collections.abc import Callable
from typing import Any, Final

import numpy as np

from solutions.checks import Anything, Floats
from solutions.contrast import StepSpec
from solutions.mistakes.forms import Right, mixed_by, scored
from solutions.mistakes.spec import MistakeSpec, When, code
from solutions.one_head import minus_max, mixed, projected, scaled, scores, shares

_HANDED_IN = ("x_q", "x", "q")
"""What is handed in beside the step; a projection of whole numbers is whole as well."""


def _is_whole(a: Anything) -> bool:
    return a.dtype.kind in "iu"


def _stored_like(a: Floats, like: Anything) -> Anything:
    """What is left of numbers in an array of that type: stored among whole ones, their decimals are cut off."""
    return np.trunc(a).astype(like.dtype) if _is_whole(like) else a


def _beside(name: str, needs: tuple[str, ...], run: Callable[..., Any], *names: str) -> tuple[StepSpec, ...]:
    """A step that looks at the type of what was handed in; `run` gets that last."""
    return tuple(StepSpec(name, (*needs, one), run) for one in names or _HANDED_IN)


def _divided_in_place(s: Anything, d: Any, like: Anything) -> Anything:
    kept = s.astype(like.dtype) if _is_whole(like) else s.copy()
    kept /= np.sqrt(d)  # refused for whole numbers
    return kept


def _whole_input(right: Right) -> bool:
    return any(_is_whole(right[name]) for name in (*_HANDED_IN, "masked") if name in right)


# --- floats put into arrays of whole numbers ---------------------------------------------------------------------


def _cut(run: Callable[..., Any]) -> Callable[..., Any]:
    """What is left of a step's result in an array of whole numbers."""
    return lambda *arguments: np.trunc(run(*arguments))


def _of_cut(run: Callable[..., Any]) -> Callable[..., Any]:
    """A step made from what is left of arrays in whole numbers."""
    return lambda *arrays: run(*map(np.trunc, arrays))


def _queries_cut(q: Anything, k: Anything) -> Floats:
    return scores(np.trunc(q), k)


def _keys_cut(q: Anything, k: Anything) -> Floats:
    return scores(q, np.trunc(k))


def _values_cut(weights: Anything, v: Anything) -> Floats:
    return mixed(weights, np.trunc(v))


def _scaled_cut(s: Anything, d: Any) -> Floats:
    return np.trunc(scaled(s, d))


def _projections(run: Callable[..., Any]) -> tuple[StepSpec, ...]:
    """All three projections, of one sequence or of two."""
    sources = (("q", "x"), ("k", "x"), ("v", "x"), ("q", "x_q"), ("k", "x_kv"), ("v", "x_kv"))
    return tuple(StepSpec(step, (source, f"w{step}"), run) for step, source in sources)


def _input_cut(x: Anything, w: Anything) -> Floats:
    return projected(np.trunc(x), w)


def _decimals(*names: str, given: bool = False) -> When:
    """Whether one of these has decimals to lose; `given`: and queries, keys and values are not made by projection."""

    def lose(right: Right) -> bool:
        there = [right[name] for name in names if name in right]
        return not (given and "wq" in right) and any(bool(np.any(np.trunc(one) != one)) for one in there)

    return lose


def _softmax_alone(right: Right) -> bool:
    return "scores" not in right and _decimals("masked")(right)


_CUT: Final = "cut_to_whole_numbers"

CUT_OFF: tuple[MistakeSpec, ...] = (
    code(_CUT, "q", *_projections(_input_cut), when=_decimals("x", "x_q", "x_kv")),
    code(_CUT, "q", *_projections(_cut(projected)), when=_decimals("q", "k", "v")),
    code(_CUT, "scores", *scored(_of_cut(scores)), *mixed_by(_values_cut), when=_decimals("q", "k", "v", given=True)),
    code(_CUT, "scores", *scored(_of_cut(scores)), when=_decimals("q", "k", given=True)),
    code(_CUT, "scores", *scored(_queries_cut), when=_decimals("q", given=True)),
    code(_CUT, "scores", *scored(_keys_cut), when=_decimals("k", given=True)),
    code(_CUT, "output", *mixed_by(_values_cut), when=_decimals("v", given=True)),
    code(_CUT, "scores", *scored(_cut(scores)), when=_decimals("scores")),
    code(
        _CUT,
        "scaled",
        *(StepSpec("scaled", ("scores", width), _scaled_cut) for width in ("d_head", "d_k")),
        when=_decimals("scaled"),
    ),
    code(_CUT, "weights", StepSpec("minus_max", ("masked",), _of_cut(minus_max)), when=_softmax_alone),
    code(_CUT, "weights", StepSpec("weights", ("exp", "sum"), _cut(shares)), when=_decimals("weights")),
    code(_CUT, "output", *mixed_by(_cut(mixed)), when=_decimals("output", "heads")),
    code(_CUT, "projected", StepSpec("projected", ("concat", "wo"), _cut(projected)), when=_decimals("projected")),
)

MISTAKES: tuple[MistakeSpec, ...] = (
    code(
        "integer_truncation",
        "output",
        *_beside("output", ("weights", "v"), lambda w, v, like: _stored_like(mixed(w, v), like), "x_kv", "x", "v"),
        *_beside("projected", ("concat", "wo"), lambda c, wo, like: _stored_like(projected(c, wo), like)),
        when=_whole_input,
    ),
    code(
        "integer_truncation",
        "output",
        *_beside("heads", ("weights", "v_heads"), lambda w, v, like: _stored_like(mixed(w, v), like)),
        when=_whole_input,
    ),
    code(
        "integer_truncation",
        "output",
        *_beside("weights", ("exp", "sum"), lambda e, s, like: _stored_like(shares(e, s), like), *_HANDED_IN, "masked"),
        when=_whole_input,
    ),
    code(
        "integer_truncation",
        "output",
        *(
            form
            for width in ("d_head", "d_k")
            for form in _beside("scaled", ("scores", width), lambda s, d, like: _stored_like(scaled(s, d), like))
        ),
        when=_whole_input,
    ),
    *CUT_OFF,
    code(
        "int_inplace_division",
        "scaled",
        *(form for width in ("d_head", "d_k") for form in _beside("scaled", ("scores", width), _divided_in_place)),
        when=_whole_input,
    ),
)
