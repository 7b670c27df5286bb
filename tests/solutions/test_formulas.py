"""Answers that are formulas."""

import numpy as np
import pytest

from grader.trace import pipelines, run
from solutions import formulas


def trace(pipeline, **inputs):
    """The right trace of these inputs, as plain numbers and lists."""
    arrays = {name: np.asarray(value) for name, value in inputs.items()}
    return {name: value.tolist() for name, value in run(pipelines()[pipeline], arrays).items()}


def test_head_shapes():
    """Shapes from query to output, rectangular."""
    steps = trace("head_shapes", n=3, m=7, d_k=6, d_v=5)

    assert [steps[f"{name}_shape"] for name in ("q", "k", "v", "scores", "weights", "output")] == [
        [3, 6],
        [7, 6],
        [7, 5],
        [3, 7],
        [3, 7],
        [3, 5],
    ]


def test_head_shapes_in_a_batch():
    """A batch stands in front of every shape."""
    assert trace("head_shapes", n=10, m=10, d_k=64, d_v=64, batch=1)["weights_shape"] == [1, 10, 10]


def test_weight_shapes():
    """Weights are [in, out]; the number of tokens is not in them."""
    steps = trace("weight_shape", n=1, d_model=768, d_k=64, d_v=32)

    assert (steps["wq_shape"], steps["wk_shape"], steps["wv_shape"]) == ([768, 64], [768, 64], [768, 32])
    assert (steps["q_shape"], steps["v_shape"]) == ([1, 64], [1, 32])


def test_head_columns():
    """Head 1 of 2 over 4 columns has columns 2 and 3."""
    steps = trace("head_columns", d_model=4, n_heads=2, head=1, q=[[1, 2, 3, 4], [5, 6, 7, 8]])

    assert (steps["first_column"], steps["last_column"]) == (2, 3)
    assert steps["head_slice"] == [[3, 4], [7, 8]]


def test_variance_of_a_score():
    """Sixty-four terms of variance 1: variance 64, deviation 8, 1 after dividing."""
    steps = trace("score_variance", d_k=64)

    assert (steps["variance"], steps["deviation"], steps["variance_scaled"]) == (64, 8, 1)
    assert trace("which_divisor", d_k=64)["divisor"] == 8


def test_variance_is_what_random_vectors_show():
    """Random q and k of 16 entries give scores of variance 16."""
    q, k = np.random.default_rng(0).normal(size=(2, 200_000, 16))

    assert np.var((q * k).sum(axis=1)) == pytest.approx(formulas.variance(16), rel=0.02)


@pytest.mark.parametrize(("biases", "count"), [(None, 1_048_576), (False, 1_048_576), (True, 1_050_624)])
def test_parameter_count(biases, count):
    """Four matrices of 512 by 512, with or without biases; the heads add none."""
    inputs = {"d_model": 512, "n_heads": 8} | ({} if biases is None else {"biases": biases})

    steps = trace("parameter_count", **inputs)

    assert (steps["per_matrix"], steps["per_head"], steps["count"]) == (262_144, 32_768, count)
    assert 8 * steps["per_head"] == steps["per_matrix"]


def test_width_that_heads_do_not_divide():
    """A width that the heads do not divide is refused."""
    with pytest.raises(ValueError, match="3 heads must divide the width 8 evenly"):
        formulas.head_width(8, 3)
