"""What cannot be used gets a clear sentence: file, line, what was read, what is wanted, exit 2, in both languages."""

import os
import re

import pytest

from grader import cli
from grader.bank import sets
from grader.give import Plan, write_set
from grader.model import Seed
from grader.worksheet import files

TOKEN = re.compile(r"(?m)^variant: (\S+)$")
HASH = re.compile(r"(?m)^(variant: \w+(?:@\w+)?)\.\w{8}")
BLOCK = re.compile(r"```answers\n.*?```\n", re.DOTALL)
TEMPLATE = """\
id: mine
title: {en: Mine, zh: 我的}
skill: scores
difficulty: 1
minutes: 4
pipeline: one_head
sizes: {n: 1, m: 1, d_k: 2}
draw:
  q: {shape: [n, d_k], low: LOW, high: 2}
  k: {shape: [m, d_k], low: -2, HIGH: 2}
statement: {en: "{{ show('Q', q) }}", zh: "{{ show('Q', q) }}"}
ask:
  - {name: s, step: scores, decimals: 0, points: 1}
hints: [{en: a, zh: b}, {en: c, zh: d}]
"""


@pytest.fixture(scope="module")
def sheet(tmp_path_factory):
    """The text of a filled-in worksheet."""
    folder = tmp_path_factory.mktemp("sheet")
    write_set(folder, Plan(sets.find("first_hour"), "en", lambda _, entry: Seed("0", entry.pin)))
    return (folder / "04_two_scores.md").read_text(encoding="utf-8")


def answers(sheet, text):
    """The worksheet with another block of answers."""
    return BLOCK.sub(lambda _: f"```answers\n{text}\n```\n", sheet)


def renamed(sheet, problem):
    """The worksheet of another problem, by its own word."""
    return sheet.replace("problem: two_scores", f"problem: {problem}")


def headed(sheet, line):
    """The worksheet with one line more in its head."""
    return sheet.replace("lang: en\n", f"lang: en\n{line}\n")


def line_of(text, part):
    """The line on which something stands last."""
    return max(number for number, line in enumerate(text.splitlines(), 1) if part in line)


WORKSHEETS = {
    "block missing": (lambda sheet: BLOCK.sub("", sheet), None, ["answers"]),
    "block doubled": (lambda sheet: sheet + "\n```answers\nweights: 1\n```\n", "```answers", []),
    "fence left open": (lambda sheet: sheet.replace("```\n\nCheck", "\nCheck"), "```answers", ["```"]),
    "unknown name": (lambda sheet: answers(sheet, "wieghts: [1, 2]"), "wieghts", ["wieghts", "weights"]),
    "name doubled": (lambda sheet: answers(sheet, "weights: 1\nweights: 2"), "weights: 2", ["weights"]),
    "text before a name": (lambda sheet: answers(sheet, "0.5, 0.5"), "0.5, 0.5", ["0.5, 0.5"]),
    "no front matter": (lambda sheet: sheet.partition("---\n\n")[2], "", ["---"]),
    "another variant": (lambda sheet: renamed(sheet, "dot_score"), None, ["two_scores", "dot_score"]),
    "unknown problem": (lambda sheet: renamed(sheet, "two_score"), None, ["two_score", "two_scores"]),
    "no variant": (lambda sheet: TOKEN.sub("", sheet), None, ["variant"]),
    "no token": (lambda sheet: TOKEN.sub("variant: 12", sheet), None, ["12"]),
    "another version": (lambda sheet: HASH.sub(r"\1.00000000", sheet), None, ["00000000"]),
    "huge": (lambda sheet: sheet + "x" * 2_000_000, None, ["2"]),
    "points without end": (lambda sheet: headed(sheet, "points: 1e999999999"), "points: 1e", ["1e999999999"]),
    "points too fine": (lambda sheet: headed(sheet, "points: 1e-999999999"), "points: 1e", ["1e-999999999"]),
    "points of many digits": (lambda sheet: headed(sheet, "points: " + "9" * 5000), "points: 9", ["999..."]),
    "binary": (lambda sheet: "\0" + sheet, None, []),
}  # fmt: skip


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_every_bad_worksheet_is_named_and_the_good_ones_are_marked(grade, tmp_path, sheet, lang):
    """All in one folder: each has its sentence with its line, none stops the others, exit 2."""
    names = {}
    for number, (what, (spoil, _, _)) in enumerate(WORKSHEETS.items(), 10):
        names[what] = tmp_path / f"{number}_{what.replace(' ', '_')}.md"
        names[what].write_text(spoil(sheet), encoding="utf-8")
    (tmp_path / "99_good.md").write_text(sheet, encoding="utf-8")

    run = grade(".", "--json")
    shown = grade(".", "--lang", lang)

    assert run.code == shown.code == 2
    found = {problem["file"]: problem for problem in run.json["problems"]}
    assert found["99_good.md"]["status"] == "blank"
    text = shown.out.replace("\n    ", "" if lang == "zh" else " ")
    for what, (spoil, at, said) in WORKSHEETS.items():
        problem = found[names[what].name]
        assert problem["status"] == "unreadable", what
        message = problem["message"][lang]
        assert all(part in message for part in said), message
        assert names[what].name in message
        if at:
            assert str(line_of(spoil(sheet), at)) in message, message
        assert names[what].name in text
    assert "Traceback" not in shown.out + shown.err


@pytest.mark.parametrize("encoding", ["utf-8-sig", "gb18030", "utf-16"])
def test_other_encodings_are_read(grade, tmp_path, encoding):
    """A worksheet in Chinese, saved as people's editors do."""
    assert grade("make", "first_hour", "--out", tmp_path / "zh", "--lang", "zh").code == 0
    file = tmp_path / "zh" / "04_two_scores.md"
    file.write_bytes(file.read_text(encoding="utf-8").encode(encoding))

    run = grade(file, "--json")

    assert (run.code, run.json["problems"][0]["status"]) == (1, "blank")


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_brackets_left_open_are_said_at_their_blank_and_cost_no_try(grade, tmp_path, sheet, lang):
    """The file as a whole is fine: exit 1, and the line is named."""
    file = tmp_path / "01_two_scores.md"
    file.write_text(answers(sheet, "weights: [0.5, 0.5"), encoding="utf-8")

    run, shown = grade(file, "--json"), grade(file, "--lang", lang)

    assert run.code == shown.code == 1
    [step] = [one for one in run.json["problems"][0]["steps"] if one["step"] == "weights"]
    assert step["status"] == "unreadable"
    assert "[" in step["findings"][0]["message"][lang]


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_paths_that_lead_nowhere(grade, tmp_path, sheet, lang):
    """A file that is not there with the nearest that is, another kind of file, an empty folder."""
    (tmp_path / "01_two_scores.md").write_text(sheet, encoding="utf-8")
    (tmp_path / "notes.txt").write_text("x", encoding="utf-8")
    (tmp_path / "empty").mkdir()

    for name, said in (("01_two_score.md", "01_two_scores.md"), ("notes.txt", ".txt"), ("empty", "empty")):
        run = grade(tmp_path / name, "--lang", lang)
        assert run.code == 2
        assert said in run.out + run.err
        assert "Traceback" not in run.err


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_a_template_with_faults_says_all_of_them(grade, tmp_path, lang):
    """When it is checked and when it is given out: file, line, column, what was read, the nearest."""
    (tmp_path / "mine.yaml").write_text(TEMPLATE.replace("LOW", "two").replace("HIGH", "hihg"), encoding="utf-8")
    (tmp_path / "set.yml").write_text("title: {en: T, zh: 题}\nproblems: [mine]\n", encoding="utf-8")

    checked = grade("bank", "check", "mine", "--bank", ".", "--seeds", "2", "--lang", lang)
    given = grade("start", "here", "--set", "set.yml", "--bank", ".", "--lang", lang)

    for run in (checked, given):
        assert run.code == 2
        assert "mine.yaml:9:" in run.err
        assert "two" in run.err
        assert "mine.yaml:10:" in run.err
        assert "hihg" in run.err
        assert "Traceback" not in run.err
    assert not (tmp_path / "here").exists()


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_a_template_that_cannot_be_fair_is_refused(grade, tmp_path, lang):
    """Its file is named, and nothing is written."""
    unfair = TEMPLATE.replace("LOW", "0").replace("high: 2", "high: 0").replace("HIGH", "high")
    (tmp_path / "mine.yaml").write_text(unfair, encoding="utf-8")
    (tmp_path / "set.yml").write_text("title: {en: T, zh: 题}\nproblems: [mine]\n", encoding="utf-8")

    checked = grade("bank", "check", "mine", "--bank", ".", "--seeds", "1", "--lang", lang)
    given = grade("start", "here", "--set", "set.yml", "--bank", ".", "--lang", lang)

    assert checked.code == given.code == 2
    assert "mine.yaml" in checked.err
    assert "mine.yaml" in given.err
    assert not (tmp_path / "here").exists()


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize(
    ("arguments", "near"),
    [
        (["check", "a.py", "--exercise", "atention"], "attention"),
        (["start", "x", "--set", "self_studi"], "self_study"),
        (["make", "first_houre", "--out", "x"], "first_hour"),
        (["bank", "check", "dot_scor"], "dot_score"),
        (["explain", "mask_ignore"], "mask_ignored"),
        (["chek", "a.py"], "check"),
    ],
)
def test_an_unknown_name_gets_the_nearest(grade, tmp_path, arguments, near, lang):
    """Exercises, sets, problems, mistakes and commands."""
    (tmp_path / "a.py").write_text("x = 1\n", encoding="utf-8")

    run = grade(*arguments, LC_ALL="zh_CN.UTF-8" if lang == "zh" else "C.UTF-8")

    assert run.code == 2
    assert near in run.out + run.err
    assert "Traceback" not in run.err


def test_output_that_cannot_be_written_is_said(grade, tmp_path):
    """A folder that is not there, a file where a folder should be."""
    assert grade("make", "first_hour", "--roster", "r.csv", "--out", "c").code == 2
    (tmp_path / "r.csv").write_text("id\n1\n", encoding="utf-8")
    assert grade("make", "first_hour", "--roster", "r.csv", "--out", "c").code == 0

    run = grade("c", "--csv", "nowhere/marks.csv")

    assert run.code == 2
    assert "nowhere/marks.csv" in run.err
    assert "Traceback" not in run.err
    assert grade("start", "r.csv").code == 2


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_a_file_that_may_not_be_read_is_told_like_one_in_a_folder(tmp_path, sheet, lang, monkeypatch, capsys):
    """With our own sentence, not with how the command is typed."""
    path = tmp_path / "04_two_scores.md"
    path.write_text(sheet, encoding="utf-8")

    def refuse(*_arguments, **_named):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(os, "access", lambda *_: False)  # also for those whom nothing is refused
    monkeypatch.setattr(files.os, "open", refuse)

    assert cli.cli.main(["check", str(path), "--lang", lang], standalone_mode=False) == 2
    said = capsys.readouterr()
    assert {"en": "could not be opened", "zh": "无法打开"}[lang] in said.out
    assert "Usage" not in said.out + said.err
