"""From a code and its numbers to a sentence."""

import unicodedata
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.errors import BadInput, BadInputs, GradeError
from grader.model import Finding, Text, Words
from grader.show import text
from grader.show.escape import UNSAFE


def _words(**sentences: str) -> Words:
    return Words({code: Text(said, said) for code, said in sentences.items()}, {})


def test_numbers_are_put_in():
    """A placeholder takes its number by name, as short text."""
    said = text.sentence("a", {"x": 1 / 3, "y": [1, 2]}, _words(a="{x} and {y}"), "en")

    assert said == "0.3333 and 1, 2"


@pytest.mark.parametrize(
    ("template", "said"),
    [
        ("{missing}", "?"),
        ("{x.__class__}", "?"),
        ("{x[0]}", "?"),
        ("{}", "?"),
        ("{x!r:>10}", "1"),
        ("{{x}}", "{x}"),
        ("{x", "{x"),
    ],
)
def test_odd_placeholders_never_fail(template, said):
    """What is missing shows as `?`; attributes, indices and formats are not looked at."""
    assert said == text.sentence("a", {"x": 1}, _words(a=template), "en")


def test_an_unknown_code_names_itself():
    """A code without a sentence is shown with its numbers."""
    assert text.sentence("new-code", {"n": 3}, _words(), "zh") == "new-code (n = 3)"
    assert text.sentence("new-code", {}, _words(), "en") == "new-code"


def test_a_mistake_is_looked_up_on_its_page(words):
    """A finding whose code is a mistake says what was done and where to look."""
    found = Finding("scale_dk_not_sqrt", {}, ("scale_dk_not_sqrt",))

    said = text.finding(found, words, "en")

    assert said == "Each score was divided by d_k; it should be divided by √d_k. For d_k = 4 the divisor is 2, not 4."


def test_mistakes_made_together_are_all_said(words):
    """A finding with two mistakes says both."""
    found = Finding("scale_dk_not_sqrt", {}, ("scale_dk_not_sqrt", "scale_twice"))

    assert "Scaled twice." in text.finding(found, words, "en")
    assert text.short(found, words, "en") == "Divided by d_k instead of √d_k + Scaled twice"


def test_an_offered_mistake_is_told_by_its_title(words):
    """A sentence about a mistake that is only offered can name its title."""
    offer = Words({"offered": Text("What you get when: {title}.", "{title}")}, words.pages)

    said = text.finding(Finding("offered", {"mistake": "scale_twice"}, ("scale_twice",)), offer, "en")

    assert said == "What you get when: Scaled twice."


def test_a_wrong_option_says_what_choosing_it_meant(words):
    """The template's feedback follows the sentence; without a template the sentence stands alone."""
    found = Finding("wrong-option", {"blank": "which", "letter": "B", "key": "cross"})

    assert text.finding(found, words, "zh", "self_or_cross") == "B 不对。交叉注意力的键来自别处。"
    assert text.finding(found, words, "zh") == "B 不对。"


def test_an_error_names_its_place(words):
    """A fault of a file begins with file, line and column, as far as they are known."""
    fault = BadInput("bad-token", file=Path("a/b.md"), line=3, column=7, token="x")

    assert text.error(fault, words, "en") == "a/b.md:3:7: The variant token cannot be read: x."


def test_a_sentence_that_names_the_file_is_not_given_it_twice():
    """`{file}` in the sentence takes the place of the prefix."""
    fault = BadInput("lost", file=Path("b.md"))

    assert text.error(fault, _words(lost="{file} is gone."), "en") == "b.md is gone."


def test_faults_stand_on_a_line_each(words):
    """Several faults are told in order."""
    faults = BadInputs((BadInput("bad-token", line=1, token="x"), BadInput("bad-token", line=2, token="y")))

    assert len(text.error(faults, words, "en").splitlines()) == 2


def test_other_errors_are_ours(words):
    """An error without a file has its sentence alone; one that nobody expected is called the grader's own."""
    assert text.error(GradeError("timeout", limit=2), words, "en") == "A case took longer than 2 s. Does a loop end?"
    assert "ValueError: odd\\x1b" in text.error(ValueError("odd\x1b"), words, "en")


def test_folded_chinese_has_no_spaces():
    """The space that folding lines leaves between Chinese characters goes; one beside Latin letters stays."""
    assert text.pick(Text("a", "把不能读取的 位置， 换成 softmax 之前"), "zh") == "把不能读取的位置，换成 softmax 之前"


@given(st.text(st.characters()), st.text(st.characters()))
def test_no_sentence_carries_a_control_character(code, value):
    """Whatever a submission puts into a number, the sentence is one safe line."""
    known = text.sentence("a", {"x": value}, _words(a="<{x}>"), "en")
    unknown = text.sentence(code, {value: value}, _words(), "en")

    assert not {unicodedata.category(char) for char in known + unknown} & UNSAFE


def test_the_current_folder_is_no_place(words):
    """A fault of the folder one is in is said without `.:` before it."""
    assert not text.error(BadInput("no-words", file=Path()), words, "en").startswith(".")
