"""Scoring: other things than every query times every key."""

import numpy as np

from solutions.checks import Anything, Floats
from solutions.contrast import StepSpec
from solutions.mistakes.forms import Right, scored, turned
from solutions.mistakes.spec import MistakeSpec, both, code
from solutions.one_head import scores


def _swapped(q: Anything, k: Anything) -> Floats:
    return scores(k, q)  # (m, n)


def _untransposed(q: Anything, k: Anything) -> Floats:
    out: Floats = q @ k  # runs only if m == d_k
    return out


def _queries_twice(q: Anything, _: Anything) -> Floats:
    return scores(q, q)  # (n, n)


def _keys_twice(_: Anything, k: Anything) -> Floats:
    return scores(k, k)  # (m, m)


def _entry_by_entry(q: Anything, k: Anything) -> Floats:
    out: Floats = q * k  # (n, d_k), runs only if n == m
    return out


def _unit(a: Anything) -> Floats:
    out: Floats = a / np.linalg.norm(a, axis=-1, keepdims=True)
    return out


def _cosine(q: Anything, k: Anything) -> Floats:
    return scores(_unit(q), _unit(k))  # (n, m)


def _scaled_already(q: Anything, k: Anything) -> Floats:
    out: Floats = scores(q, k) / np.sqrt(q.shape[-1])  # (n, m)
    return out


def _own_position(q: Anything, k: Anything) -> Floats:
    raw = scores(q, k)  # (n, m)
    return np.where(np.eye(*raw.shape[-2:], dtype=np.bool_), raw, 0.0)


def _channels(q: Anything, k: Anything) -> Floats:
    out: Floats = turned(q) @ k  # (d_k, d_k), runs only if n == m
    return out


def _several_cells(right: Right) -> bool:
    return bool(max(right["scores"].shape[-2:]) > 1)


def _wide(right: Right) -> bool:
    return bool(right["q_heads" if "q_heads" in right else "q"].shape[-1] > 1)


MISTAKES: tuple[MistakeSpec, ...] = (
    both("scores_qk_swapped", "scores", *scored(_swapped), when=_several_cells),
    both("scores_no_transpose", "scores", *scored(_untransposed)),
    both("scores_use_query_twice", "scores", *scored(_queries_twice)),
    both("scores_use_key_twice", "scores", *scored(_keys_twice)),
    both(
        "scores_use_values",
        "scores",
        StepSpec("scores", ("q_heads", "v_heads"), scores),
        StepSpec("scores", ("q", "v"), scores),
    ),
    both("scores_elementwise_product", "scores", *scored(_entry_by_entry)),
    code("scores_cosine", "scores", *scored(_cosine)),
    both("scores_already_scaled", "scores", *scored(_scaled_already), when=_wide),
    both("scores_same_position_only", "scores", *scored(_own_position), when=_several_cells),
    code("channel_attention", "scores", *scored(_channels)),
)
