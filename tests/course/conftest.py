"""A small class: three worksheets and a function, for five students."""

import shutil

import pytest

from grader.bank import sets
from grader.course import make as making
from grader.course.roster import Student

SET = """\
title: {en: Small, zh: 小}
problems:
  - row_times_matrix
  - {template: two_scores, points: 5}
  - {template: softmax_row, points: "1/3"}
  - {template: softmax, points: 2}
"""
STUDENTS = (
    Student("007", "王小明"),
    Student("0012", "Ann"),
    Student("100", "李雷"),
    Student("A-1", "=1+1"),
    Student("0099", "韩梅梅"),
)


def _course(folder):
    file = folder / "small.yaml"
    file.write_text(SET, encoding="utf-8")
    out = folder / "out"
    return making.Course(out, sets.find(file), out / making.SECRET, "en")


@pytest.fixture
def course(tmp_path):
    """A course whose set is not given out yet."""
    return _course(tmp_path)


@pytest.fixture(scope="session")
def given_once(tmp_path_factory):
    """The set, given out to five students."""
    course = _course(tmp_path_factory.mktemp("course"))
    for _ in making.make(course, STUDENTS):
        pass
    return course.folder


@pytest.fixture
def given(course, given_once):
    """A copy of it to change."""
    shutil.copytree(given_once, course.folder)
    return course.folder
