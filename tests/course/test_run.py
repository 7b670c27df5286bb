"""A class is marked whatever is handed in: nothing is lost, what is broken is named, and the rest goes on."""

import csv
import io
import re
import shutil
from dataclasses import replace

import pytest

from grader.bank import load
from grader.course import LOCK
from grader.course import lock as locks
from grader.course import make as making
from grader.course import run as running
from grader.course.run import Class
from grader.course.table import table
from grader.errors import BadInput
from grader.judge import score
from grader.mark import Marker
from tests.filled import fill_right

SHEET = "02_two_scores.md"


@pytest.fixture
def marked(given):
    """Mark the class, and give its students by id."""

    def mark(*, locked=True, secret=True):
        kept = locks.read(given / LOCK) if locked else None
        known = making.read_secret(given / making.SECRET) if secret else None
        with Marker() as marker:
            return {one.id: one for one in running.run(Class(given, marker, kept, known))}

    return mark


def statuses(one):
    """The status of each report of a student."""
    return [report.status for report in one.batch.reports]


def codes(one):
    """What is said about a student's files."""
    faults = [one.fault, *(report.fault for report in one.batch.reports)]
    return [fault.code for fault in faults if fault is not None]


def total(one):
    """The points of a student, and what they are out of."""
    reports = one.batch.reports
    return float(sum(report.points for report in reports)), float(sum(report.max_points for report in reports))


def rows(marked):
    """The table of a class as a program reads it."""
    text = table(list(marked.values()), lambda fault: getattr(fault, "code", "ours"))
    return {row["id"]: row for row in csv.DictReader(io.StringIO(text, newline=""))}


def test_three_filled_one_blank_one_broken(given, marked):
    """Full marks, nothing, and for the broken one what its good files are worth; each fault is named."""
    for student in ("007", "0012", "100", "A-1"):
        fill_right(given / student)
    (given / "A-1" / "01_row_times_matrix.md").write_bytes(b"\x00\xff" * 50)
    (given / "A-1" / SHEET).unlink()
    shutil.copy(given / "007" / "03_softmax_row.md", given / "A-1")

    found = marked()

    assert list(found) == ["007", "0012", "100", "A-1", "0099"]
    assert [total(found[name])[0] for name in ("007", "0012", "100")] == [pytest.approx(8 + 1 / 3)] * 3
    assert [total(one)[1] for one in found.values()] == [pytest.approx(8 + 1 / 3)] * 5
    assert statuses(found["0099"]) == ["blank"] * 4
    assert statuses(found["A-1"]) == ["unreadable", "blank", "refused", "right"]
    assert [report.reason for report in found["A-1"].batch.reports][1] == "not-handed-in"
    assert codes(found["A-1"]) == ["file-binary", "variant-of-classmate"]
    assert total(found["A-1"])[0] == 2
    assert [codes(found[name]) for name in ("007", "0012", "100", "0099")] == [[]] * 4


def test_the_table_holds_every_student_and_problem(given, marked):
    """Ids and names as they are, points as decimals, a note for what went wrong, and no formula."""
    fill_right(given / "007")
    (given / "A-1" / SHEET).write_bytes(b"\x00")
    found = rows(marked())

    assert list(found) == ["007", "0012", "100", "A-1", "0099"]
    assert found["007"] == {
        "id": "007", "name": "王小明", "row_times_matrix": "1", "two_scores": "5", "softmax_row": "0.3333",
        "softmax": "2", "points": "8.3333", "max_points": "8.3333", "note": "",
    }  # fmt: skip
    assert found["A-1"]["name"] == "'=1+1"
    assert (found["A-1"]["two_scores"], found["A-1"]["note"]) == ("0", "file-binary")


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t=", "\r=", "＝", "＠"])
def test_what_a_spreadsheet_would_run_is_defused(given, marked, start):
    """In names, and in notes as in folders' names; a tab or a return is spelled out as well."""
    found = marked()
    changed = replace(found["007"], name=f"{start}SUM(A1)")
    spelled = start.replace("\t", "\\t").replace("\r", "\\r")

    assert rows({"007": changed})["007"]["name"] == f"'{spelled}SUM(A1)"


def test_a_folder_that_was_not_handed_in_is_said_and_keeps_its_row(given, marked):
    """No points, out of all of them."""
    shutil.rmtree(given / "100")
    one = marked()["100"]

    assert codes(one) == ["nothing-handed-in"]
    assert one.fault.exit_code == 1
    assert total(one) == (0, pytest.approx(8 + 1 / 3))


def test_an_empty_folder_is_named(given, marked):
    """It is not taken for a blank set."""
    shutil.rmtree(given / "100")
    (given / "100").mkdir()
    (given / "100" / "notes.log").write_text("hello", encoding="utf-8")

    assert codes(marked()["100"]) == ["folder-empty"]


def test_a_folder_of_nobody_is_named(given, marked):
    """It may be a student's whose id was mistyped."""
    shutil.copytree(given / "007", given / "07")
    one = marked()["07"]

    assert codes(one) == ["student-not-in-roster"]
    assert one.is_nobody


def test_upper_and_lower_case_of_a_folder_count_as_the_same(given, marked):
    """As in the roster; where both are there, both are the student's."""
    fill_right(given / "A-1")
    (given / "A-1").rename(given / "a-1")
    assert statuses(marked()["A-1"]) == ["right"] * 4

    (given / "A-1").mkdir()
    (given / "a-1" / SHEET).rename(given / "A-1" / SHEET)
    one = marked()["A-1"]
    assert statuses(one) == ["right"] * 4
    assert [(note.code, note.numbers["files"]) for note in one.batch.notes] == [("handed-in-pieces", ["A-1/", "a-1/"])]


@pytest.mark.parametrize(("name", "code"), [("007.rar", "archive-kind"), ("007.docx", "file-kind")])
def test_a_document_in_place_of_a_folder_is_its_students(given, marked, name, code):
    """What is called like a student is told of that student."""
    shutil.rmtree(given / "007")
    (given / name).write_bytes(b"Rar!")

    assert codes(marked()["007"]) == [code]
    assert "007.docx" not in marked()


def test_a_document_beside_blank_worksheets_is_in_the_note(given, marked):
    """No points are given, and the table says why."""
    (given / "007" / "my answers.docx").write_bytes(b"PK")
    found = rows(marked())["007"]

    assert (found["points"], found["note"]) == ("0", "file-kind")


def test_without_a_lock_a_secret_tells_what_was_made_up(given, marked):
    """A token that the course did not sign, whatever its numbers."""
    fill_right(given / "007")
    (given / LOCK).rename(given / "kept.json")
    sheet = given / "007" / SHEET
    text = sheet.read_text(encoding="utf-8")
    token = next(line.partition(": ")[2] for line in text.splitlines() if line.startswith("variant:"))
    sheet.write_text(text.replace(token, token.rpartition(".")[0]), encoding="utf-8")

    assert codes(marked(locked=False)["007"]) == ["variant-forged"]
    assert codes(marked(locked=False, secret=False)["007"]) == []


@pytest.mark.parametrize(
    "place", ["two scores (1).md", "sub/deep/02_two_scores.md", "02_two_scores - Kopie.MD", "答案.md"]
)
def test_files_may_be_renamed_or_lie_deeper(given, marked, place):
    """What counts is what stands in them."""
    fill_right(given / "007")
    target = given / "007" / place
    target.parent.mkdir(parents=True, exist_ok=True)
    (given / "007" / SHEET).rename(target)

    assert statuses(marked()["007"]) == ["right"] * 4


def test_a_function_without_its_head_is_known_by_its_name(given, marked):
    """People rewrite the whole file."""
    fill_right(given / "007")
    file = given / "007" / "04_softmax.py"
    text = file.read_text(encoding="utf-8")
    file.write_text(text.partition("\n\n")[2], encoding="utf-8")
    (given / "007" / "helper.py").write_text("x = 1\n", encoding="utf-8")

    assert statuses(marked()["007"]) == ["right"] * 4


def test_copies_and_a_blank_one_beside_the_answers_do_no_harm(given, marked):
    """The one that is filled in counts."""
    blank = (given / "007" / SHEET).read_bytes()
    fill_right(given / "007")
    (given / "007" / "02_two_scores_old.md").write_bytes(blank)
    shutil.copy(given / "007" / SHEET, given / "007" / "02_two_scores (1).md")

    assert statuses(marked()["007"]) == ["right"] * 4


def test_two_answers_of_one_name_are_told_by_their_paths(given, marked):
    """Their names alone would not tell them apart."""
    text = (given / "007" / SHEET).read_text(encoding="utf-8")
    (given / "007" / "copy").mkdir()
    for place, weights in ((SHEET, "[0.5, 0.5]"), (f"copy/{SHEET}", "[0.4, 0.6]")):
        answered = re.sub(r"weights:.*", f"weights: {weights}", text)
        (given / "007" / place).write_text(answered, encoding="utf-8")

    assert marked()["007"].batch.reports[1].fault.numbers["files"] == [SHEET, f"copy/{SHEET}"]


def test_two_different_answers_are_not_chosen_from(given, marked):
    """It is said which files they are."""
    fill_right(given / "007")
    text = (given / "007" / SHEET).read_text(encoding="utf-8")
    (given / "007" / "zz.md").write_text(re.sub(r"weights:.*", "weights: [0.5, 0.5]", text), encoding="utf-8")

    one = marked()["007"]

    assert codes(one) == ["handed-in-twice"]
    assert sorted(one.batch.reports[1].fault.numbers["files"]) == [SHEET, "zz.md"]
    assert one.batch.reports[1].points == 0


def test_a_broken_copy_beside_a_good_one_is_named_and_costs_nothing(given, marked):
    """The good one is marked."""
    fill_right(given / "007")
    (given / "007" / "02_two_scores (1).md").write_bytes(b"\x00")

    one = marked()["007"]

    assert statuses(one) == ["right", "right", "unreadable", "right", "right"]
    assert total(one) == (pytest.approx(8 + 1 / 3), pytest.approx(8 + 1 / 3))


def test_a_classmates_file_beside_a_good_one_is_named_and_costs_nothing(given, marked):
    """Nor does one of other numbers; beside a blank one it is what is said of the problem."""
    fill_right(given / "007")
    shutil.copy(given / "007" / SHEET, given / "100" / "zz.md")
    shutil.copy(given / "100" / SHEET, given / "007" / "zz.md")
    found = marked()

    assert total(found["007"]) == (pytest.approx(8 + 1 / 3), pytest.approx(8 + 1 / 3))
    assert codes(found["007"]) == codes(found["100"]) == ["variant-of-classmate"]
    assert statuses(found["100"])[:3] == ["blank", "refused", "blank"]


def test_another_kind_of_file_is_named_not_passed_over(given, marked):
    """A document in place of the worksheet."""
    (given / "007" / SHEET).rename(given / "007" / "02_two_scores.docx")

    one = marked()["007"]

    assert codes(one) == ["file-kind"]
    assert one.batch.reports[1].points == 0


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (lambda token: token[:-1] + ("0" if token[-1] != "0" else "1"), "variant-forged"),
        (lambda token: token.rpartition(".")[0], "variant-forged"),
        (lambda token: "nonsense", "variant-forged"),
    ],
)
def test_a_forged_token_is_said(given, marked, change, code):
    """Changed, stripped of its signature, or no token at all; without the secret it is another variant."""
    fill_right(given / "007")
    file = given / "007" / SHEET
    text = file.read_text(encoding="utf-8")
    token = next(line.partition(": ")[2] for line in text.splitlines() if line.startswith("variant:"))
    file.write_text(text.replace(token, change(token)), encoding="utf-8")

    assert codes(marked()["007"]) == [code]
    assert codes(marked(secret=False)["007"]) == ["another-variant"]
    assert marked()["007"].batch.reports[1].points == 0


def test_what_a_problem_is_worth_stands_in_the_lock_not_in_the_file(given, marked):
    """Nobody raises it, nor writes a wrong answer off."""
    fill_right(given / "007")
    for number, points in (("01", "100"), ("02", "0")):
        file = next((given / "007").glob(f"{number}_*"))
        text = file.read_text(encoding="utf-8")
        file.write_text(re.sub(r"(?m)^(lang: \w+)$", rf"\1\npoints: {points}", text, count=1), encoding="utf-8")

    assert [float(report.max_points) for report in marked()["007"].batch.reports] == [1, 5, pytest.approx(1 / 3), 2]


def test_a_problem_that_is_not_in_the_set_is_named(given, marked, grade, tmp_path):
    """It is neither marked nor charged."""
    grade("make", "first_hour", "--seed", "1", "--out", tmp_path / "other")
    shutil.copy(tmp_path / "other" / "06_weighted_sum.md", given / "007")

    one = marked()["007"]

    assert codes(one) == ["not-in-set"]
    assert total(one)[1] == pytest.approx(8 + 1 / 3)


def test_when_the_bank_draws_otherwise_the_lock_is_marked_and_it_is_said(given, marked):
    """The answers to what was given out stay right."""
    fill_right(given / "007")
    text = (given / LOCK).read_text(encoding="utf-8")
    lock = locks.read(given / LOCK)
    word = lock.students[0].problems[1].token
    other = word.replace(word.split(".")[1], "00000000")
    (given / LOCK).write_text(text.replace(word, other), encoding="utf-8")
    sheet = given / "007" / SHEET
    sheet.write_text(sheet.read_text(encoding="utf-8").replace(word, other), encoding="utf-8")

    one = marked()["007"]

    assert statuses(one) == ["right"] * 4
    assert one.by_lock == ("two_scores",)


def test_a_problem_that_the_bank_lost_stops_nobody(given, marked):
    """It is named for each student; the others are marked."""
    text = (given / LOCK).read_text(encoding="utf-8")
    (given / LOCK).write_text(text.replace('"template": "two_scores"', '"template": "gone"'), encoding="utf-8")
    fill_right(given / "007")

    one = marked()["007"]

    assert codes(one) == ["unknown-problem-none", "not-in-set"]
    assert statuses(one)[0] == statuses(one)[2] == "right"


def test_a_fault_of_the_grader_is_charged_to_nobody(given, marked, monkeypatch):
    """The problem is worth nothing until it is mended; the others are marked."""
    fill_right(given / "007")

    def fail(self, file, variant):
        if variant.template.id == "two_scores":
            raise RuntimeError("ours")
        return original(self, file, variant)

    original = Marker.marked
    monkeypatch.setattr(Marker, "marked", fail)
    found = marked()

    assert total(found["007"]) == (pytest.approx(3 + 1 / 3), pytest.approx(3 + 1 / 3))
    assert statuses(found["007"])[2:] == ["right", "right"]
    assert rows(found)["007"]["max_points"] == "3.3333"


def test_sets_of_several_people_without_a_lock(given, marked):
    """Each folder is a student, each file by its own variant."""
    (given / "0099").rename(given / "Zoë")
    fill_right(given / "007")
    found = marked(locked=False)

    assert sorted(found) == ["0012", "007", "100", "A-1", "Zoë"]
    assert statuses(found["007"]) == ["right"] * 4
    assert codes(found["007"]) == []


def test_without_a_lock_what_cannot_be_read_is_shown_as_that(given, marked):
    """No points of what it is worth, not "not handed in"; a broken copy beside a good file costs nothing."""
    fill_right(given / "007")
    fill_right(given / "100")
    worth = total(marked(locked=False)["007"])
    for student in ("007", "0012"):
        (given / student / SHEET).write_bytes(b"\x00")
    shutil.copy(given / "0012" / SHEET, given / "100" / f"copy of {SHEET}")
    shutil.copy(given / "0012" / SHEET, given / "100" / f"3{SHEET}")
    found = marked(locked=False)

    spoilt = next(report for report in found["007"].batch.reports if report.status == "unreadable")
    assert (spoilt.problem, spoilt.points) == ("two_scores", 0)
    assert total(found["007"]) == pytest.approx((worth[0] - float(spoilt.max_points), worth[1]))
    assert rows(found)["007"]["two_scores"] == "0"
    assert total(found["100"]) == pytest.approx(worth)


def test_without_a_lock_a_file_does_not_say_what_it_is_worth(given, marked):
    """Neither do those of a set that weighs its problems: only its lock tells."""
    fill_right(given / "007")
    sheet = given / "007" / SHEET
    sheet.write_text(sheet.read_text(encoding="utf-8").replace("points: 5\n", "points: 5000\n"), encoding="utf-8")
    assert "points: 5000" in sheet.read_text(encoding="utf-8")
    code = given / "007" / "04_softmax.py"
    code.write_text("# points: 7000\n" + code.read_text(encoding="utf-8"), encoding="utf-8")

    found = {report.problem: report for report in marked(locked=False)["007"].batch.reports}

    own = {name: float(score.worth(load.find(name))) for name in found}
    assert {name: float(report.max_points) for name, report in found.items()} == own
    assert {name: float(report.points) for name, report in found.items()} == own


def test_without_a_lock_a_problem_answered_twice_is_worth_what_it_is(given, marked):
    """What it is out of does not shrink."""
    fill_right(given / "007")
    most = total(marked(locked=False)["007"])[1]
    text = (given / "007" / SHEET).read_text(encoding="utf-8")
    (given / "007" / "zz.md").write_text(re.sub(r"weights:.*", "weights: [0.5, 0.5]", text), encoding="utf-8")

    one = marked(locked=False)["007"]

    assert codes(one) == ["handed-in-twice"]
    assert total(one)[1] == most
    assert total(one)[0] == most - float(score.worth(load.find("two_scores")))


def test_a_folder_without_students_is_refused(tmp_path):
    """There is nobody to mark."""
    with pytest.raises(BadInput) as caught:
        running.students(tmp_path, None)

    assert caught.value.code == "no-students"
