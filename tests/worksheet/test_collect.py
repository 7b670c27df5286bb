"""Collecting files: a folder in order, whatever else lies there, and every bad file with its own reason."""

import os
from pathlib import Path

import pytest

from grader.errors import BadInput
from grader.worksheet.collect import collect, decode, find_file
from grader.worksheet.files import MAX_BYTES

SHEET = "---\nproblem: dot_score\nvariant: dot_score.1\nlang: zh\n---\n\n得分\n\n```answers\nscore: _\n```\n"
STUB = "# problem: scores\n# variant: scores.1\n\nimport numpy as np\n"


@pytest.fixture
def folder(tmp_path):
    """A folder with a worksheet, a stub, and what learners have beside them."""
    (tmp_path / "10_scores.py").write_text(STUB)
    (tmp_path / "02_dot_score.md").write_text(SHEET, encoding="utf-8")
    (tmp_path / "README.md").write_text("# Read me")
    (tmp_path / "notes.md").write_text("my notes")
    (tmp_path / "scratch.py").write_text("print(1)")
    (tmp_path / ".hidden.md").write_text(SHEET, encoding="utf-8")
    (tmp_path / ".grade").mkdir()
    (tmp_path / "03_more.md").mkdir()
    return tmp_path


def faults(submission):
    """Codes of the faults by file name."""
    return {fault.file.name: fault.code for fault in submission.faults}


def test_folder_in_order(folder):
    """Worksheets and stubs are collected by name; readmes, notes and hidden files are left alone."""
    first, second = collect(folder).files

    assert (first.kind, first.problem, first.token, first.lang) == ("worksheet", "dot_score", "dot_score.1", "zh")
    assert [raw.name for raw in first.answers] == ["score"]
    assert (second.kind, second.problem, second.token, second.lang) == ("function", "scores", "scores.1", None)
    assert second.source == STUB


def test_worksheet_without_a_number(folder):
    """A worksheet under another name counts if it names its problem."""
    (folder / "my copy.md").write_text(SHEET, encoding="utf-8")

    assert [file.path.name for file in collect(folder).files][-1] == "my copy.md"


@pytest.mark.parametrize(
    ("name", "content", "code"),
    [
        ("four.md", SHEET.encode().replace(b"score: _", b"score: \0"), "file-binary"),
        ("four.md", SHEET.encode("utf-16-le"), "file-binary"),
        ("four.md", SHEET.encode() + b"\xe9\xff\xff", "file-encoding"),
        ("four.md", SHEET.encode() + b"x" * MAX_BYTES, "file-too-large"),
        ("four.py", STUB.encode() + b"\0", "file-binary"),
        ("four.md", SHEET.encode().replace(b"```answers", b"```"), "worksheet-no-block"),
        ("four.md", SHEET.encode().partition(b"---\n\n")[2], "worksheet-no-front-matter"),
        ("my four.markdown", SHEET.encode(), "file-kind"),
        ("my five", SHEET.encode(), "file-kind"),
        ("my five.txt", STUB.encode(), "file-kind"),
    ],
)
def test_an_exercise_that_cannot_be_used_is_named_whatever_it_is_called(folder, name, content, code):
    """What begins as an exercise is never passed over."""
    (folder / name).write_bytes(content)

    assert faults(collect(folder)) == {name: code}


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("notes.md", b"\xe9\0 notes"),
        ("notes.md", b"---\ntitle: My notes\n---\n\ntext"),
        ("big.md", b"x" * 2 * MAX_BYTES),
        ("scratch.py", b"x = '\0'"),
        ("picture.png", b"\x89PNG\r\n\0"),
        ("notes.txt", b"# Notes\n\nproblems with softmax: none"),
        ("02_dot_score.md.bak", SHEET.encode()),
        ("02_dot_score.md~", SHEET.encode()),
        ("README", SHEET.encode()),
    ],
)
def test_what_is_no_exercise_is_passed_over_however_broken(folder, name, content):
    """Notes, pictures, helpers, and the copies that editors leave."""
    (folder / name).write_bytes(content)

    assert faults(collect(folder)) == {}


def test_a_link_that_cannot_be_followed_is_named(folder, tmp_path_factory):
    """It leads out of the folder, or to nothing: what it holds cannot be told."""
    outside = tmp_path_factory.mktemp("outside") / "sheet.md"
    outside.write_text(SHEET, encoding="utf-8")
    (folder / "out.md").symlink_to(outside)
    (folder / "lost.md").symlink_to(folder / "nowhere.md")

    assert faults(collect(folder)) == {"out.md": "file-link", "lost.md": "file-link-lost"}


def test_a_folder_with_nothing_but_a_broken_exercise_is_not_called_empty(tmp_path):
    """The reason is said."""
    (tmp_path / "mine.md").write_bytes(SHEET.encode("utf-16-le"))

    assert faults(collect(tmp_path)) == {"mine.md": "file-binary"}


def test_single_file(folder):
    """One file is collected alone, a Python file even if it names no problem."""
    (file,) = collect(folder / "scratch.py").files

    assert file.problem is None


def test_code_that_does_not_parse(tmp_path):
    """A stub with a syntax error is collected: running it will say so."""
    (tmp_path / "01_scores.py").write_text(STUB + "def scores(:\n")

    assert collect(tmp_path).files[0].problem == "scores"


def test_one_bad_file_stops_no_other(folder):
    """Each bad file is a fault of its own, in order, and the rest is read."""
    (folder / "04_binary.md").write_bytes(b"PK\x03\x04\x00\x00")
    (folder / "05_huge.md").write_bytes(b"a" * (MAX_BYTES + 1))
    (folder / "06_plain.md").write_text("no front matter")
    (folder / "07_link.md").symlink_to(folder / "nowhere.md")
    os.mkfifo(folder / "08_pipe.py")
    (folder / "09_bytes.md").write_bytes(b"\xff\xff\xff")
    submission = collect(folder)

    assert len(submission.files) == 2
    assert faults(submission) == {
        "04_binary.md": "file-binary",
        "05_huge.md": "file-too-large",
        "06_plain.md": "worksheet-no-front-matter",
        "07_link.md": "file-link-lost",
        "08_pipe.py": "file-not-regular",
        "09_bytes.md": "file-encoding",
    }


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_no_permission(folder):
    """A file that may not be read is a fault."""
    (folder / "02_dot_score.md").chmod(0)

    assert faults(collect(folder)) == {"02_dot_score.md": "file-unreadable"}


def test_unreadable_file(folder, monkeypatch):
    """A file that the system will not give is a fault with the system's reason."""

    def refuse(*_):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(os, "open", refuse)
    submission = collect(folder)

    assert not submission.files
    assert {fault.numbers["reason"] for fault in submission.faults} == {"Permission denied"}


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "gb18030"])
@pytest.mark.parametrize("name", ["01_a.md", "01_a.py"])
def test_encodings(encoding, name):
    """Text is read in the encodings that editors write."""
    text = "# 注意力权重\n"

    assert decode(text.encode(encoding), Path(name)) == text


def test_declared_encoding():
    """A Python file may declare its encoding."""
    text = "# -*- coding: latin-1 -*-\n# é\n"

    assert decode(text.encode("latin-1"), Path("a.py")) == text


@pytest.mark.parametrize("cookie", ["nonsense", "undefined", "punycode"])
def test_declared_nonsense(cookie):
    """A declared encoding that does not exist is passed over."""
    text = f"# coding: {cookie}\nx = 1\n"

    assert decode(text.encode(), Path("a.py")) == text


def test_empty_folder(tmp_path):
    """A folder without exercises is an error, not an empty success."""
    (tmp_path / "notes.md").write_text("my notes")
    with pytest.raises(BadInput) as caught:
        collect(tmp_path)

    assert caught.value.code == "folder-empty"


@pytest.mark.parametrize(
    ("name", "code"), [("02_dot_scor.md", "file-missing-near"), ("zzz", "file-missing"), ("data.csv", "file-kind")]
)
def test_no_such_file(folder, name, code):
    """A path that leads nowhere, or to another kind of file, is an error, with the nearest name."""
    (folder / "data.csv").write_text("1,2")
    with pytest.raises(BadInput) as caught:
        collect(folder / name)

    assert caught.value.code == code


def test_name_too_long(tmp_path):
    """A path that the system refuses is an error with the system's reason."""
    with pytest.raises(BadInput) as caught:
        collect(tmp_path / ("a" * 1000 + ".md"))

    assert caught.value.code == "file-unreadable"


@pytest.mark.parametrize("wanted", ["2", "02", "dot_score", "02_dot_score", "02_dot_score.md"])
def test_find_file(folder, wanted):
    """An exercise is found by its number, its id or its file name."""
    (folder / "03_more.md").rmdir()

    assert find_file(folder, wanted).name == "02_dot_score.md"


@pytest.mark.parametrize(("wanted", "near"), [("dot_scor", "dot_score"), ("02_dot_score.txt", "02_dot_score")])
def test_find_file_suggests(folder, wanted, near):
    """A name that is nearly right gets a suggestion."""
    with pytest.raises(BadInput) as caught:
        find_file(folder, wanted)

    assert caught.value.code == "exercise-missing-near"
    assert caught.value.numbers["near"] == near


def test_find_file_fails(folder, tmp_path):
    """A number that is not there is an error that says which are; so is a folder without any."""
    with pytest.raises(BadInput) as caught:
        find_file(folder, "77")

    assert caught.value.code == "exercise-missing-number"
    assert caught.value.numbers["first"] <= caught.value.numbers["last"] < 77

    (tmp_path / "bare").mkdir()
    with pytest.raises(BadInput) as caught:
        find_file(tmp_path / "bare", "1")

    assert caught.value.code == "folder-empty"
