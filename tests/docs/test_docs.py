"""The documents say what the product does: commands, grammar, pipelines, the worked example, links."""

import json
import math
import re
from pathlib import Path

import click
import pytest
from pydantic import BaseModel

from grader import cli, trace
from grader.bank import draw, grammar, lint, load, schema, seeds
from grader.model import RawAnswer
from grader.worksheet import answers
from tests.conftest import ROOT
from tests.docs import reported

DOCS = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")])
TEXTS = {path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8") for path in DOCS}
PAIRS = [("README", "README.zh"), *((f"docs/{name}", f"docs/{name}.zh") for name in ("authoring", "marking", "course"))]
AUTHORING = ("docs/authoring.md", "docs/authoring.zh.md")

CODE = re.compile(r"```(\w*)\n(.*?)```", re.DOTALL)
SPAN = re.compile(r"`([^`\n]+)`")
LINK = re.compile(r"\]\(([^)\s]+)\)")
CALL = re.compile(r"(?:\./scripts/)?grade(?: .*)?")
BARE_SCORE = re.compile(r"(?<!注意力)分数")

each_doc = pytest.mark.parametrize("name", TEXTS)
each_pair = pytest.mark.parametrize(("en", "zh"), [(f"{one}.md", f"{two}.md") for one, two in PAIRS])


def commands(group=cli.cli, before=()):
    """The words of every command: `("bank", "check")`."""
    for name, command in group.commands.items():
        if isinstance(command, click.Group):
            yield from commands(command, (*before, name))
        else:
            yield (*before, name)


def calls(text):
    """Every call of `grade` in a document: in a span, in a block, or on an indented line; without comments."""
    outside = CODE.sub("", text)
    lines = [line for _, block in CODE.findall(text) for line in block.splitlines()]
    lines += [line for line in outside.splitlines() if line.startswith("    ")]
    found = [span for span in SPAN.findall(outside) if CALL.fullmatch(span)]
    found += [line.strip() for line in lines if CALL.fullmatch(line.strip())]
    return [one.partition("  #")[0].strip().removeprefix("./scripts/") for one in found]


def called(call):
    """The command that a call means; a path alone is `check`, nothing is `grade` itself."""
    words = call.split()[1:]
    known = set(commands())
    if not words or words[0].startswith("-"):
        return ()
    for length in (2, 1):
        if tuple(words[:length]) in known:
            return tuple(words[:length])
    looks_like_a_path = re.search(r"[./-]|^\d+$|PATH|路径|DIR|FOLDER|FILE", words[0])
    return ("check",) if looks_like_a_path else tuple(words[:2])


def options(command):
    """Every option of a command, as it is typed."""
    found = cli.cli
    for word in command:
        found = found.commands[word]
    return {name for parameter in found.params for name in parameter.opts} | {"--help", "--version"}


def example(text):
    """The worked example of an authoring page: its first block that is a whole template."""
    return next(block for language, block in CODE.findall(text) if language == "yaml" and block.startswith("id: "))


def keys(model):
    """The keys that a model knows."""
    return set(grammar.fields(model))


# --- commands ----------------------------------------------------------------------------------------------------


def test_every_command_is_named_in_the_documents():
    """Nobody has to find a command by its help page."""
    named = {called(call) for text in TEXTS.values() for call in calls(text)}

    assert set(commands()) - named == set()


@each_doc
def test_every_documented_command_and_option_exists(name):
    """What a document tells to type can be typed."""
    known = {*commands(), (), *((group,) for group in ("bank",))}
    for call in calls(TEXTS[name]):
        assert called(call) in known, call
        typed = {word.partition("=")[0] for word in call.split() if word.startswith("--")}
        assert typed <= options(called(call)), call


@each_pair
def test_both_languages_hold_the_same_commands(en, zh):
    """A reader of either language is told to type the same, but for words in capitals that stand for something."""
    stands_for = re.compile(r"\b[A-Z][A-Z-]+\b|代码|路径|编号|文件夹")
    calls_en, calls_zh = ({stands_for.sub("…", call) for call in calls(TEXTS[doc])} for doc in (en, zh))

    assert calls_en == calls_zh


@each_pair
def test_both_languages_have_the_same_headings_tables_and_blocks(en, zh):
    """Nothing is left out in one of the languages."""

    def shape(text):
        bare = CODE.sub("```", text)
        rows = [line.count(" | ") for line in bare.splitlines() if line.startswith("|")]
        return re.findall(r"^#+", bare, re.MULTILINE), rows, bare.count("```")

    assert shape(TEXTS[en]) == shape(TEXTS[zh])


# --- authoring ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", AUTHORING)
def test_the_worked_example_is_accepted_by_the_authors_check(name, tmp_path):
    """It keeps to the grammar, and every draw of it is fair."""
    text = example(TEXTS[name])
    path = tmp_path / "30_mine" / f"{text.split()[1]}.yaml"
    path.parent.mkdir()
    path.write_text(text, encoding="utf-8")

    assert schema.check(path).id == path.stem
    assert lint.check([path], 20) == ()


def test_the_worked_example_is_the_same_in_both_languages():
    """One example, two explanations."""
    assert example(TEXTS[AUTHORING[0]]) == example(TEXTS[AUTHORING[1]])


@pytest.mark.parametrize("name", AUTHORING)
def test_every_key_of_the_grammar_is_explained(name):
    """Whatever the check knows as a key stands in the page, in code marks."""
    explained = {word for span in SPAN.findall(TEXTS[name]) for word in re.findall(r"\w+", span)}
    models = [one for one in vars(grammar).values() if isinstance(one, type) and issubclass(one, BaseModel)]
    known = {key for model in models for key in keys(model)} | set(grammar.DRAW)

    assert known - explained == set()


@pytest.mark.parametrize("name", AUTHORING)
def test_every_pipeline_has_a_row_with_its_steps(name):
    """The table of pipelines holds every pipeline, and every step in order; changed twins are left out."""
    rows = dict(re.findall(r"^\| `(\w+)` \| [^|]* \| ([^|]*) \|$", TEXTS[name], re.MULTILINE))
    for pipeline in trace.pipelines().values():
        steps = [step.name for step in pipeline.steps if not step.name.endswith("_new")]
        assert re.findall(r"`(\w+)`", rows[pipeline.name]) == steps, pipeline.name


# --- links and words ---------------------------------------------------------------------------------------------


@each_doc
def test_links_lead_somewhere(name):
    """A link to a file of ours leads to one."""
    for link in LINK.findall(CODE.sub("", TEXTS[name])):
        if not re.match(r"https?:|#", link):
            assert (ROOT / name).parent.joinpath(link.partition("#")[0]).exists(), link


@each_doc
def test_paths_in_code_marks_exist(name):
    """A module or folder that a document names is there."""
    tops = ("grader/", "solutions/", "problem_bank/", "tests/", "docs/", "scripts/", "exercises/", "benchmarks/")
    for span in SPAN.findall(CODE.sub("", TEXTS[name])):
        if span.startswith(tops) and re.fullmatch(r"[\w./-]+", span) and "NN_" not in span and "/my_" not in span:
            assert (ROOT / span).exists(), span


@pytest.mark.parametrize("name", [name for name in TEXTS if name.endswith(".zh.md")])
def test_a_chinese_document_never_says_a_bare_score(name):
    """An attention score is never called by the word that also means marks and fractions."""
    assert BARE_SCORE.findall(TEXTS[name]) == []


def test_every_document_in_two_languages_points_to_the_other():
    """A reader finds the own language from either page."""
    for one, two in PAIRS:
        assert Path(f"{two}.md").name in TEXTS[f"{one}.md"]
        assert Path(f"{one}.md").name in TEXTS[f"{two}.md"]


# --- marking -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["docs/marking.md", "docs/marking.zh.md"])
def test_numbers_are_read_as_the_page_on_marks_says(name):
    """The typed forms of its first table: two values said there, what is plain, and what is asked back."""
    rows = [line for line in TEXTS[name].splitlines() if line.startswith("| `")]
    typed = [SPAN.findall(row.split(" | ")[0]) for row in rows]
    blank = next(one for one in draw.draw(load.find("dot_score"), seeds.self_study(0)).blanks if one.kind == "numbers")
    at = next(place for place, forms in enumerate(typed) if "0.67" in forms)

    def value(form):
        answer = answers.read(blank, RawAnswer(blank.name, form, 1))
        return float(answer.cells[0].value) if answer.state == "read" else answer.state

    plain, formulas, characters, comma, thousands, ambiguous, wrapped, infinite, back = typed[at : at + 9]
    assert list(map(value, plain)) == [0.67, -0.5, 3, 0.5, 0.001, 6.02e23]
    assert list(map(value, formulas)) == pytest.approx([2**-0.5, 2**-0.5, 12**0.5, 1 / (1 + math.exp(-2)),
                                                        math.exp(-2), math.pi])  # fmt: skip
    assert list(map(value, characters)) == [0.5, 1.5, 100, -0.5, -0.5]
    assert list(map(value, wrapped)) == pytest.approx([2**0.5, 0.5, 0.5, 2])
    assert (value(*comma), value(*thousands)) == (0.67, 1234.5)
    assert {value(form) for form in (*ambiguous, *infinite, *back)} == {"unreadable"}


# --- the report --------------------------------------------------------------------------------------------------


def shape_of(value):
    """A report without what may change: its keys in their order, codes, statuses, points; no sentence, no place."""
    if isinstance(value, dict):
        kept = {key: item for key, item in value.items() if key not in {"version", "isolation"}}
        return {key: list(item) if key in {"message", "title"} else shape_of(item) for key, item in kept.items()}
    return [shape_of(item) for item in value] if isinstance(value, list) else value


def test_the_report_in_the_documents_is_that_of_a_real_run(grade, tmp_path):
    """The same files give the same keys, marks, codes and numbers today; only versions and sentences may differ."""
    reported.write(tmp_path / "exercises")
    real = grade("exercises", "--json").json
    shown = json.loads(next(block for language, block in CODE.findall(TEXTS["docs/report.md"]) if language == "json"))

    assert shape_of(shown) == shape_of(real)
    assert str(shape_of(shown)) == str(shape_of(real))  # the order of keys too
    assert list(shown)[:3] == list(real)[:3] == ["schema", "version", "isolation"]
    assert shown["isolation"] in SPAN.findall(TEXTS["docs/security.md"])


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_the_page_on_marks_shows_what_is_shown(grade, tmp_path, lang):
    """Its example is what the terminal says of that answer, line for line."""
    text = TEXTS["docs/marking.md" if lang == "en" else "docs/marking.zh.md"]
    shown = next(block for language, block in CODE.findall(text) if language == "text" and "minus_max" in block)
    reported.write(tmp_path / "exercises")
    said = grade(f"exercises/{reported.FILES[0]}", "--lang", lang).out.splitlines()

    assert [line for line in shown.splitlines() if line and line not in said] == []
