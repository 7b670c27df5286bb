"""Whole numbers handed in: results kept in an array made like the input, whose type has no room for decimals."""

from collections.abc import Callable
from typing import Any

import numpy as np

from solutions.checks import Anything, Floats
from solutions.contrast import StepSpec
from solutions.mistakes.forms import Right
from solutions.mistakes.spec import MistakeSpec, code
from solutions.one_head import mixed, projected, scaled, shares

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
    code(
        "int_inplace_division",
        "scaled",
        *(form for width in ("d_head", "d_k") for form in _beside("scaled", ("scores", width), _divided_in_place)),
        when=_whole_input,
    ),
)
