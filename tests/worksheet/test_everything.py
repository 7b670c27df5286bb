"""Whatever lies below a folder that was handed in."""

import pytest

from grader.worksheet.collect import everything

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
    """It may lead out, or round in a circle."""
    top = folder(**{"in/01_dot_score.md": SHEET})
    (top / "in" / "again").symlink_to(top)

    assert names(everything(top)) == (["01_dot_score.md"], [])


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("answers.docx", "file-kind"),
        ("Antworten.PDF", "file-kind"),
        ("photo of page 1.jpg", "file-kind"),
        ("answers.txt", "file-kind"),
        ("all.rar", "archive-kind"),
        ("sub/all.7z", "archive-kind"),
        ("all.tar.bz2", "archive-kind"),
    ],
)
def test_what_may_hold_answers_and_cannot_be_read_is_named(folder, name, code):
    """Whatever it is called: else its owner has no points and nobody knows why."""
    found = everything(folder(**{"01_dot_score.md": SHEET, name: b"PK\0"}))

    assert [file.path.name for file in found.files] == ["01_dot_score.md"]
    assert [(fault.code, fault.file.name) for fault in found.faults] == [(code, name.rpartition("/")[2])]


def test_answers_that_lost_their_head_are_named_whatever_the_file_is_called(folder):
    """They are no notes: somebody filled them in."""
    found = everything(folder(**{"mine.md": SHEET.partition("---\n\n")[2], "notes.md": "```python\nx = 1\n```\n"}))

    assert [(fault.code, fault.file.name) for fault in found.faults] == [("worksheet-no-front-matter", "mine.md")]
