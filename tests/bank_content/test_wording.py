"""How the problems speak: one word for one thing, and notes that ask for the digits that are marked."""

import re

import pytest

from grader.bank import draw, load, seeds
from grader.trace import solve

TEMPLATES = {template.id: template for template in load.bank()}
SOURCES = {name: template.file.read_text(encoding="utf-8") for name, template in TEMPLATES.items()}
WORKSHEETS = [name for name, template in TEMPLATES.items() if template.function is None]
DECIMALS = re.compile(r"(\d+) (?:decimals?|位小数)")
BARE_SCORE = re.compile(r"(?<!注意力)分数")
BARE_EXPONENTIAL = re.compile(r"(?<!取)指数(?!值)")

each_problem = pytest.mark.parametrize("name", TEMPLATES)


@pytest.mark.parametrize("name", WORKSHEETS)
def test_a_note_says_the_digits_that_are_marked(name):
    """A note that names decimals, or whole numbers, names those by which the blank is compared."""
    for ask in TEMPLATES[name].ask:
        if ask.kind != "numbers":
            continue
        for note in (ask.note.en, ask.note.zh):
            assert {int(found) for found in DECIMALS.findall(note)} <= {ask.decimals}, note
            assert not ask.decimals or not re.search("whole|整数", note), note


@each_problem
def test_a_problem_uses_one_word_for_one_thing(name):
    """In English numbers are whole; in Chinese a score and an exponential are named in full."""
    assert "integer" not in SOURCES[name].lower()
    assert not BARE_SCORE.search(SOURCES[name])
    assert not BARE_EXPONENTIAL.search(SOURCES[name])


@pytest.mark.parametrize("seed", range(40))
def test_a_column_of_a_heat_map_does_not_look_like_a_row(seed):
    """The column asked for never adds up to 1, so that nobody learns that columns do."""
    right = solve(draw.draw(TEMPLATES["read_heat_map"], seeds.self_study(seed)))

    assert abs(float(right["column_sum"]) - 1) > 0.01
