"""Every student gets a set of their own, from a secret, and a lock keeps what was given out."""

import os
import shutil
import stat
from dataclasses import replace

import pytest

from grader.bank import sets, token
from grader.course import LOCK
from grader.course import lock as locks
from grader.course import make as making
from grader.course.roster import Student
from grader.errors import BadInput
from grader.worksheet.collect import collect
from tests.course.conftest import STUDENTS

NAMES = ["01_row_times_matrix.md", "02_two_scores.md", "03_softmax_row.md", "04_softmax.py", "README.md"]


def give(course, *students):
    """How many files each student was given."""
    return [len(written) for _, written in making.make(course, students)]


def refused(course, *students):
    """The error that giving out gives."""
    with pytest.raises(BadInput) as caught:
        give(course, *students)
    return caught.value


def test_five_students_get_five_different_sets(given):
    """Folders by id with their zeros, all files, no two worksheets alike."""
    folders = sorted(path.name for path in given.iterdir() if path.is_dir())

    assert folders == sorted(["007", "0012", "100", "A-1", "0099"])
    for folder in folders:
        assert sorted(path.name for path in (given / folder).iterdir()) == NAMES
    for name in NAMES[:-1]:
        assert len({(given / folder / name).read_text(encoding="utf-8") for folder in folders}) == len(folders)


def test_the_readme_is_that_of_a_course(given):
    """It does not offer fresh numbers, which a course does not give, and says that the folder is handed in."""
    text = (given / "007" / "README.md").read_text(encoding="utf-8")

    assert "grade fresh" not in text
    assert "Hand" in text
    assert "01_row_times_matrix.md" in text


def test_the_secret_and_the_lock_are_for_their_owner_alone(given):
    """Mode 0600, whatever the umask."""
    for name in (making.SECRET, LOCK):
        assert stat.S_IMODE((given / name).stat().st_mode) == 0o600


def test_students_files_follow_the_umask(course):
    """Nobody is given more than the machine gives by itself."""
    before = os.umask(0o027)
    try:
        give(course, Student("1", ""))
    finally:
        os.umask(before)

    assert stat.S_IMODE((course.folder / "1" / NAMES[0]).stat().st_mode) == 0o640


def test_every_token_is_signed_and_in_the_lock(given):
    """The secret verifies what stands in each file."""
    secret = making.read_secret(given / making.SECRET)
    lock = locks.read(given / LOCK)

    for student in lock.students:
        files = collect(given / student.id).files
        assert [file.token for file in files] == [locked.token for locked in student.problems]
        assert all(token.verify(token.parse(file.token), secret) for file in files)


def test_the_same_secret_gives_the_same_sets_again(course, given, tmp_path):
    """Whatever else is in the class."""
    again = replace(course, folder=tmp_path / "again", secret=given / making.SECRET)
    give(again, Student("100", "李雷"))

    for name in NAMES:
        assert (again.folder / "100" / name).read_bytes() == (given / "100" / name).read_bytes()


def test_those_who_come_late_are_added_and_nobody_else_is_touched(course, given):
    """A longer roster gives sets to the new ones alone; the lock keeps all."""
    filled = given / "007" / NAMES[0]
    filled.write_text("filled in", encoding="utf-8")

    assert give(course, Student("007", "王小明"), Student("new", "New")) == [0, 4]
    assert filled.read_text(encoding="utf-8") == "filled in"
    assert [student.id for student in locks.read(given / LOCK).students] == ["007", "0012", "100", "A-1", "0099", "new"]


def test_what_was_given_out_before_an_interruption_stays_in_the_lock(course):
    """Giving out goes on where it ended."""
    making_of = making.make(course, [Student("1", ""), Student("2", "")])
    next(making_of)
    making_of.close()

    assert [student.id for student in locks.read(course.folder / LOCK).students] == ["1"]
    assert give(course, Student("1", ""), Student("2", "")) == [0, 4]


def test_a_folder_that_is_there_already_is_refused_before_anything_is_written(course):
    """Nothing is lost, and no half of a class is made."""
    (course.folder / "2").mkdir(parents=True)

    fault = refused(course, Student("1", ""), Student("2", ""))

    assert (fault.code, fault.file.name) == ("folder-not-empty", "2")
    assert [path.name for path in course.folder.iterdir()] == ["2"]


@pytest.mark.parametrize("lost", [{LOCK}, {LOCK, "100", "A-1", "0099"}])
def test_a_run_that_was_killed_is_completed_by_the_same_one(course, given, lost):
    """No lock; of the folders some whole, one half written beside the file being written, one empty, some gone."""
    whole = {path.relative_to(given): path.read_bytes() for path in given.rglob("*.*") if path.name != LOCK}
    lock = (given / LOCK).read_bytes()
    for name in lost - {LOCK}:
        shutil.rmtree(given / name)
    (given / LOCK).unlink()
    half = given / "0012"
    (half / ".writing-4711-03_softmax_row.md").write_bytes((half / "03_softmax_row.md").read_bytes()[:20])
    (half / "02_two_scores.md").write_bytes((half / "02_two_scores.md").read_bytes()[:100])
    for name in ("03_softmax_row.md", "04_softmax.py", "README.md"):
        (half / name).unlink()
    shutil.rmtree(given / "007")
    (given / "007").mkdir()

    assert give(course, *STUDENTS) == [4] * 5
    assert {path.relative_to(given): path.read_bytes() for path in given.rglob("*.*") if path.name != LOCK} == whole
    assert (given / LOCK).read_bytes() == lock


def test_late_comers_half_written_folders_are_completed(course, given):
    """The lock does not know them yet."""
    late = Student("late", "Late")
    (given / "late").mkdir()
    (given / "late" / NAMES[0]).touch()

    assert give(course, *STUDENTS, late) == [0] * 5 + [4]
    assert sorted(path.name for path in (given / "late").iterdir()) == NAMES


@pytest.mark.parametrize(
    ("name", "content"),
    [(NAMES[0], b"my answers"), ("notes.txt", b""), (".writing-1-notes.txt", b""), (NAMES[0], None), (".grade", None)],
)
def test_a_folder_with_anything_else_in_it_is_kept_and_named(course, given, name, content):
    """An answer, a file or a folder of someone's own; nothing else is written either."""
    (given / LOCK).unlink()
    place = given / "A-1" / name
    place.unlink(missing_ok=True)
    place.mkdir() if content is None else place.write_bytes(content)
    shutil.rmtree(given / "007")

    fault = refused(course, *STUDENTS)

    assert (fault.code, fault.file) == ("folder-not-empty", given / "A-1")
    assert place.is_dir() if content is None else place.read_bytes() == content
    assert not (given / "007").exists()


def test_a_link_to_a_folder_is_not_written_through(course, given, tmp_path):
    """Wherever it leads."""
    (tmp_path / "elsewhere").mkdir()
    (given / "late").symlink_to(tmp_path / "elsewhere")

    assert refused(course, Student("late", "")).file == given / "late"


def test_a_secret_is_there_whole_or_not_at_all(course, monkeypatch):
    """A disk that is full while it is written leaves none that the next run would stumble over."""

    def full(*_arguments, **_named):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("pathlib.Path.replace", full)

    assert refused(course, Student("1", "")).code == "file-unwritable"
    assert list(course.folder.iterdir()) == []


def test_another_set_is_not_mixed_into_a_lock(course, given):
    """One folder is one set."""
    other = replace(course, problem_set=sets.find("first_hour"))

    assert refused(other, Student("9", "")).code == "lock-of-another-set"


def test_another_attempt_has_other_numbers_and_a_folder_of_its_own(course, given):
    """By the same secret; it is not mixed into the lock of the first."""
    again = replace(course, folder=course.folder.parent / "again", secret=given / making.SECRET, attempt=2)
    give(again, Student("007", "王小明"))
    first, second = (locks.read(folder / LOCK) for folder in (given, again.folder))

    assert (first.attempt, second.attempt) == (1, 2)
    ours = [one for one in first.students if one.id == second.students[0].id]
    assert {one.token for one in ours[0].problems}.isdisjoint(one.token for one in second.students[0].problems)
    assert refused(replace(course, folder=given, attempt=2), Student("008", "Bo")).code == "lock-of-another-attempt"


def test_a_class_goes_on_with_its_own_secret_only(course, given):
    """A secret that is lost is not made up anew beside a lock."""
    (given / making.SECRET).unlink()

    assert refused(course, Student("9", "")).code == "file-unreadable"
    assert not (given / making.SECRET).exists()


def test_a_secret_that_could_be_guessed_is_refused(course):
    """Fewer than 16 characters."""
    course.folder.mkdir()
    course.secret.write_text("short\n", encoding="utf-8")

    assert refused(course, Student("9", "")).code == "secret-too-short"


def test_a_set_that_holds_a_problem_twice_is_no_class_set(course, tmp_path):
    """It could not be told which file answers which."""
    file = tmp_path / "twice.yaml"
    file.write_text("title: {en: T, zh: 二}\nproblems: [dot_score, dot_score]\n", encoding="utf-8")

    assert refused(replace(course, problem_set=sets.find(file)), Student("9", "")).code == "set-repeats"


def test_a_folder_that_cannot_be_written_is_said(course, tmp_path):
    """A file stands where the folder should be."""
    (tmp_path / "file").write_text("x", encoding="utf-8")
    course = replace(course, folder=tmp_path / "file", secret=tmp_path / "s.secret")

    assert refused(course, Student("9", "")).code == "file-unwritable"
