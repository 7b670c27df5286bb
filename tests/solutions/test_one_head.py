"""One head: laws of softmax, scores and attention, and what does not fit."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from solutions import attention, project_qkv, scores, softmax
from solutions.one_head import masked, minus_max

NUMBERS = st.floats(-50, 50, width=32)
ROWS = arrays(np.float64, array_shapes(min_dims=1, max_dims=4, max_side=4), elements=NUMBERS)
SIZES = st.integers(1, 4)


@st.composite
def one_heads(draw, batch=()):
    """Queries, keys and values that fit, of all kinds of sizes."""
    n, m, d_k, d_v = (draw(SIZES) for _ in range(4))
    shapes = (n, d_k), (m, d_k), (m, d_v)
    return tuple(draw(arrays(np.float64, (*batch, *shape), elements=st.floats(-3, 3, width=32))) for shape in shapes)


@given(ROWS)
def test_shares_add_to_one(x):
    """Softmax of any rank gives shares between 0 and 1 that add to 1 along the last axis."""
    weights = softmax(x)

    assert weights.shape == x.shape
    assert ((weights >= 0) & (weights <= 1)).all()
    np.testing.assert_allclose(weights.sum(axis=-1), np.ones(x.shape[:-1]))


@given(ROWS, st.floats(-1e6, 1e6))
def test_a_constant_changes_no_share(x, c):
    """Softmax does not see a constant added to a row."""
    np.testing.assert_allclose(softmax(x + c), softmax(x), atol=1e-6)


@given(ROWS)
def test_larger_scores_get_larger_shares(x):
    """Softmax keeps the order of scores."""
    ordered = np.take_along_axis(softmax(x), np.argsort(x), -1)

    assert (np.diff(ordered, axis=-1) >= -1e-15).all()


def test_blocked_keys_get_nothing():
    """-inf gets share 0, and a row of -inf alone gets zeros, without a warning."""
    assert softmax([[0.0, -np.inf], [-np.inf, -np.inf]]).tolist() == [[1, 0], [0, 0]]


def test_a_row_without_a_maximum_stays():
    """A row of -inf has no maximum to take away."""
    assert minus_max([-np.inf, -np.inf]).tolist() == [-np.inf, -np.inf]


def test_no_keys_no_shares():
    """Softmax over no keys is empty."""
    assert softmax(np.zeros((2, 0))).shape == (2, 0)


def test_softmax_of_a_number():
    """A single number has no axis to run along."""
    with pytest.raises(ValueError, match="at least one axis"):
        softmax(3.0)


def test_integers_are_fine():
    """Whole numbers are read as floats everywhere."""
    output, weights = attention([[1, 0]], [[2, 0], [2, 5]], [[1], [3]])

    assert weights.tolist() == [[0.5, 0.5]]
    assert output.tolist() == [[2]]


@given(one_heads())
def test_scores_are_dot_products(qkv):
    """Score i, j is query i times key j."""
    q, k, _ = qkv

    raw = scores(q, k)

    for i, j in np.ndindex(raw.shape):
        assert raw[i, j] == pytest.approx(float(np.dot(q[i], k[j])), abs=1e-9)


@given(one_heads(), st.randoms(use_true_random=False))
def test_order_of_keys_does_not_matter(qkv, random):
    """Keys and values in another order give the same output, the weights moved along."""
    q, k, v = qkv
    order = random.sample(range(len(k)), len(k))

    output, weights = attention(q, k[order], v[order])

    np.testing.assert_allclose(output, attention(q, k, v)[0], atol=1e-9)
    np.testing.assert_allclose(weights, attention(q, k, v)[1][:, order], atol=1e-9)


@given(one_heads(), st.randoms(use_true_random=False))
def test_queries_are_answered_one_by_one(qkv, random):
    """Queries in another order give the same rows in that order."""
    q, k, v = qkv
    order = random.sample(range(len(q)), len(q))

    np.testing.assert_allclose(attention(q[order], k, v)[0], attention(q, k, v)[0][order], atol=1e-9)


@given(one_heads(batch=(2, 3)))
def test_batch_is_a_loop(qkv):
    """Leading axes give what a loop over them gives."""
    output, weights = attention(*qkv)

    for place in np.ndindex(2, 3):
        one = attention(*(a[place] for a in qkv))
        np.testing.assert_allclose(output[place], one[0], atol=1e-12)
        np.testing.assert_allclose(weights[place], one[1], atol=1e-12)


@given(one_heads())
def test_output_lies_between_the_values(qkv):
    """A weighted mean is neither above the largest value nor below the smallest."""
    output, _ = attention(*qkv)

    assert (output <= qkv[2].max(axis=0) + 1e-9).all()
    assert (output >= qkv[2].min(axis=0) - 1e-9).all()


@given(one_heads(), st.data())
def test_boolean_and_added_masks_agree(qkv, data):
    """A boolean mask is the same as 0 and -inf added; blocked keys weigh 0; closed rows are zeros."""
    q, k, v = qkv
    mask = data.draw(arrays(np.bool_, (len(q), len(k))))

    output, weights = attention(q, k, v, mask)

    added = attention(q, k, v, np.where(mask, 0.0, -np.inf))
    assert np.array_equal(output, added[0])
    assert np.array_equal(weights, added[1])
    assert not weights[~mask].any()
    assert not output[~mask.any(axis=1)].any()


@given(one_heads())
def test_blocked_key_is_no_key(qkv):
    """Blocking the last key is the same as leaving it out."""
    q, k, v = qkv
    k, v = np.vstack([k, k[:1] + 1]), np.vstack([v, v[:1] - 1])
    mask = np.arange(len(k)) < len(k) - 1

    np.testing.assert_allclose(attention(q, k, v, mask)[0], attention(q, k[:-1], v[:-1])[0], atol=1e-12)


@given(one_heads())
def test_scale_is_what_is_multiplied(qkv):
    """`scale` takes the place of 1 / sqrt(d_k)."""
    q, k, v = qkv

    given_scale = attention(q, k, v, scale=q.shape[-1] ** -0.5)

    np.testing.assert_allclose(given_scale[1], attention(q, k, v)[1], atol=1e-12)
    np.testing.assert_allclose(attention(q, k, v, scale=0)[1], np.full((len(q), len(k)), 1 / len(k)))


def test_inputs_are_left_alone():
    """Attention changes none of its inputs."""
    inputs = [np.ones((2, 2)), np.ones((2, 2)), np.ones((2, 3))]
    for a in inputs:
        a.flags.writeable = False

    attention(*inputs, np.eye(2, dtype=bool))


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda: scores(np.ones((2, 3)), np.ones((4, 2))), r"Q and K .*\(2, 3\) and \(4, 2\)"),
        (lambda: scores(np.ones(3), np.ones((4, 3))), r"Q must have at least two axes, got shape \(3,\)"),
        (lambda: attention(np.ones((2, 3)), np.ones((4, 3)), np.ones((5, 3))), r"K and V .*\(4, 3\) and \(5, 3\)"),
        (lambda: attention(np.ones((2, 3)), np.ones((4, 3)), np.ones((4, 3)), np.ones((4, 2), bool)), r"\(2, 4\)"),
        (lambda: project_qkv(np.ones((2, 3)), *[np.ones((2, 3))] * 3), r"X @ W .*\(2, 3\) and \(2, 3\)"),
        (lambda: project_qkv(np.ones((2, 3)), np.ones((3, 2)), np.ones((3, 1)), np.ones((3, 2))), "queries and keys"),
    ],
)
def test_what_does_not_fit(call, says):
    """Shapes that do not fit are named."""
    with pytest.raises(ValueError, match=says):
        call()


def test_a_mask_of_whole_numbers_is_refused():
    """0 and 1 could mean allowed or blocked, so neither is guessed."""
    with pytest.raises(TypeError, match="mask must be boolean"):
        masked(np.zeros((2, 2)), np.eye(2, dtype=int))
