"""Reading matrices: every way people paste them, and the shape that comes with it."""

import math
from contextlib import suppress
from fractions import Fraction
from functools import partial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as npst

from grader.worksheet.matrix import fits, read_matrix
from grader.worksheet.numbers import fixed, read_number
from grader.worksheet.unreadable import Unreadable
from tests.patience import no_hang

HALF = Fraction(1, 2)
GRID = [1, 2, 3, 4, 5, 6]

TWO_BY_THREE = {
    "python list": "[[1, 2, 3], [4, 5, 6]]",
    "python list on lines": "[[1, 2, 3],\n [4, 5, 6]]",
    "python tuples": "((1, 2, 3), (4, 5, 6))",
    "list of tuples": "[(1, 2, 3), (4, 5, 6)]",
    "trailing commas": "[[1, 2, 3,], [4, 5, 6,],]",
    "numpy print": "[[1. 2. 3.]\n [4. 5. 6.]]",
    "numpy repr": "array([[1., 2., 3.],\n       [4., 5., 6.]])",
    "numpy repr with dtype": "array([[1., 2., 3.],\n       [4., 5., 6.]], dtype=float32)",
    "numpy call": "np.array([[1, 2, 3], [4, 5, 6]])",
    "numpy scalars": "[[np.float64(1.0), np.float64(2.0), np.float64(3.0)], [4, 5, np.int64(6)]]",
    "torch": "tensor([[1., 2., 3.],\n        [4., 5., 6.]], dtype=torch.float64, grad_fn=<MmBackward0>)",
    "torch on a device": "tensor([[1., 2., 3.], [4., 5., 6.]], device='cuda:0')",
    "jax": "Array([[1., 2., 3.],\n       [4., 5., 6.]], dtype=float32)",
    "matlab": "[1 2 3; 4 5 6]",
    "matlab with commas": "[1, 2, 3; 4, 5, 6]",
    "matlab on lines": "[1 2 3;\n 4 5 6];",
    "matlab lines without semicolons": "[1 2 3\n 4 5 6]",
    "excel": "1\t2\t3\n4\t5\t6",
    "excel below a tab": "\t1\t2\t3\n\t4\t5\t6",
    "csv": "1,2,3\n4,5,6",
    "csv with spaces": "1, 2, 3\n4, 5, 6",
    "csv with semicolons": "1;2;3\n4;5;6",
    "lines": "1 2 3\n4 5 6",
    "lines with brackets": "[1, 2, 3]\n[4, 5, 6]",
    "rows side by side": "[1, 2, 3], [4, 5, 6]",
    "markdown": "| a | b | c |\n|---|---|---|\n| 1 | 2 | 3 |\n| 4 | 5 | 6 |",
    "markdown with an empty heading": "| | | |\n|:-:|--:|---|\n| 1 | 2 | 3 |\n| 4 | 5 | 6 |",
    "markdown with numbers as heading": "| 1 | 2 | 3 |\n|---|---|---|\n| 4 | 5 | 6 |",
    "markdown rows only": "| 1 | 2 | 3 |\n| 4 | 5 | 6 |",
    "latex": r"\begin{bmatrix} 1 & 2 & 3 \\ 4 & 5 & 6 \end{bmatrix}",
    "latex in dollars": "$$\n\\begin{pmatrix}\n1 & 2 & 3 \\\\\n4 & 5 & 6 \\\\\n\\end{pmatrix}\n$$",
    "latex array": r"\left[\begin{array}{ccc} 1 & 2 & 3 \\[2pt] 4 & 5 & \frac{12}{2} \end{array}\right]",
    "mathematica": "{{1, 2, 3}, {4, 5, 6}}",
    "full width": "［［１，２，３］，［４，５，６］］",
    "ideographic commas": "［１、２、３；４、５、６］",
    "assignment": "scores = [[1, 2, 3], [4, 5, 6]]",
    "formulas": "[[1, 4/2, 1 + 2], [2^2, sqrt(25), 2 * 3]]",
    "no-break spaces": "[1\u00a02\u00a03; 4\u00a05\u00a06]",
    "windows lines": "[[1, 2, 3],\r\n [4, 5, 6]]",
    "blank lines": "1 2 3\n\n4 5 6\n",
    "code ticks": "`[[1, 2, 3], [4, 5, 6]]`",
}


def values(text, wanted, *, infinite=False):
    """Shape and values as read."""
    matrix = read_matrix(text, wanted, partial(read_number, infinite=infinite))
    return matrix.shape, [cell.value for cell in matrix.cells]


def reason(text, wanted):
    """The reason why a text is not read."""
    with pytest.raises(Unreadable) as caught:
        read_matrix(text, wanted, read_number)
    return caught.value


@pytest.mark.parametrize("text", TWO_BY_THREE.values(), ids=TWO_BY_THREE)
def test_pasted_matrices(text):
    """A matrix of two rows of three reads the same from every program, asked for or not."""
    assert values(text, (2, 3)) == ((2, 3), GRID)
    assert values(text, (5, 7)) == ((2, 3), GRID)


@pytest.mark.parametrize(
    "text",
    [
        "[0.1, 0.2, 0.7]",
        "0.1, 0.2, 0.7",
        "0.1 0.2 0.7",
        "0.1,0.2,0.7",
        "(0.1, 0.2, 0.7)",
        "[[0.1, 0.2, 0.7]]",
        "[0.1 0.2 0.7]",
        "[0.1; 0.2; 0.7]",
        "0.1\n0.2\n0.7",
        "[[0.1], [0.2], [0.7]]",
        "0.1\t0.2\t0.7",
        "0,1; 0,2; 0,7",
        "[0,1, 0,2, 0,7]",
        "[0,1 0,2 0,7]",
        "[0,1,0,2,0,7]",
        "0,1\n0,2\n0,7",
        "[0.1 0.2\n 0.7]",
        "[0.1, 0.2, 0.7,]",
        "0.1; 0.2; 0.7;",
        "{0.1, 0.2, 0.7}",
        "array([0.1, 0.2, 0.7])",
        "[.1 .2 .7]",
        "| 0.1 | 0.2 | 0.7 |",
    ],
)
def test_rows(text):
    """A row may come with or without brackets, as a column, or with decimal commas."""
    assert values(text, (3,)) == ((3,), [Fraction(1, 10), Fraction(2, 10), Fraction(7, 10)])


@pytest.mark.parametrize(
    ("text", "wanted", "shape", "read"),
    [
        ("[0,5; 0,5]", (2,), (2,), [HALF, HALF]),
        ("[0,5; 0,5]", (2, 2), (2, 2), [0, 5, 0, 5]),
        ("0,5; 0,5\n0,5; 0,5", (2, 2), (2, 2), [HALF] * 4),
        ("[0,5 0,5; 0,5 0,5]", (2, 2), (2, 2), [HALF] * 4),
        ("[0,67, 0,33]", (2,), (2,), [Fraction(67, 100), Fraction(33, 100)]),
        ("[0,5]", (2,), (2,), [0, 5]),
        ("[0,5]", (1,), (1,), [HALF]),
        ("(0,5)", (), (), [HALF]),
        ("0,5", (), (), [HALF]),
        ("[0.5]", (), (), [HALF]),
        ("[[0.5]]", (), (), [HALF]),
        ("array(0.5)", (), (), [HALF]),
        ("tensor(0.5, dtype=torch.float64)", (), (), [HALF]),
        ("[1,2 3,4]", (4,), (4,), [1, 2, 3, 4]),
        ("[0.5 -0.5]", (2,), (2,), [HALF, -HALF]),
        ("[ 0.5  -0.5]", (2,), (2,), [HALF, -HALF]),
        ("[1 - 2, 3]", (2,), (2,), [-1, 3]),
        ("[1 - 2 3]", (2,), (2,), [-1, 3]),
        ("[- 1, 2]", (2,), (2,), [-1, 2]),
        ("[1 / 2 1/2]", (2,), (2,), [HALF, HALF]),
        ("[1.6 e -1 1]", (2,), (2,), [Fraction("0.16"), 1]),
        ("[sqrt(4), (1+2)*3]", (2,), (2,), [2, 9]),
        ("[Fraction(1, 2), Fraction(1, 2)]", (2,), (2,), [HALF, HALF]),
        ("1 2 3", (1, 3), (1, 3), [1, 2, 3]),
        ("[[[1, 2], [3, 4]], [[5, 6], [7, 8]]]", (2, 2, 2), (2, 2, 2), [1, 2, 3, 4, 5, 6, 7, 8]),
        ("[[[1. 2.]\n  [3. 4.]]\n\n [[5. 6.]\n  [7. 8.]]]", (2, 2, 2), (2, 2, 2), [1, 2, 3, 4, 5, 6, 7, 8]),
        ("[_, 0.5]", (2,), (2,), [None, HALF]),
        ("[0.5, _]", (2,), (2,), [HALF, None]),
        ("[0.5, ]", (2,), (2,), [HALF, None]),
        ("[0.5, , 0.5]", (3,), (3,), [HALF, None, HALF]),
        ("0.5\t\t0.5", (3,), (3,), [HALF, None, HALF]),
        ("[[1, _], [_, 4]]", (2, 2), (2, 2), [1, None, None, 4]),
    ],
)
def test_shape_asked_for_decides(text, wanted, shape, read):
    """Where commas, spaces and semicolons have two readings, the shape asked for settles it."""
    assert values(text, wanted) == (shape, read)


@pytest.mark.parametrize(
    ("text", "wanted", "shape"),
    [
        ("[1, 2]", (3,), (2,)),
        ("0.5, 0.5", (), (2,)),
        ("[[1, 2], [3, 4]]", (), (2, 2)),
        ("[[1, 2], [3, 4], [5, 6]]", (2, 3), (3, 2)),
        ("[[1], [2]]", (1, 2), (2, 1)),
        ("[[1, 2]]", (2, 2), (1, 2)),
        ("1 2 3 4", (2, 2), (4,)),
    ],
)
def test_other_shapes_stay_as_they_are(text, wanted, shape):
    """A matrix of another shape is read with its own shape: judging says so."""
    assert values(text, wanted)[0] == shape


@pytest.mark.parametrize(
    ("text", "wanted", "code"),
    [
        ("[1, 2", (2,), "unreadable-unbalanced"),
        ("1, 2]", (2,), "unreadable-unbalanced"),
        ("[[1, 2], [3, 4]", (2, 2), "unreadable-unbalanced"),
        ("[1, 2)", (2,), "unreadable-unbalanced"),
        ("[[1, 2, 3], [4, 5]]", (2, 3), "unreadable-ragged"),
        ("1 2 3\n4 5", (2, 3), "unreadable-ragged"),
        ("1,2,3,4\n5,6,7", (2, 4), "unreadable-ragged"),
        ("1,2\n3", (2, 2), "unreadable-ragged"),
        ("[[[1, 2]], [[1, 2], [3, 4]]]", (2, 2, 2), "unreadable-ragged"),
        ("[[0.1 ... 0.3]\n [0.4 ... 0.6]]", (2, 3), "unreadable-ellipsis"),
        ("[0.1, …, 0.3]", (3,), "unreadable-ellipsis"),
        ("[1,000, 2,000]", (2,), "unreadable-ambiguous-comma"),
        ("1,000", (), "unreadable-ambiguous-comma"),
        ("[1,000]", (), "unreadable-ambiguous-comma"),
        ("[1,000]", (3,), "unreadable-ambiguous-comma"),
        ("1,234", (3,), "unreadable-ambiguous-comma"),
        ("[1,000]", (2,), "unreadable-leading-zeros"),
        ("[0.5, abc]", (2,), "unreadable-name"),
        ("[0.5, nan]", (2,), "unreadable-nan"),
        ("[0.5, -inf]", (2,), "unreadable-infinite"),
        ("[50%, 50%]", (2,), "unreadable-percent"),
        ("0.5 0.5", (), "unreadable-two-numbers"),
        ("2 * [1, 2]", (2,), "unreadable-outside-brackets"),
        ("[1, [2, 3]]", (2,), "unreadable-outside-brackets"),
        ("[" * 10 + "1, 2" + "]" * 10, (2,), "unreadable-nested"),
        ("1 " * 30_000, (2,), "unreadable-too-long"),
        ("1 " * 6_000, (2,), "unreadable-too-many"),
    ],
    ids=lambda value: str(value)[:30],
)
def test_reasons(text, wanted, code):
    """A text that is no matrix has a reason."""
    with no_hang():
        assert reason(text, wanted).code == code


def test_ragged_names_the_row():
    """A row of another length is named, with how many cells it has."""
    assert reason("[[1, 2, 3], [4, 5, 6], [7, 8]]", (3, 3)).numbers == {"row": 2, "count": 2, "first": 3}


def test_reason_names_every_cell():
    """Every cell that cannot be read is named by its index."""
    assert reason("[[1, nan], [nan, 4]]", (2, 2)).numbers["cells"] == [[0, 1], [1, 0]]


def test_infinity_in_a_masked_row():
    """Minus infinity is read where it can be, in every spelling."""
    assert values("[0.5, -inf, −∞]", (3,), infinite=True) == ((3,), [HALF, -math.inf, -math.inf])


def test_decimal_commas_are_said():
    """Each decimal comma that was read so is said."""
    notices = read_matrix("[0,67, 0,33]", (2,), read_number).notices

    assert [notice.code for notice in notices] == ["notice-decimal-comma"] * 2


def test_cells_keep_raw_text_and_digits():
    """Each cell keeps what was typed and how many digits."""
    cells = read_matrix("[½, 0.670]", (2,), read_number).cells

    assert [(cell.raw, cell.decimals) for cell in cells] == [("½", None), ("0.670", 3)]


@pytest.mark.parametrize(
    ("shape", "wanted", "same"),
    [((3,), (3,), True), ((3, 1), (3,), True), ((1, 3), (3,), True), ((3,), (3, 1), True), ((3, 1), (1, 3), False)],
)
def test_fits(shape, wanted, same):
    """A row may be typed as a column where one axis is asked for, never where two are."""
    assert fits(shape, wanted) is same


def nested(array, row, outer):
    """An array as text, with functions for a row and for what is around rows."""
    return row(array) if array.ndim == 1 else outer([nested(part, row, outer) for part in array])


WRITERS = {
    "python": lambda a: repr(a.tolist()),
    "numpy repr": repr,
    "numpy str": str,
    "torch": lambda a: f"tensor({a.tolist()}, dtype=torch.float64)",
    "matlab": lambda a: nested(a, lambda r: " ".join(map(str, r)), lambda rows: "[" + "; ".join(rows) + "]"),
    "excel": lambda a: nested(a, lambda r: "\t".join(map(str, r)), "\n".join),
    "csv": lambda a: nested(a, lambda r: ",".join(map(str, r)), "\n".join),
    "decimal comma": lambda a: nested(a, lambda r: "; ".join(fixed(x, 4).replace(".", ",") for x in r), "\n".join),
    "markdown": lambda a: nested(a, lambda r: "| " + " | ".join(map(str, r)) + " |", "\n".join),
    "latex": lambda a: (
        r"\begin{bmatrix}" + nested(a, lambda r: " & ".join(map(str, r)), r" \\ ".join) + r"\end{bmatrix}"
    ),
    "full width": lambda a: repr(a.tolist()).translate({c: c + 0xFEE0 for c in range(0x21, 0x7F)}),
}


@given(
    npst.arrays(
        np.float64,
        npst.array_shapes(min_dims=1, max_dims=2, min_side=2, max_side=5),
        elements=st.integers(-2000, 2000).map(lambda units: units / 8),
    ),
    st.sampled_from(sorted(WRITERS)),
)
def test_round_trip(array, writer):
    """A matrix written by any program reads back as itself."""
    shape, read = values(WRITERS[writer](array), array.shape)

    assert shape == array.shape
    assert read == array.ravel().tolist()


ALPHABET = "0123456789.,;+-−*/^()[]{}eE√%_ '\"\\½²×∞&|\n\t\u00a0arytensobgimx"
SHAPES = st.sampled_from([(), (1,), (2,), (3,), (2, 2), (2, 3), (2, 2, 2)])


@given(st.text(ALPHABET, max_size=80) | st.text(max_size=80), SHAPES)
def test_any_text_is_read_or_has_a_reason(text, wanted):
    """No text whatever raises anything but a reason, and cells fill the shape."""
    with suppress(Unreadable):
        matrix = read_matrix(text, wanted, read_number)

        assert len(matrix.cells) == math.prod(matrix.shape)


@pytest.mark.parametrize("part", ["[", "(", "1,", "[1 ", "1;", "((1,2),", r"\frac{", "|", "1\n", "-", "1e", "a=", "\t"])
def test_long_texts_take_no_time(part):
    """Repeating anything up to the limit is answered."""
    with no_hang(), suppress(Unreadable):
        read_matrix(part * (20_000 // len(part)), (2, 2), read_number)
