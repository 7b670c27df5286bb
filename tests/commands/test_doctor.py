"""`grade doctor`, and who is refused where nothing holds their code."""

import pytest

from grader.bank import words
from grader.commands import doctor as command
from grader.commands.session import Session
from grader.sandbox import command as starting
from grader.sandbox import doctor
from grader.show.terminal.layout import measure
from tests.conftest import ROOT
from tests.filled import RIGHT as RIGHT_FILE

RIGHT = RIGHT_FILE.read_text(encoding="utf-8")
COUNTING = RIGHT.replace("def softmax(x):\n", "calls = []\ndef softmax(x):\n    calls.append(1)\n", 1).replace(
    "return e /", "return len(calls) * e /", 1
)


def test_everything_is_tried_and_holds(grade):
    """Where all walls stand every line holds, and the exit code is 0."""
    run = grade("doctor", "--plain")
    if run.code:
        pytest.skip("not all walls on this machine")
    lines = [line for line in run.out.splitlines() if line.startswith("Holds:")]
    assert len(lines) == len(doctor.ALONE) + len(doctor.GROUPS) + len(doctor.LIMITED) >= 12
    assert "Missing" not in run.out


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_no_line_is_wider_than_the_terminal(grade, lang):
    """However long the machine's name is."""
    out = grade("doctor", "--lang", lang).out
    assert max(measure(line) for line in out.splitlines()) <= 80


def test_it_speaks_chinese(grade):
    """The same in Chinese."""
    run = grade("doctor", "--lang", "zh")
    assert "命名空间" in run.out
    assert "seccomp: only" not in run.out


def test_what_is_missing_is_said_with_what_to_do(monkeypatch, capsys):
    """Without walls every wall is missing, each with its advice, and the exit code is 1; the limits still hold."""
    monkeypatch.setattr(doctor, "Setting", lambda _walls: starting.Setting(walls=()))
    assert command.look(Session(asked="en", plain=True)) == 1
    said = capsys.readouterr().out
    for line in ("Missing: seccomp", "Missing: files", "Holds: time", "Holds: memory", "Holds: answers"):
        assert line in said
    assert "--unsafe" in said


def test_a_server_that_does_not_start_is_all_missing(monkeypatch, capsys):
    """If nothing can be run, nothing holds, and doctor says so instead of failing."""
    monkeypatch.setattr(starting, "SCRIPT", starting.SCRIPT.with_name("nothing.py"))
    assert command.look(Session(asked="en", plain=True)) == 1
    assert "Holds:" not in capsys.readouterr().out


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_every_check_and_every_advice_has_a_sentence(lang):
    """No code is shown where a sentence should stand."""
    sentences = words.load().sentences
    codes = [*doctor.ALONE, *doctor.GROUPS, *doctor.LIMITED, "machine", "holds", "missing", "well"]
    advice = [*doctor.ALONE, "closed", "limits", "macos", "windows", "linux", "machine"]
    for code in (*codes, *(f"advice-{one}" for one in advice)):
        assert getattr(sentences[f"doctor-{code}"], lang)


# --- who is refused ----------------------------------------------------------------------------------------------


@pytest.fixture
def students(tmp_path):
    """Two students' folders, each with a function."""
    for name in ("ann", "bob"):
        (tmp_path / "class" / name).mkdir(parents=True)
        (tmp_path / "class" / name / "01_softmax.py").write_text(f"# problem: softmax\n{RIGHT}", encoding="utf-8")
    return tmp_path / "class"


@pytest.fixture
def no_walls(tmp_path):
    """The environment of a machine without walls: a module that takes them down, loaded before everything."""
    (tmp_path / "sitecustomize.py").write_text(
        "import grader.sandbox.command as c\nc.Setting.__new__.__defaults__ = ((), ())\n"
    )
    return {"PYTHONPATH": f"{tmp_path}:{ROOT}"}


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_class_is_refused_without_walls(grade, students, no_walls, jobs):
    """Other people's code is not run where nothing holds it: exit 2, one sentence, and nothing was marked."""
    run = grade(students, "--class", "--jobs", jobs, **no_walls)
    assert run.code == 2
    assert "--unsafe" in run.err
    assert "grade doctor" in run.err
    assert "ann" not in run.out


def test_unsafe_is_obeyed_and_said(grade, students, no_walls):
    """Whoever types `--unsafe` gets marks, and a word on what that means."""
    run = grade(students, "--class", "--unsafe", "--json", **no_walls)
    assert run.json["isolation"] == "limits"
    assert all(student["points"] > 0 for student in run.json["students"])
    assert "limits" in run.err


def test_ones_own_exercises_run_without_walls(grade, students, no_walls):
    """A learner on a machine without walls is served, and the report says what held the code."""
    run = grade(students / "ann", "--json", **no_walls)
    assert run.code == 0
    assert run.json["isolation"] == "limits"
    assert "limits" in run.err


def test_a_class_is_marked_behind_walls(grade, students):
    """Where the walls stand a class is marked, by several processes as by one."""
    one, two = (grade(students, "--class", "--json", "--jobs", jobs) for jobs in (1, 2))
    assert one.code == two.code == 0
    assert one.json == two.json
    assert one.json["isolation"].startswith("seccomp")
    assert not one.err


def test_a_process_for_each_case(grade, tmp_path):
    """`--isolation case` gives every case a process of its own."""
    file = tmp_path / "01_softmax.py"
    file.write_text(f"# problem: softmax\n{COUNTING}", encoding="utf-8")
    assert grade(file, "--json").code == 1
    assert grade(file, "--json", "--isolation", "case").json["points"] > grade(file, "--json").json["points"]


def test_state_between_cases_is_told(grade, tmp_path):
    """A result that only earlier calls make wrong is named as that."""
    file = tmp_path / "01_softmax.py"
    file.write_text(f"# problem: softmax\n{COUNTING}", encoding="utf-8")
    run = grade(file, "--json")
    assert "right-when-alone" in {finding["code"] for finding in run.json["problems"][0]["steps"][0]["findings"]}
    assert "earlier calls" in grade(file).out


def test_a_module_can_be_allowed(grade, tmp_path):
    """`--allow` names a module of this environment; one that is not installed is an error of the command."""
    file = tmp_path / "01_softmax.py"
    file.write_text(f"# problem: softmax\nimport click\n{RIGHT}", encoding="utf-8")
    plain = grade(file, "--json")
    assert plain.json["problems"][0]["steps"][0]["findings"][0]["code"] == "import-error"
    assert grade(file, "--json", "--allow", "click").code == 0
    missing = grade(file, "--allow", "nothing_like_this")
    assert missing.code == 2
    assert "nothing_like_this" in missing.out + missing.err


def test_a_neighbour_is_never_imported(grade, tmp_path):
    """A `numpy.py` or `conftest.py` beside the file, or where the command is typed, is not run by anyone."""
    for name in ("numpy", "conftest", "click", "yaml"):
        (tmp_path / f"{name}.py").write_text(f"open({str(tmp_path / 'ran')!r}, 'w')\nraise SystemExit(0)\n")
    file = tmp_path / "01_softmax.py"
    file.write_text(f"# problem: softmax\n{RIGHT}", encoding="utf-8")
    run = grade(file, "--json")
    assert run.code == 0, run.err
    assert not (tmp_path / "ran").exists()
