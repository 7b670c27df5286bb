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


@pytest.mark.parametrize(
    "text",
    [
        "{% for x in range(10**9) %}{{ x }}{% endfor %}",
        "{% for x in range(-(10**18), 10**18) %}{{ x }}{% endfor %}",
        "{% for x in range(999) %}{% for y in range(999) %}{% endfor %}{% endfor %}",
        "{{ 10 ** (10 ** 10) }}",
        "{{ 'x' * 10 ** 9 }}",
        "{{ '%999999999d' % 1 }}",
        "{{ [1] * 10 ** 9 }}",
        "{% macro again() %}{{ again() }}{% endmacro %}{{ again() }}",
        "{% set b = namespace(x=[1]) %}{% for i in range(99) %}{% set b.x = b.x + b.x %}{% endfor %}",
    ],
)
def test_no_text_runs_on(variant, text):
    """A loop without end, a text without bounds or a number without bounds is refused at once, with a sentence."""
    with pytest.raises(GradeError) as caught:
        said(variant, text)

    assert caught.value.code == "template-text-too-much"


@pytest.mark.parametrize(
    "text",
    [
        "{{ q.__class__.__mro__ }}",
        "{{ q['__class__']['x'] }}",
        "{{ show.__globals__ }}",
        "{{ '{0.__class__}'.format(1) }}",
        "{{ 'x'.center(999999999) }}",
        "{{ q.append(1) }}",
    ],
)
def test_no_text_reaches_the_insides(variant, text):
    """Attributes of Python's own, and methods that change or blow up what they are called on, are not there."""
    with pytest.raises(GradeError) as caught:
        said(variant, text)

    assert caught.value.code in {"template-text-forbidden", "template-text"}


def test_a_text_may_still_reckon_and_repeat(variant):
    """Small sums, powers, loops, lists and texts in pieces are there."""
    assert said(variant, "{{ 2 ** 3 + 5 % 3 * 2 }} {{ 4 ** 0.5 }}") == "12 2.0"
    assert said(variant, "{% for x in range(n) %}{{ x }}{% endfor %}{{ 'a b'.split(' ')[1] }}") == "01b"
    assert said(variant, "{% set s = namespace(l=[]) %}{% set s.l = s.l + [1] %}{{ s.l }}") == "[1]"
