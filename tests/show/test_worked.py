"""A worked solution: numbers put in, and never arithmetic that does not hold."""

import numpy as np
import pytest

from grader.show import arithmetic, formulas
from grader.show.worked import step, worked


def test_a_product_is_written_out():
    """Each cell of a product shows its terms, a negative factor in brackets."""
    trace = {"row": np.array([1.0, -1.0]), "matrix": np.array([[2.0], [1.0]]), "product": np.array([1.0])}

    assert "    product[0] = 1·2 + (−1)·1 = 1" in step("product", trace, 4, "en")


@pytest.mark.parametrize(
    ("name", "trace", "line"),
    [
        ("scaled", {"scores": np.array([3.0]), "d_k": np.array(2), "scaled": 3 / np.sqrt([2.0])}, "3 / √2 ≈ 2.1213"),
        ("exp", {"minus_max": np.array([-1.5]), "exp": np.exp([-1.5])}, "e^(−1.5) ≈ 0.2231"),
        ("sum", {"exp": np.array([[1.0, 0.5]]), "sum": np.array([[1.5]])}, "1 + 0.5 = 1.5"),
        ("sum", {"exp": np.array([1.0, 0.5]), "sum": np.array(1.5)}, "sum = 1 + 0.5 = 1.5"),
        ("weights", {"exp": np.array([1.0]), "sum": np.array([4.0]), "weights": np.array([0.25])}, "1 / 4 = 0.25"),
        ("weights", {"exp": np.zeros(1), "sum": np.zeros(1), "weights": np.zeros(1)}, "(every key is blocked)"),
        ("masked", {"scores": np.ones(1), "mask": np.array([False]), "masked": np.array([-np.inf])}, "= −∞  (blocked)"),
        ("shifted", {"row": np.array([1.0]), "c": np.array(-5), "shifted": np.array([-4.0])}, "1 + (−5) = −4"),
        ("minus_max", {"masked": np.array([2.0, 5.0]), "minus_max": np.array([-3.0, 0.0])}, "2 − 5 = −3"),
    ],
)
def test_each_kind_of_arithmetic(name, trace, line):
    """Scaling, the parts of a softmax, masks and shifts all show their numbers."""
    assert any(line in text for text in step(name, trace, 4, "en"))


def test_heads_are_worked_out_one_by_one():
    """In several heads a cell belongs to its own head's matrices."""
    q, k = np.arange(8.0).reshape(2, 2, 2), np.ones((2, 2, 2))
    trace = {"q_heads": q, "k_heads": k, "scores": q @ np.swapaxes(k, -1, -2)}

    assert "    scores[1, 0, 1] = 4·1 + 5·1 = 9" in step("scores", trace, 4, "en")


def test_arithmetic_that_does_not_hold_is_not_written():
    """If the terms do not come to the step's value, only the array is shown."""
    trace = {"x": np.eye(2), "wq": np.eye(2), "q": np.full((2, 2), 7.0)}

    assert step("q", trace, 4, "en") == ["q = x Wq", "    q =", "      7  7", "      7  7"]


def test_new_inputs_are_used_where_there_are_any():
    """A step computed once more takes the changed inputs and the same formula."""
    trace = {"x": np.eye(1), "wq": np.eye(1), "wq_new": np.array([[3.0]]), "q_new": np.array([[3.0]])}

    assert step("q_new", trace, 4, "en") == ["q_new = x Wq", "    q_new[0, 0] = 1·3 = 3"]


def test_an_unknown_step_shows_its_array():
    """A step without a formula is shown as it is; a single number beside its name."""
    assert step("odd", {"odd": np.array(7)}, 4, "zh") == ["odd = 7"]
    assert step("odd", {"odd": np.array([7])}, 4, "zh") == ["odd", "    odd =", "      7"]


def test_many_cells_are_cut():
    """After a dozen cells the rest is said to go the same way."""
    trace = {"minus_max": np.zeros((4, 4)), "exp": np.ones((4, 4))}

    assert "    … 其余 4 个算法相同" in step("exp", trace, 4, "zh")


def test_lines_are_short():
    """A long sum is broken; nothing is wider than a terminal."""
    wide = np.linspace(-1, 1, 64).reshape(1, 64)
    trace = {"q": wide, "k": wide, "scores": wide @ wide.T}

    text = worked(trace, {"q", "k"}, 4, "en")

    assert max(map(len, text.splitlines())) <= 80


def test_what_is_given_comes_first():
    """Inputs are listed before the steps."""
    text = worked({"q": np.eye(2), "k": np.eye(2), "scores": np.eye(2)}, {"q", "k"}, 4, "zh")

    assert text.startswith("已知\n    q =")
    assert text.index("scores = q kᵀ") > text.index("k =")


def test_masking_without_a_mask_is_left_out():
    """A step that changes nothing is not written out; with a mask it is."""
    scaled = np.array([[1.0, 2.0]])

    assert "masked" not in worked({"scaled": scaled, "masked": scaled}, {"scaled"}, 4, "en")
    assert "masked" in worked({"scaled": scaled, "masked": np.array([[1.0, -np.inf]])}, {"scaled"}, 4, "en")


def test_a_softmax_without_its_parts_is_written_with_powers():
    """Where exp and sum are no steps of their own, a weight is a power of e among those of its row."""
    row = np.array([1.0, 0.0, -np.inf])
    trace = {"masked": row, "weights": np.exp(row) / np.sum(np.exp(row))}

    assert "    weights[1] = e^0 / (e^1 + e^0 + 0) ≈ 0.2689" in step("weights", trace, 4, "en")


def test_every_rule_has_a_formula():
    """What can be written out is also named."""
    assert set(arithmetic.RULES) <= set(formulas.FORMULAS)
