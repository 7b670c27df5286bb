"""A class that handed in archives, links and folders: each student is one, and is marked by several processes alike."""

import shutil
import zipfile

from grader.course import LOCK
from grader.course import lock as locks
from grader.course import run as running
from grader.course.run import Class
from grader.mark import Marker
from tests.filled import fill_right


def marked(given, jobs=1):
    """The students by id."""
    course = Class(given, Marker(), locks.read(given / LOCK))
    return {one.id: one for one in running.run(course, jobs)}


def points(marks):
    """What everyone has, and what is said about their files."""
    return {name: ([report.points for report in one.batch.reports], str(one.fault)) for name, one in marks.items()}


def test_an_archive_is_a_students_folder(given):
    """Whoever hands in `007.zip` is 007."""
    fill_right(given / "007")
    as_folder = points(marked(given))
    shutil.make_archive(str(given / "007"), "zip", given / "007")
    shutil.rmtree(given / "007")
    assert points(marked(given)) == as_folder


def test_a_folder_and_an_archive_of_one_name(given):
    """They are taken together, and that is said: some problems here, the others there."""
    fill_right(given / "007")
    as_folder = points(marked(given))["007"]
    shutil.make_archive(str(given / "007"), "zip", given / "007")
    for part in sorted((given / "007").glob("0[12]_*")):
        part.unlink()
    with zipfile.ZipFile(given / "007.zip") as archive:
        parts = {name: archive.read(name) for name in archive.namelist() if name.startswith(("01_", "02_"))}
    with zipfile.ZipFile(given / "007.zip", "w") as archive:
        for name, content in parts.items():
            archive.writestr(name, content)

    marks = marked(given)

    assert points(marks)["007"] == as_folder
    assert "007.zip" not in marks
    (note,) = marks["007"].batch.notes
    assert (note.code, note.numbers["files"]) == ("handed-in-pieces", ["007/", "007.zip"])


def test_a_damaged_archive_costs_nothing_beside_a_good_one(given):
    """It is named; what can be read is marked."""
    fill_right(given / "007")
    as_folder = points(marked(given))["007"][0]
    shutil.make_archive(str(given / "007"), "zip", given / "007")
    shutil.make_archive(str(given / "007"), "gztar", given / "007")
    whole = (given / "007.tar.gz").read_bytes()
    (given / "007.tar.gz").write_bytes(whole[: len(whole) // 2])
    (given / "007").rename(given / "kept")

    one = marked(given)["007"]

    assert [report.points for report in one.batch.reports] == [*as_folder, 0]
    assert one.batch.reports[-1].fault.code == "archive-damaged"
    assert one.batch.notes[0].numbers["files"] == ["007.tar.gz", "007.zip"]


def test_without_a_lock_a_folder_and_an_archive_of_one_name_are_one_student(given):
    """They have one row."""
    fill_right(given / "007")
    shutil.make_archive(str(given / "007"), "zip", given / "007")
    course = Class(given, Marker())
    marks = {one.id: one for one in running.run(course)}

    assert "007.zip" not in marks
    assert {report.status for report in marks["007"].batch.reports} == {"right"}
    assert [note.code for note in marks["007"].batch.notes] == ["handed-in-pieces"]


def test_a_link_to_a_classmate_is_told_as_a_link(given):
    """A student's folder that leads to another's is not followed."""
    fill_right(given / "007")
    other = next(one.id for one in locks.read(given / LOCK).students if one.id != "007")
    shutil.rmtree(given / other)
    (given / other).symlink_to(given / "007")
    assert [one.fault.code for one in marked(given)[other].batch.reports if one.fault] == ["folder-link"]
    (given / other).unlink()
    (given / other).symlink_to(given / "nowhere")
    assert [one.fault.code for one in marked(given)[other].batch.reports if one.fault] == ["file-link"]


def test_several_processes_mark_as_one_does(given):
    """The marks do not depend on how many share the work."""
    fill_right(given / "007")
    assert points(marked(given, 2)) == points(marked(given))
