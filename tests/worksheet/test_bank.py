"""Every problem of the bank, written in both languages and read back."""

from pathlib import Path

import pytest

from grader.bank import draw, load, seeds
from grader.worksheet import answers
from grader.worksheet.fill import fill
from grader.worksheet.layout import inline, width
from grader.worksheet.read import split
from grader.worksheet.write import hints, write

IDS = sorted(path.stem for path in (load.root() / "templates").glob("*/*.yaml"))
TYPED = {"choice": "A", "choices": "A", "truth": "F", "shape": "2x3", "mask": "T"}


def value(blank):
    """Something to type into a blank."""
    if blank.kind != "numbers":
        return TYPED[blank.kind]
    numbers = 0.5
    for size in reversed(blank.shape):
        numbers = [numbers] * size
    return inline(numbers)


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("name", IDS)
def test_written_and_read_back(name, lang):
    """A problem's file fits the page; its blanks read back blank, and filled in as filled in."""
    variant = draw.rebuild(load.find(name), seeds.self_study(0), 0)
    file, text = write(variant, "token", lang, 3)

    assert max(map(width, text.splitlines())) <= 100
    assert all(hints(variant, lang))
    if file.endswith(".py"):
        compile(text, file, "exec")
        return
    assert {answer.state for answer in typed(variant, text)} == {"blank"}
    filled = fill(text, {blank.name: value(blank) for blank in variant.blanks})
    assert {answer.state for answer in typed(variant, filled)} == {"read"}
    assert all(
        answer.shape == blank.shape
        for answer, blank in zip(typed(variant, filled), variant.blanks, strict=True)
        if blank.kind == "numbers"
    )


def typed(variant, text):
    """Every blank as read."""
    raws = {raw.name: raw for raw in split(text, Path("file.md"))[1]}
    return [answers.read(blank, raws[blank.name]) for blank in variant.blanks]
