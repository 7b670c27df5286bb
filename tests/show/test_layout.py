"""Text laid out by the cells it takes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.show.escape import escape
from grader.show.terminal import layout


def test_chinese_takes_two_cells():
    """Padding and cutting count cells, not characters."""
    assert layout.pad("掩码", 6) == "掩码  "
    assert layout.clip("注意力分数", 7) == "注意力…"
    assert layout.fit_right("头", 4) == "  头"


def test_words_are_kept_whole():
    """A line breaks between words; the following lines begin where asked."""
    assert layout.wrap("one two three", 8, "- ", "  ") == ["- one", "  two", "  three"]


def test_chinese_marks_do_not_begin_a_line():
    """A full stop stays with the character before it, an opening quote with the one after it."""
    assert layout.wrap("一二三，四", 6) == ["一二", "三，四"]
    assert layout.wrap("一二“三”", 5) == ["一二", "“三”"]


def test_a_long_word_is_cut():
    """A path longer than a line goes on in the next."""
    assert layout.wrap("x" * 10, 4) == ["xxxx", "xxxx", "xx"]


def test_prose_keeps_blocks_and_items():
    """Paragraphs are joined and wrapped, items keep their indent, fenced text is untouched."""
    text = "a\nb\n\n- one two\n  three\n- four\n```\nx  =  1\n```\n"

    assert layout.prose(text, 10) == ["a b", "", "- one two", "  three", "- four", "x  =  1"]


def test_chinese_lines_are_joined_without_a_space():
    """Between Chinese and Latin words one stays."""
    assert layout.prose("份额，\n但是\n其余 softmax\n也有\n", 80) == ["份额，但是其余 softmax 也有"]


def test_tables_and_headings_are_no_paragraphs():
    """They keep their lines, cut or whole."""
    text = "# A title of its own\nfirst second third\n| a | b | c | d |\n|---|---|---|---|\n"

    assert layout.prose(text, 12, cut=False) == [
        "# A title of its own", "first second", "third", "| a | b | c | d |", "|---|---|---|---|",
    ]  # fmt: skip
    assert layout.prose(text, 12)[0] == "# A title o…"


def test_ends_go_to_two_lines_if_they_must():
    """Left and right share a line only if both fit."""
    assert layout.ends("ab", "cd", 8) == ["ab    cd"]
    assert layout.ends("abcd", "efgh", 8) == ["abcd", "efgh"]
    assert layout.ends("abcd", "", 8) == ["abcd"]


@given(st.text(st.characters()), st.integers(10, 80), st.sampled_from(["", "  ", "      "]))
def test_no_line_is_wider_than_asked(text, width, indent):
    """Any text, once escaped, wraps and cuts to the width."""
    safe = escape(text)

    assert all(layout.measure(line) <= width for line in layout.wrap(safe, width, indent))
    assert layout.measure(layout.clip(safe, width)) <= width


@given(st.text("ab 中，。(“x", max_size=60), st.integers(10, 30))
def test_wrapping_loses_nothing(text, width):
    """Every character but the spaces comes through in order."""
    lines = layout.wrap(text, width)

    assert "".join("".join(lines).split()) == "".join(text.split())


@pytest.mark.parametrize("width", [40, 80])
@given(text=st.text(st.characters()))
def test_prose_keeps_to_the_width(width, text):
    """Markdown of any kind keeps to the width."""
    safe = "\n".join(escape(line) for line in text.splitlines())

    assert all(layout.measure(line) <= width for line in layout.prose(safe, width, "  "))


@pytest.mark.parametrize("width", [40, 80])
def test_what_is_said_beside_an_answer_is_wrapped_and_keeps_its_names_whole(width):
    """A hanging indent; the place at the beginning, commands and long paths are never broken."""
    place = "templates/a_rather_long_folder_of_one/own_template.yaml:12:7:"
    line = f"{place} There is no such thing. Type `grade bank check {place}` or look at {'x/' * 50}y。{'中文' * 40}"
    lines = layout.hang(line, width)

    assert "".join(lines).replace(" ", "") == line.replace(" ", "")
    assert lines[0].startswith(place)
    assert all(one.startswith("  ") for one in lines[1:])
    assert any(f"`grade bank check {place}`" in one for one in lines)
    assert any("x/" * 50 in one for one in lines)
    assert all(layout.measure(one) <= width for one in lines if "/" not in one)


def test_lines_that_fit_or_are_set_in_are_kept():
    """A traceback stays as it is."""
    for line in ("short", "", "  File 'x', in a line that is rather long for this width of paper"):
        assert layout.hang(line, 40) == [line]
