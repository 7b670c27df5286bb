"""Right in any style: what looks wrong but is right gets full marks, and nothing is said of it."""

from pathlib import Path

import pytest

from grader.mark import Marker
from grader.model import SubmittedFile

FILES = sorted((Path(__file__).parent.parent / "right_styles").glob("*.py"))


@pytest.fixture(scope="module")
def marker():
    """One runner for all files."""
    with Marker() as running:
        yield running


def test_there_are_at_least_forty():
    """Scaled or masked elsewhere, packed, folded, online, base two; lists, views, classes, lambdas."""
    assert len(FILES) >= 40


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_right_in_any_style(marker, path):
    """Full marks and no finding."""
    exercise = path.stem.partition("__")[0]
    file = SubmittedFile(path, "function", exercise, None, path.read_text(encoding="utf-8"))

    report = marker.file(file, exercise=exercise)

    assert (report.status, report.points) == ("right", report.max_points)
    assert not [finding for step in report.steps for finding in step.findings]
