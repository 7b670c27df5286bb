"""What hostile files say is shown harmlessly: in the terminal, as JSON, and in a table for a spreadsheet."""

import csv
import json

import pytest

NAMES = ["\x1b[2Jann", "=cmd|' C calc'!A0", "\u202egnp.bob", "+1+1", "@sum", "-2+3", "a\tb", "＝1", "\r=1", "\n=2"]
TEXT = (
    "\x1b]0;owned\x07\x1b[31m \u202etxt.\u2066exe \x9b8m \x08\x00 =cmd() <script>alert(1)</script> **x** [a](http://b)"
)
CODE = f"""# problem: softmax
def softmax(x):
    print({TEXT!r})
    raise ValueError({TEXT!r})  # \u202e \x1b[8m
"""
SHEETS = {
    "01_softmax.py": CODE,
    "02_dot_score.py": "# problem: softmax\x1b[2J\n# variant: \u202e=1\n",
    "03_\x1b[2J\u202e.md": "---\nproblem: \x1b]0;x\x07\nvariant: =cmd()\n---\n\n```answers\nscore: 1\n```\n",
    "04_dot_score.md": f"---\nproblem: dot_score\nvariant: {TEXT}\n---\n\n```answers\nscore: {TEXT}\n```\n",
    "05_dot_score.md": "---\nproblem: dot_score\n---\n\n```answers\n\x1b[2J\u202e: 1\n```\n",
    "=06.md": "---\nproblem: =cmd()\n---\n\n```answers\nscore: 1\n```\n",
    "07_scores.py": "# problem: scores\nimport \u202e\ndef scores(Q, K): return 1\n",
    "08_scores.py": "# problem: scores\ndef scores(Q, K): return type('\x1b[2J\u202e', (), {})()\n",
}


def steers(text):
    """The characters of a text that steer a terminal or turn the direction of writing."""
    return {letter for letter in text if not letter.isprintable() and letter != "\n"}


@pytest.fixture
def students(tmp_path):
    """Students whose names and files are all hostile."""
    for name in NAMES:
        folder = tmp_path / "class" / name
        folder.mkdir(parents=True)
        for file, text in SHEETS.items():
            (folder / file).write_text(text, encoding="utf-8", errors="surrogateescape")
    return tmp_path / "class"


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_nothing_steers_the_terminal(grade, students, lang):
    """Folders, files, names, tokens, answers, prints and errors are spelled out where they could do harm."""
    for path in (students / NAMES[0], students / NAMES[0] / "01_softmax.py"):
        run = grade(path, "--lang", lang)
        assert run.code in {1, 2}, run.err
        assert steers(run.out + run.err) == set()
    run = grade(students, "--class", "--lang", lang)
    assert steers(run.out + run.err) == set()


def test_json_is_plain_and_harmless(grade, students):
    """The object is ASCII, and its strings steer nothing once they are read."""
    run = grade(students, "--class", "--json")
    assert run.out.isascii()
    assert steers("".join(strings(json.loads(run.out)))) == set()


def strings(value):
    """Every string of an object, keys too."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, item in value.items():
            yield key
            yield from strings(item)
    elif isinstance(value, list):
        for item in value:
            yield from strings(item)


def test_a_spreadsheet_runs_nothing(grade, students, tmp_path):
    """No cell of the table is a formula, and none steers whoever prints it."""
    run = grade(students, "--class", "--csv", tmp_path / "marks.csv")
    assert (tmp_path / "marks.csv").exists(), run.err
    with (tmp_path / "marks.csv").open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.reader(file))
    assert len(rows) == 1 + len(NAMES)
    cells = [cell for row in rows for cell in row]
    assert not [cell for cell in cells if cell.lstrip().startswith(("=", "+", "-", "@", "＝", "＋", "－", "＠", "\t"))]
    assert steers("".join(cells)) == set()
