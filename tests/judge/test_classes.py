"""What several mistakes are called that give the same numbers."""

from pathlib import Path

import pytest
import yaml

from grader import trace
from grader.judge import classes
from tests.judge.made import FUNCTIONS, diagnosed, exercise_of, named, variant_of

WORDS = yaml.safe_load(
    (Path(__file__).parents[2] / "problem_bank" / "words" / "classes.yaml").read_text(encoding="utf-8")
)


@pytest.mark.parametrize("name", classes.CLASSES)
def test_a_class_holds_known_mistakes_and_has_its_words(name):
    """A title without a full stop, a sentence or two, and at least two members."""
    assert len(classes.CLASSES[name]) > 1
    assert classes.CLASSES[name] <= trace.catalogue().keys()
    assert not any(WORDS[name][lang].endswith(end) for lang, end in (("en", "."), ("zh", "。")))
    assert all(WORDS[f"{name}-what"][lang].endswith(end) for lang, end in (("en", "."), ("zh", "。")))


def test_words_are_of_classes_alone():
    """Nothing is left of a class that there was."""
    generic = {"same-mistakes", "same-numbers"}
    assert set(WORDS) - generic == {f"{name}{part}" for name in classes.CLASSES for part in ("", "-what")}


@pytest.mark.parametrize(
    ("sets", "name"),
    [
        ([("scale_twice",), ("scale_dk_not_sqrt",)], "same-divided-by-width"),
        ([("scale_twice", "softmax_axis0"), ("softmax_axis0", "scale_dk_not_sqrt")], "same-divided-by-width"),
        ([("scale_twice",)], None),
        ([("scale_twice",), ("mix_averages",)], None),
        ([("scale_twice",), ("scale_dk_not_sqrt", "mix_averages")], None),
        ([("scale_twice", "mix_averages"), ("scale_dk_not_sqrt", "softmax_axis0")], None),
        ([], None),
    ],
)
def test_a_class_is_of_what_the_sets_differ_by(sets, name):
    """What is in all of them stands beside it; several mistakes on one side, or of no class, have no name."""
    assert classes.name_of(sets) == name


@pytest.mark.parametrize("name", FUNCTIONS)
def test_every_class_that_one_mistake_of_code_is_in_has_a_name(name):
    """Whatever single mistakes give the same everywhere, is called by words that fit all of them."""
    variant = variant_of(name)
    exercise = exercise_of(variant)
    for member, mistake in enumerate(exercise.mistakes):
        for finding in named(diagnosed(variant, (member,))):
            assert not finding.alternatives or "same" in finding.numbers, (mistake.id, finding)
