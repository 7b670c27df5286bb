"""Slips of the pencil: named at their cell, only where no mistake explains the answer."""

import numpy as np
import pytest

from grader import trace
from grader.bank import draw, load, seeds
from tests.judge.test_explain import every_single, marked, variant_of
from tests.typing_learner import text_of

DECIMALS = 4


def changed(variant, name, change):
    """The report of one blank whose numbers were changed by hand, everything else right."""
    right = trace.solve(variant)
    blank = next(one for one in variant.blanks if one.name == name)
    text = text_of(blank, right | {blank.step: change(np.array(right[blank.step], float))})
    return marked(variant, right, **{name: text})[name]


def slips(report):
    """The codes of slips, named or offered."""
    return [finding.code for finding in report.findings if "slip-" in finding.code]


def put(index, number):
    """A change of one cell."""

    def change(array):
        array[index] = number(array) if callable(number) else number
        return array

    return change


@pytest.fixture
def sheet():
    """Attention as a chain, with cells that are no zeros."""
    for seed in range(50):
        variant = draw.draw(load.find("attention_all"), seeds.self_study(seed))
        right = trace.solve(variant)
        if np.unique(np.round(np.abs(right["output"]), 4)).size == right["output"].size and right["output"].min() < -1:
            return variant
    raise AssertionError


def test_a_lost_sign_is_named_at_its_cell(sheet):
    """Everything right but the sign of one number."""
    right = trace.solve(sheet)["output"]
    index = tuple(int(one) for one in np.argwhere(right < -1)[0])

    report = changed(sheet, "output", put(index, lambda array: -array[index]))

    assert slips(report) == ["slip-sign"]
    assert report.findings[0].numbers["cell"] == f"output[{index[0]}, {index[1]}]"


def test_a_product_left_out_is_named_with_its_place(sheet):
    """One term of the sum missing."""
    right = trace.solve(sheet)
    term = right["weights"][0, 1] * right["v"][1, 0]
    report = changed(sheet, "output", put((0, 0), lambda array: array[0, 0] - term))

    assert slips(report) == ["slip-product-missing"] or abs(term) < 1e-3
    assert report.findings[0].numbers["term"] == 1


def test_two_numbers_in_each_others_place_are_named(sheet):
    """Two cells swapped."""

    def swap(array):
        array[0, 0], array[1, 1] = array[1, 1], array[0, 0]
        return array

    assert slips(changed(sheet, "output", swap)) == ["slip-swapped"]


def test_two_digits_swapped_are_named(sheet):
    """0.6698 typed as 0.6968."""
    right = trace.solve(sheet)["weights"]
    index, text = next(
        (place, text) for place in np.ndindex(right.shape) if len(set(text := f"{right[place]:.4f}"[2:])) == DECIMALS
    )
    swapped = float(f"0.{text[0]}{text[2]}{text[1]}{text[3]}")

    assert slips(changed(sheet, "weights", put(index, swapped))) == ["slip-digits"]


def test_a_row_read_for_a_column_is_named_or_offered():
    """Queries times the wrong side of W, in one cell of whole numbers: too little to be sure."""
    for seed in range(40):
        variant = draw.draw(load.find("project_sequence"), seeds.self_study(seed))
        right = trace.solve(variant)
        name = next((blank.name for blank in variant.blanks if blank.step == "q"), None)
        w = right["wq"]
        if name is None or w.shape[0] != w.shape[1]:
            continue
        wrong = float(right["x"][0] @ w[1])
        report = changed(variant, name, put((0, 1), wrong))
        if report.status == "wrong" and not any(finding.mistakes for finding in report.findings):
            assert slips(report)[0].endswith(("row-for-column", "sign", "product-missing", "digits"))


def test_four_wrong_cells_are_no_slip(sheet):
    """Whoever loses every sign has not slipped."""
    assert not slips(changed(sheet, "output", lambda array: -array - 0.5))


def test_a_number_from_nowhere_is_no_slip(sheet):
    """Nothing is said of it."""
    report = changed(sheet, "weights", put((0, 0), 0.1234))

    assert report.status == "wrong"
    assert not [finding for finding in report.findings if finding.mistakes or "slip" in finding.code]


def test_mistakes_come_before_slips():
    """Where a mistake explains an answer, no slip is looked for."""
    variant = variant_of("attention_all", 1)
    for made in every_single(variant):
        for report in marked(variant, made).values():
            assert not (slips(report) and any(finding.mistakes for finding in report.findings))


def test_a_slip_in_whole_numbers_is_only_offered():
    """One small whole number can be anything."""
    for seed in range(30):
        variant = draw.draw(load.find("dot_score"), seeds.self_study(seed))
        blank = variant.blanks[0]
        right = trace.solve(variant)
        number = float(text_of(blank, right))
        report = marked(variant, right, **{blank.name: f"{-number:g}"})[blank.name]
        if number and not any(finding.mistakes for finding in report.findings):
            assert slips(report) == ["perhaps-slip-sign"]
            return
    raise AssertionError
