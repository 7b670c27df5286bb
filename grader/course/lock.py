"""The lock of a class set: every student's variants with their numbers, so that marking works years later.

A variant is rebuilt from its token while the bank still draws it so, and compared with the numbers kept here; if the
template has changed since, the numbers kept here are what is marked.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import Any

from grader import __version__
from grader.bank import draw, load, token
from grader.errors import BadInput
from grader.give import replace_text
from grader.judge import score
from grader.model import Blank, Case, Certificate, Choice, Numbers, Template, Text, Variant
from grader.trace import to_array
from grader.worksheet import points

SCHEMA = 1
_DAMAGED = (ValueError, LookupError, TypeError, AttributeError, ArithmeticError, RecursionError)
"""What taking apart data raises that is not of the form it should have."""


@dataclass(frozen=True, slots=True)
class Locked:
    """One problem of one student: the file's name, the token, its points, the numbers kept and what they can show."""

    file: str
    template: str
    token: str
    points: Fraction
    kept: Mapping[str, Any]
    certificate: Mapping[str, Any] | None = None


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
    attempt: int = 1


@dataclass(frozen=True, slots=True)
class Rebuilt:
    """A variant of the lock, and whether the bank draws other numbers now, so that the ones kept are marked."""

    variant: Variant
    differs: bool


def lock(file: str, variant: Variant, word: str, said: Fraction | None) -> Locked:
    """One problem as the lock holds it; worth what its answers are worth unless the set says otherwise."""
    worth = score.worth(variant.template) if said is None else said
    return Locked(file, variant.template.id, word, worth, keep(variant), proven(variant.certificate))


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


def proven(certificate: Certificate | None) -> dict[str, Any] | None:
    """A variant's certificate as the lock holds it, for whoever asks later what its answers could tell apart.

    Marking does not look at it. Distances are short, as they differ in their last digits between machines.
    """
    if certificate is None:
        return None
    return {
        "tolerances": {one.blank: one.size for one in certificate.tolerances},
        "applied": list(certificate.applied),
        "nearest": {
            one.blank: {"mistake": one.mistake, "tolerances": f"{one.tolerances:.3g}"} for one in certificate.gaps
        },
        "hidden": list(certificate.hidden),
        "alike": [list(group) for group in certificate.alike],
        "alike_by_chance": [list(pair) for pair in certificate.chance],
    }


def rebuild(locked: Locked, roots: Sequence[Path] = ()) -> Rebuilt:
    """The variant that was given out: drawn again and found the same, or else from the numbers kept.

    `BadInput` if the bank has no such problem any more, or the numbers kept are not whole.
    """
    template = load.find(locked.template, roots)
    named = token.parse(locked.token)
    again = _again(template, named)
    if again is not None and json.loads(json.dumps(keep(again))) == locked.kept:
        return Rebuilt(again, differs=False)
    try:
        return Rebuilt(_from_kept(template, named, locked.kept), differs=True)
    except _DAMAGED as error:
        raise BadInput("lock-incomplete", problem=locked.template, reason=repr(error)) from error


def differing(lock: Lock, roots: Sequence[Path] = ()) -> Iterator[tuple[LockedStudent, Locked, BadInput | None]]:
    """Every problem that the bank draws otherwise now, or cannot make at all (then with why)."""
    for student in lock.students:
        for locked in student.problems:
            try:
                if rebuild(locked, roots).differs:
                    yield student, locked, None
            except BadInput as fault:
                yield student, locked, fault


# --- the file ----------------------------------------------------------------------------------------------------


def write(path: Path, lock: Lock) -> None:
    """Write the lock, in one move; for its owner alone, as it holds which options are right."""
    students = [
        {"id": student.id, "name": student.name, "problems": [_problem(one) for one in student.problems]}
        for student in lock.students
    ]
    whole = {
        "schema": SCHEMA,
        "version": __version__,
        "set": lock.set_name,
        "title": asdict(lock.title),
        "attempt": lock.attempt,
        "students": students,
    }
    replace_text(path, json.dumps(whole, ensure_ascii=False, indent=1) + "\n", private=True)


def read(path: Path) -> Lock:
    """Read a lock; `BadInput` if it is none."""
    try:
        raw = json.loads(path.read_text(encoding="utf-8"))
        if raw["schema"] != SCHEMA:
            raise BadInput("lock-schema", file=path, read=str(raw["schema"]), wanted=SCHEMA)
        students = tuple(
            LockedStudent(_text(one, "id"), _text(one, "name"), tuple(map(_locked, one["problems"])))
            for one in raw["students"]
        )
        return Lock(_text(raw, "set"), Text(**raw["title"]), students, int(raw.get("attempt", 1)))
    except (OSError, *_DAMAGED) as error:
        raise BadInput("lock-unreadable", file=path, reason=f"{type(error).__name__}: {error}") from error


def _locked(raw: Mapping[str, Any]) -> Locked:
    file, template, word = (_text(raw, name) for name in ("file", "template", "token"))
    return Locked(file, template, word, points.read_sum(raw["points"]), dict(raw["kept"]), raw.get("certificate"))


def _text(raw: Mapping[str, Any], name: str) -> str:
    """A text of the lock. Errors: `TypeError`, `KeyError`."""
    if not isinstance(raw[name], str):
        raise TypeError(f"{name} is no text")
    return str(raw[name])


def _problem(one: Locked) -> dict[str, Any]:
    return {
        "file": one.file,
        "template": one.template,
        "token": one.token,
        "points": str(one.points),
        "kept": one.kept,
        "certificate": one.certificate,
    }


# --- variants ----------------------------------------------------------------------------------------------------


def _again(template: Template, named: token.Token) -> Variant | None:
    """The variant drawn again, if the template still draws in the same way."""
    if named.drawing_hash != template.drawing_hash:
        return None
    try:
        return draw.rebuild(template, named.seed, named.redraw)
    except BadInput:
        return None


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
    numbers = Numbers(tuple(raw["shape"]), tuple(raw["cells"]), raw["kind"])
    to_array(numbers)  # which fails if they are no numbers, or not so many
    return numbers


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
        points.read(raw["points"]), nothing,
    )  # fmt: skip
    return replace(blank, choices=choices, truth=raw["truth"])
