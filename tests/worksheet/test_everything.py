"""Whatever lies below a folder that was handed in."""

import os

import pytest

from grader.worksheet.collect import collect, everything

SHEET = "---\nproblem: dot_score\nvariant: x\n---\n\n```answers\nscore: 1\n```\n"


@pytest.fixture
def folder(tmp_path):
    """A folder to put files into."""

    def put(**files):
        for name, content in files.items():
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return tmp_path

    return put


def names(submission):
    """The names of what was found, and of what cannot be used."""
    return [file.path.name for file in submission.files], [fault.file.name for fault in submission.faults]


def test_files_are_found_however_deep_and_the_top_comes_first(folder):
    """Archives bring folders of their own."""
    found = everything(folder(**{"b/c/d/01_dot_score.md": SHEET, "z.md": SHEET, "a/02_two.md": SHEET}))

    assert names(found) == (["z.md", "02_two.md", "01_dot_score.md"], [])


def test_what_computers_leave_behind_is_passed_over(folder):
    """Hidden files and folders, macOS's shadows, Python's caches."""
    found = everything(
        folder(**{
            ".grade/kept/01_dot_score.md": SHEET, "__MACOSX/._01_dot_score.md": b"\0", "__pycache__/01_a.py": "x",
            "._01_dot_score.md": b"\0", "README.md": "# Read", "01_dot_score.md": SHEET,
        })
    )  # fmt: skip

    assert names(found) == (["01_dot_score.md"], [])


def test_notes_and_helpers_are_no_exercises_unless_a_number_says_so(folder):
    """A number in front means that it was meant as one."""
    files = {
        "notes.md": "hello",
        "helper.py": "x = 1",
        "07_helper.py": "x = 1",
        "08_notes.md": "hello",
        "9.log": b"PK",
    }
    found = everything(folder(**files, **{"09_dot_score.docx": b"PK\0"}))

    assert names(found) == (["07_helper.py"], ["08_notes.md", "09_dot_score.docx"])


def test_what_cannot_be_read_is_named_even_without_a_number(folder):
    """It may have been an exercise."""
    found = everything(folder(**{"dot score.md": b"\0\1", "huge.md": b"x" * 2_000_000}))

    assert sorted(fault.code for fault in found.faults) == ["file-binary", "file-too-large"]


def test_a_link_to_a_folder_is_not_followed(folder, tmp_path):
    """It may lead out, or round in a circle; it is named, and so is a link in place of the whole folder."""
    top = folder(**{"in/01_dot_score.md": SHEET})
    (top / "in" / "again").symlink_to(top)
    found = everything(top)
    (top / "whole").symlink_to(top / "in")

    assert names(found) == (["01_dot_score.md"], ["again"])
    assert found.faults[0].code == "folder-link"
    assert [fault.code for fault in everything(top / "whole").faults] == ["folder-link"]


def test_folders_too_deep_are_named(folder):
    """Not passed over in silence."""
    found = everything(folder(**{"1/2/3/4/5/6/7/8/01_dot_score.md": SHEET, "a/b/c/d/e/f/g/h/i/01_dot_score.md": SHEET}))

    assert (names(found), found.faults[0].code) == ((["01_dot_score.md"], ["i"]), "folder-too-deep")


@pytest.mark.parametrize("name", ["my four.markdown", "my five", "sub/mine.log"])
def test_what_begins_as_an_exercise_is_named_whatever_it_is_called(folder, name):
    """A complete worksheet under a name of another kind is no nothing."""
    found = everything(folder(**{name: SHEET, "notes": "hello", "run.log": "# 12:00\nproblem found"}))

    assert [(fault.code, fault.file.name) for fault in found.faults] == [("file-kind", name.rpartition("/")[2])]


def test_a_second_name_of_a_file_is_refused(folder):
    """The other name of a hard link may stand in somebody else's folder; in one's own folder it is read."""
    top = folder(**{"a/01_dot_score.md": SHEET})
    (top / "b").mkdir()
    os.link(top / "a" / "01_dot_score.md", top / "b" / "01_dot_score.md")

    assert [fault.code for fault in everything(top / "b").faults] == ["file-hard-link"]
    assert [file.path.name for file in collect(top / "b").files] == ["01_dot_score.md"]
