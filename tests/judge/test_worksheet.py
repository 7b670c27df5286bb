"""Judging worksheets: the first step that differs, follow-through, and its guard."""

from fractions import Fraction

import numpy as np
import pytest

from grader import trace
from grader.bank import draw, load
from grader.judge import score
from grader.judge.worksheet import judge
from grader.model import Seed
from tests.typed import answer
from tests.typing_learner import read, text_of

# attention_facts E3: causal, both tokens, four decimals
SCALED = [["0", "0.7071"], ["0.7071", "0"]]
WEIGHTS = [["1", "0"], ["0.6698", "0.3302"]]
OUTPUT = [["10", "0"], ["6.6976", "6.6048"]]


def marked(variant, **typed):
    """The step reports by name; what is not typed is blank."""
    answers = {
        blank.name: answer(blank.name, typed.get(blank.name, [["_", "_"], ["_", "_"]])) for blank in variant.blanks
    }
    return {report.step: report for report in judge(variant, answers)}


def test_the_lesson_typed_to_four_decimals_gets_full_marks(lesson):
    """E3, causal, both tokens."""
    steps = marked(lesson, scaled=SCALED, weights=WEIGHTS, output=OUTPUT)

    assert {name: step.status for name, step in steps.items()} == dict.fromkeys(steps, "right")
    report = score.worksheet(lesson, list(steps.values()))
    assert report.points == report.max_points
    assert report.status == "right"


def test_softmax_over_columns_is_named_and_the_rest_is_carried(lesson):
    """Token 1 then gets [0.6698, 1]: the step is wrong, the output from those weights keeps its points."""
    columns = [["0.3302", "0"], ["0.6698", "1"]]
    output = [["3.3024", "0"], ["6.6976", "20"]]

    steps = marked(lesson, scaled=SCALED, weights=columns, output=output)

    assert steps["scaled"].status == "right"
    assert steps["weights"].status == "wrong"
    assert steps["weights"].findings[0].code == "softmax_axis0"
    assert steps["weights"].cells == ((0, 0), (1, 1))
    assert steps["output"].status == "carried"
    assert steps["output"].points == steps["output"].max_points


def test_no_scaling_is_named_at_its_step_and_carried_after_it(lesson):
    """Raw scores typed as scaled: e/(e+1) = 0.7311 follows for token 1."""
    steps = marked(
        lesson,
        scaled=[["0", "1"], ["1", "0"]],
        weights=[["1", "0"], ["0.7311", "0.2689"]],
        output=[["10", "0"], ["7.3106", "5.3788"]],
    )

    assert steps["scaled"].status == "wrong"
    assert "scale_missing" in steps["scaled"].findings[0].mistakes
    assert [steps[name].status for name in ("weights", "output")] == ["carried", "carried"]


def test_an_output_from_unrounded_own_weights_is_carried_too(lesson):
    """7.3106 follows from 0.73106, 7.311 from the typed 0.7311: both are carried."""
    steps = marked(
        lesson,
        scaled=[["0", "1"], ["1", "0"]],
        weights=[["1", "0"], ["0.7311", "0.2689"]],
        output=[["10", "0"], ["7.311", "5.378"]],
    )

    assert steps["output"].status == "carried"


def test_an_output_from_rounded_right_weights_is_right(lesson):
    """0.6698 * 10 = 6.698 is right, though the unrounded weights give 6.6976."""
    steps = marked(lesson, scaled=SCALED, weights=WEIGHTS, output=[["10", "0"], ["6.698", "6.604"]])

    assert steps["output"].status == "right"


def test_a_degenerate_value_carries_nothing(lesson):
    """Zeros as weights make the output trivial: zeros follow, but earn nothing."""
    zeros = [["0", "0"], ["0", "0"]]

    steps = marked(lesson, scaled=SCALED, weights=zeros, output=zeros)

    assert steps["weights"].status == "wrong"
    assert steps["output"].status == "wrong"
    assert [finding.code for finding in steps["output"].findings] == ["carry-refused"]


def test_too_few_digits_are_imprecise_not_wrong(lesson):
    """0.67 and 0.33 are right as far as they go, and earn half until the digits are there."""
    steps = marked(lesson, scaled=SCALED, weights=[["1", "0"], ["0.67", "0.33"]], output=OUTPUT)

    assert steps["weights"].status == "imprecise"
    assert steps["weights"].points == steps["weights"].max_points / 2
    assert steps["output"].status == "right"


def test_the_wrong_shape_is_said_before_any_value(lesson):
    """One row where two are wanted."""
    steps = marked(lesson, scaled=SCALED, weights=[["0.6698", "0.3302"]], output=OUTPUT)

    assert steps["weights"].status == "wrong"
    assert steps["weights"].findings[0].code == "wrong-shape"
    assert steps["weights"].findings[0].numbers["got"] == "1×2"
    assert steps["output"].status == "right"


def test_digits_that_were_cut_off_are_not_wrong(lesson):
    """0.6697 for 0.66976 has its digits, the last one not rounded: half the points, and it is said."""
    steps = marked(lesson, weights=[["1", "0"], ["0.6697", "0.3302"]], output=OUTPUT)

    assert steps["weights"].status == "imprecise"
    assert steps["weights"].findings[0].code == "cut-off"
    assert steps["weights"].points == steps["weights"].max_points / 2
    assert steps["output"].status == "right"


def test_another_tokens_numbers_are_said_to_be_that(lesson):
    """A question about token 1 answered for token 0."""
    variant = draw.draw(load.find("attention_token"), Seed("5"))
    blank = next(blank for blank in variant.blanks if blank.name == "weights")
    asked = blank.cells[0]
    other = next(place for place in range(3) if place != asked)
    values = trace.solve(variant)["weights"][other]
    answers = {
        one.name: answer(one.name, "_" if one.shape == () else np.full(one.shape, "_")) for one in variant.blanks
    }
    answers["weights"] = answer("weights", [f"{value:.4f}" for value in values])

    report = next(report for report in judge(variant, answers) if report.step == "weights")

    assert report.status == "wrong"
    said = [finding.numbers for finding in report.findings if finding.code.endswith("slip-other-place")]
    assert said == [{"read": str(other), "asked": str(asked)}]


def test_empty_cells_are_counted(lesson):
    """A half-filled matrix is not finished, and says how many cells are missing; what follows is still judged."""
    steps = marked(lesson, scaled=SCALED, weights=[["1", "0"], ["0.6698", "_"]], output=OUTPUT)
    wrong = marked(lesson, scaled=SCALED, weights=[["1", "0"], ["0.5", "_"]])

    assert steps["weights"].status == "blank"
    assert (wrong["weights"].status, wrong["weights"].cells) == ("wrong", ((1, 0),))
    assert steps["weights"].findings[0].code == "cells-empty"
    assert steps["weights"].findings[0].numbers["count"] == 1
    assert steps["output"].status == "right"


def test_numbers_that_no_mistake_gives_accuse_nobody(lesson):
    """A wrong number without an explanation has no finding that names a mistake."""
    steps = marked(lesson, scaled=SCALED, weights=[["1", "0"], ["0.4821", "0.5179"]], output=OUTPUT)

    assert steps["weights"].status == "wrong"
    assert not any(finding.mistakes for finding in steps["weights"].findings)


@pytest.mark.parametrize("given", [{}, {"scaled": SCALED}])
def test_a_sheet_is_blank_only_if_all_of_it_is(lesson, given):
    """A blank sheet is blank; one with something right on it is unfinished."""
    report = score.worksheet(lesson, list(marked(lesson, **given).values()))

    assert (report.status, report.reason) == (("wrong", "unfinished") if given else ("blank", None))


def test_points_scaled_to_a_set_add_up_exactly(lesson):
    """Five points of a template made worth seven: every part keeps its share."""
    report = score.worksheet(lesson, list(marked(lesson, scaled=SCALED, weights=WEIGHTS).values()))

    scaled = score.scaled(report, Fraction(7))

    assert scaled.max_points == 7
    assert sum(step.max_points for step in scaled.steps) == 7
    assert scaled.points == Fraction(7) * report.points / report.max_points


def test_rounding_too_early_is_said_and_kept_apart_from_wrong(lesson):
    """The weights have two digits of four, the output follows from them: half off there, nothing here."""
    steps = marked(lesson, scaled=SCALED, weights=[["1", "0"], ["0.67", "0.33"]], output=[["10", "0"], ["6.7", "6.6"]])

    assert steps["weights"].status == "imprecise"
    assert steps["output"].status == "carried"
    assert steps["output"].points == steps["output"].max_points
    assert [(one.code, one.numbers) for one in steps["output"].findings] == [("rounded-early", {"earlier": "weights"})]


def test_rounding_too_early_is_not_said_of_digits_as_asked(lesson):
    """Four digits were asked and typed: the output from them is right."""
    steps = marked(lesson, scaled=SCALED, weights=WEIGHTS, output=[["10", "0"], ["6.698", "6.604"]])

    assert not steps["output"].findings


@pytest.mark.parametrize(
    ("weights", "codes"),
    [
        ([["1", "0"], ["0.6699", "0.3301"]], ["last-digit"]),  # the right ones are 0.66976.. and 0.33024..
        ([["1", "0"], ["0.6699", "0.3302"]], ["last-digit"]),
        ([["1", "0"], ["0.6700", "0.3302"]], []),  # two units
        ([["1", "0"], ["0.6699", "0.3402"]], []),  # another cell is far off
        ([["1.0001", "0"], ["0.6698", "0.3302"]], []),  # what is exactly 1 needs no rounding
    ],
)
def test_one_unit_off_in_the_last_digit_is_said_so(lesson, weights, codes):
    """Wrong all the same, but rounding and nothing else is spoken of; anything further off is no matter of rounding."""
    step = marked(lesson, scaled=SCALED, weights=weights, output=OUTPUT)["weights"]

    assert step.status == "wrong"
    assert [finding.code for finding in step.findings] == codes


def test_plus_infinity_is_named_where_minus_infinity_is_wanted():
    """In the row that enters the softmax, and in a mask that is added."""
    for name, blank in (("masked_row", "masked"), ("causal_mask_matrix", "additive")):
        variant = draw.draw(load.find(name), Seed("7"))
        right = trace.solve(variant)
        texts = {one.name: text_of(one, right) for one in variant.blanks}
        texts[blank] = texts[blank].replace("-inf", "inf")
        steps = {
            one.step: one for one in judge(variant, {one.name: read(one, texts[one.name]) for one in variant.blanks})
        }

        assert [finding.code for finding in steps[blank].findings] == ["blocked_with_plus_infinity"], name


def test_rows_of_padded_positions_are_not_to_be_blocked():
    """A mask whose last rows and columns are blocked is named by the rows."""
    variant = next(
        one
        for one in (draw.draw(load.find("combine_masks"), Seed(str(seed))) for seed in range(20))
        if int(trace.to_arrays(one.inputs)["length"]) < int(trace.to_arrays(one.inputs)["n"])
    )
    inputs = trace.to_arrays(variant.inputs)
    real = np.arange(int(inputs["n"])) < int(inputs["length"])
    typed = np.where(np.tri(len(real), dtype=bool) & real & real[:, None], "0", "-inf").tolist()
    texts = {"combined": str(typed).replace("'", ""), "rule": text_of(variant.blanks[1], {})}

    (step, _) = judge(variant, {one.name: read(one, texts[one.name]) for one in variant.blanks})

    assert [finding.code for finding in step.findings] == ["padded_queries_blocked"]
