"""The lock of a class set: every student's variants with their numbers, so that marking works years later.

A variant is rebuilt from its token while the bank still draws it so, and compared with the numbers kept here; if the
template has changed since, the numbers kept here are what is marked.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import Any

from grader import __version__
from grader.bank import draw, load, token
from grader.errors import BadInput
from grader.give import replace_text
from grader.model import Blank, Case, Choice, Numbers, Template, Text, Variant

NAME = "course.lock.json"
SCHEMA = 1


@dataclass(frozen=True, slots=True)
class Locked:
    """One problem of one student: the file's name, the token, the points it is worth, and the numbers kept."""

    file: str
    template: str
    token: str
    points: Fraction | None
    kept: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class LockedStudent:
    """One student of the lock."""

    id: str
    name: str
    problems: tuple[Locked, ...]


@dataclass(frozen=True, slots=True)
class Lock:
    """A whole class set."""

    set_name: str
    title: Text
    students: tuple[LockedStudent, ...]


def keep(variant: Variant) -> dict[str, Any]:
    """What the lock holds of a variant: all that was drawn, nothing that is computed."""
    return {
        "inputs": {name: _numbers(one) for name, one in variant.inputs.items()},
        "chosen": dict(variant.chosen),
        "blanks": [_blank(one) for one in variant.blanks],
        "cases": [
            {"name": case.name, "inputs": {name: _numbers(one) for name, one in case.inputs.items()}}
            for case in variant.cases
        ],
    }


def write(path: Path, lock: Lock) -> None:
    """Write the lock, in one move."""
    students = [
        {"id": student.id, "name": student.name, "problems": [_problem(one) for one in student.problems]}
        for student in lock.students
    ]
    whole = {
        "schema": SCHEMA,
        "version": __version__,
        "set": lock.set_name,
        "title": asdict(lock.title),
        "students": students,
    }
    replace_text(path, json.dumps(whole, ensure_ascii=False, indent=1) + "\n")


def read(path: Path) -> Lock:
    """Read a lock; `BadInput` if it is none."""
    try:
        raw = json.loads(path.read_text(encoding="utf-8"))
        if raw["schema"] != SCHEMA:
            raise BadInput("lock-schema", file=path, read=str(raw["schema"]), wanted=SCHEMA)
        students = tuple(
            LockedStudent(one["id"], one["name"], tuple(_locked(problem) for problem in one["problems"]))
            for one in raw["students"]
        )
        return Lock(raw["set"], Text(**raw["title"]), students)
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise BadInput("lock-unreadable", file=path, reason=str(error)) from error


def variant(locked: Locked, roots: Sequence[Path] = ()) -> Variant:
    """The variant that was given out: drawn again and found the same, or else from the numbers kept."""
    template = load.find(locked.template, roots)
    named = token.parse(locked.token)
    if named.drawing_hash == template.drawing_hash:
        again = draw.rebuild(template, named.seed, named.redraw)
        if same(again, locked):
            return again
    return _from_kept(template, named, locked.kept)


def same(variant: Variant, locked: Locked) -> bool:
    """Whether a variant holds exactly the numbers that the lock keeps."""
    return bool(json.loads(json.dumps(keep(variant))) == locked.kept)


def _locked(raw: Mapping[str, Any]) -> Locked:
    points = Fraction(raw["points"]) if raw["points"] is not None else None
    return Locked(raw["file"], raw["template"], raw["token"], points, raw["kept"])


def _problem(one: Locked) -> dict[str, Any]:
    points = None if one.points is None else str(one.points)
    return {"file": one.file, "template": one.template, "token": one.token, "points": points, "kept": one.kept}


def _numbers(one: Numbers) -> dict[str, Any]:
    return {"shape": list(one.shape), "cells": list(one.cells), "kind": one.kind}


def _blank(blank: Blank) -> dict[str, Any]:
    kept = {name: getattr(blank, name) for name in ("name", "kind", "step", "decimals", "truth")}
    choices = [
        {"letter": one.letter, "key": one.key, "right": one.right, "mistake": one.mistake} for one in blank.choices
    ]
    lists = {"cells": list(blank.cells), "shape": list(blank.shape), "choices": choices}
    return kept | lists | {"points": str(blank.points)}


def _read_numbers(raw: Mapping[str, Any]) -> Numbers:
    return Numbers(tuple(raw["shape"]), tuple(raw["cells"]), raw["kind"])


def _from_kept(template: Template, named: token.Token, kept: Mapping[str, Any]) -> Variant:
    inputs = {name: _read_numbers(one) for name, one in kept["inputs"].items()}
    cases = tuple(
        Case(case["name"], {name: _read_numbers(one) for name, one in case["inputs"].items()}) for case in kept["cases"]
    )
    blanks = tuple(_read_blank(raw) for raw in kept["blanks"])
    return Variant(template, named.seed, named.redraw, inputs, kept["chosen"], blanks, cases)


def _read_blank(raw: Mapping[str, Any]) -> Blank:
    nothing = Text("", "")
    choices = tuple(Choice(one["letter"], one["key"], nothing, one["right"], one["mistake"]) for one in raw["choices"])
    blank = Blank(
        raw["name"], raw["kind"], raw["step"], tuple(raw["cells"]), tuple(raw["shape"]), raw["decimals"],
        Fraction(raw["points"]), nothing,
    )  # fmt: skip
    return replace(blank, choices=choices, truth=raw["truth"])
