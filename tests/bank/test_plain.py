"""The plain data of the bank's files is copied once, and a copy never says anything else than the file."""

import json

import pytest
import yaml

from grader.bank import load, plain

DATA = {"id": "x", "points": 0.5, "shuffle": True, "note": None, "title": {"en": "T", "zh": "题"}, "cases": [1, -2, []]}


@pytest.fixture
def empty(tmp_path, monkeypatch):
    """A cache folder of its own."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    return tmp_path / "attention-grader"


def refuse():
    """Reading a second time would be a fault."""
    raise AssertionError


def copies(folder):
    """The copies in a cache folder."""
    return sorted(folder.glob("*.json"))


def test_it_is_read_once(empty):
    """The second time the copy speaks, with the same kinds of values in the same order."""
    assert plain.kept("text", lambda: DATA) == DATA

    again = plain.kept("text", refuse)

    assert again == DATA
    assert json.dumps(again) == json.dumps(DATA)
    assert len(copies(empty)) == 1


def test_another_text_is_another_copy(empty):
    """A file that was changed is read again."""
    plain.kept("text", lambda: DATA)

    assert plain.kept("text.", list) == []
    assert len(copies(empty)) == 2


@pytest.mark.parametrize("damage", [lambda data: data[:-1], lambda data: data.replace(b"0.5", b"5.0"), lambda _: b"{}"])
def test_a_damaged_or_foreign_copy_is_none(empty, damage):
    """Cut off, changed though still JSON, or of someone else's making: the file is read again, and copied again."""
    plain.kept("text", lambda: DATA)
    (copy,) = copies(empty)
    copy.write_bytes(damage(copy.read_bytes()))

    assert plain.kept("text", lambda: DATA) == DATA
    assert plain.kept("text", refuse) == DATA


@pytest.mark.parametrize("text", ["day: 2026-01-01", "1: one", "true: yes", "x: .nan", "a: &a [*a]", "x: !!set {a, b}"])
def test_what_json_cannot_say_is_not_copied(empty, text):
    """Dates, keys that are no text, NaN, a list that holds itself, a set: read each time, rightly."""
    data = yaml.safe_load(text)

    assert all(plain.kept(text, lambda: data) is data for _ in range(2))
    assert not empty.exists()


def test_every_file_of_the_bank_reads_the_same_from_its_copy(empty):
    """Against PyYAML itself; and each of them can be copied."""
    files = sorted(load.root().rglob("*.yaml"))
    for file in files:
        load.read(file)

    for file in files:
        text = file.read_text(encoding="utf-8")
        again = plain.kept(text, refuse)
        assert repr(again) == repr(yaml.safe_load(text)), file
    assert len(copies(empty)) == len(files)


def test_a_bank_folder_of_a_course_is_not_copied(empty, tmp_path):
    """Only our own files are known to be in order."""
    file = tmp_path / "theirs.yaml"
    file.write_text("a: 1")

    assert load.read(file) == {"a": 1}
    assert not empty.exists()
