"""Every catalogued mistake has a complete page in both languages, and every page a note to read."""

import re
from pathlib import Path

import pytest
import yaml

from grader import trace
from grader.judge import habits, laws
from grader.model import LANGS

BANK = Path(__file__).parents[2] / "problem_bank"
FILES = sorted((BANK / "mistakes").glob("*.yaml"))
PAGES = {path.stem: yaml.safe_load(path.read_text(encoding="utf-8")) for path in FILES}
NOTES = sorted((BANK / "notes").glob("*.md"))
TEXTS = ("title", "what", "why", "look")
HAN = re.compile(r"[\u4e00-\u9fff]")
BARE_SCORE = re.compile(r"(?<!注意力)分数")

COLLECTED = (Path(__file__).parent / "collected.txt").read_text(encoding="utf-8").split()
"""Every mistake that was collected from what people really do, by id."""

each_page = pytest.mark.parametrize("name", PAGES)
each_note = pytest.mark.parametrize("path", NOTES, ids=lambda path: path.name)


def texts(page):
    """The bilingual parts of a page."""
    return {key: value for key, value in page.items() if isinstance(value, dict)}


def traced():
    """The ids of the pages that say the mistake is recognised by its trace."""
    return {name for name, page in PAGES.items() if page["recognised_by"] == "trace"}


# --- pages -------------------------------------------------------------------------------------------------------


@each_page
def test_a_page_has_exactly_its_keys(name):
    """A page has all its keys and no other; one that no exercise shows gives the reason as well."""
    page = PAGES[name]
    reason = {"reason"} if page["recognised_by"] == "page" else set()
    assert set(page) == {"recognised_by", "step", *TEXTS, "read"} | reason
    assert page["recognised_by"] in {"trace", "law", "page"}


@each_page
def test_a_page_speaks_both_languages(name):
    """Each text of a page is there in English and in Chinese, and the Chinese one is Chinese."""
    for key, text in texts(PAGES[name]).items():
        assert set(text) == set(LANGS), key
        assert text["en"].strip(), key
        assert not HAN.search(text["en"]), key
        assert HAN.search(text["zh"]), key


@each_page
def test_a_page_never_says_a_bare_score(name):
    """In Chinese an attention score is never called by the word that also means marks and fractions."""
    assert not [key for key, text in texts(PAGES[name]).items() if BARE_SCORE.search(text["zh"])]


@each_page
def test_a_title_is_a_short_statement_and_the_rest_are_sentences(name):
    """A title fits one line of a report and has no full stop; what, why and look end like sentences."""
    page = PAGES[name]
    assert len(page["title"]["en"]) <= 64
    assert len(page["title"]["zh"]) <= 32
    assert page["title"]["en"][-1] != "."
    assert page["title"]["zh"][-1] != "。"
    for key in set(texts(page)) - {"title"}:
        assert page[key]["en"].endswith("."), key
        assert page[key]["zh"].endswith("。"), key


@each_page
def test_what_was_done_is_said_in_one_sentence(name):
    """`what` is the sentence of a report, so it is one sentence, no longer than two lines."""
    what = PAGES[name]["what"]
    assert ". " not in what["en"]
    assert len(what["en"]) <= 170
    assert what["zh"].count("。") == 1


@each_page
def test_a_text_has_no_places_to_fill_in(name):
    """Pages are shown as they stand: they hold no braces that formatting could trip over."""
    assert not [key for key, text in texts(PAGES[name]).items() if re.search("[{}]", text["en"] + text["zh"])]


@each_page
def test_the_note_to_read_is_there(name):
    """The note that a page names exists in both languages."""
    assert all((BANK / "notes" / f"{PAGES[name]['read']}.{lang}.md").is_file() for lang in LANGS)


@pytest.mark.parametrize(("key", "lang"), [(key, lang) for key in ("title", "what") for lang in LANGS])
def test_no_two_pages_say_the_same(key, lang):
    """Two mistakes are told apart by their titles and by their sentences."""
    said = [page[key][lang] for page in PAGES.values()]
    assert sorted(said) == sorted(set(said))


# --- pages and the catalogue -------------------------------------------------------------------------------------


def test_every_catalogued_mistake_has_a_page():
    """Whatever the grader can name, it can explain."""
    assert set(trace.catalogue()) <= set(PAGES)


def test_every_collected_mistake_has_a_page():
    """None was lost on the way, and each says how it is recognised."""
    assert len(COLLECTED) == 130
    assert set(COLLECTED) <= set(PAGES)


def test_few_of_them_have_a_page_alone():
    """Those that no exercise can show: no dropout layer, no token numbers, no batch, no packed matrix, no cache."""
    assert sum(PAGES[name]["recognised_by"] == "page" for name in COLLECTED) <= 18


def test_what_is_known_by_a_law_is_what_judging_tells_by_one():
    """A page says "recognised by a law" if and only if breaking one, or a habit, carries its id."""
    told = {law.mistake for law in laws.LAWS} | {habits.WRITES, habits.ALONE}
    lawful = {name for name, page in PAGES.items() if page["recognised_by"] == "law"}
    assert lawful == told - {""} - traced()


def test_pages_claim_a_trace_exactly_for_the_catalogue():
    """A page says "recognised by its trace" if and only if the catalogue computes the mistake."""
    assert traced() == set(trace.catalogue())


def test_a_page_and_the_catalogue_agree_on_the_step():
    """A mistake lives in the same step on its page and in the catalogue."""
    wrong = {name: one.step for name, one in trace.catalogue().items() if name in PAGES}
    assert {name: PAGES[name]["step"] for name in wrong} == wrong


# --- notes -------------------------------------------------------------------------------------------------------


def test_every_note_is_there_in_both_languages():
    """Notes come in pairs: none is written in one language only."""
    names = {path.name.rsplit(".", 2)[0] for path in NOTES}
    assert {path.name for path in NOTES} == {f"{name}.{lang}.md" for name in names for lang in LANGS}


@each_note
def test_a_note_is_short_and_has_an_example(path):
    """A note has a title, a worked example, things to watch out for, and fits two screens."""
    lines = path.read_text(encoding="utf-8").splitlines()
    heads = [line for line in lines if line.startswith("#")]
    assert lines[0].startswith("# ")
    assert {"## Example", "## Watch out"} <= set(heads) or {"## 例子", "## 注意"} <= set(heads)
    assert len(lines) <= 60


@each_note
def test_a_note_is_in_its_language(path):
    """A Chinese note is Chinese and names attention scores in full; an English one holds no Chinese."""
    text = path.read_text(encoding="utf-8")
    if path.name.endswith(".zh.md"):
        assert HAN.search(text.splitlines()[0])
        assert not BARE_SCORE.search(text)
    else:
        assert not HAN.search(text)


@pytest.mark.parametrize("name", sorted({path.name.rsplit(".", 2)[0] for path in NOTES}))
def test_both_languages_of_a_note_hold_the_same_numbers(name):
    """The worked numbers of a note do not depend on the language."""
    english, chinese = ((BANK / "notes" / f"{name}.{lang}.md").read_text(encoding="utf-8") for lang in LANGS)
    decimals = [sorted(set(re.findall(r"\d+\.\d+", text))) for text in (english, chinese)]
    assert decimals[0] == decimals[1]
