"""A class through the command line: from a roster to a table that a spreadsheet opens."""

import csv
import json
import shutil
import zipfile

import pytest

from tests.filled import fill_right

ROSTER = "id,name\n007,王小明\n0012,Ann O'Hara\n100,李雷\n0100,=1+1\n张三,张三\n"


@pytest.fixture
def handed_in(grade, tmp_path):
    """Five students: three filled in, one blank, one broken; in a folder beside the lock."""
    (tmp_path / "roster.csv").write_bytes(ROSTER.encode("gb18030"))
    made = grade("make", "first_hour", "--roster", "roster.csv", "--out", "week", "--lang", "en")
    assert made.code == 0, made.err
    for name in ("007", "0012", "100"):
        fill_right(tmp_path / "week" / name)
    (tmp_path / "week" / "0100" / "02_project_token.md").write_bytes(b"\x00")
    return tmp_path / "week"


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_five_students_are_marked_and_nothing_is_lost(grade, handed_in, lang):
    """The table, the broken file by name, the CSV with its mark for spreadsheets, exit 2."""
    run = grade("week", "--csv", "marks.csv", "--lang", lang)
    told = grade("week", "--json")

    assert run.code == told.code == 2
    for name in ("007", "0012", "100", "0100", "王小明", "张三", "李雷"):
        assert name in run.out
    assert "week/0100/02_project_token.md" in run.out
    content = (handed_in.parent / "marks.csv").read_bytes()
    assert content.startswith(b"\xef\xbb\xbf")
    rows = {row["id"]: row for row in csv.DictReader(content.decode("utf-8-sig").splitlines())}
    assert [rows[name]["points"] for name in rows] == ["29", "29", "29", "0", "0"]
    assert {row["max_points"] for row in rows.values()} == {"29"}
    assert rows["0100"]["name"] == "'=1+1"
    assert rows["张三"]["name"] == "张三"
    assert [student["student"].split()[0] for student in told.json["students"]] == list(rows)
    assert [student["points"] for student in told.json["students"]] == [29, 29, 29, 0, 0]


def test_a_folder_beside_the_lock_is_marked_by_it(grade, handed_in, tmp_path):
    """What came back lies elsewhere; the lock is named, or stands beside."""
    shutil.move(handed_in / "007", tmp_path / "back" / "007")
    shutil.copytree(tmp_path / "back", handed_in / "back")

    named = grade("back", "--lock", "week/course.lock.json", "--json")
    beside = grade("week/back", "--class", "--json")

    assert named.json["students"][0]["points"] == beside.json["students"][0]["points"] == 29
    assert len(named.json["students"]) == 5
    assert named.code == 1


def test_sets_without_a_lock_are_a_class_when_that_is_said(grade, tmp_path):
    """Several people's own sets; without the word, a folder of folders is pointed out."""
    for name, seed in (("ann", 1), ("bob", 2)):
        assert grade("make", "first_hour", "--seed", seed, "--out", f"all/{name}").code == 0
    fill_right(tmp_path / "all" / "ann")

    marked = grade("all", "--class", "--json")
    unsaid = grade("all")

    assert [(one["student"], one["points"]) for one in marked.json["students"]] == [("ann", 29), ("bob", 0)]
    assert (marked.code, unsaid.code) == (1, 2)
    assert "--class" in unsaid.err


def test_when_the_bank_draws_otherwise_it_is_said(grade, handed_in):
    """While marking, and by the author's check, which exits 2."""
    lock = handed_in / "course.lock.json"
    raw = json.loads(lock.read_text(encoding="utf-8"))
    raw["students"][4]["problems"][5]["kept"]["inputs"]["v"]["cells"][0] = "77"
    lock.write_text(json.dumps(raw), encoding="utf-8")

    marked = grade("week")
    checked = grade("bank", "check", "--lock", lock)

    assert "weighted_sum" in marked.err
    assert checked.code == 2
    assert "weighted_sum" in checked.err
    assert "variants: 40, different from what the bank draws now: 1" in checked.out


def test_the_secret_elsewhere_verifies_too(grade, handed_in, tmp_path):
    """A token that someone made up is called forged if the secret is at hand."""
    file = handed_in / "007" / "06_weighted_sum.md"
    lines = file.read_text(encoding="utf-8").splitlines()
    lines[2] = lines[2][:-1] + ("0" if lines[2][-1] != "0" else "1")
    file.write_text("\n".join(lines), encoding="utf-8")

    beside = grade("week")
    (handed_in / "course.secret").rename(tmp_path / "my.secret")
    without, named = grade("week"), grade("week", "--secret", "my.secret")

    assert "signature" in beside.out
    assert "signature" not in without.out
    assert "signature" in named.out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["week/007/06_weighted_sum.md", "--csv", "m.csv"], "--csv"),
        (["week", "--only", "3"], "--only"),
        (["week", "--reveal"], "--reveal"),
        (["nowhere", "--class"], "nowhere"),
        (["empty", "--class"], "empty"),
    ],
)
def test_what_a_class_cannot_be_asked_is_refused(grade, handed_in, tmp_path, arguments, said):
    """Rather than passed over."""
    (tmp_path / "empty").mkdir()
    run = grade(*arguments)

    assert run.code == 2
    assert said in run.err
    assert "Traceback" not in run.err


def test_a_folder_of_nobody_is_told_and_not_counted(grade, handed_in):
    """It is no student: no row in the table and the CSV, but named below, and exit 2."""
    shutil.copytree(handed_in / "007", handed_in / "zz")
    shown, told = grade("week", "--csv", "marks.csv"), grade("week", "--json").json

    assert shown.code == 2
    assert "Students: 5" in shown.out
    assert "week/zz" in shown.out.partition("Not marked")[2]
    assert "zz" not in (handed_in.parent / "marks.csv").read_text(encoding="utf-8-sig")
    assert len(told["students"]) == 5
    assert [one["reason"] for one in told["others"]] == ["student-not-in-roster"]


@pytest.mark.parametrize(("lang", "said"), [("en", "007 handed in more than once"), ("zh", "007 交了不止一份")])
def test_that_a_student_handed_in_twice_is_told_everywhere(grade, handed_in, lang, said):
    """Below the table, in the note of the CSV and in JSON; all of it is marked, and that alone is no fault."""
    shutil.make_archive(str(handed_in / "007"), "zip", handed_in / "007")
    shown, told = grade("week", "--csv", "marks.csv", "--lang", lang), grade("week", "--json").json

    rows = csv.DictReader((handed_in.parent / "marks.csv").read_text(encoding="utf-8-sig").splitlines())
    row = next(row for row in rows if row["id"] == "007")
    assert row["points"] == "29"
    assert said in row["note"]
    assert said in shown.out
    assert "007.zip" in shown.out
    first = told["students"][0]
    assert first["points"] == 29
    assert [note["code"] for note in first["notes"]] == ["handed-in-pieces"]
    assert told["others"] == []


@pytest.mark.parametrize("locked", [True, False])
def test_an_exercise_beside_the_folders_is_nobodys(grade, handed_in, locked):
    """It is told; notes that somebody keeps there are not."""
    shutil.copy(handed_in / "007" / "06_weighted_sum.md", handed_in / "weighted sum.md")
    (handed_in / "notes.md").write_text("to do", encoding="utf-8")
    if not locked:
        (handed_in / "course.lock.json").unlink()
    told = grade("week", "--class", "--json")

    assert told.code == 2
    assert len(told.json["students"]) == 5
    assert [(one["file"], one["reason"]) for one in told.json["others"]] == [("week/weighted sum.md", "file-of-nobody")]


def test_a_classmates_file_is_not_called_unreadable(grade, handed_in):
    """It could be read, and was not accepted."""
    shutil.copy(handed_in / "007" / "06_weighted_sum.md", handed_in / "100")
    run = grade("week", "--lang", "en")

    row = next(line for line in run.out.splitlines() if line.startswith("100"))
    assert "⊘" in row
    assert "?" not in row
    assert "⊘ not accepted" in run.out
    assert "week/100/06_weighted_sum.md" in run.out


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_the_secret_of_another_course_is_refused(grade, handed_in, tmp_path, lang):
    """Nobody takes it for a check that was made."""
    (tmp_path / "other.secret").write_text("some other secret of 16 or more", encoding="ascii")
    run = grade("week", "--secret", "other.secret", "--lang", lang)

    assert run.code == 2
    assert "other.secret" in run.err
    assert "week/course.lock.json" in run.err.replace("\n  ", "")


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_sizes_and_damage_are_told_in_words_for_people(grade, handed_in, lang):
    """How large a file is that was packed small; no words of the unpacker over an archive that is cut off."""
    with zipfile.ZipFile(handed_in / "100" / "bomb.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("06_weighted_sum.md", b" " * (300 << 20))
    with zipfile.ZipFile(handed_in / "007" / "cut.zip", "w") as archive:
        archive.writestr("06_weighted_sum.md", b"x" * 1000)
    whole = (handed_in / "007" / "cut.zip").read_bytes()
    (handed_in / "007" / "cut.zip").write_bytes(whole[50:])
    out = " ".join(grade("week", "--lang", lang).out.split())

    assert "300 MiB" in out
    assert "seek" not in out
    assert {"en": "damaged or cut off", "zh": "已损坏或不完整"}[lang] in out


def test_those_who_come_late_are_counted(grade, handed_in, tmp_path):
    """The others keep what they have."""
    (tmp_path / "roster.csv").write_text(ROSTER + "late,Late\n", encoding="utf-8")
    run = grade("make", "first_hour", "--roster", "roster.csv", "--out", "week")

    assert run.code == 0
    assert "Students: 1, exercises in all: 8" in run.out
    assert "had theirs already: 5" in run.out
    assert (handed_in / "late" / "README.md").is_file()

    again = grade("make", "first_hour", "--roster", "roster.csv", "--out", "week")
    assert (again.code, "Written" in again.out, "had theirs already: 6" in again.out) == (0, False, True)


def test_the_csv_can_be_printed(grade, handed_in):
    """`-` is standard output, as everywhere: the same rows as in a file, and no table between them."""
    run = grade("week", "--csv", "-")
    grade("week", "--csv", "marks.csv")
    rows = (handed_in.parent / "marks.csv").read_text(encoding="utf-8-sig")

    assert run.code == 2
    assert run.out == rows
    assert not (handed_in.parent / "-").exists()


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_csv_and_json_are_not_printed_into_each_other(grade, handed_in, lang):
    """Both want standard output."""
    run = grade("week", "--csv", "-", "--json", "--lang", lang)

    assert (run.code, run.out) == (2, "")
    assert "--csv -" in run.err


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_no_more_processes_than_students_are_started_and_it_is_said(grade, handed_in, lang):
    """Thousands would be asked of the machine otherwise."""
    run = grade("week", "--jobs", "9999", "--lang", lang)
    usual = grade("week", "--lang", lang)

    assert "9999" in run.err
    assert run.out == usual.out
    assert "9999" not in usual.err


def test_points_without_end_spoil_one_file_and_no_class(grade, handed_in):
    """A line in a head that would take years to work out, in a worksheet and in a Python file."""
    for name, before in (("01_row_times_matrix.md", "lang: en\n"), ("07_softmax.py", "# variant:")):
        file = next((handed_in / "007").glob(f"*{name[2:]}"), None)
        if file is not None:
            text = file.read_text(encoding="utf-8")
            mark = "# " if file.suffix == ".py" else ""
            file.write_text(text.replace(before, f"{mark}points: 1e999999999\n{before}", 1), encoding="utf-8")

    run = grade("week", "--json")

    assert run.code == 2
    points = {student["student"].split()[0]: student["points"] for student in run.json["students"]}
    assert points["0012"] == points["100"] == 29
    assert points["007"] < 29
    assert "1e999999999" in run.out
