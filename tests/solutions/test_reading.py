"""Reading cells, temperature, and the order of masking."""

import numpy as np

from grader.trace import pipelines, run
from solutions import attention, causal_mask

SCORES = np.array([[2.0, 1, 0], [0, 2, 4], [1, 1, 3]])


def trace(pipeline, **inputs):
    """The right trace of these inputs."""
    return run(pipelines()[pipeline], {name: np.asarray(value) for name, value in inputs.items()})


def test_cell():
    """Query i with key j stands in row i, column j."""
    steps = trace("read_cell", scores=SCORES, token_i=1, token_j=2)

    assert (int(steps["cell_row"]), int(steps["cell_column"]), float(steps["value"])) == (1, 2, 4)


def test_temperature():
    """A high temperature flattens, a low one sharpens, the order stays."""
    steps = trace("temperature", scores_row=SCORES[0], t_low=0.5, t_high=2)

    np.testing.assert_allclose(steps["weights_low"], trace("softmax", masked=SCORES[0] * 2)["weights"])
    np.testing.assert_allclose(steps["weights_high"], trace("softmax", masked=SCORES[0] / 2)["weights"])
    assert steps["top_low"] > steps["top_high"]
    assert np.argmax(steps["weights_low"]) == np.argmax(steps["weights_high"])


def test_masking_after_softmax():
    """Masked after softmax, rows add to less than 1; renormalised, they are what masking before gives."""
    steps = trace("mask_order", scores=SCORES, mask=causal_mask(3))

    assert (steps["after_sum"][:2] < 1).all()
    np.testing.assert_allclose(steps["after_sum"], steps["after"].sum(axis=1))
    np.testing.assert_allclose(steps["renormalised"], steps["weights"])
    np.testing.assert_allclose(steps["weights"], attention(SCORES, np.eye(3), np.eye(3), causal_mask(3), scale=1)[1])
