"""Explaining a wrong hand answer: sets of mistakes, named only where the answer can carry it."""

import numpy as np
import pytest

from grader import trace
from grader.bank import draw, load, seeds
from grader.judge import chance, worksheet
from grader.judge.compare import expected
from grader.model import Blank
from grader.model import Text as Words
from tests.typing_learner import read, text_of


def variant_of(name, seed=0):
    """A drawn variant of a worksheet."""
    return draw.draw(load.find(name), seeds.self_study(seed))


def mistakes_of(variant, *ids):
    """The first way of making each of these mistakes by hand."""
    able = trace.applicable(
        trace.pipelines()[variant.template.pipeline], trace.to_arrays(variant.inputs), trace.solve(variant)
    )
    return [next(one for one in able if one.id == name and one.made != "code") for name in ids]


def every_single(variant):
    """The traces of all single mistakes of the hand that fit the shapes and can be typed."""
    right = trace.solve(variant)
    for one in trace.applicable(trace.pipelines()[variant.template.pipeline], trace.to_arrays(variant.inputs), right):
        try:
            made = trace.solve(variant, [one]) if one.made != "code" else {}
            texts = [text_of(blank, made) for blank in variant.blanks if blank.step in made]
        except (ValueError, IndexError):
            continue
        if texts and not any("nan" in text for text in texts):
            yield made


def marked(variant, typed, **instead):
    """The reports by blank when a trace is typed in, but for the texts given instead."""
    answers = {blank.name: read(blank, instead.get(blank.name, text_of(blank, typed))) for blank in variant.blanks}
    return {report.step: report for report in worksheet.judge(variant, answers)}


def said(report):
    """Every set of mistakes that is said of a blank."""
    found = [finding for finding in report.findings if finding.mistakes]
    return [frozenset(one) for finding in found for one in (finding.mistakes, *finding.alternatives)]


@pytest.mark.parametrize("seed", range(6))
def test_two_mistakes_between_two_typed_steps_are_found(seed):
    """Only the output is typed, the rest is left blank: no scaling, and keys mixed instead of values."""
    variant = variant_of("attention_all", seed)
    made = trace.solve(variant, mistakes_of(variant, "scale_missing", "mix_keys_instead_of_values"))
    blank = {one.name: "_" for one in variant.blanks if one.name != "output"}

    report = marked(variant, made, **blank)["output"]

    assert frozenset(["scale_missing", "mix_keys_instead_of_values"]) in said(report)
    assert report.findings[0].code in {"several-mistakes", "offered"}


@pytest.mark.parametrize("seed", range(4))
def test_each_of_two_mistakes_is_found_at_its_own_step_when_the_chain_is_typed(seed):
    """What comes between is judged on the learner's own values: one mistake here, one there."""
    variant = variant_of("attention_all", seed)
    made = trace.solve(variant, mistakes_of(variant, "scale_missing", "mix_keys_instead_of_values"))

    reports = marked(variant, made)

    assert frozenset(["scale_missing"]) in said(reports["scaled"])
    assert reports["weights"].status == "carried"
    assert frozenset(["mix_keys_instead_of_values"]) in said(reports["output"])


def test_a_mistake_that_shows_in_no_row_asked_before_is_found_all_the_same():
    """Softmax over the whole matrix, where only the row with the largest score is asked for: the sum shows it."""
    variant = variant_of("attention_token", 2)
    made = trace.solve(variant, mistakes_of(variant, "softmax_global"))

    assert said(marked(variant, made)["sum"]) == [frozenset(["softmax_global"])]


def test_what_would_tell_two_explanations_apart_is_said():
    """Where sets differ on the way to the same answer, the step is named, after the finding."""
    for name, seed in (("attention_all", 0), ("what_if", 1), ("two_heads", 2), ("attention_token", 3)):
        variant = variant_of(name, seed)
        for report in (one for made in every_single(variant) for one in marked(variant, made).values()):
            telling = [finding for finding in report.findings if "tells" in finding.numbers]
            after = [finding.numbers["step"] for finding in report.findings if finding.code == "would-tell"]
            assert [finding.numbers["tells"] for finding in telling] == after
            assert all(finding.alternatives for finding in telling)


def test_what_was_found_once_is_carried():
    """What was found at one blank and made again, or gone on with, at the next keeps its points there."""
    variant = variant_of("attention_all", 1)
    made = trace.solve(variant, mistakes_of(variant, "scale_missing"))

    reports = marked(variant, made)

    assert [reports[name].status for name in ("scaled", "weights", "output")] == ["wrong", "carried", "carried"]


# --- what an answer can carry ------------------------------------------------------------------------------------


def blank_of(shape, decimals, kind="numbers"):
    """A blank of this shape and precision."""
    return Blank("weights", kind, "weights", (), shape, decimals, 1, Words("", ""))


def test_six_numbers_to_four_decimals_can_carry_a_hundred_mistakes():
    """The chance that a random matrix is one of them is nothing."""
    rng = np.random.default_rng(1)
    own, values = rng.random((2, 3)), rng.random((100, 2, 3))

    assert chance.accidental_hits(blank_of((2, 3), 4), values, own) < chance.NAMED / 100


def test_one_number_to_two_decimals_cannot_carry_one():
    """A hundredth of the range is hit too often."""
    hits = chance.accidental_hits(blank_of((), 2), [np.array(0.25)], np.array(0.5))

    assert hits >= chance.NAMED


def test_a_value_that_differs_in_one_cell_counts_as_one_number():
    """Eight right cells prove nothing about the ninth."""
    own = np.linspace(0, 1, 9).reshape(3, 3)
    one = own.copy()
    one[1, 1] = 0.3

    alone = chance.accidental_hits(blank_of((), 2), [np.array(0.3)], np.array(0.5))

    assert chance.accidental_hits(blank_of((3, 3), 2), [one], own) == pytest.approx(alone)


def test_numbers_that_only_changed_places_may_have_been_shuffled():
    """A row turned round is less sure than other numbers; nine different ones are sure; others never were shuffled."""
    row, whole = np.array([0.1, 0.2, 0.7]), np.arange(9.0).reshape(3, 3)

    assert chance.accidental_hits(blank_of((3,), 4), [row[::-1]], row, row[::-1]) > chance.NAMED
    assert chance.accidental_hits(blank_of((3, 3), 4), [whole.T], whole, whole.T) < chance.NAMED
    assert chance.accidental_hits(blank_of((3,), 4), [row[::-1], row + 1], row, row + 1) < chance.NAMED


def test_a_small_mask_is_hit_by_chance_and_a_large_one_is_not():
    """Four cells against sixteen, of which six differ."""
    small, large = np.zeros((2, 2)), np.where(np.tri(4, dtype=bool), 0.0, -np.inf)

    assert (
        chance.accidental_hits(blank_of((2, 2), 0, "mask"), [np.where(np.tri(2), 0.0, -np.inf)], small) > chance.NAMED
    )
    assert chance.accidental_hits(blank_of((4, 4), 0, "mask"), [large.T], large) < chance.NAMED


def test_nothing_searched_is_nothing_hit():
    """No candidates, no accidents."""
    assert chance.accidental_hits(blank_of((2,), 4), [], None) == 0


def reversed_shapes(variant, *names):
    """The shapes of these blanks with the columns first."""
    right = trace.solve(variant)
    steps = {blank.name: blank.step for blank in variant.blanks}
    return {name: str(tuple(int(one) for one in right[steps[name]][::-1])) for name in names}


def test_a_mistake_made_in_every_answer_is_named_where_one_answer_could_not_carry_it():
    """Six shapes with the columns first are no chance; one of them may be."""
    variant = variant_of("head_shapes", 7)
    right = trace.solve(variant)
    names = [blank.name for blank in variant.blanks]

    every = marked(variant, right, **reversed_shapes(variant, *names))
    alone = marked(variant, right, **reversed_shapes(variant, "output"))["output"]

    assert [one.code for one in every["q"].findings] == ["shape_columns_first"]
    assert {report.status for name, report in every.items() if name != "q"} == {"carried"}
    assert [one.code for one in alone.findings] == ["offered"]


def test_of_two_mistakes_that_fit_the_one_that_gives_the_other_answers_too_is_said():
    """With one square weight matrix, W x and x W turned may give the same queries, but not the same keys."""
    variant = variant_of("project_sequence", 0)
    right = trace.solve(variant)
    left = {name: str((right[f"w{name}"] @ right["x"]).astype(int).tolist()) for name in "qkv"}
    turned = {name: str((right["x"] @ right[f"w{name}"].T).astype(int).tolist()) for name in "qkv"}
    assert left["q"] == turned["q"]

    assert said(marked(variant, right, **left)["q"]) == [{"weights_left_multiplied"}]
    assert said(marked(variant, right, **turned)["q"]) == [{"weights_out_in_convention"}]
    assert len(said(marked(variant, right, q=left["q"])["q"])) == 2


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("name", ["causal_mask_matrix", "combine_masks"])
def test_a_mask_by_the_other_convention_is_one_mistake(name, seed):
    """The complement of what is asked, whatever it is made of."""
    variant = variant_of(name, seed)
    right = trace.solve(variant)
    blank = variant.blanks[0]
    turned = 1 - np.array(right[blank.step], int)

    found = said(marked(variant, right, **{blank.name: str(turned.tolist())})[blank.name])

    assert found == [{"mask_polarity_swapped"}]


@pytest.mark.parametrize("seed", range(3))
def test_allowed_and_blocked_exchanged_in_two_answers_cost_once(seed):
    """Masked before the softmax and after it, both the wrong way round."""
    variant = variant_of("mask_order", seed)
    right = trace.solve(variant)
    scores, mask = right["scores"][0], right["mask"][0]
    exps = np.exp(scores)
    kept = np.where(mask, 0.0, exps)
    typed = {"ada": (kept / kept.sum()).round(4).tolist(), "bo": (kept / exps.sum()).round(4).tolist(), "bo_sum": "_"}

    both = marked(variant, right, **{name: str(row) for name, row in typed.items()})
    alone = marked(variant, right, bo=str(typed["bo"]), bo_sum="_")["bo"]

    assert (said(both["ada"]), both["bo"].status) == ([{"mask_inverted"}], "carried")
    assert said(alone) == [{"mask_inverted"}]


@pytest.mark.parametrize(
    ("typed", "named"),
    [("1.4142", True), ("sqrt(2)", True), ("1.4", False), ("1", False), ("1.9", None), ("1.2", None), ("3/2", None)],
)
def test_where_a_whole_number_is_asked_a_mistake_must_give_the_digits_that_were_typed(typed, named):
    """2 / √2 typed for 2 is named with its digits and offered without them; 1.9 is another number."""
    variant = draw.rebuild(load.find("dot_score"), seeds.self_study(0), 0)
    (blank,) = variant.blanks
    assert float(expected(blank, trace.solve(variant))) == 2  # d_k = 2

    score = marked(variant, trace.solve(variant), score=typed)["score"]

    assert score.status == "wrong"
    assert frozenset(["scores_already_scaled"]) in said(score) or named is None
    assert {finding.code for finding in score.findings} <= {"scores_already_scaled"} or not named
    assert named is not None or not said(score)


def test_numbers_that_follow_from_others_carry_no_more_for_several_mistakes():
    """Two equal weights beside a third are one number: the second is its copy, and the third what is left of 1."""
    own = np.array([0.5, 0.3, 0.2])
    tied, free = np.array([0.26, 0.37, 0.37]), np.array([0.26, 0.37, 0.47])

    for value, numbers in ((tied, 1), (free, 3)):
        hits = chance.accidental_hits(blank_of((3,), 4), [value], own, tied=True)
        assert hits == pytest.approx(1e-4**numbers)
    assert chance.accidental_hits(blank_of((3,), 4), [tied], own) == pytest.approx(1e-12)
