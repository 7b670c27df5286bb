"""The ready-made `exercises/` are what the bank writes at seed 0, whatever a learner has filled in since."""

from pathlib import Path

import pytest

from grader.bank import sets, token
from grader.give import Plan, write_set
from grader.model import Seed
from grader.worksheet.collect import collect
from grader.worksheet.fill import fill
from tests.conftest import ROOT

EXERCISES = ROOT / "exercises"


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    """The self-study set, written anew."""
    folder = tmp_path_factory.mktemp("self_study")
    return write_set(folder, Plan(sets.find("self_study"), "en", lambda _, entry: Seed("0", entry.pin)))


def test_every_problem_of_the_set_has_its_file_and_no_other_is_there(written):
    """The names are those of the set, in its order."""
    there = sorted(path.name for path in EXERCISES.iterdir() if path.name[:1].isdigit())

    assert there == [one.path.name for one in written]


def test_every_file_holds_the_variant_of_seed_0_and_its_statement(written):
    """A worksheet is the same but for what stands in its blanks; a stub keeps its head.

    A learner who asked for fresh numbers has another variant there, which is theirs.
    """
    for one in written:
        anew, here = one.path.read_text(encoding="utf-8"), (EXERCISES / one.path.name).read_text(encoding="utf-8")
        if f"variant: {one.token}\n" not in here:
            assert "variant: " + one.variant.template.id in here, one.path.name
        elif one.variant.template.function is None:
            assert _blank(here, one.variant) == _blank(anew, one.variant), one.path.name
        else:
            head = anew.partition("    raise NotImplementedError")[0].partition("import numpy")[0]
            assert here.startswith(head), one.path.name


def test_the_files_are_collected_without_a_fault():
    """Whatever a learner has typed, every file still names its problem and its variant."""
    submission = collect(EXERCISES)

    assert not submission.faults
    assert all(token.parse(file.token) for file in submission.files)


def test_the_readme_says_what_to_do():
    """It names the first file and the command."""
    readme = (EXERCISES / "README.md").read_text(encoding="utf-8")

    assert "grade" in readme
    assert "01_row_times_matrix.md" in readme


def _blank(text: str, variant) -> str:
    """A worksheet with every blank empty again."""
    return fill(text, {blank.name: "_" for blank in variant.blanks})


def test_a_filled_in_copy_still_counts_as_the_same(written, tmp_path):
    """The comparison above does not mind a learner's answers."""
    sheet = next(one for one in written if one.path.name.endswith("dot_score.md"))
    text = sheet.path.read_text(encoding="utf-8")
    filled = Path(tmp_path / "filled.md")
    filled.write_text(fill(text, {"score": "[7, 8]"}), encoding="utf-8")

    assert filled.read_text(encoding="utf-8") != text
    assert _blank(filled.read_text(encoding="utf-8"), sheet.variant) == _blank(text, sheet.variant)
