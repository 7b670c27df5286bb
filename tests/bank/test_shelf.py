"""What was worked out once is kept in the cache folder; without one everything still works."""

import pytest

from grader.bank import shelf


@pytest.fixture
def empty(tmp_path, monkeypatch):
    """A cache folder of its own."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    return tmp_path / "attention-grader"


def test_what_is_put_is_got(empty):
    """Under its own name, and nothing lies beside it."""
    assert shelf.get("one.kind") is None

    shelf.put("one.kind", b"data")

    assert shelf.get("one.kind") == b"data"
    assert [file.name for file in empty.iterdir()] == ["one.kind"]


def test_a_folder_that_cannot_be_written_to_keeps_nothing(tmp_path, monkeypatch):
    """A file stands where the folder would be: nothing is kept, nothing is said."""
    place = tmp_path / "file"
    place.write_text("no folder")
    monkeypatch.setenv("XDG_CACHE_HOME", str(place))

    shelf.put("one.kind", b"data")

    assert shelf.get("one.kind") is None


@pytest.mark.parametrize("value", ["rel", "./rel", ""])
def test_a_relative_cache_folder_counts_as_not_set(tmp_path, monkeypatch, value):
    """As the XDG specification says; nothing appears in the folder where one works."""
    (tmp_path / "home").mkdir()
    (tmp_path / "work").mkdir()
    monkeypatch.chdir(tmp_path / "work")
    monkeypatch.setenv("XDG_CACHE_HOME", value)
    monkeypatch.delenv("LOCALAPPDATA", raising=False)
    monkeypatch.setattr(shelf.Path, "home", lambda: tmp_path / "home")

    shelf.put("one.kind", b"data")

    assert list((tmp_path / "work").iterdir()) == []
    assert (tmp_path / "home" / ".cache" / "attention-grader" / "one.kind").read_bytes() == b"data"


def test_whoever_has_no_home_has_no_folder(monkeypatch):
    """As in some containers: nothing is kept, nothing is said."""
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.delenv("LOCALAPPDATA", raising=False)

    def homeless():
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.setattr(shelf.Path, "home", homeless)

    shelf.put("one.kind", b"data")

    assert shelf.get("one.kind") is None


def test_old_files_are_put_away(empty, monkeypatch):
    """The folder does not grow for ever; each kind has a limit of its own."""
    monkeypatch.setattr(shelf, "MOST_FILES", 3)
    shelf.put("one.other", b"")
    for number in range(6):
        shelf.put(f"{number}.kind", b"")

    assert len(list(empty.glob("*.kind"))) == 3
    assert shelf.get("one.other") == b""
