"""Filling in a template's texts with the numbers of a variant."""

from dataclasses import replace

import pytest

from grader.errors import GradeError
from grader.model import Text
from grader.worksheet.render import nested, render


def said(variant, text, lang="en", **more):
    """A text filled in."""
    return render(Text(text, text), variant, lang, **more)


def test_inputs_are_plain_values(variant):
    """Inputs are numbers and nested lists; whole numbers print as such."""
    assert [nested(variant.inputs[name]) for name in ("n", "q", "mask")] == [
        2,
        [[1, 0.5], [-2, 0]],
        [[True, False], [True, True]],
    ]


@pytest.mark.parametrize(
    ("text", "filled"),
    [
        ("{{ n }} tokens", "2 tokens"),
        ("{{ q[i] }}", "[-2, 0]"),
        ("{{ inline(q) }}", "[[1, 0.5], [-2, 0]]"),
        ("{{ number(0.5 + n) }}", "2.5"),
        ('{{ show("q", q[0]) }}', "```text\nq = [ 1.0  0.5 ]\n```"),
        ("{% if n == 2 %}two{% endif %}", "two"),
        ("{{ value }}", "7"),
        ("{{ case.key }} {{ case.what }}", "story a story"),
        ("100 % plain", "100 % plain"),
    ],
)
def test_render(variant, text, filled):
    """Names, helpers, the case and further values are filled in."""
    assert said(variant, text, value=7) == filled


@pytest.mark.parametrize(
    ("case", "lang", "what"), [("story", "zh", "一个故事"), ("song", "zh", "歌"), ("song", "en", "a song")]
)
def test_case_in_the_language(variant, case, lang, what):
    """The drawn case is looked up by its key and speaks the language."""
    assert said(replace(variant, chosen={"case": case}), "{{ case.what }}", lang) == what


def test_case_given_whole(variant):
    """A variant may hold its whole case, with texts that are filled in themselves."""
    case = {"key": "x", "what": Text("{{ n }} dogs", "{{ n }} 只狗"), "loaded": {"en": True, "zh": True}}

    assert said(replace(variant, chosen={"case": case}), "{{ case.what }} {{ case.loaded }}") == "2 dogs True"


def test_words(variant):
    """The words of a pinned variant stand for its tokens; without them a token has a plain name."""
    words = {"en": ["the", "cat"], "zh": ["这", "猫"]}

    assert said(replace(variant, chosen={"words": words}), "{{ word(1) }}", "zh") == "猫"
    assert said(replace(variant, chosen={"words": {"0": "the"}}), "{{ word('0') }}") == "the"
    assert said(variant, "{{ word(1) }}") == "x1"


def test_conventions(function_variant):
    """Conventions are there by name."""
    assert said(function_variant, "{{ conventions.mask_true }} {{ mask_true }}") == "blocked blocked"


@pytest.mark.parametrize("text", ["{{ missing }}", "{{ case.missing }}", "{{ 1 / 0 }}", "{% if %}", "{{ q[7][0] }}"])
def test_a_broken_text_is_our_fault(variant, text):
    """A name that is not there, or a text that does not compile, is an error of the template."""
    with pytest.raises(GradeError) as caught:
        said(variant, text)

    assert caught.value.code == "template-text"
    assert caught.value.numbers["template"] == "tiny"
