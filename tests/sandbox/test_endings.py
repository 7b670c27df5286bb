"""How a run ends: every ending by its name, with its facts, both from running code and as a finding's sentence."""

import re
import string
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import yaml

from grader.model import Frame, Limits, Outcome
from grader.sandbox import endings
from grader.sandbox.box import Death
from grader.sandbox.endings import died, finding
from grader.sandbox.inside.wire import MAX_FRAMES, MAX_NAME, MAX_TEXT
from tests.patience import no_hang

ROOT = Path(__file__).parents[2]
WORDS = yaml.safe_load((ROOT / "problem_bank/words/sandbox.yaml").read_text(encoding="utf-8"))
SMALL = Limits(wall=0.5, cpu=5.0, memory=128)
NARROW = Limits(wall=20.0, cpu=20.0, memory=128)


def places(sentence):
    """The placeholders of a sentence."""
    return {name for _, name, _, _ in string.Formatter().parse(sentence) if name}


def say(outcome, function="f"):
    """The finding's code, after checking that both of its sentences can be filled."""
    found = finding(outcome, function)
    for lang in ("en", "zh"):
        assert "{" not in WORDS[found.code][lang].format(**found.numbers)
    return found


# --- from running code -------------------------------------------------------------------------------------------


def test_a_stub_is_not_written_yet(ending):
    """The stub's own NotImplementedError is no crash: it is not written, and the line is known."""
    outcome = ending("def f(x):\n    '''Write me.'''\n    raise NotImplementedError\n")
    assert (outcome.ending, outcome.line) == ("not-written", 3)
    found = say(outcome)
    assert (found.code, found.line) == ("not-written-at-line", 3)
    assert found.numbers["source"] == "raise NotImplementedError"


def test_a_function_that_needs_a_stub_names_the_stub(ending):
    """When the function is written but calls one that is not, that one is named."""
    found = say(ending("def g(x):\n    raise NotImplementedError\ndef f(x):\n    return g(x)\n"))
    assert (found.code, found.numbers["name"]) == ("not-written-other", "g")


def test_an_empty_body_returns_none(ending):
    """`...` and `pass` give None: a return is missing."""
    for body in ("...", "pass", "x * 2"):
        assert say(ending(f"def f(x):\n    {body}\n")).code == "wrong-return-none"


@pytest.mark.parametrize(
    ("source", "line", "error"),
    [
        ("def f(x)\n    return x\n", 1, "SyntaxError"),
        ("def f(x):\nreturn x\n", 2, "IndentationError"),
        ("def f(x):\n    if x:\n\treturn x\n", 3, "TabError"),
        ("x = 1\ndef f(x):\n    return x +\n", 3, "SyntaxError"),
        ("def f(x):\n    return (x\n", 2, "SyntaxError"),
        ("def f(x):\n    y = 'open\n", 2, "SyntaxError"),
        ("def f(x):\n    return x，1\n", 2, "SyntaxError"),
        ("def f(x):\n    return softmax(x = )\n", 2, "SyntaxError"),
        ("return 5\n", 1, "SyntaxError"),
        ("def f(x):\n    print 'x'\n", 2, "SyntaxError"),
    ],
)
def test_a_syntax_error_has_its_line_and_text(forking, source, line, error):
    """What Python cannot read is told with the line, its text and Python's own message."""
    (outcome,) = forking.run(source, Path("f.py"), "f", [(np.eye(2),)], 1)
    assert (outcome.ending, outcome.line, outcome.error) == ("syntax-error", line, error)
    assert outcome.message
    assert outcome.frames[0].source.strip() == source.splitlines()[line - 1].strip()
    assert say(outcome).code in {"syntax-error-at-line", "syntax-error-before-at-line"}


@pytest.mark.parametrize(
    ("source", "code"),
    [
        ("def f(x):\n    y = (1, 2))\n    return y\n", "syntax-error-before-at-line"),
        ("def f(x):\n    y = x\n      return y\n", "syntax-error-before-at-line"),
        ("def f(x):\n    （\n    return x\n", "syntax-error-at-line"),
        ("def f(x)\n    return x\n", "syntax-error-at-line"),
        ("def f(x):\n    y = 'open\n", "syntax-error-at-line"),
    ],
)
def test_the_line_before_is_spoken_of_only_where_it_may_be_to_blame(forking, source, code):
    """A sign that Python does not know, or a missing colon, is on the line that is shown."""
    (outcome,) = forking.run(source, Path("f.py"), "f", [(np.eye(2),)], 1)

    assert say(outcome).code == code


def test_a_parser_that_gives_up_without_a_word_is_told_in_ours(forking):
    """Too many signs in a row: Python has no message then, and a sentence without one would say nothing."""
    (outcome,) = forking.run("-" * 100_000, Path("f.py"), "f", [(np.eye(2),)], 1)

    assert (outcome.ending, outcome.message) == ("syntax-error", "")
    assert say(outcome).code == "syntax-error-nested"


@pytest.mark.parametrize("source", ["x = 1\0\n", "(" * 5000, "x = " + "-" * 200_000 + "1", "\ud800 = 1"])
def test_what_no_parser_takes_is_a_syntax_error(forking, source):
    """Null bytes, nesting beyond the parser and half characters are faults of the file, told without a crash."""
    (outcome,) = forking.run(source, Path("f.py"), "f", [(np.eye(2),)], 1)
    assert outcome.ending == "syntax-error"
    assert say(outcome).code in {"syntax-error", "syntax-error-at-line", "syntax-error-nested"}


def test_marks_and_line_ends_of_other_systems_are_no_errors(forking):
    """A byte order mark and Windows line ends are read, and the lines still count right."""
    (outcome,) = forking.run("\ufeffdef f(x):\r\n    y = x\r\n    return y / z\r\n", Path("f.py"), "f", [(1,)], 1)
    assert (outcome.error, outcome.line, outcome.frames[-1].source) == ("NameError", 3, "return y / z")


def test_a_missing_module_is_named(ending):
    """An import that fails at the top, or inside the function, names the module."""
    for source in ("import torch\ndef f(x): return x", "def f(x):\n    import torch.nn\n    return x"):
        outcome = ending(source)
        assert (outcome.ending, outcome.near) == ("import-error", "torch")
        assert say(outcome).numbers["module"] == "torch"


def test_a_missing_name_in_a_module_is_told(ending):
    """`from numpy import softmax` says what Python says."""
    found = say(ending("from numpy import softmax\ndef f(x): return x"))
    assert found.code == "import-error-name"
    assert "softmax" in found.numbers["message"]


@pytest.mark.parametrize(
    ("there", "near"),
    [
        ("def Softmax_Row(x): return x", "Softmax_Row"),
        ("def softmax_rows(x): return x", "softmax_rows"),
        ("def softmaxrow(x): return x\ndef softmax(x): return x", "softmaxrow"),
        ("def my_answer(x): return x", "my_answer"),
        ("class Solution:\n    def softmax_row(self, x): return x", "Solution.softmax_row"),
        ("import numpy as np\nfrom math import sqrt", None),
        ("def one(x): return x\ndef two(x): return x", None),
        ("", None),
    ],
)
def test_a_missing_function_with_the_nearest_name(ending, there, near):
    """A function that is not there is told with what was probably meant."""
    outcome = ending(there, function="softmax_row")
    assert (outcome.ending, outcome.near) == ("missing-function", near)
    assert say(outcome, "softmax_row").code == ("missing-function-near" if near else "missing-function")


def test_a_name_that_is_no_function(ending):
    """The name exists but holds a value: that is said, with the value's type."""
    found = say(ending("def f(x): return x\nf = f(3)"))
    assert (found.code, found.numbers["what"]) == ("missing-function-not-callable", "int")


def test_a_class_in_place_of_the_function(ending):
    """What cannot be made with the exercise's parameters is told as a class, not as a wrong number of arguments."""
    found = say(ending("class f:\n    def __init__(self): pass\n    def forward(self, x): return x"))
    assert (found.code, found.numbers["function"]) == ("missing-function-class", "f")


def test_an_error_inside_a_class_is_its_own(ending):
    """A class that takes the parameters and then stops has the line where it stops."""
    outcome = ending("class f:\n    def __init__(self, x):\n        self.y = x + None")
    assert (outcome.ending, outcome.error, outcome.line) == ("exception", "TypeError", 3)


def test_an_array_asked_for_its_truth_is_told_how_to_ask_for_none(ending):
    """`if mask:` is meant as a question whether there is a mask."""
    outcome = ending("import numpy as np\ndef f(x):\n    if np.eye(2): return x")
    found = say(outcome)
    assert found.code == "exception-truth-at-line"
    assert all("`is not None`" in WORDS[found.code][lang] for lang in ("en", "zh"))


@pytest.mark.parametrize("body", ["return ~g(x)", "return x + g(x)", "return g(x).T", "return g(x)[0]"])
def test_a_none_that_is_worked_with_is_called_by_its_name(ending, body):
    """A mask that was left out, or a helper without a return: Python speaks of a NoneType."""
    found = say(ending(f"def g(x): pass\ndef f(x):\n    {body}"))
    assert found.code == "exception-none-at-line"


@pytest.mark.parametrize(
    "asks",
    [
        "import os; os.fork()",
        "import threading; threading.Thread(target=print).start()",
        "import socket; socket.create_connection(('192.0.2.1', 80))",
        "import subprocess; subprocess.run(['ls'])",
        "open('/tmp/x', 'w')",
        "import os; os.stat('/etc/passwd')",
    ],
)
def test_what_is_closed_is_told_as_closed(ending, asks):
    """Processes, threads, the network and files: whatever words Python has for what the walls refuse."""
    outcome = ending(f"def f(x):\n    {asks}")
    assert (outcome.ending, say(outcome).code) == ("exception", "exception-closed-at-line")


def test_an_exception_has_the_learners_own_frames(ending):
    """Type, message, the learner's lines outermost first; frames inside numpy are left out."""
    outcome = ending("""
        import numpy as np
        def g(x):
            return np.stack([x, x[:1]])
        def f(x):
            y = g(x)
            return y
    """)
    assert (outcome.ending, outcome.error, outcome.line) == ("exception", "ValueError", 4)
    assert outcome.frames == (Frame(6, "f", "y = g(x)"), Frame(4, "g", "return np.stack([x, x[:1]])"))
    found = say(outcome)
    assert found.code == "exception-at-line"
    assert found.numbers["message"] == "all input arrays must have the same shape"


def test_an_exception_while_loading(ending):
    """What the file itself raises is the outcome of every case."""
    outcome = ending("import numpy as np\nw = np.zeros((2, 3)) @ np.zeros((2, 3))\ndef f(x): return x")
    assert (outcome.ending, outcome.error, outcome.line) == ("exception", "ValueError", 2)


def test_an_exception_in_one_case_leaves_the_others(go):
    """A case that raises does not stop the next one."""
    outcomes = go("def f(x): return 1 / x", (1,), (0,), (2,))
    assert [outcome.ending for outcome in outcomes] == ["returned", "exception", "returned"]


def test_an_exception_without_a_message(ending):
    """A bare assertion says its type and its line."""
    found = say(ending("def f(x):\n    assert x is None"))
    assert (found.code, found.numbers["error"]) == ("exception-bare-at-line", "AssertionError")


def test_wrong_parameters(ending):
    """A function with other parameters than the exercise's fails in the call, not in a line."""
    outcome = ending("def f(x, y, z): return x")
    assert (outcome.error, outcome.line, outcome.frames) == ("TypeError", None, ())
    assert say(outcome).code == "exception-parameters"


@pytest.mark.parametrize("source", ["n = int(input('n? '))\ndef f(x): return x", "def f(x):\n    return input()"])
def test_waiting_for_input(ending, source):
    """`input` fails at once instead of waiting."""
    outcome = ending(source)
    assert (outcome.ending, outcome.error) == ("exception", "EOFError")
    assert say(outcome).code == "exception-input-at-line"


def test_recursion_without_end(ending):
    """A function that calls itself for ever is told so, with few frames."""
    outcome = ending("def f(x):\n    return f(x)")
    assert (outcome.ending, outcome.error, outcome.line) == ("exception", "RecursionError", 2)
    assert len(outcome.frames) == MAX_FRAMES
    assert say(outcome).code == "exception-recursion-at-line"


@pytest.mark.parametrize("error", ["KeyboardInterrupt", "GeneratorExit", "BaseException", "StopIteration"])
def test_errors_of_every_family(ending, error):
    """Also what is no `Exception` is caught and named."""
    outcome = ending(f"def f(x):\n    raise {error}('why')")
    assert (outcome.ending, outcome.error, outcome.message, outcome.line) == ("exception", error, "why", 2)


def test_an_error_that_cannot_be_printed(ending):
    """An exception whose message raises has no message."""
    outcome = ending("class E(Exception):\n    def __str__(self): raise self\ndef f(x): raise E")
    assert (outcome.ending, outcome.error, outcome.message) == ("exception", "E", "")


def test_huge_texts_are_cut(ending):
    """Long names and long messages are cut."""
    outcome = ending("E = type('E' * 10**6, (Exception,), {})\ndef f(x): raise E('m' * 10**7)")
    assert outcome.error == "E" * MAX_NAME
    assert outcome.message == "m" * MAX_TEXT


def test_texts_that_lie_about_themselves(ending):
    """A message of a string subclass and a type with a name of its own making end as plain text."""
    outcome = ending("""
        class S(str):
            def encode(self, *a): raise SystemExit
            def __getitem__(self, i): raise SystemExit
        class M(type):
            __name__ = property(lambda self: 1 / 0)
        class E(Exception, metaclass=M):
            def __str__(self): return S("said")
        def f(x): raise E
    """)
    assert (outcome.ending, outcome.error, outcome.message) == ("exception", "E", "said")


def test_a_chain_of_errors_tells_the_last(ending):
    """Of several errors, one from another, the last is told."""
    source = "def f(x):\n    try:\n        1 / 0\n    except Exception as e:\n        raise ValueError('last') from e"
    outcome = ending(source)
    assert (outcome.error, outcome.message, outcome.line) == ("ValueError", "last", 5)


@pytest.mark.parametrize("source", ["def f(x):\n    while True:\n        x = x + 1", "while True:\n    pass"])
def test_an_endless_loop_has_its_line(go_either, source):
    """A loop without an end, in the call or while loading, is stopped, with the limit and the line."""
    (outcome,) = go_either(source, limits=SMALL)
    assert (outcome.ending, outcome.error, outcome.limit) == ("timeout", "wall", 0.5)
    assert outcome.line in {1, 2, 3}
    found = say(outcome)
    assert found.code == "timeout-at-line"
    assert found.numbers["limit"] == 0.5


def test_sleeping_is_a_timeout(ending):
    """Waiting for ever is stopped like a loop."""
    outcome = ending("import time\ndef f(x):\n    time.sleep(100)", limits=SMALL)
    assert (outcome.ending, outcome.line) == ("timeout", 3)


def test_a_deaf_loop_is_killed(go_either):
    """Code that catches everything and switches the clock off is killed from outside, without a line."""
    source = """
        import signal
        signal.setitimer(signal.ITIMER_REAL, 0)
        def f(x):
            signal.setitimer(signal.ITIMER_REAL, 0)
            while True:
                try:
                    while True: pass
                except BaseException: pass
    """
    with no_hang():
        (outcome,) = go_either(source, limits=SMALL)
    assert (outcome.ending, outcome.line) == ("timeout", None)
    assert say(outcome).code == "timeout"


def test_processor_time_is_limited(ending):
    """The seconds of the processor end too, when a case may take longer than that."""
    outcome = ending("def f(x):\n    while True: pass", limits=Limits(wall=20.0, cpu=1.0))
    assert (outcome.ending, outcome.error, outcome.limit) == ("timeout", "cpu", 1.0)
    assert say(outcome).code == "timeout-cpu"


def test_processor_time_inside_one_long_operation(go):
    """A process that is killed because one operation used its seconds up, out of Python's reach, is told the same."""
    source = """
        import os, time
        def f(x):
            if x == 1:
                until = time.process_time() + 1.2
                while time.process_time() < until: pass
                os._exit(0)
            return 7 ** (10**8)
    """
    outcomes = go(source, (1,), (2,), limits=Limits(wall=20.0, cpu=2.0))
    assert [outcome.ending for outcome in outcomes] == ["exit", "timeout"]
    assert outcomes[1].error == "cpu"


def test_too_much_memory(go_either):
    """An array beyond the limit is told as memory, with the limit and the line; the next case still runs."""
    source = "import numpy as np\ndef f(n):\n    return np.ones((n, n)).sum()"
    outcomes = go_either(source, (10,), (20_000,), (10,), limits=NARROW)
    assert [outcome.ending for outcome in outcomes] == ["returned", "memory", "returned"]
    assert (outcomes[1].limit, outcomes[1].line) == (128, 3)
    assert say(outcomes[1]).code == "memory-at-line"


def test_memory_that_grows(ending):
    """A list that grows for ever meets the limit."""
    assert ending("def f(x):\n    a = []\n    while True: a.append('x' * 1000)", limits=NARROW).ending == "memory"


@pytest.mark.parametrize(
    ("call", "code"),
    [("sys.exit()", ""), ("sys.exit(3)", "3"), ("quit()", ""), ("exit('bye')", "bye"), ("raise SystemExit", "")],
)
def test_exit_is_told_with_its_line(ending, call, code):
    """Code that ends the program is told so; it is no result."""
    for source in (f"import sys\ndef f(x):\n    {call}", f"import sys\n\n{call}\ndef f(x): return x"):
        outcome = ending(source)
        assert (outcome.ending, outcome.message, outcome.line) == ("exit", code, 3)
        assert say(outcome).code == "exit-at-line"


@pytest.mark.parametrize("code", [0, 1, 255])
def test_a_sudden_exit_has_its_code(go_either, code):
    """A process that leaves without a word is told with its exit code, 0 too."""
    (outcome,) = go_either(f"import os\ndef f(x):\n    os._exit({code})")
    assert (outcome.ending, outcome.message, outcome.values) == ("exit", str(code), ())
    assert say(outcome).code == "exit"


@pytest.mark.parametrize(
    ("source", "name"),
    [
        ("import ctypes\ndef f(x): ctypes.string_at(1)", "SIGSEGV"),
        ("import os\ndef f(x): os.abort()", "SIGABRT"),
        ("import signal\ndef f(x): signal.raise_signal(signal.SIGKILL)", "SIGKILL"),
        ("import signal\nsignal.raise_signal(signal.SIGTERM)", "SIGTERM"),
    ],
)
def test_a_signal_is_named(go_either, source, name):
    """A crash of the process is told with the signal."""
    (outcome,) = go_either(source)
    assert (outcome.ending, outcome.error) == ("signal", name)
    assert say(outcome).numbers["signal"] == name


LARGE = """
from pathlib import Path
import numpy as np
from grader.sandbox.run import Runner
held = np.ones(40_000_000)
source = "import signal\\ndef f(): signal.raise_signal(signal.SIGKILL)"
for forks in (True, False):
    with Runner(forks=forks) as runner:
        print(runner.run(source, Path("f.py"), "f", [()], 1)[0].ending)
"""


def test_the_memory_of_the_grader_is_not_charged_to_a_submission():
    """A process starts as a copy of a grader that may be large; it has not used that memory itself."""
    run = subprocess.run([sys.executable, "-c", LARGE], cwd=ROOT, capture_output=True, text=True, check=True)
    assert run.stdout.split() == ["signal", "signal"]


def test_deep_recursion_below_python(ending):
    """Recursion with the limit lifted may crash the process; it is one case's loss in any case."""
    source = "import sys\nsys.setrecursionlimit(10**9)\ndef f(x):\n    return f(x)"
    assert ending(source).ending in {"signal", "memory", "exception", "timeout"}


def test_writing_files_is_limited(go_without_walls):
    """Where files can be written, the kernel refuses one that grows too big."""
    source = "def f(x):\n    with open('big', 'wb', 0) as file:\n        while True: file.write(bytes(10**6))"
    (outcome,) = go_without_walls(source)
    assert (outcome.ending, outcome.limit) == ("output-limit", Limits().output)
    assert say(outcome).code == "output-limit"


def test_a_thread_or_an_exit_handler_holds_nothing_up(go_without_walls):
    """Threads that run on and handlers that never end do not matter once the answer is there."""
    source = """
        import atexit, threading, time
        atexit.register(time.sleep, 100)
        def f(x):
            threading.Thread(target=time.sleep, args=(100,)).start()
            return x
    """
    with no_hang():
        assert [outcome.ending for outcome in go_without_walls(source, (1,), (2,))] == ["returned"] * 2


def test_a_loading_that_fails_is_that_of_every_case(go):
    """A file that does not load has the same outcome for all cases."""
    outcomes = go("import torch", *[(1,)] * 4)
    assert len(outcomes) == 4
    assert set(outcomes) == {outcomes[0]}


# --- from the kernel's facts -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("death", "ending_", "error"),
    [
        (Death(0, 0.1, 1000, killed=False), "exit", ""),
        (Death(-24, 0.1, 1000, killed=False), "timeout", "cpu"),
        (Death(-9, 20.5, 1000, killed=False), "timeout", "cpu"),
        (Death(-9, 0.5, 500 * 1024, killed=False), "memory", "SIGKILL"),
        (Death(-9, 0.5, 1000, killed=False), "signal", "SIGKILL"),
        (Death(-25, 0.5, 1000, killed=False), "output-limit", "SIGXFSZ"),
        (Death(-11, 0.5, 1000, killed=False), "signal", "SIGSEGV"),
        (Death(-63, 0.5, 1000, killed=False), "signal", "SIG63"),
        (Death(-9, 0.5, 1000, killed=True), "wrong-return", "protocol"),
        (None, "wrong-return", "protocol"),
    ],
)
def test_how_a_process_died(death, ending_, error):
    """Without an answer, the exit code, the signal, the time and the memory used say what happened."""
    outcome = died(death, Limits())
    assert (outcome.ending, outcome.error) == (ending_, error)


# --- sentences ---------------------------------------------------------------------------------------------------


def test_changed_inputs_are_a_finding():
    """A result is a finding only if inputs were changed; they count from 1."""
    assert say(Outcome("returned")).code == "returned"
    found = say(Outcome("returned", inputs_changed=(0, 2)))
    assert (found.code, found.numbers["arguments"]) == ("inputs-changed", "1, 3")


def test_an_unknown_reason_of_the_process_is_not_taken():
    """A code is never made of the process's own texts."""
    assert say(Outcome("wrong-return", error="returned")).code == "wrong-return-protocol"
    assert say(Outcome("timeout", error="anything", limit=5.0)).numbers["limit"] == 5


def test_every_ending_has_a_finding_with_and_without_a_line():
    """No ending is without words, even if the process told nothing else."""
    for name in endings._CODES:
        say(Outcome(name))
        say(Outcome(name, line=3, frames=(Frame(3, "f", "x = 1"),)))


def test_sentences_have_the_same_places_in_both_languages():
    """English and Chinese are filled from the same numbers."""
    for code, texts in WORDS.items():
        assert set(texts) == {"en", "zh"}, code
        assert places(texts["en"]) == places(texts["zh"]), code
        assert re.fullmatch("[a-z-]+", code)


def test_codes_with_a_line_say_the_line():
    """Each code that has a second sentence shows there what it knows of the line."""
    for code in endings.AT_LINE:
        assert places(WORDS[code + "-at-line"]["en"]) & {"line", "source"} == {"line", "source"}
        assert not places(WORDS[code]["en"]) & {"line", "source"}
