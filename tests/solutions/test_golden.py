"""The worked examples of the course, E1 to E9, to every digit given."""

import numpy as np
import pytest

from grader.trace import pipelines, run
from solutions import attention, merge_heads, multi_head_attention, project_qkv, softmax, split_heads

X = np.array([[1, 1], [1, -1]])
WQ = np.array([[0.5, 0.5], [-0.5, 0.5]])
WK = np.array([[0.5, 0.5], [0.5, -0.5]])
WV = np.array([[5, 10], [5, -10]])
TWO_TOKENS = {"x": X, "wq": WQ, "wk": WK, "wv": WV}


def trace(pipeline, **inputs):
    """The right trace of these inputs."""
    return run(pipelines()[pipeline], {name: np.asarray(value) for name, value in inputs.items()})


def digits(actual, expected):
    """Agreement to ten digits after the point."""
    np.testing.assert_allclose(actual, expected, rtol=0, atol=5e-11)


def test_e1_row_times_matrix():
    """A row times a matrix: [1, 2] @ [[3, 4], [5, 6]] = [13, 16]."""
    assert trace("product", row=[1, 2], matrix=[[3, 4], [5, 6]])["product"].tolist() == [13, 16]


def test_e2_two_scores():
    """Scores 112 and 96 with d_k = 64 scale to 14 and 12 and weigh 0.8808 and 0.1192."""
    steps = trace("one_head", scores=[[112.0, 96.0]], d_k=64)

    assert steps["scaled"].tolist() == [[14, 12]]
    assert steps["minus_max"].tolist() == [[0, -2]]
    assert steps["weights"].round(4).tolist() == [[0.8808, 0.1192]]
    digits(steps["weights"][0, 0], np.exp(14) / (np.exp(14) + np.exp(12)))


def test_e2_output_is_the_weighted_sum():
    """The output mixes the two values with those weights."""
    v = np.array([[1.0, 0.0], [0.0, 1.0]])
    steps = trace("one_head", scores=[[112.0, 96.0]], d_k=64, v=v)

    digits(steps["output"], steps["weights"])


def test_e2_eight_heads_are_512_wide():
    """Eight heads of 64 side by side are 512 wide."""
    assert merge_heads(np.zeros((8, 1, 64))).shape == (1, 512)
    assert trace("head_width", n_heads=8, d_model=512)["concat_width"] == 512


def test_e3_projections():
    """The two tokens' queries, keys, values and raw scores."""
    steps = trace("one_head", **TWO_TOKENS)

    assert steps["q"].tolist() == [[0, 1], [1, 0]]
    assert steps["k"].tolist() == [[1, 0], [0, 1]]
    assert steps["v"].tolist() == [[10, 0], [0, 20]]
    assert steps["scores"].tolist() == [[0, 1], [1, 0]]


@pytest.mark.parametrize(
    ("step", "expected"),
    [
        ("scaled", [0.7071067812, 0]),
        ("minus_max", [0, -0.7071067812]),
        ("exp", [1, 0.4930686914]),
        ("sum", [1.4930686914]),
        ("weights", [0.6697615493, 0.3302384507]),
        ("output", [6.6976154933, 6.6047690135]),
    ],
)
def test_e3_token_1(step, expected):
    """Every number on the way of token 1."""
    digits(trace("one_head", **TWO_TOKENS)[step][1], expected)


def test_e3_causal():
    """Token 0 reads itself alone; token 1 stays as it was."""
    steps = trace("causal", **TWO_TOKENS)

    assert steps["mask"].tolist() == [[True, False], [True, True]]
    assert trace("causal_mask", n=2)["additive"].tolist() == [[0, -np.inf], [0, 0]]
    digits(steps["weights"], [[1, 0], [0.6697615493, 0.3302384507]])
    digits(steps["output"], [[10, 0], [6.6976154933, 6.6047690135]])


def test_e4_projection_shapes():
    """One token 768 wide times 768 by 64 weights gives rows of 64."""
    w = np.zeros((768, 64))

    assert [a.shape for a in project_qkv(np.zeros((1, 768)), w, w, w)] == [(1, 64)] * 3
    assert trace("weight_shape", n=1, d_model=768, d_k=64, d_v=64)["wq_shape"].tolist() == [768, 64]


def test_e5_batch_shapes():
    """A batch of (1, 10, 64) gives output (1, 10, 64), weights (1, 10, 10), rows that add to 1."""
    x = np.random.default_rng(5).normal(size=(1, 10, 64))

    output, weights = attention(x, x, x)

    assert (output.shape, weights.shape) == ((1, 10, 64), (1, 10, 10))
    digits(weights.sum(axis=-1), np.ones((1, 10)))


def test_e6_heads_by_reshape():
    """512 columns and 8 heads give 64 a head, there and back."""
    x = np.random.default_rng(6).normal(size=(2, 3, 512))
    shapes = trace("reshape_trace", batch=2, n=3, d_model=512, n_heads=8)

    heads = split_heads(x, 8)

    assert heads.shape == tuple(shapes["heads_shape"]) == (2, 8, 3, 64)
    assert shapes["split_shape"].tolist() == shapes["back_shape"].tolist() == [2, 3, 8, 64]
    assert merge_heads(heads).shape == tuple(shapes["merged_shape"]) == (2, 3, 512)
    assert np.array_equal(merge_heads(heads), x)


def test_e7_sources():
    """Cross-attention takes queries from one sequence, keys and values from the other."""
    inputs = {"x_q": np.ones((2, 2)), "x_kv": X, "wq": WQ, "wk": WK, "wv": WV}

    changed = trace("cross", **inputs | {"x_q": np.zeros((2, 2))})

    steps = trace("cross", **inputs)
    assert np.array_equal(steps["k"], changed["k"])
    assert np.array_equal(steps["v"], changed["v"])
    assert not np.array_equal(steps["q"], changed["q"])


@pytest.mark.parametrize(
    ("changed", "stays", "moves"),
    [
        ("wv", ("q", "k", "scores", "weights"), ("v", "output")),
        ("wq", ("k", "v"), ("q", "scores", "weights", "output")),
        ("wk", ("q", "v"), ("k", "scores", "weights", "output")),
        ("x", (), ("q", "k", "v", "scores", "weights", "output")),
    ],
)
def test_e8_what_if(changed, stays, moves):
    """What one changed input leaves alone and what it moves."""
    new = {f"{name}_new": value for name, value in TWO_TOKENS.items()}
    new[f"{changed}_new"] = TWO_TOKENS[changed] + np.array([[0.5, 0], [1, -1]])

    steps = trace("what_if", **TWO_TOKENS, **new)

    assert all(np.array_equal(steps[name], steps[f"{name}_new"]) for name in stays)
    assert not any(np.array_equal(steps[name], steps[f"{name}_new"]) for name in moves)


def test_e8_output_weights():
    """Another Wo changes the last projection only."""
    w = dict.fromkeys(("wq", "wk", "wv", "wo"), np.eye(2))
    new = {f"{name}_new": value for name, value in w.items()} | {"x_new": X, "wo_new": WV}

    steps = trace("what_if_heads", x=X, n_heads=2, **w, **new)

    assert np.array_equal(steps["concat"], steps["concat_new"])
    assert not np.array_equal(steps["projected"], steps["projected_new"])


def test_e8_a_constant_changes_nothing():
    """The same constant added to a whole row of scores leaves the weights as they are."""
    steps = trace("shift", row=[1.0, -0.5, 2.0], c=3)

    assert steps["shifted"].tolist() == [4, 2.5, 5]
    digits(steps["weights_shifted"], steps["weights"])


def test_e9_reading_a_pattern():
    """The pronoun's row names its noun: the largest weight, and where it stands."""
    weights = np.array([[1, 0, 0, 0], [0.5, 0.5, 0, 0], [0.2, 0.6, 0.2, 0], [0.08, 0.62, 0.14, 0.16]])

    steps = trace("reading", weights=weights, token=3)

    assert (int(steps["strongest"]), float(steps["share"])) == (1, 0.62)
    digits(steps["row_sum"], 1)


def test_one_head_of_several_is_plain_attention():
    """Multi-head attention of one head is attention and the output projection."""
    expected = attention(*project_qkv(X, WQ, WK, WV))[0] @ WV

    digits(multi_head_attention(X, WQ, WK, WV, WV, 1), expected)


def test_large_scores_stay_finite():
    """Scores of a thousand do not overflow."""
    assert softmax([1000.0, 1000.0, 0.0]).tolist() == [0.5, 0.5, 0]
