"""The worked solution ends with what belongs in each blank, and works out no more than was asked."""

import pytest

from grader import trace
from grader.bank import draw, load, seeds
from grader.model import LANGS, Seed
from grader.show.solution import solution


def of(name, lang="en", seed=None):
    """The solution of a template's variant."""
    variant = draw.draw(load.find(name), seed or seeds.self_study(0))
    return solution(variant, trace.asked(variant), lang)


def test_one_score_is_worked_out_without_what_comes_after_it():
    """A dot product needs no softmax; the asked cell is named with its value."""
    shown = of("dot_score")

    assert "softmax" not in shown
    assert "exp" not in shown
    assert shown.splitlines()[-1].strip().startswith("score: ")


def test_the_lesson_ends_with_its_golden_numbers():
    """E3, causal: 0.6698 and 6.6976."""
    shown = of("causal_attention", seed=Seed("0", "lesson"))

    assert "0.6698" in shown.partition("What belongs")[2]
    assert "6.6976" in shown.partition("What belongs")[2]


@pytest.mark.parametrize("lang", LANGS)
def test_letters_and_truths_are_given(lang):
    """A choice has its letter, a statement its T or F; a problem without arithmetic has no empty steps."""
    shown = of("belief_check", lang)

    assert all(line.strip().split(": ")[1][0] in "TF" for line in shown.splitlines()[1:])
    assert len(shown.splitlines()) == 7


@pytest.mark.parametrize("template", [one.id for one in load.bank() if one.function is None])
def test_every_worksheet_has_a_solution_within_80_columns(template):
    """In both languages, with a line for every blank."""
    variant = draw.draw(load.find(template), seeds.self_study(3))
    for lang in LANGS:
        shown = solution(variant, trace.asked(variant), lang)

        assert all(f"{blank.name}:" in shown for blank in variant.blanks)
        assert max(len(line) for line in shown.splitlines()) <= 80
