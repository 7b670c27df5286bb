"""Fresh numbers and starting over: never without a copy, never for a course's numbers."""

from dataclasses import replace

import pytest

from grader.bank import token
from grader.errors import BadInput
from grader.study import edit
from grader.study.edit import number_of

NAME = "06_weighted_sum.md"


def test_fresh_numbers_are_the_next_seeds_and_never_come_back(read, folder):
    """Each call draws another variant; the place in the set and the language stay."""
    seen = [read(NAME).token]
    for number in (1, 2, 3):
        replaced = edit.fresh(read(NAME), "zh")
        assert replaced.variant.seed.text == str(number)
        assert replaced.path == folder / NAME
        seen.append(read(NAME).token)

    assert len(set(seen)) == 4
    assert read(NAME).lang == "en"


def test_fresh_after_reset_goes_on_counting(read):
    """An old variant that comes back is not new."""
    edit.fresh(read(NAME), "en")
    edit.fresh(read(NAME), "en")
    edit.reset(read(NAME), "en")

    assert edit.fresh(read(NAME), "en").variant.seed.text == "3"


def test_fresh_forgets_a_state_that_someone_broke(read, folder):
    """It is only a help."""
    (folder / ".grade").mkdir()
    for text in ("[]", "{", '{"seeds": 3, "hints": 4}', '{"seeds": {"06_weighted_sum.md": "x"}}'):
        (folder / ".grade" / "state.json").write_text(text, encoding="utf-8")
        assert edit.fresh(read(NAME), "en").copy.is_file()


def test_fresh_numbers_for_a_pinned_variant_are_drawn(read):
    """The lesson's own numbers make way for others."""
    assert "@lesson" in read("04_two_scores.md").token
    replaced = edit.fresh(read("04_two_scores.md"), "en")

    assert replaced.variant.seed.pin is None
    assert "@" not in read("04_two_scores.md").token


def test_reset_blanks_the_same_variant_and_keeps_what_stood_there(read, folder):
    """Byte for byte as it was given out."""
    blank = (folder / NAME).read_bytes()
    (folder / NAME).write_bytes(blank.replace(b"[_", b"[1"))
    replaced = edit.reset(read(NAME), "en")

    assert (folder / NAME).read_bytes() == blank
    assert replaced.copy.read_bytes() == blank.replace(b"[_", b"[1")


@pytest.mark.parametrize("ends", [b"\n", b"\r\n"])
def test_a_blank_file_has_nothing_to_reset(read, folder, ends):
    """Whatever an editor made of its line ends: it is left alone, and no copy is kept."""
    blank = (folder / NAME).read_bytes().replace(b"\n", ends)
    (folder / NAME).write_bytes(blank)

    assert edit.reset(read(NAME), "en") is None
    assert (folder / NAME).read_bytes() == blank
    assert not (folder / ".grade").exists()


def test_copies_never_overwrite_each_other(read):
    """Not even within a second."""
    copies = {edit.fresh(read(NAME), "en").copy for _ in range(5)}

    assert len(copies) == 5
    assert all(copy.is_file() for copy in copies)


@pytest.mark.parametrize("secret", [b"a" * 32])
def test_a_courses_numbers_are_not_drawn_again(read, secret):
    """Its seeds may look like numbers, but its tokens are signed."""
    named = token.parse(read(NAME).token)
    signed = replace(read(NAME), token=str(token.sign(named, secret)))

    with pytest.raises(BadInput) as caught:
        edit.fresh(signed, "en")
    assert caught.value.code == "numbers-of-a-course"


def test_a_file_without_a_variant_says_so(read):
    """It cannot be started over, but gets new numbers as long as it tells its problem."""
    with pytest.raises(BadInput) as caught:
        edit.reset(replace(read(NAME), token=None), "en")
    assert caught.value.code == "no-variant"

    assert edit.fresh(replace(read(NAME), token=None), "en").variant.template.id == "weighted_sum"
    with pytest.raises(BadInput) as caught:
        edit.fresh(replace(read(NAME), token=None, problem=None), "en")
    assert caught.value.code == "no-problem-named"


def test_fresh_numbers_are_drawn_though_the_template_has_moved_on(read):
    """That is the way out of a file of another version."""
    old = token.parse(read(NAME).token)
    stale = str(replace(old, drawing_hash="00000000"))

    assert edit.fresh(replace(read(NAME), token=stale), "en").variant.seed.text == "1"


def test_the_place_in_the_set_is_the_number_in_front(tmp_path):
    """A file without one has place 0."""
    assert [number_of(tmp_path / name) for name in ("07_a.md", "12_b.py", "a.md")] == [7, 12, 0]
