"""The rules of a fair draw, each on numbers that just keep and just break it."""

import numpy as np
import pytest

from grader.bank import fair
from grader.bank.entries import Unfair
from grader.model import Numbers

BLOCKED = -np.inf


def broken(check, *arguments):
    """The rule that a check says is broken, or `None`."""
    try:
        check(*arguments)
    except Unfair as unfair:
        return unfair.rule
    return None


def weights(*rows):
    """A trace that holds these rows as weights."""
    return {"weights": np.array(rows, dtype=float)}


@pytest.mark.parametrize(
    ("row", "rule"),
    [
        ((0.5, 0.3, 0.2), None),
        ((0.94, 0.06), None),
        ((0.96, 0.04), "saturated"),
        ((0.501, 0.499), "uniform"),
        ((0.7, 0.28, 0.012), "spread"),
        ((1.0, 0.0, 0.0), None),
        ((0.6, 0.4, 0.0), None),
    ],
)
def test_softmaxed_rows_are_neither_saturated_nor_uniform(row, rule):
    """Weights lie in [0.02, 0.95] and differ, where more than one key is allowed."""
    assert broken(fair.softmaxed, weights(row), 3.9) == rule


def test_a_template_that_allows_a_wider_spread_allows_smaller_weights():
    """A question about saturation may ask for it."""
    assert broken(fair.softmaxed, weights((0.98, 0.02)), 5.0) is None


def test_the_spread_of_scores_counts_allowed_ones_only():
    """Where the weights are not asked for, the scores themselves show the spread."""
    for row, rule in (((0.0, -3.9, BLOCKED), None), ((0.0, -4.0, BLOCKED), "spread")):
        assert broken(fair.softmaxed, {"minus_max": np.array([row])}, 3.9) == rule


def test_second_cases_keep_the_rules_too():
    """`weights_new` are weights."""
    assert broken(fair.softmaxed, {"weights_new": np.array([[0.97, 0.03]])}, 3.9) == "saturated"


def test_numbers_on_the_way_are_finite_and_small():
    """A blocked score is the only infinity, and nothing is larger than the bound; integers are answers, not work."""
    check = fair.finite_and_bounded
    assert broken(check, {"masked": np.array([1.0, BLOCKED])}, 200) is None
    assert broken(check, {"scores": np.array([np.nan])}, 200) == "not-finite"
    assert broken(check, {"scores": np.array([np.inf])}, 200) == "not-finite"
    assert broken(check, {"scores": np.array([201.0])}, 200) == "too-large"
    assert broken(check, {"count": np.array(1_000_000)}, 200) is None


def test_no_row_is_all_zeros():
    """Neither a drawn matrix nor what is computed by hand has a row of zeros; a single vector may be short of one."""
    q = np.array([[0.0, 0.0], [1.0, 2.0]])
    assert broken(fair.zero_rows, {"q": q}) == "zero-row"
    assert broken(fair.zero_rows, {"minus_max": q}) is None
    assert broken(fair.rows_of_input, "x", Numbers((2, 2), ("0", "0", "1", "2"))) == "zero-row"
    assert broken(fair.rows_of_input, "mask", Numbers((2, 2), ("0", "0", "1", "2"), "integer")) is None


def test_no_two_tokens_are_the_same():
    """A drawn X, Q, K or V with two equal rows would hide which one was read; other matrices may have them."""
    twins = Numbers((2, 2), ("1", "2", "1", "2"))
    assert broken(fair.rows_of_input, "k", twins) == "equal-rows"
    assert broken(fair.rows_of_input, "x_new", twins) == "equal-rows"
    assert broken(fair.rows_of_input, "wq", twins) is None
    assert broken(fair.rows_of_input, "x", Numbers((2,), ("1", "1"))) is None


def test_the_strongest_is_clear():
    """Where the strongest source is asked for, the second is clearly weaker."""
    at = {"token": np.array(0), "strongest": np.array(1)}
    clear = {**at, "weights": np.array([[0.3, 0.7]])}
    tied = {**at, "weights": np.array([[0.495, 0.505]])}
    assert broken(fair.best_is_clear, "reading", clear, {"strongest"}) is None
    assert broken(fair.best_is_clear, "reading", tied, {"strongest"}) == "tie"
    assert broken(fair.best_is_clear, "reading", tied, {"share"}) is None


def test_what_must_differ_differs_visibly():
    """Two steps that a template says differ do so by more than rounding hides."""
    trace = {"a": np.array([1.0, 2.0]), "b": np.array([1.0, 2.0005]), "c": np.array([1.0, 2.1])}
    assert broken(fair.differing, [("a", "b")], trace) == "same"
    assert broken(fair.differing, [("a", "c")], trace) is None
