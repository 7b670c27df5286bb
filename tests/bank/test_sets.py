"""Problem sets are read from the bank or from a course's own file."""

from fractions import Fraction

import pytest

from grader.bank import load, sets
from grader.errors import BadInput, BadInputs

SET = """
title: {en: A test, zh: 测验}
attempts: 2
problems:
  - {template: head, pin: lesson, points: 1/3, attempts: 1}
  - choosing
"""


def write(tmp_path, text):
    """A set file of a course."""
    path = tmp_path / "week.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def test_a_course_s_own_set_is_read_from_its_path(tmp_path):
    """Title, problems with pins, points and attempts, and how many attempts the whole set allows."""
    found = sets.find(write(tmp_path, SET))
    assert (found.name, found.title.zh, found.attempts) == ("week", "测验", 2)
    assert found.problems == (sets.Entry("head", "lesson", Fraction(1, 3), 1), sets.Entry("choosing"))


def test_each_attempt_has_the_problems_that_are_left(tmp_path):
    """A problem's own number goes over the set's; one attempt more than any allows is refused."""
    found = sets.find(write(tmp_path, SET))

    assert sets.on_attempt(found, 1) == found
    assert [entry.template for entry in sets.on_attempt(found, 2).problems] == ["choosing"]
    with pytest.raises(BadInput) as caught:
        sets.on_attempt(found, 3)
    assert (caught.value.code, caught.value.numbers["most"]) == ("attempts-used-up", 2)


def test_a_set_that_says_nothing_has_attempts_without_end(tmp_path):
    """Whoever gives it out decides."""
    found = sets.find(write(tmp_path, SET.replace("attempts: 2", "").replace(", attempts: 1", "")))

    assert sets.on_attempt(found, 40) == found


def test_an_unknown_set_names_the_nearest():
    """A misspelt name offers the closest set."""
    with pytest.raises(BadInput) as caught:
        sets.find("self-study")
    assert (caught.value.code, caught.value.numbers["nearest"]) == ("unknown-set", "self_study")
    with pytest.raises(BadInput) as caught:
        sets.find("nosuch")
    assert caught.value.code == "unknown-set-none"
    assert "self_study" in caught.value.numbers["known"]


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("title: {en: A, zh: B}", ["missing-key"]),
        ("problems: []", ["missing-key", "list-too-short"]),
        (SET.replace("1/3", "0"), ["number-not-above"]),
        ("[]", ["wanted-mapping"]),
        ("title: 3\nproblems: [4, {pin: a}]", ["wanted-mapping", "wanted-mapping", "missing-key"]),
        (SET.replace("points", "pionts"), ["unknown-key"]),
        ("title: {en: A, zh: ' '}\nproblems: [head]", ["empty-text"]),
        (SET.replace("1/3", "much"), ["wanted-number"]),
        (SET.replace("1/3", "1e999999999"), ["wanted-number"]),
        (SET.replace("1/3", "1/0"), ["wanted-number"]),
        (SET.replace("attempts: 2", "attempts: 0"), ["wanted-count"]),
        (SET.replace("attempts: 1", "attempts: true"), ["wanted-count"]),
        (SET.replace("attempts: 2", "show: [names]"), ["unknown-key-none"]),
    ],
)
def test_a_set_that_cannot_be_used_says_everything_at_once(tmp_path, text, codes):
    """Missing parts, unknown keys and points that are no number are the author's errors, with file and line."""
    path = write(tmp_path, text)
    with pytest.raises(BadInputs) as caught:
        sets.find(path)
    assert [fault.code for fault in caught.value.faults] == codes
    assert all(fault.file == path and fault.line for fault in caught.value.faults)


@pytest.mark.parametrize("name", sets.names())
def test_every_set_of_the_bank_lists_templates_that_exist(name):
    """The bank's own sets can be given out."""
    assert {entry.template for entry in sets.find(name).problems} <= set(load.index())
