"""Every code has its sentence in both languages, and the sentence says what happened."""

import re
import string
from pathlib import Path

import pytest
import yaml

from grader.model import Blank, Choice, RawAnswer, Text
from grader.worksheet import answers

ROOT = Path(__file__).parents[2]
WORDS = yaml.safe_load((ROOT / "problem_bank/words/worksheet.yaml").read_text(encoding="utf-8"))
SOURCES = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "grader/worksheet").glob("*.py"))
NEAR = {"file-missing", "exercise-missing"}


def codes():
    """Every code that the package can say."""
    unreadable = re.findall(r'Unreadable\(\s*"([a-z-]+)"', SOURCES)
    others = re.findall(r'(?:BadInput|GradeError|Finding|_missing)\(\s*"([a-z-]+)"', SOURCES)
    notices = re.findall(r'"(notice-[a-z-]+)"', SOURCES)
    return {*(f"unreadable-{code}" for code in unreadable), *others, *notices, *(f"{code}-near" for code in NEAR)}


def placeholders(text):
    """The names that a sentence puts in."""
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}


def test_every_code_has_a_sentence_and_every_sentence_a_code():
    """Nothing is said without words, and no words are left over."""
    assert codes() == set(WORDS)


@pytest.mark.parametrize("code", WORDS)
def test_languages_say_the_same(code):
    """Both languages put in the same numbers."""
    assert set(WORDS[code]) == {"en", "zh"}
    assert placeholders(WORDS[code]["en"]) == placeholders(WORDS[code]["zh"])


@pytest.mark.parametrize("code", WORDS)
def test_chinese_has_chinese_punctuation(code):
    """A Chinese sentence ends as one."""
    assert WORDS[code]["zh"][-1] in "。？！）"


UNREADABLE = {
    ("numbers", ()): [
        "1,000",
        "1/2√3",
        "1 & 2",
        "1,2,3",
        "1/0",
        "2+",
        "inf",
        "abc",
        "nan",
        "sqrt(-1)",
        "-" * 99,
        "50%",
        "|-2|",
    ],
    ("numbers", (2,)): [
        "[1, ...]",
        "2*[1, 2]",
        "9^9^9",
        "1 " * 20_000,
        "1 " * 6_000,
        "[1, 2",
        "[[1, 2], [3]]",
        "[1,000]",
    ],
    ("numbers", (1,)): ["1 2", "1.2.3"],
    ("mask", (2,)): ["[1, -inf]", "[0, 5]"],
    ("shape", (2,)): ["three"],
    ("choice", ()): ["E", "A B"],
    ("truth", ()): ["maybe"],
}


@pytest.mark.parametrize(
    ("kind", "text"),
    [(kind, text) for kind, texts in UNREADABLE.items() for text in texts],
    ids=lambda value: str(value)[:30],
)
def test_reasons_fill_their_sentences(kind, text):
    """Every reason brings the numbers that its sentence needs."""
    choices = tuple(Choice(letter, letter, Text("", ""), right=False) for letter in "AB")
    blank = Blank("b", kind[0], "weights", (), kind[1], 4, 1, Text("", ""), choices)
    reason = answers.read(blank, RawAnswer("b", text, 1)).reason

    for sentence in WORDS[reason.code].values():
        assert placeholders(sentence) <= set(reason.numbers)
