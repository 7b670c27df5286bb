"""Hints rise, stay open once opened, and end in the worked solution."""

from dataclasses import replace

import pytest

from grader.errors import BadInput
from grader.study import edit, hints

NAME = "06_weighted_sum.md"


def test_each_call_opens_one_more_until_the_solution(read):
    """The count tells how many there are with the solution."""
    found = [hints.more(read(NAME), "en") for _ in range(6)]
    count = found[0].count

    assert [len(one.opened) for one in found] == [min(place, count - 1) for place in range(1, 7)]
    assert [one.solution for one in found] == [place >= count for place in range(1, 7)]
    assert found[1].opened[0] == found[0].opened[0]


def test_hints_are_in_the_language_asked_for(read):
    """Whatever the file is written in; who asks for none gets the file's own."""
    assert hints.more(read(NAME), "en").opened[0].isascii()
    assert not hints.more(read(NAME), "zh").opened[0].isascii()


def test_fresh_numbers_close_the_hints_again(read):
    """A new variant is a new try; starting over is not."""
    hints.more(read(NAME), "en")
    edit.reset(read(NAME), "en")
    assert len(hints.more(read(NAME), "en").opened) == 2
    edit.fresh(read(NAME), "en")

    assert len(hints.more(read(NAME), "en").opened) == 1


@pytest.mark.parametrize("text", ["[]", "{", '{"hints": []}', '{"hints": {"06_weighted_sum.md": "many"}}', "\x00"])
def test_a_broken_state_starts_again(read, folder, text):
    """Nobody is stopped by a file of ours."""
    (folder / ".grade").mkdir()
    (folder / ".grade" / "state.json").write_text(text, encoding="utf-8")

    assert len(hints.more(read(NAME), "en").opened) == 1


def test_a_file_without_a_variant_says_so(read):
    """The hints hold its numbers."""
    with pytest.raises(BadInput) as caught:
        hints.more(replace(read(NAME), token=None), "en")
    assert caught.value.code == "no-variant"
