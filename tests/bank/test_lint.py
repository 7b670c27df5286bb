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
