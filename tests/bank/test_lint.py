"""The author's check finds what only drawing shows, and never stops at the first fault."""

from dataclasses import replace

import pytest

from grader import trace
from grader.bank import draw, lint, load


def codes(found):
    """The codes of some faults, in order."""
    return [fault.code for fault in found]


def test_templates_in_order_have_no_faults(folder):
    """Grammar, draws, pins and texts of the tests' own templates are in order, by id or by path."""
    written = []
    assert lint.check(["head", "choosing", "computed", "coding"], 5, roots=(folder,)) == ()
    names = ["head", "choosing", "computed", folder / "templates" / "01_first" / "coding.yaml"]
    assert lint.check(names, 5, lambda variant, lang: written.append((variant.seed.pin, lang)), (folder,)) == ()
    assert ("lesson", "en") in written
    assert ("lesson", "zh") in written


def test_every_template_asked_for_is_checked(folder, edit):
    """A fault in one template, or a name that does not exist, does not hide those of another."""
    edit("head", ("skill: one_head", "skil: one_head"))
    edit("computed", ("low: -2, high: 2", "low: 9, high: 9"))
    found = lint.check(["head", "nothing", "computed"], 2, roots=(folder,))
    assert codes(found) == ["missing-key", "unknown-key", "unknown-problem", "unfair-equal-rows"]
    assert found[-1].file.name == "computed.yaml"
    assert found[-1].numbers["template"] == "computed"


def test_a_mistake_that_never_shows_is_a_fault(edit, folder):
    """A template must be able to show what it says it is about."""
    edit("head", ("about: [scale_missing]", "about: [scale_missing, merge_sum]"))
    (fault,) = lint.check(["head"], 3, roots=(folder,))
    assert (fault.code, fault.numbers["mistake"]) == ("about-not-shown", "merge_sum")


def test_a_mistake_declared_unseen_that_always_shows_is_a_fault(edit, folder):
    """An exception that is not needed hides real faults later."""
    edit(
        "head",
        ("pipeline: one_head", "pipeline: one_head\nfair: {unseen: [scale_multiplied]}"),
    )
    (fault,) = lint.check(["head"], 3, roots=(folder,))
    assert (fault.code, fault.numbers["mistake"]) == ("unseen-is-seen", "scale_multiplied")


def test_a_case_that_never_comes_up_is_a_fault(edit, folder):
    """The rules may rule a case out; the author is told."""
    case = "  - {key: x, changed: x, answer: keys, same: false, name: {en: X, zh: X}}\ndraw:"
    edit("choosing", ("\ndraw:", f"\n{case}"))  # x_new never changes, so the output never differs
    assert codes(lint.check(["choosing"], 60, roots=(folder,))) == ["case-never-drawn"]


def test_a_text_that_cannot_be_written_is_a_fault(folder):
    """What the writer raises is said with the language it was writing."""

    def render(variant, lang):
        if lang == "zh":
            raise ValueError(variant.template.id)

    (fault,) = lint.check(["head"], 2, render, (folder,))
    assert (fault.code, fault.numbers["language"]) == ("text-not-rendered", "zh")


def test_pages_and_sentences_are_held_against_the_catalogue(tmp_path, monkeypatch):
    """Missing pages, parts and languages, and places for numbers that differ, are each a fault."""
    (tmp_path / "words").mkdir()
    (tmp_path / "mistakes").mkdir()
    (tmp_path / "words" / "x.yaml").write_text(
        "good: {en: 'a {b}', zh: '{b} 甲'}\nhalf: {en: a}\nempty: {en: a, zh: ' '}\nother: {en: '{a}', zh: '{b}'}\n",
        encoding="utf-8",
    )
    monkeypatch.setattr(load, "root", lambda: tmp_path)
    assert codes(lint.check_words()) == ["words-incomplete", "words-incomplete", "words-differ"]
    monkeypatch.setattr(trace, "catalogue", lambda: {"no_such_mistake": None})
    assert codes(lint.check_pages()) == ["page-missing"]


def line_of(path, text):
    """The number of the first line with a text."""
    return next(at for at, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1) if text in line)


BAD_PIN = (
    "bad: {sizes: {d_k: 2}, inputs: {q: [[1, 0], [0, 1]], k: [[1, 0], [0, 1], [1, 1]], "
    "v: [[1, 2], [3, 4], [5, 6]], i: 7}}"
)
LINES = [
    ("step: output, take: [i]", "step: output, take: [5]", "take-outside", "take: [5]"),
    ("about: [scale_missing]", "about: [scale_missing, merge_sum]", "about-not-shown", "about:"),
    ("q: {shape: [n, d_k], low: -2", "q: {shape: [n, d_k], low: 2", "unfair-equal-rows", "q: {shape"),
    ("low: -2, high: 2", "low: -9, high: 9", "unfair-spread", "draw:"),
    ("hints:", "fair: {spread: 0.001}\nhints:", "unfair-spread", "fair:"),
    ("d_v: 2}", "d_v: d_k / 5}", "size-never-whole", "d_v: d_k"),
    ("pins:", f"pins:\n  {BAD_PIN}", "take-outside", "take: [i], decimals"),
    ("Row {{ i }}", "Row {{ 1 / (i - i) }}", "template-text", "en: |"),
]


@pytest.mark.parametrize(("old", "new", "code", "at"), LINES)
def test_what_drawing_shows_is_said_with_its_line(edit, old, new, code, at):
    """Where the cause stands: the taken index, the id, the entry, the rule, or what is drawn as a whole."""
    path = edit("head", (old, new))
    found = lint.check([path], 3)
    assert [(fault.code, fault.line) for fault in found[:1]] == [(code, line_of(path, at))]


def test_two_mistakes_that_no_draw_tells_apart_are_a_fault(folder, monkeypatch):
    """The pair that collides is named, with the seed that shows it."""
    drawn = draw.draw

    def colliding(template, seed):
        variant = drawn(template, seed)
        return replace(variant, certificate=replace(variant.certificate, chance=(("a", "b"),)))

    monkeypatch.setattr(draw, "draw", colliding)
    (fault,) = lint.check(["head"], 3, roots=(folder,))
    assert (fault.code, fault.numbers["first"], fault.numbers["second"]) == ("unfair-alike", "a", "b")
    assert fault.line == line_of(fault.file, "draw:")


LESSON = "[[1, 0], [0, 1]], k: [[1, 0], [0, 1], [1, 1]]"
HALVES = "[[1, 0, 0, 0], [0, 1, 0, 1]], k: [[1, 0, 1, 0], [0, 1, 1, 1], [1, 1, 0, 0]]"


def test_whole_numbers_asked_where_answers_are_not_whole_are_a_fault(edit):
    """`√2` is not whole and never ends: four decimals are proposed; a half has one decimal, so one is."""
    long = edit("head", ("take: [i], decimals: 4", "take: [i], decimals: 0"))
    (fault,) = lint.check([long], 3)
    assert (fault.code, fault.numbers["blank"], fault.numbers["wanted"]) == ("answer-not-whole", "scaled", 4)
    lines = long.read_text(encoding="utf-8").splitlines()
    assert lines[fault.line - 1][fault.column - 1 :].startswith("decimals: 0")

    in_halves = (("d_k: [2, 3]", "d_k: 4"), ("sizes: {d_k: 2}", "sizes: {d_k: 4}"), (LESSON, HALVES))
    halves = edit("head", *in_halves)
    (fault,) = lint.check([halves], 3)
    assert (fault.code, fault.numbers["wanted"]) == ("answer-not-whole", 1)
    assert fault.numbers["value"].endswith(".5")


def test_decimals_that_leave_an_answer_halfway_are_a_fault(edit):
    """Quarters with one decimal: 0.25 is 0.2 to one person and 0.3 to another."""
    path = edit(
        "head",
        ("d_k: [2, 3], d_v", "d_k: 4, d_v"),
        (LESSON, HALVES),
        ("low: -2, high: 2}\n  k", "low: -2.5, high: 2.5}\n  k"),
        ("take: [i], decimals: 4", "take: [i], decimals: 1"),
        ("sizes: {d_k: 2}", "sizes: {d_k: 4}"),
    )
    (fault,) = lint.check([path], 5)
    assert (fault.code, fault.numbers["wanted"]) == ("answer-halfway", 2)
    value, low, high = (float(fault.numbers[name]) for name in ("value", "low", "high"))
    assert abs(value) % 0.5 == 0.25
    assert (round(value - low, 9), round(high - value, 9)) == (0.05, 0.05)


def test_a_template_that_goes_round_in_circles_is_a_fault_of_its_file(tmp_path):
    """An alias within its own anchor has no end; aliases of aliases, and bracket in bracket, are more than meant."""
    circle = tmp_path / "circle.yaml"
    circle.write_text("id: circle\nsizes: {n: 2}\na: &x [1, *x]\n", encoding="utf-8")
    tower = tmp_path / "tower.yaml"
    floors = [f"a{at}: &a{at} [{', '.join([f'*a{at - 1}'] * 10)}]" for at in range(1, 8)]
    tower.write_text("\n".join(["a0: &a0 [1, 2]", *floors]) + "\n", encoding="utf-8")

    deep = tmp_path / "deep.yaml"
    deep.write_text(f"id: deep\nsizes: {'[' * 900}{']' * 900}\n", encoding="utf-8")

    found = lint.check([circle, tower, deep], 2)

    assert [(fault.code, fault.line, fault.column, fault.exit_code) for fault in found] == [
        ("yaml-endless", 3, 4, 2),
        ("yaml-unfolds", 6, 5, 2),
        ("yaml-too-deep", 2, 8 + 900 - 101, 2),  # the outermost bracket that holds a hundred others
    ]


def test_an_alias_that_ends_is_no_fault(edit):
    """YAML's own way of saying the same twice."""
    path = edit("head", ("sizes: {n: 2", "sizes: {n: &two 2"), ("d_v: 2}", "d_v: *two}"))
    assert lint.check([path], 2) == ()
