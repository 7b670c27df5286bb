"""The author's check finds what only drawing shows, and never stops at the first fault."""

from grader import trace
from grader.bank import lint, load


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
    assert codes(found) == ["missing-key", "unknown-key", "unknown-problem", "unfair-template"]
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
