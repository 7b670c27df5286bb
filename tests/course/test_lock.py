"""The lock rebuilds and checks what was given out, and keeps it when the bank moves on."""

import json
from dataclasses import replace
from fractions import Fraction

import pytest

from grader.course import LOCK
from grader.course import lock as locks
from grader.errors import BadInput
from grader.trace import solve


@pytest.fixture
def lock(given):
    """The lock of the small class."""
    return locks.read(given / LOCK)


def refused(function, *arguments):
    """The error of a call."""
    with pytest.raises(BadInput) as caught:
        function(*arguments)
    return caught.value


def test_every_variant_is_drawn_again_just_so(lock):
    """Inputs, blanks, options and cases, from the token alone."""
    problems = [locked for student in lock.students for locked in student.problems]

    assert len(problems) == 20
    assert not any(locks.rebuild(locked).differs for locked in problems)
    assert list(locks.differing(lock)) == []


def test_points_are_the_sets_or_those_of_the_answers(lock):
    """Exact fractions."""
    assert [locked.points for locked in lock.students[0].problems] == [1, 5, Fraction(1, 3), 2]


def test_a_lock_is_read_as_it_was_written(lock, tmp_path):
    """Names in any script, numbers as they were."""
    locks.write(tmp_path / "again.json", lock)

    assert locks.read(tmp_path / "again.json") == lock


def test_what_each_variant_can_show_is_kept(lock):
    """The certificate of the draw: tolerances, mistakes that apply, and those that look the same."""
    kept = [locked.certificate for locked in lock.students[0].problems]

    assert all(one["applied"] and not one["alike_by_chance"] for one in kept)
    assert kept[1]["tolerances"] == {"scaled": "0", "minus_max": "0", "weights": "0.00005"}


def test_a_lock_of_an_earlier_version_has_no_certificates(lock, tmp_path):
    """It is read all the same, and marked."""
    locks.write(tmp_path / "old.json", lock)
    old = json.loads((tmp_path / "old.json").read_text(encoding="utf-8"))
    for student in old["students"]:
        for problem in student["problems"]:
            del problem["certificate"]
    (tmp_path / "old.json").write_text(json.dumps(old), encoding="utf-8")
    read = locks.read(tmp_path / "old.json")

    assert {locked.certificate for student in read.students for locked in student.problems} == {None}
    assert not locks.rebuild(read.students[0].problems[0]).differs


def test_when_the_bank_draws_otherwise_the_numbers_kept_are_the_variant(lock):
    """Another drawing hash, or other numbers from the same one: what was given out counts."""
    given = locks.rebuild(lock.students[0].problems[1]).variant
    locked = lock.students[0].problems[1]
    other_hash = replace(locked, token=locked.token.replace(given.template.drawing_hash, "00000000"))
    other_seed = replace(locked, token=lock.students[1].problems[1].token)

    for changed in (other_hash, other_seed):
        rebuilt = locks.rebuild(changed)
        assert rebuilt.differs
        assert rebuilt.variant.inputs == given.inputs
        assert {name: array.tolist() for name, array in solve(rebuilt.variant).items()} == {
            name: array.tolist() for name, array in solve(given).items()
        }
    student = replace(lock.students[0], problems=(other_hash, *lock.students[0].problems[2:]))
    found = list(locks.differing(replace(lock, students=(student,))))
    assert [(one.id, which.template, fault) for one, which, fault in found] == [("007", "two_scores", None)]


def test_a_problem_that_the_bank_lost_is_said(lock):
    """With the nearest name."""
    gone = replace(lock.students[0].problems[0], template="row_times_matrice")
    student = replace(lock.students[0], problems=(gone,))

    assert refused(locks.rebuild, gone).code == "unknown-problem"
    [(_, _, fault)] = locks.differing(replace(lock, students=(student,)))
    assert fault.numbers["nearest"] == "row_times_matrix"


def test_numbers_that_are_not_whole_are_said(lock):
    """A lock that someone cut."""
    locked = lock.students[0].problems[0]
    cut = replace(locked, kept={name: part for name, part in locked.kept.items() if name != "blanks"})

    assert refused(locks.rebuild, cut).code == "lock-incomplete"


@pytest.mark.parametrize(
    "text",
    ["", "[]", "{}", '{"schema": 1}', "not json", '{"schema": 1, "students": 3}', "null", "[" * 100_000,
     '{"schema": ' + "9" * 5000 + "}"],
    ids=lambda text: text[:20] or "nothing",
)  # fmt: skip
def test_what_is_no_lock_is_refused_by_name(tmp_path, text):
    """Anything else that is JSON, or is not."""
    file = tmp_path / LOCK
    file.write_text(text, encoding="utf-8")

    fault = refused(locks.read, file)

    assert (fault.code, fault.file) == ("lock-unreadable", file)


@pytest.mark.parametrize(
    ("key", "value"),
    [("points", "1/0"), ("points", "1e999999999"), ("points", "-1"), ("token", 3), ("file", None), ("kept", 1)],
)
def test_one_damaged_value_makes_it_no_lock(given, key, value):
    """It is refused when it is read, not when the first student is marked."""
    file = given / LOCK
    raw = json.loads(file.read_text(encoding="utf-8"))
    raw["students"][0]["problems"][0][key] = value
    file.write_text(json.dumps(raw), encoding="utf-8")

    assert refused(locks.read, file).code == "lock-unreadable"


@pytest.mark.parametrize("cells", [["one"] * 6, ["1"], 7, ["1"] * 5 + [None]])
def test_numbers_that_are_none_are_said(lock, cells):
    """Where the bank draws otherwise now, so that those of the lock would be marked."""
    locked = lock.students[0].problems[0]
    inputs = {name: {**one, "cells": cells} for name, one in locked.kept["inputs"].items()}

    assert refused(locks.rebuild, replace(locked, kept={**locked.kept, "inputs": inputs})).code == "lock-incomplete"


def test_a_lock_of_another_schema_says_which(given):
    """What was read and what is wanted."""
    file = given / LOCK
    raw = json.loads(file.read_text(encoding="utf-8"))
    file.write_text(json.dumps({**raw, "schema": 2}), encoding="utf-8")

    fault = refused(locks.read, file)

    assert (fault.code, fault.numbers) == ("lock-schema", {"read": "2", "wanted": 1})
