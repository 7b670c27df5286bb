"""Taking a worksheet file apart: front matter, the block of answers, and what can be wrong with them."""

from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.errors import BadInput
from grader.model import RawAnswer
from grader.worksheet.fill import fill
from grader.worksheet.read import check_names, header, split

FILE = Path("07_attention.md")
TOP = "---\nproblem: attention_token\nvariant: attention_token.3f2a.11.0\nlang: en\n---\n\n# 07 · One head\n\n"


def sheet(block, fence="```"):
    """A worksheet around a block."""
    return f"{TOP}```text\nQ = [ 1  0 ]\n```\n\n{fence}answers\n{block}\n{fence}\n\nThe end.\n"


def raws(block, **more):
    """The raw answers of a block, by name."""
    return {raw.name: raw.text for raw in split(sheet(block, **more), FILE)[1]}


def fault(source):
    """The error of a file."""
    with pytest.raises(BadInput) as caught:
        split(source, FILE)
    return caught.value


def test_front_matter():
    """The front matter is `key: value` lines, nothing more."""
    matter, _ = split(sheet("q: 1"), FILE)

    assert matter == {"problem": "attention_token", "variant": "attention_token.3f2a.11.0", "lang": "en"}


@pytest.mark.parametrize("change", [lambda s: s, lambda s: "\ufeff" + s, lambda s: s.replace("\n", "\r\n")])
def test_marks_and_line_endings(change):
    """A byte order mark and Windows line endings change nothing."""
    matter, answers = split(change(sheet("q: [1, 2]  # row 0\nk:\n1 2\n3 4")), FILE)

    assert matter["problem"] == "attention_token"
    assert [(raw.name, raw.text.split(), raw.line) for raw in answers] == [
        ("q", ["[1,", "2]"], 14),
        ("k", ["1", "2", "3", "4"], 15),
    ]


@pytest.mark.parametrize(
    ("block", "texts"),
    [
        ("q: 1\nk: 2", {"q": "1", "k": "2"}),
        ("q : 1", {"q": "1"}),
        ("q：1", {"q": "1"}),
        ("q = 1\nk = 2", {"q": "1", "k": "2"}),
        ("q:", {"q": ""}),
        ("q: _   # a [ bracket ( in a comment", {"q": "_"}),
        ("q: 1 ＃ full width", {"q": "1"}),
        ("# only a comment: here\nq: 1\n# and: here", {"q": "1"}),
        ("q: [[1, 2],\n    [3, 4]]\nk: 1", {"q": "[[1, 2],\n    [3, 4]]", "k": "1"}),
        ("q: [[1, 2],  # row 0\n    [3, 4]]  # row 1", {"q": "[[1, 2],\n    [3, 4]]"}),
        ("q:\n1 2\n3 4\n\nk: 5", {"q": "\n1 2\n3 4", "k": "5"}),
        ("q:\n\n1 2\n\n3 4", {"q": "\n\n1 2\n\n3 4"}),
        ("q:\nscores = [[1, 2], [3, 4]]", {"q": "\nscores = [[1, 2], [3, 4]]"}),
        ("q: tensor([[1, 2]], dtype=torch.float64)\nk: 1", {"q": "tensor([[1, 2]], dtype=torch.float64)", "k": "1"}),
        ("q: tensor([[1, 2]],\n  dtype=torch.float64)", {"q": "tensor([[1, 2]],\n  dtype=torch.float64)"}),
        ("q:\n1\t2\n3\t4", {"q": "\n1\t2\n3\t4"}),
        ("  q: 1\n  k: 2", {"q": "1", "k": "2"}),
        ("q: [1, 2\nk: [3, 4]", {"q": "[1, 2", "k": "[3, 4]"}),
        ("", {}),
    ],
)
def test_entries(block, texts):
    """An entry goes on until the next name, its comments left out; an open bracket spoils only its own entry."""
    assert raws(block) == texts


def test_other_fences():
    """The block may stand between tildes, and inside it other blocks' marks do not count."""
    assert raws("q: 1", fence="~~~") == {"q": "1"}
    assert raws("q: 1", fence="`````") == {"q": "1"}


@pytest.mark.parametrize(
    ("source", "code", "line"),
    [
        ("", "worksheet-no-front-matter", 1),
        ("# Title\n", "worksheet-no-front-matter", 1),
        ("---\nproblem: x\n", "worksheet-open-front-matter", 1),
        (TOP, "worksheet-no-block", None),
        (TOP + "```text\nanswers\n```\n", "worksheet-no-block", None),
        (sheet("q: 1") + "```answers\nk: 1\n```\n", "worksheet-two-blocks", 18),
        (TOP + "```answers\nq: 1\n", "worksheet-open-fence", 9),
        (TOP + "```answers\nq: 1\n\n```text\nk\n```\n", "worksheet-open-fence", 9),
        (TOP + "```text\nq: 1\n", "worksheet-open-fence", 9),
        (sheet("0.5\nq: 1"), "worksheet-text-before-name", 14),
        (sheet("q: 1\nk: 2\nq: 3"), "worksheet-name-doubled", 16),
    ],
)
def test_faults(source, code, line):
    """A file that cannot be taken apart says where and why."""
    error = fault(source)

    assert (error.code, error.line, error.file) == (code, line, FILE)


def test_doubled_name_names_both_lines():
    """A name given twice is shown with the line of the first."""
    assert fault(sheet("q: 1\nq: 3")).numbers == {"name": "q", "first": 14}


def test_check_names():
    """A name that is no blank is refused, with the nearest one."""
    with pytest.raises(BadInput) as caught:
        check_names([RawAnswer("q", "", 3), RawAnswer("weigths", "", 4)], ["q", "weights"], FILE)

    assert caught.value.code == "worksheet-unknown-name-near"
    assert caught.value.line == 4
    assert caught.value.numbers == {"name": "weigths", "near": "weights", "names": "q, weights"}


def test_check_names_far_off():
    """A name like none of the blanks is refused, with all of them."""
    with pytest.raises(BadInput) as caught:
        check_names([RawAnswer("zzz", "", 4)], ["q", "weights"], FILE)

    assert caught.value.code == "worksheet-unknown-name"


def test_header_of_a_stub():
    """A stub names its problem in comments at its top, and nowhere else."""
    source = '# problem: attention\n#variant: attention.3f\n# lang: zh\n"""\n# problem: other\n"""\n'

    assert header(source) == {"problem": "attention", "variant": "attention.3f", "lang": "zh"}


@given(st.text("`~\n answers:#[]q_=-", max_size=80))
def test_any_file_is_split_or_has_a_fault(text):
    """No file whatever raises anything but a fault with a code."""
    with suppress(BadInput):
        split(text, FILE)
    with suppress(BadInput):
        split(sheet(text), FILE)


@pytest.mark.parametrize(
    ("block", "values", "filled"),
    [
        ("q: _", {"q": "1"}, "q: 1"),
        ("q:  [_, _]   # row 0\nk: _", {"q": "[1, 2]"}, "q:  [1, 2]  # row 0\nk: _"),
        (
            "k: [[_, _],\n    [_, _]]  # keys\n\n# next\nq: _",
            {"k": "[[1, 2],\n    [3, 4]]", "q": "5"},
            "k: [[1, 2],\n    [3, 4]]  # keys\n\n# next\nq: 5",
        ),
        ("k: [[_, _],  # a\n    [_, _]]  # b", {"k": "0"}, "k: 0  # a # b"),
        ("q:", {"q": "1"}, "q: 1"),
        ("q: 1", {}, "q: 1"),
    ],
)
@pytest.mark.parametrize("ending", ["\n", "\r\n"])
def test_fill(block, values, filled, ending):
    """Filling in replaces values and keeps everything else, comments and line endings too."""
    before, after = (sheet(text).replace("\n", ending) for text in (block, filled))

    assert fill(before, values) == after


def test_fill_refuses_other_names():
    """A value for a blank that is not there is refused."""
    with pytest.raises(BadInput) as caught:
        fill(sheet("q: _"), {"k": "1"})

    assert caught.value.code == "worksheet-unknown-name"


VALUES = st.lists(st.text("0123456789.,[]()-/ \n", min_size=1, max_size=20).filter(str.strip), min_size=3, max_size=3)


@given(VALUES)
def test_fill_then_read(values):
    """What is filled in is what is read, for any value."""
    named = dict(zip(("q", "scores", "weights"), values, strict=True))
    text = fill(sheet("q: _  # a\nscores: [_, _]\nweights: _"), named)

    assert {raw.name: raw.text.split() for raw in split(text, FILE)[1]} == {
        name: value.split() for name, value in named.items()
    }


def test_a_capital_letter_in_a_name_is_no_reason_to_refuse_a_file():
    """Names are written small in every worksheet; `Scaled` is meant as `scaled`."""
    assert list(raws("Scaled: 14 12")) == ["scaled"]
