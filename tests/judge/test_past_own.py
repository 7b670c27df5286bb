"""Answers that were not made from the answer before them, and mistakes that another answer refutes."""

import numpy as np
import pytest

from grader import trace
from grader.bank import draw, load, seeds
from grader.judge import worksheet
from grader.judge.compare import expected
from grader.model import Seed
from tests.typing_learner import read, text_of


def marked(variant, **typed):
    """The reports by blank of what was typed; nothing was typed elsewhere."""
    answers = {blank.name: read(blank, typed.get(blank.name, "_")) for blank in variant.blanks}
    return {report.step: report for report in worksheet.judge(variant, answers)}


def codes(report):
    """The codes of what is said."""
    return [finding.code for finding in report.findings]


def masked_row(seed):
    """Four scaled scores, a mask of which the learner types the row rightly, and both as arrays."""
    variant = draw.draw(load.find("masked_row"), seeds.self_study(seed))
    inputs, blank = trace.to_arrays(variant.inputs), variant.blanks[0]
    return variant, inputs["scaled"][0], inputs["mask"][0], text_of(blank, trace.solve(variant))


def softmax(row):
    """Exponentials over their sum."""
    return np.exp(row) / np.exp(row).sum()


def typed(row):
    """A row to four decimals."""
    return ", ".join(f"{number:.4f}" for number in row)


@pytest.mark.parametrize("seed", range(8))
def test_masking_after_softmax_is_named_beside_the_right_masked_row(seed):
    """The row with -inf is right, the weights are those of all keys with zeros put in: both are said."""
    variant, scaled, mask, row = masked_row(seed)

    report = marked(variant, masked=row, weights=typed(softmax(scaled) * mask))["weights"]

    assert codes(report) == ["mask_after_softmax", "past-own"]
    assert report.findings[1].numbers == {"earlier": "masked", "blank": "weights"}


@pytest.mark.parametrize("seed", range(8))
def test_weights_without_any_mask_are_named_beside_the_right_masked_row(seed):
    """The row with -inf is right, and the softmax was taken of the scores all the same."""
    variant, scaled, _, row = masked_row(seed)

    report = marked(variant, masked=row, weights=typed(softmax(scaled)))["weights"]

    assert codes(report) == ["mask_ignored", "past-own"]


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize(("code", "zeroed"), [("mask_after_softmax", True), ("mask_ignored", False)])
def test_padding_left_out_of_the_softmax_is_named_beside_the_right_mask(seed, code, zeroed):
    """A batch: the mask is typed rightly, and the weights of one sentence are made without it, or zeroed too late."""
    variant = draw.draw(load.find("padding_mask_rows"), seeds.self_study(seed))
    right, blanks = trace.solve(variant), {blank.name: blank for blank in variant.blanks}
    row, mask = (expected(blanks["weights"], {"weights": right[name]}) for name in ("scaled", "mask"))

    report = marked(
        variant, mask=text_of(blanks["mask"], right), weights=typed(softmax(row) * (mask if zeroed else 1))
    )["weights"]

    assert codes(report)[:1] == [code] or mask.all()


def test_weights_of_unscaled_scores_are_named_beside_the_right_scaled_ones(lesson):
    """A score of 1 has the weight e / (e + 1) = 0.7311, not the 0.7071 that stands there."""
    report = marked(lesson, scaled="[[0, 0.7071], [0.7071, 0]]", weights="[[1, 0], [0.7311, 0.2689]]")["weights"]

    assert codes(report) == ["scale_missing", "past-own"]


def test_numbers_that_no_mistake_gives_pass_nothing_over(lesson):
    """Silence is better than a guess."""
    report = marked(lesson, scaled="[[0, 0.7071], [0.7071, 0]]", weights="[[1, 0], [0.7411, 0.2589]]")["weights"]

    assert codes(report) == []


@pytest.mark.parametrize("number", [367943592, 111239844])
def test_a_mistake_that_changes_nothing_here_is_not_named_for_a_wrong_last_digit(number):
    """Everything right but one digit of the last answer, which rounding on the way might move as far."""
    variant = draw.draw(load.find("two_heads"), seeds.self_study(number))
    right = trace.solve(variant)
    texts = {blank.name: text_of(blank, right) for blank in variant.blanks}
    last = next(blank for blank in variant.blanks if blank.name == "projected")
    for cell in range(4):
        wrong = expected(last, right) + np.where(np.arange(4) == cell, 4e-4, 0)

        report = marked(variant, **texts | {"projected": typed(wrong)})["projected"]

        assert not any(found.mistakes for found in report.findings)


def test_scaling_after_softmax_is_not_said_where_the_weights_show_that_nothing_was_divided(lesson):
    """The commonest mistake alone: the weights follow from the raw scores, undivided."""
    report = marked(lesson, scaled="[[0, 1], [1, 0]]", weights="[[1, 0], [0.7311, 0.2689]]")["scaled"]

    assert codes(report) == ["scale_missing"]
    assert report.findings[0].alternatives == ()


def test_one_query_is_not_counted_to_divide_by():
    """With one query the root of their number is 1: raw scores were not divided, and that is all."""
    variant = draw.draw(load.find("two_scores"), Seed("0", "lesson"))

    report = marked(variant, scaled="112 96", minus_max="0 -16", weights="1 0")["scaled"]

    assert codes(report) == ["scale_missing"]
    assert report.findings[0].alternatives == ()


def test_exchanged_projections_are_not_offered_where_the_keys_are_right():
    """Token 0's query in place of token 1's: the right keys show that Wk was used for them."""
    variant = draw.draw(load.find("attention_token"), Seed("0", "lesson"))

    report = marked(variant, q="0 1", k="[[1, 0], [0, 1]]")["q"]

    assert codes(report) == ["perhaps-slip-other-place"]
    assert report.findings[0].numbers == {"read": "0", "asked": "1"}


def test_a_slip_at_one_of_three_projections_is_named_though_the_others_are_right():
    """Wk alone turned round: queries and values that are right do not speak against it."""
    variant = draw.draw(load.find("attention_token"), seeds.self_study(2))
    right, inputs = trace.solve(variant), trace.to_arrays(variant.inputs)
    wrong = {**right, "k": inputs["x"] @ inputs["wk"].T}
    texts = {blank.name: text_of(blank, wrong) for blank in variant.blanks if blank.name in {"q", "k", "v"}}

    report = marked(variant, **texts)["k"]

    assert report.status == "wrong"
    assert "weights_out_in_convention" in {name for found in report.findings for name in found.mistakes}


STORED = "0 1 1 1 1\n0 0 1 1 1\n0 0 0 1 1\n0 0 0 0 1\n0 0 0 0 0"


def causal_sheet():
    """Five tokens, the mask stored with 1 for blocked."""
    for seed in range(40):
        variant = draw.draw(load.find("causal_mask_matrix"), seeds.self_study(seed))
        stored = trace.solve(variant)["stored"]
        if stored.shape == (5, 5) and stored[0, 1]:
            return variant
    raise AssertionError


def test_a_mask_turned_over_in_every_cell_is_named_and_not_called_a_coincidence():
    """Twenty-five noughts and ones, all of them exchanged."""
    report = marked(causal_sheet(), stored=STORED.translate(str.maketrans("01", "10")))["stored"]

    assert report.findings[0].code == "mask_polarity_swapped"


def test_a_right_additive_mask_shows_that_the_rule_itself_was_known():
    """Only the convention of the stored one is exchanged: who has the mask right has not exchanged the rule."""
    additive = STORED.replace("1", "-inf")

    report = marked(causal_sheet(), stored=STORED.translate(str.maketrans("01", "10")), additive=additive)["stored"]

    assert codes(report) == ["mask_polarity_swapped"]
    assert report.findings[0].alternatives == ()


@pytest.mark.parametrize(
    ("zero", "one", "code"),
    [
        ("0", "1", "additive_one_for_blocked"),
        ("1", "0", "additive_zero_and_one"),
        ("1", "-inf", "additive_one_for_allowed"),
        ("-inf", "0", "additive_inverted"),
    ],
)
def test_other_numbers_in_an_additive_mask_are_named(zero, one, code):
    """0 and -inf are wanted; 1 says nothing to an addition."""
    additive = STORED.replace("1", "x").replace("0", zero).replace("x", one)

    report = marked(causal_sheet(), additive=additive)["additive"]

    assert report.findings[0].code == code


# --- the step that takes the maximum away -------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize(
    ("kind", "lowered"),
    [
        ("slip-max-left", lambda row: row),
        ("slip-min-subtracted", lambda row: row - row.min()),
        ("slip-max-minus", lambda row: row.max() - row),
    ],
)
def test_another_subtraction_than_that_of_the_maximum_is_said_and_nothing_worse(seed, kind, lowered):
    """All else on the sheet is right, the exponentials too: nobody has left those out."""
    variant = draw.draw(load.find("attention_token"), seeds.self_study(seed))
    right = trace.solve(variant)
    texts = {blank.name: text_of(blank, right) for blank in variant.blanks}
    blank = next(blank for blank in variant.blanks if blank.name == "minus_max")
    row = expected(blank, {"minus_max": right["scaled"]})
    texts["minus_max"] = typed(lowered(row))

    report = marked(variant, **texts)["minus_max"]

    assert codes(report) == [kind] or report.status == "right" or not row.all()  # with a 0 two may be the same


# --- frequent mistakes --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("lower", [0, 1])
def test_exponentials_that_were_never_divided_are_named(seed, lower):
    """Taken of the scores themselves, or after the maximum was taken away."""
    variant = draw.draw(load.find("softmax_row"), seeds.self_study(seed))
    row = trace.to_arrays(variant.inputs)["masked"]

    report = marked(variant, weights=typed(np.exp(row - lower * row.max())))["weights"]

    assert codes(report)[0] == "exp_not_divided"


@pytest.mark.parametrize("seed", range(6))
def test_a_cell_told_as_counted_from_one_is_offered_and_costs_once(seed):
    """Row and column one too many beside the right value: a single whole number can carry no more than an offer."""
    variant = draw.draw(load.find("read_score_cell"), seeds.self_study(seed))
    inputs = trace.to_arrays(variant.inputs)
    i, j = int(inputs["token_i"]), int(inputs["token_j"])
    value = f"{inputs['scores'][i, j]:g}"

    reports = marked(variant, row=str(i + 1), column=str(j + 1), value=value)

    said = {name for found in reports["row"].findings for one in (found.mistakes, *found.alternatives) for name in one}
    assert "reads_from_one" in said
    assert reports["column"].status in {"carried", "right"}


@pytest.mark.parametrize("seed", range(6))
def test_heads_and_their_width_exchanged_are_said(seed):
    """(batch, tokens, width, heads) in place of (batch, tokens, heads, width), and the same on the way back."""
    variant = draw.draw(load.find("reshape_trace"), seeds.self_study(seed))
    right = trace.solve(variant)
    batch, n, heads, width = (int(one) for one in right["split_shape"])
    if heads == width:
        return
    shapes = {"split": (batch, n, width, heads), "heads": (batch, width, n, heads), "back": (batch, n, width, heads)}

    reports = marked(variant, **{name: str(shape) for name, shape in shapes.items()})

    said = {
        name for found in reports["split"].findings for one in (found.mistakes, *found.alternatives) for name in one
    }
    assert "shape_heads_and_width_swapped" in said
    assert [reports[name].status for name in ("heads", "back")] == ["carried", "carried"]


@pytest.mark.parametrize(
    ("kind", "change", "order"),
    [
        ("slip-rows-moved", lambda array: array[::-1], "1, 0"),
        ("slip-columns-moved", lambda array: array[:, [2, 0, 1]], "2, 0, 1"),
    ],
)
def test_the_right_rows_in_another_order_are_said_to_be_that(kind, change, order):
    """All scores of a 2 x 3 matrix, row 1 above row 0; or its columns moved on by one."""
    variant = draw.draw(load.find("score_matrix"), seeds.self_study(0))
    scores = trace.solve(variant)["scores"]
    text = "\n".join(" ".join(f"{number:g}" for number in row) for row in change(scores))

    report = marked(variant, scores=text)["scores"]

    assert codes(report) == [kind]
    assert report.findings[0].numbers["order"] == order


def test_one_digit_where_four_are_wanted_is_said_to_be_far_too_few(lesson):
    """0.7 for 0.7071 is no other number; it earns nothing, and its digits are blamed."""
    report = marked(lesson, scaled="[[0, 0.7], [0.7, 0]]")["scaled"]

    assert (report.status, codes(report)) == ("wrong", ["far-too-few"])


def test_one_digit_that_is_wrong_is_not_said_to_be_too_few(lesson):
    """0.8 is another number than 0.7071."""
    assert codes(marked(lesson, scaled="[[0, 0.8], [0.8, 0]]")["scaled"]) == []


def test_zeros_that_numpy_leaves_out_are_digits_that_were_cut_off():
    """-1.7320508 cut off is -1.7320, which NumPy prints as -1.732."""
    variant = draw.draw(load.find("scale_scores"), seeds.self_study(0))
    right = trace.solve(variant)
    blank = variant.blanks[0]
    cut = np.trunc(np.round(expected(blank, right) * 1e4, 6)) / 1e4
    rows = [" ".join(f"{number:.4f}".rstrip("0").rstrip(".") for number in row) for row in cut]
    full = [" ".join(f"{number:.4f}" for number in row) for row in cut]

    short = marked(variant, scaled="\n".join(rows))["scaled"]

    assert rows != full
    assert (short.status, codes(short)) == ("imprecise", ["cut-off"])
    assert codes(marked(variant, scaled="\n".join(full))["scaled"]) == ["cut-off"]


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("filled", [(), ("exp", "sum")])
def test_scores_left_as_they_are_divide_nothing_where_the_weights_are_right(seed, filled):
    """Nothing was subtracted, and nothing else went wrong: right weights are no scores divided by their sum."""
    variant = draw.draw(load.find("stable_softmax"), seeds.self_study(seed))
    right, blanks = trace.solve(variant), {blank.name: blank for blank in variant.blanks}
    texts = {name: text_of(blanks[name], right) for name in ("weights", *filled)}
    scores = trace.to_arrays(variant.inputs)["masked"]

    report = marked(variant, minus_max=typed(scores.ravel()), **texts)["minus_max"]

    assert report.status == "wrong"
    assert codes(report) in (["slip-max-left"], ["perhaps-slip-max-left"])  # one cell alone may be chance
