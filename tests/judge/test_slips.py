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


def of_token(variant, name):
    """What a sheet about one token asks of a step."""
    blank = next(one for one in variant.blanks if one.step == name)
    return np.array(trace.solve(variant)[name], float)[blank.cells]


@pytest.mark.parametrize("seed", range(5))
def test_a_product_added_with_the_wrong_sign_is_spoken_of(seed):
    """-2 for 2 in a sum of products: a guess, as whole numbers are soon hit and another slip may give the same."""
    variant = variant_of("project_token", seed)
    right = trace.solve(variant)
    token = next(one for one in variant.blanks if one.name == "q").cells[0]
    products = right["x"][token] * right["wq"][:, 0]
    term = int(np.argmax(np.abs(products)))
    typed = of_token(variant, "q")
    typed[0] -= 2 * products[term]

    report = marked(variant, right, q=str(typed.astype(int).tolist()))["q"]

    assert any(finding.code.startswith("perhaps-slip-") or finding.mistakes for finding in report.findings)
    if "perhaps-slip-product-sign" in slips(report):
        blamed = report.findings[0].numbers["term"]
        assert products[blamed] == products[term]


def test_a_product_with_the_wrong_sign_is_named_where_the_answer_carries_it(sheet):
    """One term of the output taken away instead of added."""
    right = trace.solve(sheet)
    term = right["weights"][0, 1] * right["v"][1, 0]

    report = changed(sheet, "output", put((0, 0), lambda array: array[0, 0] - 2 * term))

    assert slips(report) == ["slip-product-sign"]
    assert report.findings[0].numbers == {"cell": "output[0, 0]", "term": 1}


def test_rows_and_columns_exchanged_are_told(sheet):
    """A square matrix of numbers turned over its diagonal, where no mistake gives that."""
    assert slips(changed(sheet, "weights", np.transpose)) == ["slip-transposed"]


def test_two_blanks_that_hold_each_others_answers_are_told_by_that_alone():
    """Head 0 and head 1 exchanged: no mistake is looked for that gives one of them by chance."""
    for seed in range(6):
        variant = variant_of("two_heads", seed)
        right = trace.solve(variant)
        texts = {blank.name: text_of(blank, right) for blank in variant.blanks}
        pairs = {"weights_0": "weights_1", "weights_1": "weights_0", "head_0": "head_1", "head_1": "head_0"}

        reports = marked(variant, right, **{one: texts[other] for one, other in pairs.items()})

        for one, other in pairs.items():
            assert [finding.code for finding in reports[one].findings] == ["slip-blanks-exchanged"]
            assert reports[one].findings[0].numbers == {"blank": one, "other": other}


def test_a_mistake_that_gives_both_blanks_is_a_guess_beside_their_exchange():
    """With 1/2 and 2, scores times T in place of scores over T give each temperature the other's weights."""
    variant = next(
        one
        for one in (variant_of("temperature", seed) for seed in range(60))
        if float(trace.solve(one)["t_low"]) * float(trace.solve(one)["t_high"]) == 1
    )
    right = trace.solve(variant)
    low, high = (f"{float(right[name]):.4f}" for name in ("top_low", "top_high"))

    found = marked(variant, right, top_low=high, top_high=low)["top_low"].findings

    assert [one.code for one in found] == ["offered", "perhaps-slip-blanks-exchanged"]
    assert found[0].mistakes == ("temperature_multiplied",)


def test_the_same_numbers_typed_twice_are_told_by_where_they_belong():
    """The values typed for the queries as well; no mistake gives that."""
    variant = variant_of("project_sequence", 7)
    right = trace.solve(variant)
    text = text_of(next(blank for blank in variant.blanks if blank.name == "v"), right)

    (found,) = marked(variant, right, q=text)["q"].findings

    assert (found.code, found.numbers) == ("slip-other-blank", {"other": "v"})


@pytest.mark.parametrize(
    ("low", "codes"), [("-100", ["slip-not-infinite"]), ("-30", ["slip-not-infinite"]), ("-3", [])]
)
def test_a_low_number_for_minus_infinity_is_told(low, codes):
    """-100 is no minus infinity, and -3 is a score like any other."""
    variant = variant_of("masked_row", 7)
    right = trace.solve(variant)
    blank = next(one for one in variant.blanks if one.name == "masked")
    text = text_of(blank, right).replace("-inf", low)

    assert slips(marked(variant, right, masked=text)["masked"]) == codes


def test_one_product_left_out_of_every_sum_is_one_slip():
    """A whole key forgotten: four wrong cells, one cause."""
    variant = variant_of("sum_not_concat", 7)
    right = trace.solve(variant)
    kept = [0, *range(2, len(right["v"]))]
    typed = right["weights"][0][kept] @ right["v"][kept]

    (found,) = marked(variant, right, output=str(typed.round(1).tolist()))["output"].findings

    assert (found.code, found.numbers["term"]) == ("slip-term-missing", 1)


def test_all_signs_turned_over_is_one_slip(sheet):
    """Six numbers of the right size."""
    assert slips(changed(sheet, "output", np.negative)) == ["slip-all-signs"]


def test_percentages_are_told():
    """Shares of 1 typed as 23.12 and so on."""
    variant = variant_of("softmax_row", 7)
    right = trace.solve(variant)

    found = marked(variant, right, weights=str((100 * right["weights"]).round(2).tolist()))["weights"].findings

    assert [one.code for one in found] == ["slip-percent"]


def test_a_row_typed_for_another_is_told(sheet):
    """Row 1 where row 0 should stand."""
    found = changed(sheet, "output", put(0, lambda array: array[1].copy())).findings

    assert [one.code for one in found] == ["slip-row-copied"]
    assert (found[0].numbers["row"], found[0].numbers["other"]) == (0, 1)


def test_what_was_before_a_change_is_told_as_that():
    """A what-if question answered as if nothing had changed."""
    told = set()
    for seed in range(8):
        variant = variant_of("what_if", seed)
        right = trace.solve(variant)
        blank = variant.blanks[-1]
        before = np.array(right[blank.step.removesuffix("_new")])[blank.cells]
        found = marked(variant, right, **{blank.name: str(before.round(4).tolist())})[blank.name].findings
        told |= {one.code for one in found}

    assert told == {"slip-unchanged"}


@pytest.mark.parametrize("row", range(3))
def test_a_mistake_made_in_one_row_alone_is_named_with_the_row(row):
    """The scores of one token left undivided, the others right."""
    variant = variant_of("attention_all", 7)
    right = trace.solve(variant)
    scaled = np.array(right["scaled"])
    scaled[row] = right["scores"][row]

    found = marked(variant, right, scaled=str(scaled.round(4).tolist()))["scaled"].findings

    assert [one.code for one in found] == ["scale_missing", "in-one-row"]
    assert found[1].numbers == {"row": row, "blank": "scaled"}


def test_a_mistake_and_another_place_that_both_fit_are_both_guesses():
    """A cell counted from 1 that is also what the other signs would give: neither is claimed."""
    variant = variant_of("softmax_axis", 7)
    right = trace.solve(variant)

    found = marked(variant, right, weight=f"{right['weights'][0, 0]:.4f}")["weight"].findings

    assert [one.code for one in found] == ["offered", "perhaps-slip-other-place"]
