"""Golden pages: hand-built reports in, the exact text out, in both languages.

`GRADER_REWRITE_GOLDEN=1 pytest tests/show` writes them anew; read them before you commit them.
"""

import os
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from grader.errors import BadInput
from grader.model import LANGS, Batch, FailingCase, Finding, Report, StepReport, Text
from grader.show import terminal
from grader.show.terminal import layout
from grader.show.worked import worked

GOLDEN = Path(__file__).parent / "golden"
HEAD = Text("Masked attention, one head", "带掩码的单头注意力")
SHEET = Path("exercises/07_causal_attention.md")
CODE = Path("exercises/21_attention.py")
VARIANT = "causal_attention-5f1c-11-0"

SCORES = np.array([[2.0, 0.0, 1.0], [1.0, 1.0, 0.0], [2.0, 1.0, 3.0]])
RIGHT = np.array([[1.0, 0.0, 0.0], [0.5, 0.5, 0.0], [0.2447, 0.09, 0.6652]])
AXIS = np.array([[0.6652, 0.0, 0.0], [0.2447, 0.8808, 0.0], [0.09, 0.1192, 1.0]])
CELLS = ((0, 0), (1, 0), (1, 1), (2, 0), (2, 1), (2, 2))


def _step(name: str, status: str, points: str, most: str, **more) -> StepReport:
    return StepReport(name, status, Fraction(points), Fraction(most), **more)


def _sheet(status: str, steps: Sequence[StepReport], **more) -> Report:
    points, most = (sum((getattr(one, name) for one in steps), Fraction(0)) for name in ("points", "max_points"))
    more = {"file": SHEET, "problem": "causal_attention", "difficulty": 2, "title": HEAD, "variant": VARIANT} | more
    return Report(status=status, points=points, max_points=most, steps=tuple(steps), **more)


def _code(status: str, steps: Sequence[StepReport], **more) -> Report:
    title = Text("Attention, the whole function", "完整的注意力函数")
    more = {"file": CODE, "problem": "attention", "title": title, "difficulty": 3, "variant": "attention-9a-0-0"} | more
    return _sheet(status, steps, **more)


def _right() -> Report:
    comma = Finding("read-comma", {"text": "0,5"}, line=33)
    return _sheet(
        "right",
        [
            _step("scores", "right", "1", "1"),
            _step("scaled", "right", "1/2", "1/2", findings=(comma,)),
            _step("weights", "right", "1", "1"),
            _step("output", "right", "1", "1"),
        ],
    )


def _wrong_axis() -> Report:
    named = Finding("softmax_axis0", {"mistake": "softmax_axis0"}, ("softmax_axis0",))
    read_as = "0.6652, 0, 0; 0.2447, 0.8808, 0; 0.09, 0.1192, 1"
    return _sheet(
        "wrong",
        [
            _step("scores", "right", "1", "1"),
            _step("scaled", "right", "1/2", "1/2"),
            _step(
                "weights",
                "wrong",
                "0",
                "1",
                findings=(named,),
                cells=CELLS,
                read_as=read_as,
                yours=AXIS,
                expected=RIGHT,
            ),
            _step("output", "carried", "1", "1", findings=(Finding("carried", {"earlier": "weights"}),)),
            _step("heads", "carried", "1", "1"),
        ],
    )


def _unreadable() -> Report:
    reason = Finding("unreadable-number", {"text": "0.5.2\u202e"}, line=37)
    return _sheet(
        "unreadable",
        [
            _step("scores", "right", "1", "1"),
            _step("scaled", "unreadable", "0", "1/2", findings=(reason,)),
            _step("weights", "blank", "0", "1"),
        ],
    )


def _unnamed() -> Report:
    yours = np.array([0.1, 0.2])
    later = [_step(name, "carried", "1", "2") for name in ("weights", "output", "concat")]
    first = _step("scaled", "wrong", "0", "1", cells=((1,),), yours=yours)
    return _sheet("wrong", [_step("scores", "right", "1", "1"), first, *later])


def _blank() -> Report:
    return _sheet("blank", [_step("scores", "blank", "0", "1", expected=SCORES), _step("output", "blank", "0", "1")])


def _wrong_shape() -> Report:
    found = Finding("wrong-shape", {"blank": "weights", "got": "3×4", "wanted": "3×3"}, line=40)
    yours = np.zeros((3, 4))
    return _sheet("wrong", [_step("weights", "wrong", "0", "1", findings=(found,), yours=yours, expected=RIGHT)])


def _imprecise() -> Report:
    return _sheet("wrong", [_step("weights", "imprecise", "1/2", "1", yours=np.array([0.3, 0.7]), cells=((0,), (1,)))])


def _option() -> Report:
    found = Finding("wrong-option", {"blank": "which", "letter": "B", "key": "cross"}, line=20)
    chosen = _step("which", "wrong", "0", "1", findings=(found,), read_as="B")
    title = Text("Self or cross?", "自注意力还是交叉注意力？")
    return _sheet("wrong", [chosen], problem="self_or_cross", title=title, file=Path("exercises/30_self_or_cross.md"))


def _offered() -> Report:
    named = Finding(
        "scale_dk_not_sqrt",
        {},
        ("scale_dk_not_sqrt",),
        alternatives=(("scale_twice",), ("scale_twice", "softmax_axis0")),
    )
    yours, want = np.array(0.5), np.array(0.7071)
    return _sheet(
        "wrong", [_step("scaled", "wrong", "0", "1", findings=(named,), cells=((),), yours=yours, expected=want)]
    )


def _not_written() -> Report:
    found = Finding("not-written", {"function": "attention"}, line=31)
    steps = [_step("output", "not-written", "0", "1"), _step("weights", "not-written", "0", "1")]
    return _code("blank", steps, findings=(found,), reason="not-written")


def _exception() -> Report:
    numbers = {
        "error": "ValueError",
        "message": "matmul: Input operand 1 has a mismatch in its core dimension 0 [bold]3\x1b[31m[/bold]",
        "source": "    S = np.matmul(Q, K)",
        "frames": [[40, "attention", "S = scores(Q, K)"], [12, "scores", "    S = np.matmul(Q, K)"]],
    }
    steps = [_step("output", "crashed", "0", "1"), _step("weights", "crashed", "0", "1")]
    found = Finding("exception", numbers, line=12)
    printed = "".join(f"here {at}\n" for at in range(40)) + "\x1b[2J"
    return _code("crashed", steps, findings=(found,), reason="exception", output=printed)


def _timeout() -> Report:
    steps = [_step("output", "stopped", "0", "1")]
    return _code("stopped", steps, findings=(Finding("timeout", {"limit": 5.0}, line=40),), reason="timeout")


def _failing() -> Report:
    named = Finding("softmax_axis0", {"mistake": "softmax_axis0"}, ("softmax_axis0",), line=14)
    counted = Finding("cases-passed", {"returned": "weights", "passed": 2, "total": 5})
    inputs = {
        "Q": np.array([[1.0, 0.0, 2.0], [0.0, 1.0, 1.0], [2.0, -1.0, 0.5]]),
        "K": np.arange(9.0).reshape(3, 3),
        "V": np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]),
        "mask": None,
    }
    case = FailingCase("square", "weights", inputs, AXIS, RIGHT)
    steps = [_step("output", "right", "1", "1"), _step("weights", "wrong", "2/5", "1", findings=(counted,))]
    return _code("wrong", steps, findings=(named,), failing=case)


def _large() -> Report:
    want = np.linspace(0, 1, 2 * 40 * 64).reshape(2, 40, 64)
    yours = want.copy()
    yours[1, 20:, 33:] += 1e-6 * 7
    yours[1, 20, 33] = np.nan
    inputs = {"Q": want, "n_heads": np.array(2)}
    case = FailingCase("long", "weights", inputs, yours, want)
    return _code("wrong", [_step("weights", "wrong", "0", "1")], failing=case)


def _several() -> Batch:
    fault = BadInput("bad-token", file=Path("exercises/09_broken.md"), line=3, token="???\x07")
    broken = replace(_blank(), problem="09_broken.md", status="unreadable", steps=(), fault=fault)
    return Batch(
        (_right(), _wrong_axis(), _option(), _blank(), _unreadable(), _failing(), _exception(), _timeout(), broken)
    )


def _class_of() -> list[Batch]:
    return [
        Batch((_right(), _failing(), _option()), "s1001"),
        Batch((_wrong_axis(), _timeout()), "李小龙"),
        Batch((_wrong_axis(), _blank(), _option()), "s1003 with a very long name indeed"),
        Batch((), "s1004"),
    ]


def _trace() -> dict[str, np.ndarray]:
    made = {"n": np.array(2), "x": np.array([[1.0, 2.0], [0.0, -1.0]]), "wq": np.array([[1.0, 0.0], [1.0, 1.0]])}
    made |= {"wk": np.eye(2), "wv": np.array([[2.0, 0.5], [0.0, 1.0]]), "mask": np.tril(np.ones((2, 2), bool))}
    made["q"], made["k"], made["v"] = (made["x"] @ made[name] for name in ("wq", "wk", "wv"))
    made["d_k"] = np.array(2)
    made["scores"] = made["q"] @ made["k"].T
    made["scaled"] = made["scores"] / np.sqrt(2)
    made["masked"] = np.where(made["mask"], made["scaled"], -np.inf)
    made["minus_max"] = made["masked"] - made["masked"].max(-1, keepdims=True)
    made["exp"] = np.exp(made["minus_max"])
    made["sum"] = made["exp"].sum(-1, keepdims=True)
    made["weights"] = made["exp"] / made["sum"]
    made["output"] = made["weights"] @ made["v"]
    return made


ONE = {
    "right": (_right, {}),
    "wrong_axis": (_wrong_axis, {}),
    "wrong_axis_revealed": (_wrong_axis, {"reveal": True}),
    "wrong_axis_plain": (_wrong_axis, {"plain": True, "reveal": True}),
    "wrong_axis_ascii": (_wrong_axis, {"encoding": "gbk"}),
    "unnamed": (_unnamed, {}),
    "unreadable": (_unreadable, {}),
    "blank": (_blank, {}),
    "blank_revealed": (_blank, {"reveal": True}),
    "wrong_shape": (_wrong_shape, {}),
    "imprecise": (_imprecise, {}),
    "option": (_option, {}),
    "offered": (_offered, {}),
    "not_written": (_not_written, {}),
    "not_written_revealed": (_not_written, {"reveal": True}),
    "exception": (_exception, {}),
    "exception_plain": (_exception, {"plain": True}),
    "timeout": (_timeout, {}),
    "failing": (_failing, {}),
    "failing_ascii": (_failing, {"encoding": "gbk"}),
    "large": (_large, {}),
}


def _check(name: str, lang: str, text: str) -> None:
    """Compare with the golden file, or write it if asked to; no line may be wider than a terminal."""
    file = GOLDEN / f"{name}.{lang}.txt"
    if os.environ.get("GRADER_REWRITE_GOLDEN"):
        file.write_text(text, encoding="utf-8", newline="\n")

    assert file.read_text(encoding="utf-8") == text
    assert all(layout.measure(line) <= 80 for line in text.splitlines())


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("name", ONE)
def test_one_problem(name, lang, words, printed):
    """One report prints as its golden page."""
    make, options = ONE[name]

    _check(name, lang, printed(terminal.show, Batch((make(),)), words, lang, **options))


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("plain", [False, True])
def test_many_problems(plain, lang, words, printed):
    """Many reports print as a table with the total, what is next, and what could not be read."""
    text = printed(terminal.show, _several(), words, lang, plain=plain)

    _check("batch_plain" if plain else "batch", lang, text)


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("plain", [False, True])
def test_a_class(plain, lang, words, printed):
    """A class prints a line for each student, Chinese names aligned, and the most common mistakes."""
    text = printed(terminal.class_table, _class_of(), words, lang, plain=plain)

    _check("class_plain" if plain else "class", lang, text)


@pytest.mark.parametrize("lang", LANGS)
def test_a_mistake_explained(lang, words, printed):
    """A page stands with its headings at the left and its paragraphs aligned beside them."""
    page = words.pages["softmax_axis0"]

    _check("explain", lang, printed(terminal.explain, "softmax_axis0", page, words, lang))


@pytest.mark.parametrize("lang", LANGS)
def test_hints(lang, words, printed):
    """Hints keep their fenced blocks and wrap the rest."""
    one = {
        "en": "Begin with the first row: which of its cells may be read at all, and which lie in the future?",
        "zh": "先看第一行：哪些元素可以读取，哪些属于未来？把不能读取的换成负无穷，再做 softmax，权重就是零。",
    }
    two = "\n- q · k\n- divide by √d_k\n\n```text\nQ = [ 1 0 ]\n    [ 0 1 ]\n```\n"

    _check("hints", lang, printed(terminal.hints, [one[lang], two], 3, words, lang))


@pytest.mark.parametrize("lang", LANGS)
def test_a_worked_solution(lang):
    """Every step is written out with its numbers put in."""
    given = {"n", "x", "wq", "wk", "wv", "mask"}

    _check("worked", lang, worked(_trace(), given, 4, lang))
