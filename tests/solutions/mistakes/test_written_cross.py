"""Wrong cross-attention as people write it: the catalogue computes what it returns, on every case."""

import numpy as np
import pytest

from tests.solutions.mistakes.steps import blocked, drawn, softmax, spotted


def cross_cases():
    """Sequences of one width, of the same length and not, masked and not."""
    w = {"wq": drawn(4, 3), "wk": drawn(4, 3), "wv": drawn(4, 5)}
    square = {"x_q": drawn(4, 4), "x_kv": drawn(4, 4), **w}
    rectangle = {"x_q": drawn(3, 4), "x_kv": drawn(6, 4), **w}
    return [square, square | {"mask": spotted(4, 4)}, rectangle, rectangle | {"mask": spotted(3, 6)}]


def crossed(q_from, k_from, v_from, *, block=blocked, root=None):
    """Cross-attention with its three sources chosen, 0 the asking sequence and 1 the one that is read."""

    def attention(x_q, x_kv, wq, wk, wv, mask=None):  # noqa: PLR0917 -- the contract's
        sources = x_q, x_kv
        q, k, v = sources[q_from] @ wq, sources[k_from] @ wk, sources[v_from] @ wv
        weights = softmax(block(q @ k.T / (root or np.sqrt(q.shape[1])), mask))
        return weights @ v, weights

    return attention


CROSS = [
    ("cross_roles_swapped", crossed(1, 0, 0)),
    ("cross_kv_from_queries", crossed(0, 0, 0)),
    ("cross_all_from_context", crossed(1, 1, 1)),
    ("cross_keys_from_queries", crossed(0, 0, 1)),
    ("cross_mask_dropped", crossed(0, 1, 1, block=lambda s, _: s)),
    ("cross_mask_transposed", crossed(0, 1, 1, block=lambda s, m: blocked(s, m if m is None else m.T))),
    ("scale_by_input_dim", crossed(0, 1, 1, root=2)),
]


CROSS_CASES = cross_cases()


@pytest.mark.parametrize(("mistake", "attention"), CROSS)
def test_cross_attention(mistake, attention, named):
    """A wrong cross-attention is recognised over all cases."""
    arguments = ("x_q", "x_kv", "wq", "wk", "wv", "mask")

    assert mistake in named(attention, "cross", CROSS_CASES, arguments, ("output", "weights"))
