"""Tests as pages: wrong code or a wrong worksheet, and beside it what is said of it, in both languages.

A page is one heading with its code or answers. In the code's heading stand the mistakes that were made; below it the
finding and its sentences.
"""

import re
from functools import cache
from pathlib import Path

import pytest

from grader import trace
from grader.bank import draw, load, words
from grader.judge import worksheet
from grader.mark import Marker
from grader.model import Seed, SubmittedFile
from grader.show import text
from tests.judge.made import FUNCTIONS, exercise_of, variant_of
from tests.typing_learner import read

HERE = Path(__file__).parent
_HEADING = re.compile(r"^## (.+)$", re.MULTILINE)


def pages(fence):
    """Every page with such a fence: its file, its heading, what stands in the fence, what stands below it."""
    for file in sorted(HERE.glob("*.md")):
        _, *parts = _HEADING.split(file.read_text(encoding="utf-8"))
        for heading, body in zip(parts[::2], parts[1::2], strict=True):
            found = re.search(rf"^```{fence}\n(.*?)^```\n(.*)", body, re.DOTALL | re.MULTILINE)
            if found:
                yield pytest.param(heading, found[1], found[2], id=f"{file.stem}: {heading}")


COSTS_NOTHING = {"mutates_input", "integer_truncation", "int_inplace_division"}
"""What leaves every graded value right."""
CODE, SHEETS = list(pages("python")), list(pages("answers"))


@cache
def _words():
    return words.load()


@pytest.fixture(scope="module")
def marker():
    """One runner for all pages."""
    with Marker() as running:
        yield running


def beside(finding):
    """The sentences of a finding as they stand on a page: English, then Chinese, quoted."""
    return f"> {text.finding(finding, _words(), 'en')}\n>\n> {text.finding(finding, _words(), 'zh')}\n"


@pytest.mark.parametrize(("heading", "code", "below"), CODE)
def test_wrong_code_is_named_as_its_page_says(marker, heading, code, below):
    """The finding, all that gives the same, and both sentences."""
    made, exercise = heading.split(" in ")
    file = SubmittedFile(Path(f"{exercise}.py"), "function", exercise, None, code)

    report = marker.file(file, exercise=exercise)

    findings = [*(finding for step in report.steps for finding in step.findings), *report.findings]
    (found,) = [finding for finding in findings if finding.mistakes]
    names = [" + ".join(ids) for ids in (found.mistakes, *found.alternatives)]
    assert (report.points == report.max_points) == (made in COSTS_NOTHING)
    assert {frozenset(name.split(" + ")) for name in names} >= {frozenset(made.split(" + "))}
    assert re.findall(r"`(.+?)`", below.splitlines()[1]) == names
    assert beside(found) in below


@pytest.mark.parametrize(("heading", "answers", "below"), SHEETS)
def test_wrong_answers_are_told_as_their_page_says(heading, answers, below):
    """Each blank that is not right: its status, the codes, the mistakes, and both sentences of each finding."""
    name, pin = re.search(r" in (\w+), pin (\w+)$", heading).groups()
    variant = draw.draw(load.find(name), Seed("0", pin))
    typed = dict(line.split(": ", 1) for line in answers.splitlines())

    reports = worksheet.judge(variant, {blank.name: read(blank, typed[blank.name]) for blank in variant.blanks})

    told = [report for report in reports if report.status not in {"right", "blank"}]
    assert [_line(report) for report in told] == [line for line in below.splitlines() if line.startswith("- ")]
    assert told
    for finding in (finding for report in told for finding in report.findings):
        assert beside(finding) in below


def _line(report):
    codes = ", ".join(
        f"`{one.code}`" + (f" ({' + '.join(one.mistakes)})" if one.code in {"offered", "several-mistakes"} else "")
        for one in report.findings
    )
    return f"- `{report.step}` is {report.status}: {codes or 'nothing is said'}"


def test_every_mistake_of_code_has_a_page():
    """At least one of real code for every id that is recognised by its trace, or by a law."""
    shown = {name for param in CODE for name in param.values[0].split(" in ")[0].split(" + ")}
    catalogued = {mistake.id for name in FUNCTIONS for mistake in exercise_of(variant_of(name)).mistakes}
    pages = (load.find("attention").file.parents[2] / "mistakes").glob("*.yaml")
    lawful = {page.stem for page in pages if page.read_text(encoding="utf-8").startswith("recognised_by: law")}

    assert {"dropout_active", "mutates_input", "returns_only_output"} <= lawful
    assert catalogued | lawful <= shown


def test_there_are_twenty_pages_of_pairs_and_triples():
    """Two or three at once, and worksheets too."""
    several = [param.values[0] for param in CODE if " + " in param.values[0]]

    assert len(several) >= 20
    assert sum(heading.count(" + ") == 2 for heading in several) >= 4
    assert len(SHEETS) >= 20
    assert trace.catalogue()  # what a page names can be looked up
