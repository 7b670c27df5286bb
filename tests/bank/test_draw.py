"""Variants are drawn the same each time, keep the rules, and carry their proof."""

from collections import Counter

import numpy as np
import pytest

from grader import trace
from grader.bank import chance, draw, proof
from grader.bank.seeds import DEFAULT, self_study
from grader.errors import BadInput, GradeError
from grader.judge import compare
from grader.model import Seed

few = pytest.mark.parametrize("seed", range(8))
NAMES = ("head", "choosing", "computed", "coding")


@pytest.mark.parametrize("name", NAMES)
@few
def test_the_same_seed_gives_the_same_variant(make, name, seed):
    """Drawing twice, and rebuilding from the redraw index, give the same numbers and blanks."""
    template = make(name)
    one, two = draw.draw(template, self_study(seed)), draw.draw(template, self_study(seed))
    again = draw.rebuild(template, one.seed, one.redraw)
    for other in (two, again):
        assert (other.inputs, other.chosen, other.cases) == (one.inputs, one.chosen, one.cases)
        assert [blank.cells for blank in other.blanks] == [blank.cells for blank in one.blanks]
        letters = [[(choice.letter, choice.key, choice.right) for choice in blank.choices] for blank in one.blanks]
        assert letters == [[(choice.letter, choice.key, choice.right) for choice in b.choices] for b in other.blanks]
    assert again.certificate is None
    assert one.certificate == two.certificate is not None


def test_different_seeds_give_different_variants(make):
    """Seeds are worth having: numbers hardly ever repeat."""
    template = make("head")
    assert len({str(draw.draw(template, self_study(seed)).inputs) for seed in range(50)}) > 48


@few
def test_sizes_and_numbers_are_inputs_in_order(make, seed):
    """The sizes come first, as integers, then the entries in the template's order."""
    variant = draw.draw(make("head"), self_study(seed))
    assert list(variant.inputs) == ["n", "m", "d_k", "d_v", "q", "k", "v", "i"]
    assert variant.inputs["n"].kind == "integer"
    assert variant.inputs["q"].shape == (2, int(variant.inputs["d_k"].cells[0]))


@few
def test_a_blank_takes_the_drawn_row(make, seed):
    """A blank's cells and shape follow the drawn index."""
    variant = draw.draw(make("head"), self_study(seed))
    row = int(variant.inputs["i"].cells[0])
    scaled, weights, output = variant.blanks
    assert scaled.cells == weights.cells == output.cells == (row,)
    assert (scaled.shape, output.shape) == ((3,), (2,))


@few
def test_every_mistake_that_applies_is_proven_apart(make, seed):
    """Each mistake of a certificate, computed afresh, is more than four tolerances away at some blank."""
    variant = draw.draw(make("head"), self_study(seed))
    right = trace.solve(variant)
    assert "scale_missing" in variant.certificate.applied
    assert variant.certificate.hidden == ()
    for name in variant.certificate.applied:
        try:
            other = trace.solve(variant, (trace.catalogue()[name],))
        except (ValueError, IndexError):  # it does not fit the shapes, so it shows
            continue
        assert max(compare.gap(blank, right, other) for blank in variant.blanks) > proof.APART


@few
def test_the_nearest_mistake_of_each_blank_is_recorded(make, seed):
    """The certificate names the nearest mistake that shows at a blank, and how far it is."""
    certificate = draw.draw(make("head"), self_study(seed)).certificate
    assert {gap.blank for gap in certificate.gaps} == {"scaled", "weights", "output"}
    assert all(gap.mistake in certificate.applied and gap.tolerances > 0 for gap in certificate.gaps)


def test_mistakes_that_look_the_same_are_recorded(make):
    """With as many keys as queries, dividing by either count is the same mistake: the two form a group."""
    template = make("head", ("n: 2, m: 3", "n: 3, m: 3"))
    groups = draw.draw(template, self_study(0)).certificate.alike
    assert any({"scale_by_num_keys", "scale_by_num_queries"} <= set(group) for group in groups)


SYMMETRIC = (
    ("n: 2, m: 3, d_k: [2, 3]", "n: 2, m: 2, d_k: 2"),
    ("q: {shape: [n, d_k], low: -2, high: 2}", "q: {value: [[1, -1], [0, 1]]}"),
    ("k: {shape: [m, d_k], low: -2, high: 2}", "k: {like: q}"),
)
"""Queries equal to the keys: their scores are symmetric, which hides a swap."""


def test_numbers_that_hide_a_mistake_are_refused_by_name(make):
    """A question that cannot show a mistake fails with its name, and it is our fault, not the learner's."""
    with pytest.raises(GradeError) as caught:
        draw.draw(make("head", *SYMMETRIC), self_study(0))
    assert caught.value.code == "unfair-mistake-hidden"
    assert caught.value.numbers["what"] in {"scores_qk_swapped", "scores_use_query_twice", "scores_use_key_twice"}
    assert caught.value.exit_code == 3


def test_a_template_may_declare_mistakes_unseen(make):
    """What is hidden for a reason stands in the certificate and does not stop the draw."""
    certificate = draw._certified(make("head", *SYMMETRIC), self_study(0), 0, must=False).certificate
    assert {"scores_qk_swapped", "scores_use_query_twice"} <= set(certificate.hidden)
    hints = "hints: [{en: First., zh: 首先。}, {en: Then., zh: 然后。}]"
    unseen = f"fair: {{unseen: [{', '.join(certificate.hidden)}]}}"
    declared = make("head", (hints, f"{hints}\n{unseen}"))
    variant = draw.draw(declared, self_study(0))
    assert set(variant.certificate.hidden) <= set(declared.fair.unseen)
    assert {"scores_qk_swapped", "scores_use_query_twice"} <= set(variant.certificate.hidden)


def test_the_tolerance_is_derived_from_what_is_asked(make):
    """Half a unit of the last decimal, or none where every cell is exact at these decimals."""
    of = {one.blank: one.size for one in draw.draw(make("head"), self_study(0)).certificate.tolerances}
    assert of == {"scaled": "0.00005", "weights": "0.00005", "output": "0.00005"}
    whole = make("head", ("step: scaled, take: [i], decimals: 4", "step: scores, take: [i], decimals: 1"))
    of = {one.blank: one.size for one in draw.draw(whole, self_study(0)).certificate.tolerances}
    assert of["scaled"] == "0"


def test_a_variant_that_cannot_avoid_chance_says_so(make, monkeypatch):
    """If every fair draw has two mistakes that agree by chance, the one with the fewest pairs is taken, and named."""
    pairs = iter([(("a", "b"), ("a", "c")), (("a", "b"),), *[(("a", "b"), ("c", "d"))] * draw.REDRAWS])
    monkeypatch.setattr(chance, "by_chance", lambda variant: next(pairs))
    assert draw.draw(make("head"), self_study(0)).certificate.chance == (("a", "b"),)


@pytest.mark.parametrize("seed", range(20))
def test_no_two_mistakes_agree_by_chance_in_a_chain(make, seed):
    """Groups of mistakes that look the same are the same for other numbers of these sizes as well."""
    variant = draw.draw(make("head"), self_study(seed))
    assert chance.by_chance(variant) == variant.certificate.chance == ()
    for other in range(50, 53):
        again = draw._certified(variant.template, self_study(other), 0, must=False)
        if again.inputs["d_k"] == variant.inputs["d_k"]:
            for group in variant.certificate.alike:
                assert any(set(group) <= set(found) for found in again.certificate.alike), group


@few
def test_the_weights_keep_the_rules(make, seed):
    """Every drawn variant has weights that can be worked out: neither saturated nor uniform."""
    weights = trace.solve(draw.draw(make("head"), self_study(seed)))["weights"]
    assert weights.min() >= 0.02
    assert weights.max() <= 0.95


def test_an_unfair_template_says_which_rule(make):
    """A template that no draw can satisfy fails with the rule broken most often, after a bounded number of draws."""
    with pytest.raises(GradeError) as caught:
        draw.draw(make("head", ("low: -2, high: 2", "low: 9, high: 9")), self_study(0))
    assert caught.value.code == "unfair-equal-rows"
    assert caught.value.numbers["tries"] == draw.REDRAWS


# --- pins --------------------------------------------------------------------------------------------------------


def test_a_pin_has_its_own_numbers(make):
    """A lesson's variant holds exactly the numbers the template gives, canonically written."""
    variant = draw.draw(make("head"), Seed("0", "lesson"))
    assert (variant.redraw, variant.seed.pin) == (0, "lesson")
    assert variant.inputs["v"].cells == ("1", "2", "3", "4.5", "0", "6")
    assert variant.inputs["i"].cells == ("1",)
    assert variant.inputs["d_k"].cells == ("2",)


def test_a_pins_certificate_says_what_it_cannot_show(make):
    """A pin may break the rules; what its numbers hide is recorded."""
    variant = draw.draw(make("head"), Seed("0", "lesson"))
    assert variant.certificate is not None
    assert set(variant.certificate.hidden) <= set(variant.certificate.applied)


def test_an_unknown_pin_is_bad_input(make):
    """A pin that the template does not have is named, with the nearest."""
    with pytest.raises(BadInput) as caught:
        draw.draw(make("head"), Seed("0", "leson"))
    assert (caught.value.code, caught.value.numbers["nearest"]) == ("unknown-pin", "lesson")


# --- options -----------------------------------------------------------------------------------------------------


def test_the_right_options_place_is_uniform(make):
    """The right option stands at each letter about equally often."""
    template = make("choosing")
    letters: Counter[str] = Counter()
    for seed in range(300):
        which = draw.draw(template, self_study(seed)).blanks[0]
        letters.update(choice.letter for choice in which.choices if choice.right)
    assert set(letters) == {"A", "B", "C"}
    assert sum((count - 100) ** 2 / 100 for count in letters.values()) < 13.9  # chi-squared, 2 degrees, 0.999


@few
def test_the_drawn_case_says_what_is_right(make, seed):
    """The right option, the truth and the fresh numbers follow the case; what stays is computed."""
    variant = draw.draw(make("choosing"), self_study(seed))
    changed = variant.chosen["case"]
    which, stays, steady = variant.blanks
    right = {choice.key for choice in which.choices if choice.right}
    assert right == {"values" if changed == "wv" else "queries"}
    assert {choice.key for choice in stays.choices if choice.right} == ({"q", "w", "k"} if changed == "wv" else {"k"})
    assert steady.truth is (changed == "wv")
    assert (variant.inputs["wv"] == variant.inputs["wv_new"]) is (changed != "wv")


@few
def test_computed_options_show_numbers_apart(make, seed):
    """Each option carries the number its mistake gives, no two closer than ten tolerances."""
    blank = draw.draw(make("computed"), self_study(seed)).blanks[0]
    values = {choice.key: float(choice.value) for choice in blank.choices}
    assert [choice.key for choice in blank.choices if choice.right] == ["right"]
    assert set(values) == {"right", "unscaled", "by_d_k"}
    assert np.diff(sorted(values.values())).min() >= 10 * 0.0005


def test_options_keep_their_order_if_they_are_not_to_be_shuffled(make):
    """`shuffle: false` keeps the author's order."""
    template = make("computed", ("decimals: 3", "decimals: 3\n    shuffle: false"))
    for seed in range(5):
        keys = [choice.key for choice in draw.draw(template, self_study(seed)).blanks[0].choices]
        assert keys == ["right", "unscaled", "by_d_k"]


# --- functions ---------------------------------------------------------------------------------------------------


def test_a_function_has_its_cases_drawn(make):
    """Every case has the sizes and inputs that go over the template's own; a removed input is absent."""
    masked, bare = draw.draw(make("coding"), self_study(0)).cases
    assert (masked.name, bare.name) == ("masked", "bare")
    assert masked.inputs["mask"].kind == "boolean"
    assert "mask" not in bare.inputs
    assert bare.inputs["q"].shape == (2, 5)


def test_the_default_variant_has_the_first_conventions(make):
    """Marking a file without a variant means the plain contract; other seeds draw each setting."""
    template = make("coding")
    assert draw.draw(template, DEFAULT).chosen["conventions"] == {"mask_true": "allowed"}
    settings = {draw.draw(template, self_study(seed)).chosen["conventions"]["mask_true"] for seed in range(12)}
    assert settings == {"allowed", "blocked"}


def test_the_cases_of_a_function_show_its_mistakes(make):
    """The certificate of a function names the mistakes of code that its cases were held against."""
    certificate = draw.draw(make("coding"), self_study(0)).certificate
    assert "scale_missing" in certificate.applied
    assert certificate.hidden == ()
    assert {one.size for one in certificate.tolerances} == {"0.000001"}


def test_a_functions_mistakes_that_return_the_same_are_recorded(make):
    """Only what gives the same in every case forms a group; where one case tells them apart, there is none."""

    def groups(*changes):
        return draw.draw(make("coding", *changes), self_study(0)).certificate.alike

    together = {"scale_by_num_keys", "scale_by_num_queries"}
    square = (("n: 3, m: 4", "n: 4, m: 4"), ("{n: 2}", "{n: 4}"))
    assert not any(together <= set(group) for group in groups())
    assert any(together <= set(group) for group in groups(*square))


def test_a_redraw_that_cannot_be_is_bad_input(make):
    """A variant whose numbers were never possible is the caller's error, not a crash."""
    template = make("coding", ("m: 4", "m: 1"))
    with pytest.raises(BadInput) as caught:
        draw.rebuild(template, self_study(0), 7)
    assert caught.value.code == "never-drawn"


def test_a_pin_that_cannot_be_drawn_is_an_authors_fault(make):
    """A pin whose sizes do not divide fails as the template's fault, as a draw does."""
    template = make("head", ("sizes: {d_k: 2}", "sizes: {d_k: 3}"), ("d_v: 2}\ndraw", "d_v: 2, half: d_k / n}\ndraw"))
    with pytest.raises(GradeError) as caught:
        draw.draw(template, Seed("0", "lesson"))
    assert caught.value.code == "unfair-size-not-whole"
