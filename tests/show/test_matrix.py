"""Arrays as aligned text."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.show import matrix


def test_a_matrix_is_aligned_with_its_marks():
    """Columns align at the right, a `*` follows the cells that differ, zero is plain."""
    shown = matrix.grid(np.array([[1.0, -0.0], [-0.25, 10.5]]), marked=[(1, 0)])

    assert shown == matrix.Grid((" 1.00       0", "-0.25*  10.50"))


@pytest.mark.parametrize(
    ("array", "lines"),
    [
        (np.array(2.5), ("2.5",)),
        (np.array([1, 20]), ("1  20",)),
        (np.array([[True, False]]), ("T  F",)),
        (np.array([0.0, -np.inf, np.nan]), ("0  -inf  nan",)),
        (np.zeros((0, 3)), ("[]  (0, 3)",)),
        (np.array([1e-9]), ("0.0000",)),
        (np.array(["\x1b"]), ("\\x1b",)),
        (np.array([1e30]), ("1.000e+30",)),
        (np.array([1.5 - 0.25j, complex(1, -0.0)]), ("1.50-0.25j  1.00+0j",)),
        (np.arange(4).reshape(2, 1, 2), ("[0]", "0  1", "[1]", "2  3")),
    ],
)
def test_every_kind_of_array(array, lines):
    """Numbers, vectors, masks, infinities, empty arrays, foreign text and several heads all print."""
    assert lines == matrix.grid(array).lines


def test_a_large_array_is_shown_around_the_first_difference():
    """Only a window is shown, and which part of the array it is."""
    array = np.zeros((3, 100, 100))

    shown = matrix.grid(array, marked=[(1, 50, 60), (2, 0, 0)], width=30)

    assert shown.part == "[1, 46:54, 55:65]" or shown.part.startswith("[1, ")
    assert any("*" in line for line in shown.lines)
    assert len(shown.lines) <= matrix.HEIGHT + 1


def test_a_space_for_a_sign_keeps_the_window():
    """The expected array shows the same part as the learner's, without marks."""
    array = np.zeros((50, 50))

    one, other = (matrix.grid(array, marked=[(25, 25)], sign=sign, width=40) for sign in "* ")

    assert one.part == other.part
    assert "*" not in "".join(other.lines)


def test_decimals_keep_numbers_apart():
    """As many decimals are shown as it takes to see the difference."""
    assert matrix.decimals_apart(np.array([0.5]), np.array([0.5000004]), [(0,)]) == 7
    assert matrix.decimals_apart(np.array([0.5]), np.array([0.75]), [(0,)]) == 2
    assert matrix.decimals_apart(np.array([0.5]), np.array([[0.5]]), []) == 1
    assert matrix.decimals_apart(np.array([np.nan]), np.array([0.5]), [(0,)]) == 1


def test_differing_cells_are_found():
    """Cells apart by more than the tolerance, NaN where a number is wanted; nothing for another shape."""
    yours, want = np.array([[1.0, np.nan], [2.0, 3.0]]), np.array([[1.0 + 1e-9, 0.0], [2.0, 4.0]])

    assert matrix.differing(yours, want) == [(0, 1), (1, 1)]
    assert matrix.differing(yours, want[0]) == []
    assert matrix.differing(np.array(["a"]), np.array([1.0])) == [(0,)]
    assert matrix.differing(np.array([-np.inf]), np.array([-np.inf])) == []


def test_blocks_flow_side_by_side_while_they_fit():
    """A block that no longer fits begins a new band."""
    assert matrix.flow([["aa", "a"], ["b"], ["c" * 9]], 12, gap=2) == ["aa  b", "a", "", "c" * 9]


@given(
    st.lists(st.integers(0, 40), max_size=4).map(tuple),
    st.integers(12, 76),
    st.floats(allow_nan=True, allow_infinity=True, width=32),
)
def test_no_line_is_wider_than_asked(shape, width, value):
    """Whatever the shape and the value, lines keep to the width."""
    shown = matrix.grid(np.full(shape, value), width=max(width, 24))

    assert all(len(line) <= max(width, 24) for line in shown.lines)
