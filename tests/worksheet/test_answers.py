"""Reading one blank: each kind, what is echoed, and what is said about it."""

import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.model import Blank, Choice, RawAnswer, Text
from grader.worksheet.answers import read

NOTHING = Text("", "")
OPTIONS = tuple(Choice(letter, letter.lower(), NOTHING, letter == "B") for letter in "ABCD")


def blank(kind="numbers", shape=(), *, step="weights", decimals=4, choices=OPTIONS):
    """A blank of one kind and shape."""
    return Blank("answer", kind, step, (), shape, decimals, Fraction(1), NOTHING, choices)


def answer(text, kind="numbers", shape=(), **more):
    """What is read for a text."""
    return read(blank(kind, shape, **more), RawAnswer("answer", text, 12))


@pytest.mark.parametrize("kind", ["numbers", "shape", "mask", "choice", "choices", "truth"])
@pytest.mark.parametrize("text", ["", "  ", "_", "[_, _]", "(_, _)", "[[_, _],\n [_, _]]", "?", "__", "＿", "\u00a0"])
def test_untouched_blanks_are_blank(kind, text):
    """Underscores, nothing, or a question mark are no answer, whatever the kind."""
    assert answer(text, kind, (2, 2)).state == "blank"


def test_missing_entry_is_blank():
    """A name that is not in the block is a blank."""
    assert read(blank(), None).state == "blank"


def test_answer_keeps_line_and_raw_text():
    """An answer knows its name, its line and its text as typed."""
    given_answer = answer(" −½ ")

    assert (given_answer.blank, given_answer.line, given_answer.raw) == ("answer", 12, " −½ ")


@pytest.mark.parametrize(
    ("text", "shape", "read_as"),
    [
        ("[0.6698, 0.3302]", (2,), "[0.6698, 0.3302]"),
        ("0,670", (), "0.670"),
        ("2/3", (), "2/3 = 0.6667"),
        ("½", (), "½ = 0.5"),
        ("-7", (), "-7"),
        ("−7", (), "-7"),
        ("e^2", (), "e^2 = 7.3891"),
        ("[2/3, 1/3]", (2,), "[0.6667, 0.3333]"),
        ("[[1, 2], [3, 4.50]]", (2, 2), "[[1, 2], [3, 4.50]]"),
        ("[0.5, _]", (2,), "[0.5, _]"),
        ("1 2 3\n4 5 6", (2, 3), "[[1, 2, 3], [4, 5, 6]]"),
    ],
)
def test_numbers_are_echoed(text, shape, read_as):
    """Numbers are echoed in one plain form; a formula beside its value."""
    assert answer(text, shape=shape).read_as == read_as


def test_partly_filled_matrix_is_read():
    """Cells left empty are empty cells of an answer that is read."""
    partly = answer("[0.5, _]", shape=(2,))

    assert partly.state == "read"
    assert [cell.value for cell in partly.cells] == [Fraction(1, 2), None]


def test_wrong_shape_is_read_with_its_shape():
    """A wrong shape is no reading fault."""
    assert answer("[1, 2, 3]", shape=(2,)).shape == (3,)


@pytest.mark.parametrize(("step", "state"), [("masked", "read"), ("minus_max", "read"), ("weights", "unreadable")])
def test_infinity_by_step(step, state):
    """Minus infinity can stand in a masked score, not in a weight."""
    assert answer("[0, -inf]", shape=(2,), step=step).state == state


def test_unreadable_keeps_its_reason():
    """An unreadable blank carries code, numbers, line and the shape wanted."""
    given_answer = answer("[0.5, nan]", shape=(2,))

    assert given_answer.state == "unreadable"
    assert given_answer.reason.code == "unreadable-nan"
    assert given_answer.reason.line == 12
    assert given_answer.reason.numbers["cells"] == [[1]]
    assert given_answer.reason.numbers["wanted"] == "(2,)"


def test_decimal_comma_is_noticed():
    """A decimal comma is read and said."""
    assert [notice.code for notice in answer("0,67").notices] == ["notice-decimal-comma"]


@pytest.mark.parametrize(
    ("text", "axes"),
    [
        ("(3, 4)", [3, 4]),
        ("[3, 4]", [3, 4]),
        ("3x4", [3, 4]),
        ("3 X 4", [3, 4]),
        ("3×4", [3, 4]),
        ("3*4", [3, 4]),
        ("3 by 4", [3, 4]),
        ("3, 4", [3, 4]),
        ("3 4", [3, 4]),
        ("（３，４）", [3, 4]),
        ("(2, 3, 4)", [2, 3, 4]),
        ("2x3x4", [2, 3, 4]),
        ("(3,)", [3]),
        ("3", [3]),
        ("()", []),
        ("scalar", []),
        ("torch.Size([3, 4])", [3, 4]),
        ("(8, 512/8)", [8, 64]),
        ("`(3, 4)`", [3, 4]),
        ("(3, _)", [3, None]),
        ("3 乘 4", [3, 4]),
    ],
)
def test_shapes(text, axes):
    """A shape is read in every usual way of writing it."""
    given_answer = answer(text, "shape", (2,))

    assert [cell.value for cell in given_answer.cells] == axes
    assert given_answer.shape == (len(axes),)


@pytest.mark.parametrize(
    "text", ["(n, d_k)", "(3.5, 4)", "(-3, 4)", "three", "(3, 4", "(8, 1,024)", "1 " * 20, "3xx4x"]
)
def test_no_shapes(text):
    """A size is a whole number, not negative."""
    assert answer(text, "shape", (2,)).reason.code in {"unreadable-shape", "unreadable-unbalanced"}


@pytest.mark.parametrize(("text", "read_as"), [("3x4", "(3, 4)"), ("3", "(3,)"), ("()", "()"), ("(3, _)", "(3, _)")])
def test_shapes_are_echoed(text, read_as):
    """A shape is echoed as Python writes it."""
    assert answer(text, "shape", (2,)).read_as == read_as


CAUSAL = [0, -math.inf, 0, 0]


@pytest.mark.parametrize(
    "text",
    [
        "[[0, -inf], [0, 0]]",
        "[[0, −∞], [0, 0]]",
        "[[0.0, -np.inf], [-0., 0.0]]",
        "[[0, -1e9], [0, 0]]",
        "[[T, F], [T, T]]",
        "T F\nT T",
        "[[True, False], [True, True]]",
        "array([[ True, False],\n       [ True,  True]])",
        "[[np.True_, np.False_], [np.True_, np.True_]]",
        "[[1, 0], [1, 1]]",
        "[[1., 0.], [1., 1.]]",
        "对 错\n对 对",
        "[[yes, no], [yes, yes]]",
        "[[✓, ✗], [✓, ✓]]",
        "[[T, 0], [1, T]]",
    ],
)
def test_masks_become_additive(text):
    """Every way of writing a mask becomes 0 where a key is allowed and -inf where it is blocked."""
    mask = answer(text, "mask", (2, 2))

    assert [cell.value for cell in mask.cells] == CAUSAL


@pytest.mark.parametrize(
    ("text", "read_as"),
    [
        ("[[0, −∞], [0, 0]]", "[[0, -inf], [0, 0]]"),
        ("[[0, -1e9], [0, _]]", "[[0, -inf], [0, _]]"),
        ("对 错\n对 对", "[[T, F], [T, T]]"),
        ("[[1, 0], [1, _]]", "[[T, F], [T, _]]"),
    ],
)
def test_masks_are_echoed_in_their_own_way(text, read_as):
    """A mask is echoed as numbers or as true and false, whichever it was."""
    assert answer(text, "mask", (2, 2)).read_as == read_as


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("[[1, 0], [1, 1]]", ["notice-mask-ones"]),
        ("[[0, 0], [0, 0]]", ["notice-mask-zeros"]),
        ("[[0, -1e9], [-1e9, 0]]", ["notice-mask-large"]),
        ("[[0, -inf], [0, 0]]", []),
        ("[[T, F], [T, T]]", []),
    ],
)
def test_how_a_mask_was_read_is_said(text, codes):
    """Ones and zeros, zeros alone and large negative numbers have two readings: the one taken is said."""
    assert [notice.code for notice in answer(text, "mask", (2, 2)).notices] == codes


def test_zeros_alone_allow_everything():
    """A mask of zeros only is read as additive: every key is allowed."""
    assert [cell.value for cell in answer("[0, 0]", "mask", (2,)).cells] == [0, 0]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("[0, 1, -inf]", "unreadable-mask-mixed"),
        ("[T, -inf, F]", "unreadable-mask-mixed"),
        ("[0, 2, 0]", "unreadable-mask-value"),
        ("[0, -5, 0]", "unreadable-mask-value"),
        ("[0, nan, 0]", "unreadable-nan"),
        ("[T, maybe, F]", "unreadable-name"),
    ],
)
def test_no_masks(text, code):
    """A mask that mixes its ways, or holds other numbers, is asked back."""
    assert answer(text, "mask", (3,)).reason.code == code


def test_partly_filled_mask():
    """A mask may have empty cells; the others are read."""
    assert [cell.value for cell in answer("[T, _, F]", "mask", (3,)).cells] == [0, None, -math.inf]


@pytest.mark.parametrize(
    "text", ["B", "b", "Ｂ", "ｂ", "B.", "(B)", "[b]", "**B**", "`B`", "Option B", "选 B", " B ", "_B_"]
)
def test_one_letter(text):
    """A letter is read in either case, full-width, in brackets or marked up."""
    given_answer = answer(text, "choice")

    assert given_answer.letters == ("B",)
    assert given_answer.read_as == "B"


@pytest.mark.parametrize(
    "text", ["A, C", "AC", "c a", "A and C", "A、C", "a;c", "A，C", "A和C", "A, C, A", "[A, C]", "A/C"]
)
def test_several_letters(text):
    """Several letters are read in any order, with anything between them."""
    given_answer = answer(text, "choices")

    assert given_answer.letters == ("A", "C")
    assert given_answer.read_as == "A, C"


@pytest.mark.parametrize("text", ["none", "None.", "无", "none of them"])
def test_no_letter_chosen(text):
    """That none of several fits is an answer."""
    given_answer = answer(text, "choices")

    assert given_answer.state == "read"
    assert given_answer.letters == ()


@pytest.mark.parametrize(
    ("text", "kind", "code"),
    [
        ("E", "choice", "unreadable-option"),
        ("2", "choice", "unreadable-option"),
        ("none", "choice", "unreadable-option"),
        ("the first one", "choices", "unreadable-option"),
        ("A, B", "choice", "unreadable-several-options"),
        ("maybe", "truth", "unreadable-truth"),
        ("1", "truth", "unreadable-truth"),
        ("T / F", "truth", "unreadable-truth"),
        ("|-2|", "numbers", "unreadable-bars"),
    ],
)
def test_no_letters(text, kind, code):
    """Anything else is asked back, with what is wanted."""
    assert answer(text, kind).reason.code == code


@pytest.mark.parametrize(
    "text", ["T", "t", "True", "TRUE", "true.", "yes", "Y", "对", "是", "正确", "Ｔ", "√", "✓", "T (true)", "T（对）"]
)
def test_true(text):
    """True in either language."""
    assert answer(text, "truth").truth is True


@pytest.mark.parametrize("text", ["F", "f", "False", "no", "n", "错", "否", "错误", "×", "✗", "F (false)", "F（错）"])
def test_false(text):
    """False in either language."""
    assert answer(text, "truth").truth is False


KINDS = st.sampled_from(["numbers", "shape", "mask", "choice", "choices", "truth"])
TEXTS = st.text("0123456789.,;+-−*/^()[]{}TFtfABC_ \n\t½²×∞&|\\x对错", max_size=60) | st.text(max_size=60)


@given(TEXTS, KINDS, st.sampled_from([(), (2,), (2, 3)]))
def test_reading_never_raises(text, kind, shape):
    """Any text is read, blank, or unreadable with a reason, and says which."""
    given_answer = answer(text, kind, shape)

    assert (given_answer.reason is not None) == (given_answer.state == "unreadable")
    assert given_answer.state != "read" or given_answer.read_as


@pytest.mark.parametrize("text", ["F T\nF F", "[[False, True], [False, False]]", "0 1\n0 0", "[[no, yes], [no, no]]"])
def test_a_stored_mask_may_be_typed_as_truths(text):
    """The numbers of a boolean mask: 1 is True, and either may be typed."""
    read_as = answer(text, "numbers", (2, 2), step="stored", decimals=0)

    assert [cell.value for cell in read_as.cells] == [0, 1, 0, 0]


@pytest.mark.parametrize("step", ["additive", "masked", "minus_max"])
def test_a_number_far_below_zero_is_minus_infinity_where_a_key_is_blocked(step):
    """-1e9, -1000 and -999 do what -inf does, and it is said; -100 is a number."""
    read_as = answer("[0, -1e9, -1000, -999, -100]", "numbers", (5,), step=step, decimals=0)

    assert [cell.value for cell in read_as.cells] == [0, -math.inf, -math.inf, -math.inf, -100]
    assert [notice.code for notice in read_as.notices] == ["notice-mask-large"]


def test_a_number_far_below_zero_stays_one_where_nothing_is_blocked():
    """A score may be anything."""
    assert [cell.value for cell in answer("[0, -1e9]", "numbers", (2,), step="scores").cells] == [0, -(10**9)]


def test_truths_in_an_additive_mask_are_asked_back():
    """What is added is a number."""
    reason = answer("T F\nT T", "numbers", (2, 2), step="additive").reason

    assert reason is not None
    assert reason.code == "unreadable-truth-for-number"


@pytest.mark.parametrize(
    ("text", "shape", "values"),
    [
        ("**2**", (), [2]),
        ("*2*", (), [2]),
        ("***-2***", (), [-2]),
        ("**2*3**", (), [6]),
        ("2**3", (), [8]),
        ("2**3**2", (), [512]),
        ("2*3*4", (), [24]),
        ("[**1**, 2]", (2,), [1, 2]),
        ("[*1*, *2*]", (2,), [1, 2]),
        ("**1** **2**", (2,), [1, 2]),
        ("**[1, 2]**", (2,), [1, 2]),
        ("| **1** | 2 |", (2,), [1, 2]),
    ],
)
def test_stars_of_emphasis_are_no_powers(text, shape, values):
    """Markdown's bold and italics around a number or all of them; a power stays one."""
    assert [cell.value for cell in answer(text, "numbers", shape, decimals=0).cells] == values


@pytest.mark.parametrize("step", ["scores", "scaled"])
def test_minus_infinity_before_the_mask_is_told_by_where_it_comes_in(step):
    """It costs no try, and says that the mask comes afterwards."""
    read_as = answer("[0.5, -inf]", "numbers", (2,), step=step)

    assert (read_as.state, read_as.reason.code) == ("unreadable", "unreadable-infinite-unmasked")
    assert read_as.reason.numbers["text"] == "-inf"
