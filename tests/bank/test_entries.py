"""Each kind of drawing gives the numbers it promises, as decimal strings."""

from decimal import Decimal
from functools import partial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader import trace
from grader.bank.entries import Drawing, Unfair, canonical, constant, draw_all, draw_entry, draw_sizes, fixed
from grader.bank.seeds import Stream, self_study
from grader.errors import GradeError

seeds = pytest.mark.parametrize("seed", range(20))


def drawing(seed=0, case=None, specs=None, **sizes):
    """What one variant has drawn before its entries: its sizes."""
    at = Drawing(partial(Stream, "t", "0", self_study(seed), 0), case or {}, specs=specs or {})
    draw_sizes(sizes, at)
    return at


def draw(spec, seed=0, **sizes):
    """One entry drawn."""
    at = drawing(seed, **sizes)
    return draw_entry(spec, at, at.stream("name"))


@pytest.mark.parametrize(
    ("value", "text"),
    [("1.50", "1.5"), ("-0", "0"), ("-0.00", "0"), ("100", "100"), (1e-7, "0.0000001"), (2.0, "2"), (-0.5, "-0.5")],
)
def test_a_number_has_one_decimal_string(value, text):
    """No exponent, no trailing zeros, no minus zero."""
    assert canonical(value) == text


@given(st.floats(-1e6, 1e6))
def test_a_decimal_string_keeps_the_number(value):
    """The string reads back as the number, and is its own canonical form."""
    assert float(canonical(value)) == value
    assert canonical(canonical(value)) == canonical(value)


@seeds
def test_entries_lie_on_their_grid(seed):
    """A matrix has its shape, and entries from low to high by step without those excluded."""
    numbers = draw({"shape": ["n", 3], "low": -1, "high": 1, "step": 0.5, "exclude": [0]}, seed, n=2)
    assert numbers.shape == (2, 3)
    assert set(numbers.cells) <= {"-1", "-0.5", "0.5", "1"}


def test_entries_can_be_multiples_of_a_root():
    """`times: sqrt_d_k` multiplies by the root of a square size, and refuses another size."""
    numbers = draw({"shape": [4], "low": 3, "high": 5, "times": "sqrt_d_k"}, d_k=64)
    assert {int(cell) % 8 for cell in numbers.cells} == {0}
    with pytest.raises(GradeError) as caught:
        draw({"shape": [4], "low": 3, "high": 5, "times": "sqrt_d_k"}, d_k=8)
    assert caught.value.code == "size-not-square"


@seeds
def test_an_index_lies_below_its_size(seed):
    """An index counts from 0, or from where the template says."""
    assert 0 <= int(draw({"index": "n"}, seed, n=3).cells[0]) <= 2
    assert draw({"index": "n", "from": 2}, seed, n=3).cells == ("2",)


@seeds
def test_shares_add_up_to_one_exactly(seed):
    """Each row of shares is positive, on its grid, and adds up to 1 as decimals."""
    numbers = draw({"shares": ["n", "m"], "unit": 0.05, "least": 0.1}, seed, n=2, m=4)
    rows = np.array([Decimal(cell) for cell in numbers.cells]).reshape(2, 4)
    assert [sum(row) for row in rows] == [1, 1]
    assert rows.min() >= Decimal("0.1")


def test_shares_that_cannot_be_are_an_authors_fault():
    """Five parts of at least a quarter do not add up to one."""
    with pytest.raises(GradeError) as caught:
        draw({"shares": [5], "unit": 0.05, "least": 0.25})
    assert caught.value.code == "shares-do-not-fit"


@seeds
def test_a_random_mask_can_tell(seed):
    """Each row of a random mask allows and blocks some key, and the mask is not its own transpose."""
    mask = trace.to_array(draw({"mask": "random", "shape": ["n", "n"]}, seed, n=3))
    assert mask.any(axis=1).all()
    assert not mask.all(axis=1).any()
    assert not np.array_equal(mask, mask.T)


def test_a_mask_that_cannot_be_is_drawn_again():
    """One key cannot be both allowed and blocked."""
    with pytest.raises(Unfair):
        draw({"mask": "random", "shape": [2, 1]})


def test_causal_and_padding_masks():
    """A causal mask allows up to the query; a padding mask blocks the same last keys for all queries."""
    causal = trace.to_array(draw({"mask": "causal", "shape": [3, 4]}))
    assert np.array_equal(causal, np.tril(np.ones((3, 4), bool)))
    padding = trace.to_array(draw({"mask": "padding", "shape": [2, 3, 4]}))  # (batch, n, m)
    assert padding.shape == (2, 3, 4)
    assert (padding == padding[:, :1]).all()
    assert padding[..., 0].all()
    assert not padding[..., -1].any()


@seeds
def test_lengths_lie_between_one_and_the_most(seed):
    """Lengths are whole numbers, at least one real token each."""
    numbers = draw({"lengths": ["batch"], "most": "m"}, seed, batch=5, m=4)
    assert numbers.kind == "integer"
    assert all(1 <= int(cell) <= 4 for cell in numbers.cells)


def test_constants_and_picks_know_their_kind():
    """A whole number is an integer, a matrix decimals; where one pick is a fraction, all are decimals."""
    assert draw({"value": 5}).kind == "integer"
    assert draw({"value": [[1, 2], [3, 4]]}).kind == "decimal"
    assert draw({"value": [True, False]}).cells == ("T", "F")
    assert {draw({"pick": [1, 0.5]}, seed).kind for seed in range(9)} == {"decimal"}
    assert {draw({"pick": [1, 2]}, seed).cells[0] for seed in range(9)} == {"1", "2"}
    with pytest.raises(ValueError, match="ragged"):
        constant([[1, 2], [3]])


def test_a_pins_numbers_take_the_kind_that_would_be_drawn():
    """A pin may write a mask as 0 and 1, lengths as a list, an index as a number."""
    assert fixed([[1, 0]], {"mask": "random", "shape": [1, 2]}).cells == ("T", "F")
    assert fixed([2, 1], {"lengths": [2], "most": 3}).kind == "integer"
    assert fixed(1, {"index": 2}).kind == "integer"
    assert fixed([1, 2], {"shape": [2], "low": 0, "high": 3}).kind == "decimal"


def test_like_is_the_same_unless_the_case_says_otherwise():
    """`like` repeats numbers; with `unless` fulfilled it draws anew by the other entry's rule."""
    specs = {
        "w": {"shape": [3, 3], "low": -2, "high": 2},
        "w_new": {"like": "w", "unless": {"changed": "w"}},
    }
    same, new = drawing(case={"changed": "x"}, specs=specs), drawing(case={"changed": "w"}, specs=specs)
    draw_all(same)
    draw_all(new)
    assert same.values["w_new"] == same.values["w"] == new.values["w"]
    assert new.values["w_new"] != new.values["w"]
    assert new.values["w_new"].shape == (3, 3)


def test_a_change_that_changes_nothing_is_drawn_again():
    """A fresh draw that happens to give the same numbers is no change."""
    specs = {"c": {"pick": [1]}, "c_new": {"like": "c", "unless": {"changed": "c"}}}
    with pytest.raises(Unfair):
        draw_all(drawing(case={"changed": "c"}, specs=specs))


def test_sizes_are_fixed_picked_or_worked_out():
    """A size is a number, one of a list, or a quotient or product of earlier ones; all are integer inputs."""
    at = drawing(d_model=12, n_heads=[3, 4], d_head="d_model / n_heads", wide="n_heads * 2")
    assert at.sizes["d_head"] * at.sizes["n_heads"] == 12
    assert at.sizes["wide"] == 2 * at.sizes["n_heads"]
    assert at.values["d_model"].cells == ("12",)
    assert at.values["d_model"].kind == "integer"


def test_a_size_that_does_not_divide_is_drawn_again():
    """Heads that do not divide the width are no draw."""
    with pytest.raises(Unfair):
        drawing(d_model=10, n_heads=[3], d_head="d_model / n_heads")


@seeds
def test_a_new_entry_shifts_no_other(seed):
    """Adding a variable, before or after, leaves the numbers of the others as they were."""
    before = {"q": {"shape": [3, 3], "low": -2, "high": 2}}
    after = {"p": {"shape": [5], "low": 0, "high": 9}, **before, "r": {"index": 4}}
    one, two = drawing(seed, specs=before), drawing(seed, specs=after)
    draw_all(one)
    draw_all(two)
    assert one.values["q"] == two.values["q"]
