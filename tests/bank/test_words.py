"""The bank's sentences and pages are found when they are asked for."""

import json
import subprocess
import sys

import pytest

from grader.bank import load, words
from grader.errors import BadInput


def test_a_sentence_is_found_by_its_code():
    """Codes of every module's file are known; others are not."""
    found = words.load()
    assert "{nearest}" in found.sentences["unknown-problem"].zh
    assert "no-such-code" not in found.sentences
    assert "no/such/code" not in found.sentences
    assert "unknown-problem" in list(found.sentences)


def test_a_templates_own_feedback_is_a_sentence(folder):
    """A wrong option's feedback stands under `template/blank/option`, its braces kept from being placeholders."""
    found = words.load((folder,)).sentences
    assert found["choosing/which/queries"].en == "Not {{Q}}."
    assert found["choosing/which/queries"].en.format() == "Not {Q}."
    assert found["choosing/steady/truth"].zh == "再看看。"
    assert "choosing/which/nothing" not in found


def test_a_page_has_its_parts_in_both_languages():
    """A mistake's page is read by its id, and names its note by the note's title."""
    page = words.load().pages["scale_missing"]
    assert {"title", "what", "why", "look", "read"} <= set(page)
    assert all(text.en and text.zh for text in page.values())
    assert page["read"].en in words.note(words.note_of("scale_missing")).en


def test_unknown_pages_and_notes_are_key_errors():
    """What does not exist is simply not in the mapping, a path out of the folder least of all."""
    for name in ("no_such_mistake", "../words/bank", "scale_missing/../scale_missing"):
        assert name not in words.load().pages
    with pytest.raises(KeyError):
        words.note("../notes/scaling")


def test_nothing_is_read_before_it_is_asked_for():
    """Loading the words opens no file: marking a right answer needs none of them."""
    code = (
        "import json, pathlib; from grader.bank import words, load; seen = []; "
        "read = load.read; load.read = lambda path: (seen.append(path.name), read(path))[1]; "
        "found = words.load(); before = list(seen); found.pages['scale_missing']; print(json.dumps([before, seen]))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert json.loads(done.stdout) == [[], ["scale_missing.yaml"]]


def test_every_code_of_the_bank_has_a_sentence():
    """Each error that this part raises can be said in both languages, with the numbers it carries."""
    sources = [path.read_text(encoding="utf-8") for path in (load.root().parent / "grader" / "bank").glob("*.py")]
    codes = set(load.read(load.root() / "words" / "bank.yaml"))
    stems = {code: code.removesuffix("-none").removeprefix("unfair-") for code in codes}
    quoted = {code for code, stem in stems.items() if any(f'{stem}"' in source for source in sources)}
    assert codes == quoted


def test_an_errors_numbers_fill_its_sentence(folder):
    """The sentence of an unknown problem takes the numbers of the error as they are."""
    with pytest.raises(BadInput) as caught:
        load.find("heed", (folder,))
    sentence = words.load().sentences[caught.value.code].en.format(**caught.value.numbers)
    assert sentence == "There is no problem heed. The closest name is head."
