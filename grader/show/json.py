"""A report as JSON, for programs: the object that `docs/report.md` describes, strict and in a fixed order of keys."""

import json
from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import isfinite
from pathlib import Path
from typing import Any

import numpy as np

from grader import __version__
from grader.errors import GradeError
from grader.model import LANGS, Batch, Finding, Report, StepReport, Words
from grader.show import text
from grader.show.escape import escape

SCHEMA = 1
NO_CODE = "none"
LONGEST = 4096
"""Characters of one string; what is longer is cut, as nobody reads it."""


def report(marked: Batch | Sequence[Batch], words: Words, others: Sequence[Report] = ()) -> dict[str, Any]:
    """The object of one learner's batch, or of a class if several batches are given; `others` is what is nobody's."""
    batches = [marked] if isinstance(marked, Batch) else list(marked)
    reports = [one for batch in batches for one in batch.reports]
    head = {"schema": SCHEMA, "version": __version__, "isolation": _isolation(reports)}
    if isinstance(marked, Batch):
        return {**head, **_points(marked.reports), "problems": [_problem(one, words) for one in marked.reports]}
    students = [_student(batch, words) for batch in batches]
    return {**head, "students": students, "others": [_problem(one, words) for one in others]}


def dumps(marked: Batch | Sequence[Batch], words: Words, others: Sequence[Report] = ()) -> str:
    """The object as text: ASCII only, so that it passes through any console, and no NaN."""
    return json.dumps(report(marked, words, others), indent=2, allow_nan=False)


def plain(value: Any) -> Any:
    """Anything in a finding's numbers as JSON can hold it: arrays as lists, NaN and infinities as strings."""
    if isinstance(value, np.ndarray | np.generic):
        return plain(value.tolist())
    if isinstance(value, bool | int | None):
        return value
    if isinstance(value, float):
        return value if isfinite(value) else str(value)
    if isinstance(value, Mapping):
        return {escape(str(key)): plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [plain(item) for item in value]
    return escape(str(value), LONGEST)


def _isolation(reports: Sequence[Report]) -> str:
    """How the code was kept apart; `none` if none was run."""
    return next((one.isolation for one in reports if one.isolation != NO_CODE), NO_CODE)


def _student(batch: Batch, words: Words) -> dict[str, Any]:
    problems = [_problem(one, words) for one in batch.reports]
    notes = [{"code": getattr(note, "code", ""), "message": _said(note, words)} for note in batch.notes]
    return {"student": plain(batch.student), **_points(batch.reports), "problems": problems, "notes": notes}


def _points(parts: Sequence[Report]) -> dict[str, Any]:
    return _exact(
        sum((part.points for part in parts), Fraction(0)), sum((part.max_points for part in parts), Fraction(0))
    )


def _exact(points: Fraction, most: Fraction) -> dict[str, Any]:
    return {"points": float(points), "points_exact": str(points), "max_points": float(most)}


def _problem(one: Report, words: Words) -> dict[str, Any]:
    return {
        "problem": plain(one.problem),
        "title": _both(one.title.en, one.title.zh),
        "file": _file(one.file),
        "variant": plain(one.variant),
        "status": "unreadable" if one.fault is not None else one.status,
        "reason": plain(_reason(one)),
        **_exact(one.points, one.max_points),
        "steps": [_step(step, one.problem, words) for step in one.steps],
        "findings": [_finding(found, one.problem, words) for found in one.findings],
        **({"message": _said(one.fault, words)} if one.fault is not None else {}),
    }


def _file(file: Path | None) -> str | None:
    return None if file is None else escape(file.as_posix(), LONGEST)


def _reason(one: Report) -> str | None:
    """What refines a status; for a file that could not be read, the code of why."""
    if one.fault is None:
        return one.reason
    return one.fault.code if isinstance(one.fault, GradeError) else "own-fault"


def _said(fault: Exception, words: Words) -> dict[str, str]:
    return {lang: text.error(fault, words, lang) for lang in LANGS}


def _step(step: StepReport, problem: str, words: Words) -> dict[str, Any]:
    return {
        "step": plain(step.step),
        "status": step.status,
        **_exact(step.points, step.max_points),
        "read_as": plain(step.read_as) or None,
        "cells": [list(cell) for cell in step.cells],
        "findings": [_finding(found, problem, words) for found in step.findings],
    }


def _finding(found: Finding, problem: str, words: Words) -> dict[str, Any]:
    return {
        "code": found.code,
        "mistakes": list(found.mistakes),
        "alternatives": [list(others) for others in found.alternatives],
        "line": found.line,
        "numbers": plain(found.numbers),
        "message": {lang: text.finding(found, words, lang, problem) for lang in LANGS},
    }


def _both(en: str, zh: str) -> dict[str, str]:
    return {"en": escape(en), "zh": escape(zh)}
