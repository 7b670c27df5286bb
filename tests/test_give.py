"""Giving out a set: every problem its file, the README that says what to do, and files that are whole or not there."""

import stat
from dataclasses import replace

import pytest

from grader.bank import load, sets, token
from grader.errors import BadInput, GradeError
from grader.give import Plan, make_folder, replace_text, write_set
from grader.mark import Marker
from grader.model import Seed
from grader.worksheet.collect import collect
from tests.filled import fill_right


def plan(lang="en", **more):
    """The first hour with plain numbers."""
    return Plan(sets.find("first_hour"), lang, lambda _, entry: Seed("3", entry.pin), **more)


def test_every_problem_has_its_file_in_order_and_its_variant(tmp_path):
    """Numbered by their place; the token in the file is the variant's."""
    written = write_set(tmp_path / "set", plan())

    assert [one.number for one in written] == list(range(1, 9))
    assert [one.path.name for one in written][:2] == ["01_row_times_matrix.md", "02_project_token.md"]
    for one in written:
        assert f"variant: {one.token}" in one.path.read_text(encoding="utf-8")
        assert token.variant(one.token).inputs == one.variant.inputs


def test_the_same_plan_writes_the_same_bytes(tmp_path):
    """On every machine, with line ends as they are."""
    write_set(tmp_path / "a", plan())
    write_set(tmp_path / "b", plan())

    for path in (tmp_path / "a").iterdir():
        content = path.read_bytes()
        assert content == (tmp_path / "b" / path.name).read_bytes()
        assert b"\r" not in content


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_the_readme_names_every_file_and_what_to_type(tmp_path, lang):
    """In the set's language; a clone's way of calling the program stands there once."""
    written = write_set(tmp_path, plan(lang))
    text = (tmp_path / "README.md").read_text(encoding="utf-8")

    assert all(f"[{one.path.name}]({one.path.name})" in text for one in written)
    assert "grade hint 3" in text
    assert text.count("./scripts/grade") == 1


def test_nothing_is_written_if_one_problem_cannot_be_drawn(tmp_path):
    """All are drawn before the first is written."""
    file = tmp_path / "set.yml"
    file.write_text("title: {en: A, zh: 甲}\nproblems: [dot_score, nothing]\n", encoding="utf-8")

    with pytest.raises(BadInput):
        write_set(tmp_path / "out", Plan(sets.find(file), "en", lambda _, entry: Seed("3", entry.pin)))
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(("is_ours", "code"), [(True, 3), (False, 2)])
def test_a_template_that_is_never_fair_is_its_files_fault_unless_it_is_ours(tmp_path, monkeypatch, is_ours, code):
    """A course's own template is named; one of the bank's is the grader's own fault."""

    def never(template, seed):
        raise GradeError("unfair-spread", template=template.id, what="w", times=1, tries=1)

    monkeypatch.setattr("grader.bank.draw.draw", never)
    if not is_ours:
        found = load.find("row_times_matrix")
        monkeypatch.setattr(load, "find", lambda *arguments: replace(found, file=tmp_path / "mine.yaml"))
    with pytest.raises(GradeError) as caught:
        write_set(tmp_path / "out", plan())

    assert (caught.value.code, caught.value.exit_code) == ("unfair-spread", code)


def test_a_file_is_replaced_in_one_move_and_keeps_its_mode(tmp_path):
    """Nothing is left beside it."""
    file = tmp_path / "a.md"
    file.write_text("old", encoding="utf-8")
    file.chmod(0o640)
    replace_text(file, "新\n")

    assert file.read_bytes() == "新\n".encode()
    assert stat.S_IMODE(file.stat().st_mode) == 0o640
    assert list(tmp_path.iterdir()) == [file]


def test_what_cannot_be_written_leaves_the_old_file(tmp_path, monkeypatch):
    """And is said with its path; no half of a file stays."""
    file = tmp_path / "a.md"
    file.write_text("old", encoding="utf-8")

    def fail(*arguments):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("pathlib.Path.replace", fail)
    with pytest.raises(BadInput) as caught:
        replace_text(file, "new")

    assert (caught.value.code, caught.value.file, caught.value.numbers["reason"]) == (
        "file-unwritable", file, "No space left on device",
    )  # fmt: skip
    assert file.read_text(encoding="utf-8") == "old"
    assert list(tmp_path.iterdir()) == [file]


def test_a_folder_below_a_file_cannot_be_made(tmp_path):
    """It is said with its path."""
    (tmp_path / "a").write_text("x", encoding="utf-8")

    with pytest.raises(BadInput) as caught:
        make_folder(tmp_path / "a" / "b")

    assert caught.value.code == "file-unwritable"


def test_a_private_file_is_never_open_to_others(tmp_path):
    """Not even while it is written, and not by the mode of what stood there."""
    file = tmp_path / "lock"
    file.write_text("old", encoding="utf-8")
    file.chmod(0o644)
    replace_text(file, "new", private=True)

    assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_a_sets_points_are_what_the_learner_sees_and_is_marked_with(tmp_path):
    """The example midterm makes each problem worth its own points: in the head, in the text, in the report."""
    folder = tmp_path / "midterm"
    written = write_set(folder, Plan(sets.find("midterm_example"), "en", lambda _, entry: Seed("3", entry.pin)))
    fill_right(folder)
    with Marker() as marker:
        reports = {report.problem: report for report in map(marker.file, collect(folder).files)}

    assert sum(report.points for report in reports.values()) == 100
    for one in written:
        text = one.path.read_text(encoding="utf-8")
        assert f"points: {one.entry.points}\n" in text
        assert reports[one.variant.template.id].max_points == one.entry.points


def test_a_sets_text_stands_in_its_readme(tmp_path):
    """What the set says about itself is read by those who do it."""
    problem_set = sets.find("midterm_example")
    write_set(tmp_path / "midterm", Plan(problem_set, "zh", lambda _, entry: Seed("3", entry.pin)))

    readme = (tmp_path / "midterm" / "README.md").read_text(encoding="utf-8")

    assert problem_set.text.zh[:12] in readme
