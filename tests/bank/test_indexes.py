"""Indexes of mistakes are made once and kept."""

import numpy as np
import pytest

from grader.bank import indexes
from grader.judge.index import Index


@pytest.fixture
def empty(tmp_path, monkeypatch):
    """A cache folder of its own, and nothing remembered in the process."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(indexes, "_here", {})
    return tmp_path / "attention-grader"


def made(count=1):
    """A small index."""
    rows = np.arange(3 * count, dtype=np.int16).reshape(-1, 3)
    return Index(("2x2",), np.array([0, count]), np.zeros((count, 2)), rows)


def refuse():
    """A second making would be a fault."""
    raise AssertionError


def test_it_is_made_once_and_kept_on_disk(empty):
    """The second time it comes from the file, even in another process."""
    indexes.index("key", made)
    indexes._here.clear()

    again = indexes.index("key", refuse)

    assert again.kinds == ("2x2",)
    assert [file.name for file in empty.iterdir()] == ["key.index"]


def test_another_key_is_another_index(empty):
    """The key holds the hash of all that the index was made from."""
    indexes.index("one", made)

    assert len(indexes.index("other", lambda: made(2)).members) == 2


def test_a_damaged_file_is_made_anew(empty):
    """A file that was cut off is replaced."""
    indexes.index("key", made)
    (empty / "key.index").write_bytes(b"half")
    indexes._here.clear()

    assert len(indexes.index("key", lambda: made(3)).members) == 3
    indexes._here.clear()
    assert len(indexes.index("key", refuse).members) == 3


def test_a_folder_that_cannot_be_written_to_costs_only_time(tmp_path, monkeypatch):
    """Made anew in each process, kept in this one."""
    place = tmp_path / "file"
    place.write_text("no folder")
    monkeypatch.setenv("XDG_CACHE_HOME", str(place))
    monkeypatch.setattr(indexes, "_here", {})

    indexes.index("key", made)

    assert indexes.index("key", refuse).kinds == ("2x2",)
