"""A small set to study with."""

import pytest

from grader.bank import sets
from grader.give import Plan, write_set
from grader.model import Seed
from grader.worksheet.collect import collect


@pytest.fixture
def folder(tmp_path):
    """The first hour, written."""
    write_set(tmp_path / "set", Plan(sets.find("first_hour"), "en", lambda _, entry: Seed("0", entry.pin)))
    return tmp_path / "set"


@pytest.fixture
def read(folder):
    """Read one of its files."""
    return lambda name: collect(folder / name).files[0]
