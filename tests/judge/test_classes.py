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
    ("sets", "names"),
    [
        ([("scale_twice",), ("scale_dk_not_sqrt",)], ["same-divided-by-width"]),
        ([("scale_twice", "softmax_axis0"), ("softmax_axis0", "scale_dk_not_sqrt")], ["same-divided-by-width"]),
        ([("scale_twice",)], []),
        ([("scale_twice",), ("mix_averages",)], []),
        ([("scale_twice",), ("scale_dk_not_sqrt", "mix_averages")], []),
        ([("scale_twice", "mix_averages"), ("scale_dk_not_sqrt", "softmax_axis0")], []),
        ([("scale_twice",), ("scale_twice", "scale_dk_not_sqrt")], []),
        (
            [
                (one, other)
                for one in ("scale_twice", "scale_dk_not_sqrt")
                for other in ("mask_ignored", "cross_mask_dropped")
            ],
            ["same-mask-without-effect", "same-divided-by-width"],
        ),
        ([("scale_twice", "mask_ignored"), ("scale_dk_not_sqrt", "mask_inverted")], []),
        ([], []),
    ],
)
def test_a_class_is_of_what_the_sets_differ_by(sets, names):
    """What is in all of them stands beside it; each has one mistake of every class, and none of no class."""
    assert sorted(classes.names_of(sets)) == sorted(names)
    assert sorted(classes.called(sets).get("same", "").split()) == sorted(names)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_every_class_that_one_mistake_of_code_is_in_has_a_name(name):
    """Whatever single mistakes give the same everywhere, is called by words that fit all of them."""
    variant = variant_of(name)
    exercise = exercise_of(variant)
    for member, mistake in enumerate(exercise.mistakes):
        for finding in named(diagnosed(variant, (member,))):
            assert not finding.alternatives or "same" in finding.numbers, (mistake.id, finding)
