"""A class that handed in archives, links and folders: each student is one, and is marked by several processes alike."""

import shutil

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
    """The folder counts; the archive is told, not lost."""
    fill_right(given / "007")
    shutil.make_archive(str(given / "007"), "zip", given / "007")
    marks = marked(given)
    assert marks["007"].fault is None
    assert marks["007.zip"].fault.code == "student-not-in-roster"


def test_a_link_to_a_classmate_is_nobodys_folder(given):
    """A student's folder that leads to another's is not followed."""
    fill_right(given / "007")
    other = next(one.id for one in locks.read(given / LOCK).students if one.id != "007")
    shutil.rmtree(given / other)
    (given / other).symlink_to(given / "007")
    assert marked(given)[other].fault.code == "nothing-handed-in"


def test_several_processes_mark_as_one_does(given):
    """The marks do not depend on how many share the work."""
    fill_right(given / "007")
    assert points(marked(given, 2)) == points(marked(given))
