"""Several heads: splitting, merging, attending."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from solutions import attention, causal_mask, merge_heads, multi_head_attention, split_heads

SIZES = st.tuples(st.integers(1, 4), st.integers(1, 4), st.integers(1, 4))


def drawn(*shape):
    """Numbers of no pattern."""
    return np.random.default_rng(sum(shape)).normal(size=shape)


def test_split():
    """Head h gets the h-th block of columns."""
    assert split_heads([[1, 2, 3, 4], [5, 6, 7, 8]], 2).tolist() == [[[1, 2], [5, 6]], [[3, 4], [7, 8]]]


@given(SIZES, st.booleans())
def test_merging_undoes_splitting(sizes, batched):
    """Split, then merged, is what was there, with a batch as without."""
    n_heads, n, d_head = sizes
    x = drawn(*((2,) if batched else ()), n, n_heads * d_head)

    heads = split_heads(x, n_heads)

    assert heads.shape == (*x.shape[:-2], n_heads, n, d_head)
    assert np.array_equal(merge_heads(heads), x)
    assert np.array_equal(split_heads(merge_heads(heads), n_heads), heads)


@given(SIZES)
def test_heads_are_loops(sizes):
    """All heads at once give what each gives from its own columns of the weights, side by side, projected."""
    n_heads, n, d_head = sizes
    d = n_heads * d_head
    x, wo = drawn(n, d), drawn(d, d) + 1
    wq, wk, wv = (drawn(d, d) * (i + 1) for i in range(3))

    output = multi_head_attention(x, wq, wk, wv, wo, n_heads, causal_mask(n))

    blocks = [slice(h * d_head, (h + 1) * d_head) for h in range(n_heads)]
    heads = [attention(x @ wq[:, b], x @ wk[:, b], x @ wv[:, b], causal_mask(n))[0] for b in blocks]
    np.testing.assert_allclose(output, np.hstack(heads) @ wo, atol=1e-9)


def test_a_mask_for_each_head():
    """A mask with a head axis masks each head its own way."""
    x, w = drawn(3, 4), np.eye(4)
    masks = np.stack([causal_mask(3), np.eye(3, dtype=bool)])

    output = multi_head_attention(x, w, w, w, w, 2, masks)

    assert np.array_equal(output[:, 2:], x[:, 2:])
    assert not np.array_equal(output[1:, :2], x[1:, :2])


@pytest.mark.parametrize(
    ("call", "error", "says"),
    [
        (lambda: split_heads(np.ones((2, 5)), 2), ValueError, "2 heads must divide the width 5 evenly"),
        (lambda: split_heads(np.ones((2, 4)), 2.0), TypeError, "n_heads must be a whole number"),
        (lambda: split_heads(np.ones((2, 4)), 0), ValueError, "n_heads must be at least 1, got 0"),
        (lambda: merge_heads(np.ones((2, 4))), ValueError, r"at least three axes, got shape \(2, 4\)"),
        (
            lambda: multi_head_attention(np.ones((2, 4)), *[np.ones((4, 4))] * 3, np.ones((3, 4)), 2),
            ValueError,
            r"\(2, 4\) and \(3, 4\)",
        ),
    ],
)
def test_what_does_not_fit(call, error, says):
    """Impossible widths and counts are named."""
    with pytest.raises(error, match=says):
        call()
