"""The line of a wrong function: found where it is wrong, kept back where it is not sure, silent on right ones."""

from functools import cache
from pathlib import Path

import numpy as np
import pytest

from grader.bank import draw, load
from grader.bank.seeds import DEFAULT, self_study
from grader.judge import line
from grader.judge.line import said
from grader.judge.line.layout import alike, close, orders, shifted
from grader.judge.line.probes import probes
from grader.mark import Marker
from grader.model import Limits, SubmittedFile
from grader.sandbox.run import Runner
from grader.trace import to_arrays
from tests.mutants import both, mutants

TESTS = Path(__file__).resolve().parent.parent
WRONG = sorted((TESTS / "wrong_lines").glob("*.py"))
SEEN = sorted((TESTS / "right_styles_line" / "seen").glob("*/*.py"))
RIGHT = sorted((TESTS / "right_styles_line").glob("*/*/*.py"))


@cache
def variant(exercise):
    """The exercise's default variant."""
    return draw.rebuild(load.find(exercise), DEFAULT, 0)


@pytest.fixture(scope="module")
def runner():
    """One runner for all."""
    with Runner() as running:
        yield running


@pytest.fixture
def record(runner, monkeypatch):
    """Recordings of a source; with time enough, as these tests run beside others."""
    monkeypatch.setattr(line, "SECONDS", 20.0)
    return lambda text, function, returns: runner.record(
        text, Path("f.py"), function, returns, Limits(wall=2.0, cpu=5.0)
    )


@pytest.fixture
def find(record):
    """The line of a source, as the function of an exercise."""
    return lambda exercise, source, one=None: line.find(one or variant(exercise), source, record)


def marked(source, text):
    """The lines that hold a remark, and the source without it."""
    return {number for number, row in enumerate(source.split("\n"), 1) if text in row}, source.replace(text, "")


@pytest.mark.parametrize("file", WRONG, ids=lambda file: file.stem)
def test_a_labelled_line_is_named(find, file):
    """The line is the marked one or, beside it, one that may be meant as well; of low confidence it is not said."""
    exact, source = marked(file.read_text(encoding="utf-8"), "# <- here")
    near, source = marked(source, "# <- or here")
    found = find(file.stem.split("__")[0], source)
    assert found is not None
    assert found.line in exact | near or found.confidence == "low"


def test_labelled_lines_are_mostly_exact(find):
    """Exact in nine of ten, and shown for nearly all."""
    exact = shown = 0
    for file in WRONG:
        lines, source = marked(file.read_text(encoding="utf-8"), "# <- here")
        found = find(file.stem.split("__")[0], source)
        shown += found.confidence == "high"
        exact += found.confidence == "high" and found.line in lines
    assert shown >= 0.7 * len(WRONG)
    assert exact >= 0.9 * shown


@pytest.mark.parametrize("file", RIGHT, ids=lambda file: file.stem)
def test_no_line_of_a_right_file(find, file):
    """Whatever the style, nothing is named."""
    assert find(file.stem.split("__")[0], file.read_text(encoding="utf-8")) is None


@pytest.mark.parametrize("file", SEEN[::4], ids=lambda file: file.stem)
def test_mutants_are_named_at_their_line(find, file):
    """Of every ninth one-edit mutant, what is shown is the edited line; a mutant may also be right or only crash."""
    exercise = file.stem.split("__")[0]
    wrong = 0
    for mutant in list(mutants(file.read_text(encoding="utf-8")))[::9]:
        found = find(exercise, mutant.source)
        shown = found is not None and found.confidence == "high"
        wrong += shown and found.line not in mutant.lines | mutant.near
    assert wrong <= 1


@pytest.mark.parametrize("file", SEEN[1::6], ids=lambda file: file.stem)
def test_of_two_edits_one_is_named(find, file):
    """Of some files with two edits, each wrong by itself, what is shown is the line of either; one may be missed."""
    exercise, source = file.stem.split("__")[0], file.read_text(encoding="utf-8")
    some = list(mutants(source))[::7]
    wrong = 0
    for one, other in zip(some, some[len(some) // 2 :], strict=False):
        mutant = both(source, one, other)
        if mutant is None or any(find(exercise, each.source) is None for each in (one, other)):
            continue
        found = find(exercise, mutant.source)
        shown = found is not None and found.confidence == "high"
        wrong += shown and found.line not in mutant.lines | mutant.near
    assert wrong <= 1


def test_two_mutants_of_one_line_are_not_joined():
    """Two edits go into one file only if they leave each other alone."""
    source = "def f(a, b):\n    c = a + b\n    return c * b\n"
    first = [each for each in mutants(source) if each.lines == {2}]
    second = [each for each in mutants(source) if each.lines == {3}]
    assert both(source, first[0], first[1]) is None
    joined = both(source, first[0], second[0])
    assert joined.lines == {2, 3}
    assert joined.source.split("\n")[1:3] == [first[0].source.split("\n")[1], second[0].source.split("\n")[2]]


def test_the_step_and_the_expression_are_said(find):
    """What stands there, and what it was meant to be."""
    found = find("scores", "def scores(Q, K):\n    S = Q @ Q.T\n    return S\n")
    assert (found.line, found.expression, found.step, found.confidence) == (2, "Q.T", "k", "high")


def test_a_step_left_out_is_named_where_its_input_is_made(find):
    """The scale is missing: the line of the scores."""
    source = (TESTS / "wrong_lines" / "attention__vectorised__scale_missing.py").read_text(encoding="utf-8")
    found = find("attention", source)
    assert (found.step, found.reason) == ("scaled", "omitted")


@pytest.mark.parametrize(
    ("file", "code", "expression", "step"),
    [
        ("attention__loops__inner_ends_at_queries", "line-loop-other", "range(n)", ""),
        ("causal_mask__loops__ends_before_itself", "line-loop-short", "range(i)", ""),
        ("merge_heads__loops__last_left_out", "line-loop-short", "range(1, len(H) - 1)", ""),
        ("attention__inline__mask_thrown_away", "line-thrown-away", "np.where(mask, S, -np.inf)", "masked"),
        ("attention__steps__masked_not_used", "line-unused", "scores - scores.max(axis=-1, keepdims=True)", "masked"),
        ("attention__inline__returns_scores", "line-found", "S", "weights"),
        ("attention__loops__mask_turned", "line-found", "mask[j, i]", "mask"),
        ("attention__loops__rows_exchanged", "line-alone", "Q[j] @ K[i]", ""),
        ("attention__helper__softmax_again", "line-found", "softmax(A)", "weights"),
        ("attention__inline__softmax_again", "line-alone", "A - A.max(1, keepdims=True)", ""),
        ("project_qkv__inline__all_turned", "line-alone", "X @ Wq.T, X @ Wk.T, X @ Wv.T", ""),
        ("attention__loops__returns_early", "line-early", "out, W", ""),
        ("attention__loops__whole_numbers", "line-whole-numbers", "np.zeros((n, m), dtype=int)", ""),
        ("attention__inline__other_order", "line-order", "A, A @ V", "output"),
        ("causal_mask__in_place__slice_too_short", "line-unset", "m[i, :i] = True", "mask"),
        ("scores__in_place__first_row_left_out", "line-unset", "out[1:] = Q[1:] @ K.T", "scores"),
        ("softmax__steps__maximum_thrown_away", "line-thrown-away", "x - x.max(axis=-1, keepdims=True)", "minus_max"),
        ("attention__inline__not_divided", "line-thrown-away", "A / A.sum(1, keepdims=True)", "weights"),
        ("attention__inline__thrown_away_and_inverted", "line-thrown-away", "np.where(mask, -np.inf, S)", "masked"),
        ("attention__inline__part_rounded", "line-found", "out.round(1)", "output"),
        ("scores__loops__returns_in_first_round", "line-early", "S", ""),
        ("scores__lists__last_key_left_out", "line-loop-short", "K[:-1]", ""),
        ("causal_mask__while__starts_late", "line-number-alone", "i = 1", ""),
        ("causal_mask__while__causal", "line-limit", "j < i", ""),
        ("padding_mask__while__pad", "line-limit", "j <= lengths[b]", ""),
        ("scores__while__dot", "line-number-alone", "total, c = 0.0, 1", ""),
        ("causal_mask__places__break_causal", "line-limit", "j == i", ""),
        ("attention__places__break_mask", "line-jump", "break", ""),
        ("scores__places__break_first", "line-jump", "break", ""),
        ("multi_head_attention__places__lo_hi", "line-number-alone", "lo, hi = h * d, h * d + n_heads", ""),
        ("multi_head_attention__places__mask_h0", "line-closed", "mask is not None and h == 0", ""),
        ("multi_head_attention__places__alias_kq", "line-aliased", "K = Q", ""),
        ("project_qkv__places__alias_chain", "line-aliased", "Q = K = V = np.zeros((X.shape[0], Wq.shape[1]))", ""),
        ("scores__places__alias_row_lists", "line-aliased", "[[0.0] * len(K)] * len(Q)", ""),
        ("split_heads__places__slice_split", "line-cut", "slice(h, None, n_heads)", ""),
        ("multi_head_attention__places__slice_first_always", "line-number-alone", "h * n_heads", ""),
        ("softmax__sums__total", "line-restarted", "total = 0.0", ""),
        ("attention__sums__out", "line-restarted", "np.zeros(V.shape[1])", ""),
        ("scores__sums__dot_half", "line-restarted", "total = 0.0", ""),
        ("scores__places__dedent_scores", "line-behind", "S[i, j] = total", "scores"),
        ("padding_mask__kinds__ints", "line-kind", "np.zeros((B, m), dtype=int)", "mask"),
        ("padding_mask__kinds__where_ints", "line-kind", "np.where(pos[None, :] < lengths[:, None], 1, 0)", "mask"),
        ("padding_mask__kinds__transposed_loops", "line-shape", "np.zeros((m, B), dtype=bool)", "mask"),
        ("project_qkv__helper__projectqkv", "line-loop-short", "range(1, A.shape[1])", ""),
        ("scores__helper__handed_other_size", "line-handed-number", "dot(Q[i], K[j], n)", ""),
    ],
)
def test_the_sentence_is_true_of_the_line(find, file, code, expression, step):
    """Which sentence is said, of which expression; a step only where it is sure what was meant."""
    source = marked((TESTS / "wrong_lines" / f"{file}.py").read_text(encoding="utf-8"), "  # <- here")[1]
    told = said.finding(find(file.split("__")[0], source), source)
    assert (told.code, told.numbers["expression"], told.numbers.get("step", "")) == (code, expression, step)


@pytest.mark.parametrize("ends", ["n", "min(i + 2, n)"])
def test_a_loop_that_goes_too_far_is_named(find, ends):
    """A causal mask that shows later keys: the loop, and not what is set in it."""
    source = f"""
import numpy as np

def causal_mask(n):
    m = np.zeros((n, n), dtype=bool)
    for i in range(n):
        for j in range({ends}):
            m[i, j] = True
    return m
"""
    found = find("causal_mask", source)
    assert (found.line, found.reason) == (7, "loop-long")


@pytest.mark.parametrize("heads", ["n", "d_head"])
def test_a_loop_over_another_size_is_not_called_too_short(find, heads):
    """Where there are fewer tokens than heads it ends too soon, elsewhere too late: neither is said."""
    source = f"""
import numpy as np

def multi_head_attention(X, Wq, Wk, Wv, Wo, n_heads, mask=None):
    n, d_model = X.shape
    d_head = d_model // n_heads
    out = np.zeros((n, d_model))
    for h in range({heads}):
        a, b = h * d_head, (h + 1) * d_head
        q, k, v = X @ Wq[:, a:b], X @ Wk[:, a:b], X @ Wv[:, a:b]
        s = q @ k.T / np.sqrt(d_head)
        if mask is not None:
            s = np.where(mask, s, -np.inf)
        e = np.exp(s - s.max(axis=1, keepdims=True))
        out[:, a:b] = e / e.sum(axis=1, keepdims=True) @ v
    return out @ Wo
"""
    found = find("multi_head_attention", source)
    assert found is None or found.confidence == "low" or (found.line, found.reason) == (8, "loop-other")


@pytest.mark.parametrize(
    ("exercise", "source"),
    [
        (
            "project_qkv",
            "def project_qkv(X, Wq, Wk, Wv):\n    Q = X @ Wk\n    K = X @ Wk\n    V = X @ Wk\n    return Q, K, V\n",
        ),
        ("causal_mask", "import numpy as np\ndef causal_mask(n):\n    m = np.ones((n, n)) * 2.0\n    return m\n"),
        (
            "softmax",
            """import numpy as np
def softmax(x):
    one = lambda row: np.exp(row - row.min()) * 2 / np.exp(row).sum()
    return np.apply_along_axis(one, -1, x)
""",
        ),
    ],
)
def test_a_return_that_only_hands_on_is_not_blamed(find, exercise, source):
    """What it gives back was made on another line."""
    found = find(exercise, source)
    assert found is None or found.confidence == "low" or found.line < source.count("\n")


def test_a_place_called_after_its_step_is_not_said_to_be_another():
    """That `mask` is not what `mask` should be says nothing: the line alone is said."""
    found = line.Found(4, "mask", "mask", "high", "repaired")
    told = said.finding(found, "def f():\n    pass\n    pass\n    return mask\n")
    assert told.code == "line-alone"
    assert "step" not in told.numbers


def test_a_variable_called_after_what_it_does_not_hold_is_not_trusted(find):
    """Keys that hold values and are then multiplied with values: the helper did what it was told."""
    source = """
import numpy as np

def weigh(q, k, mask):
    s = q @ k.T / np.sqrt(q.shape[1])
    if mask is not None:
        s = np.where(mask, s, -np.inf)
    e = np.exp(s - s.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)

def multi_head_attention(X, Wq, Wk, Wv, Wo, n_heads, mask=None):
    Q = X @ Wq
    K = X @ Wv
    V = X @ Wv
    c = [slice(h * X.shape[1] // n_heads, (h + 1) * X.shape[1] // n_heads) for h in range(n_heads)]
    return np.hstack([weigh(V[:, each], K[:, each], mask) @ V[:, each] for each in c]) @ Wo
"""
    found = find("multi_head_attention", source)
    assert found is None or found.confidence == "low" or found.line in {13, 16}


def test_of_two_mistakes_neither_is_blamed_on_a_third_line(find):
    """Scores left as they are and the wrong values: the product of the two is not wrong by itself."""
    source = """
import numpy as np

def multi_head_attention(X, Wq, Wk, Wv, Wo, n_heads, mask=None):
    Q, K = X @ Wq, X @ Wk
    V = X @ Wq
    d_head = Q.shape[1] // n_heads
    parts = []
    for h in range(n_heads):
        c = slice(h * d_head, (h + 1) * d_head)
        s = Q[:, c] @ K[:, c].T

        if mask is not None:
            s = np.where(mask, s, -np.inf)
        e = np.exp(s - s.max(axis=1, keepdims=True))
        w = e / e.sum(axis=1, keepdims=True)
        parts.append(w @ V[:, c])
    return np.hstack(parts) @ Wo
"""
    found = find("multi_head_attention", source)
    assert found.confidence == "low" or found.line in {6, 11}


@pytest.mark.parametrize(
    "source",
    [
        "    done = []\n    for W in (Wk, Wq, Wv):\n        done.append(X @ W)\n    return tuple(done)\n",
        "    some = X @ Wq * 0\n    return some, X @ Wk, X @ Wv\n",
    ],
)
def test_a_return_is_not_blamed_for_what_it_gives_back(find, source):
    """What was collected in another order, or never set, went wrong before the last line."""
    found = find("project_qkv", "def project_qkv(X, Wq, Wk, Wv):\n" + source)
    assert found.line <= source.count("\n") or found.confidence == "low"


def test_a_number_of_the_scale_is_not_called_a_step(find):
    """The root of the wrong width is on the way to the scaled scores, and not meant to be them."""
    source = """
import numpy as np

def attention(Q, K, V, mask=None):
    s = Q @ K.T / np.sqrt(Q.shape[0])
    if mask is not None:
        s = np.where(mask, s, -np.inf)
    e = np.exp(s - s.max(axis=1, keepdims=True))
    w = e / e.sum(axis=1, keepdims=True)
    return w @ V, w
"""
    found = said.finding(find("attention", source), source)
    assert (found.code, found.line, found.numbers["step"]) == ("line-on-the-way", 5, "scaled")


def test_a_loop_over_other_rounds_is_named(find):
    """Each query from itself on, and not up to itself: rounds are missing and others too many."""
    source = """
import numpy as np

def causal_mask(n):
    m = np.zeros((n, n), dtype=bool)
    for i in range(n):
        for j in range(i, n):
            m[i, j] = True
    return m
"""
    found = find("causal_mask", source)
    assert (found.line, found.reason) == (7, "loop-other")


def test_the_part_of_what_a_variable_holds_is_said(find):
    """Two results come from one variable, one of them wrong: no expression stands for it alone."""
    source = """
import numpy as np

def both(s, V):
    e = np.exp(s - s.max(axis=1, keepdims=True))
    return (e / e.sum(axis=1, keepdims=True)) @ V, s

def attention(Q, K, V, mask=None):
    s = Q @ K.T / np.sqrt(Q.shape[1])
    if mask is not None:
        s = np.where(mask, s, -np.inf)
    return both(s, V)
"""
    found = find("attention", source)
    assert (found.line, found.expression, found.step) == (6, "s", "weights")


AXES = """
import numpy as np

def softmax(x):
    top = x.max(axis={0})
    e = np.exp(x - top)
    total = e.sum(axis={0})
    return e / total
"""


@pytest.mark.parametrize("axis", [0, -1])
def test_of_two_wrong_places_the_one_wrong_by_itself_is_named(find, axis):
    """Maximum and sum both along the wrong axis, or both without keepdims: with right exponentials the sum is wrong."""
    found = find("softmax", AXES.format(axis))
    assert (found.line, found.step, found.confidence, found.reason) == (7, "sum", "high", "even-so")
    assert said.finding(found, AXES.format(axis)).code == "line-even-so"


def test_a_sum_is_not_blamed_for_what_went_in(find):
    """The maximum alone along the wrong axis: its line, and not that of the sum."""
    source = AXES.format("-1, keepdims=True").replace("x.max(axis=-1, keepdims=True)", "x.max(axis=0)")
    assert find("softmax", source).line in {5, 6}


def test_a_helper_that_did_well_elsewhere_is_not_blamed(find):
    """One call hands over its two arguments in the wrong order."""
    source = """
def project(inputs, weight):
    return inputs @ weight

def project_qkv(X, Wq, Wk, Wv):
    return project(X, Wq), project(Wk, X), project(X, Wv)
"""
    assert find("project_qkv", source).line == 6


def test_a_condition_on_another_variable_is_named(find):
    """Without a mask the branch for masks is taken."""
    source = """
import numpy as np

def attention(Q, K, V, mask=None):
    s = Q @ K.T / np.sqrt(Q.shape[1])
    if s is not None:
        s = np.where(mask, s, -np.inf)
    e = np.exp(s - s.max(axis=1, keepdims=True))
    w = e / e.sum(axis=1, keepdims=True)
    return w @ V, w
"""
    assert find("attention", source).line == 6


def test_a_variable_that_holds_what_it_is_called_is_not_blamed(find):
    """The keys are the keys; the product has them first."""
    source = """
import numpy as np

def cross_attention(X_q, X_kv, Wq, Wk, Wv, mask=None):
    Q = X_q @ Wq
    K = X_kv @ Wk
    V = X_kv @ Wv
    s = {} / np.sqrt(Q.shape[1])
    if mask is not None:
        s = np.where(mask, s, -np.inf)
    e = np.exp(s - s.max(axis=1, keepdims=True))
    w = e / e.sum(axis=1, keepdims=True)
    return w @ V, w
"""
    assert find("cross_attention", source.format("K @ Q.T")).line == 8
    projected = "def project_qkv(X, Wq, Wk, Wv):\n    Q = X @ {}\n    K = X @ {}\n    V = X @ Wv\n    return {}, V\n"
    assert find("project_qkv", projected.format("Wq", "Wk", "K, Q")).line == 5
    assert find("project_qkv", projected.format("Wk", "Wq", "Q, K")).line in {2, 3}


@pytest.mark.parametrize(("default", "handed", "wanted"), [("0", "", 4), ("-1", ", axis=0", 14), ("-1", ", 0", 14)])
def test_a_wrong_axis_is_named_where_it_is_set(find, default, handed, wanted):
    """At the parameter's default, or at the call that hands another one over."""
    source = f"""
import numpy as np

def softmax(a, axis={default}):
    e = np.exp(a - a.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)

def attention(Q, K, V, mask=None):
    s = Q @ K.T
    s = s / np.sqrt(Q.shape[1])

    if mask is not None:
        s = np.where(mask, s, -np.inf)
    w = softmax(s{handed})
    return w @ V, w
"""
    assert find("attention", source).line == wanted


def test_a_mask_that_is_not_handed_on_is_named_at_the_call(find):
    """The helper could have used it."""
    source = """
import numpy as np

def weigh(q, k, mask=None):
    s = q @ k.T / np.sqrt(q.shape[1])
    if mask is not None:
        s = np.where(mask, s, -np.inf)
    e = np.exp(s - s.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)

def attention(Q, K, V, mask=None):
    w = weigh(Q, K)
    return w @ V, w
"""
    found = find("attention", source)
    assert (found.line, found.step, found.confidence) == (12, "masked", "high")


def test_what_was_masked_instead_is_named(find):
    """The keys are filled, and not the scores."""
    source = """
import numpy as np

def attention(Q, K, V, mask=None):
    s = Q @ K.T / np.sqrt(Q.shape[1])
    other = s.copy()
    if mask is not None:
        other[~mask] = -np.inf
    e = np.exp(s - s.max(axis=1, keepdims=True))
    w = e / e.sum(axis=1, keepdims=True)
    return w @ V, w
"""
    assert find("attention", source).line in {8, 9}


CHANGES = """
import numpy as np

def lowered(x):
    x {}= x.max(axis=-1, keepdims=True)
    return x

def softmax(x):
    x = np.asarray(x)
    e = np.exp(lowered(x))
    return e / e.sum(axis=-1, keepdims=True)
"""


def test_the_line_that_changes_an_argument(record):
    """In a helper, through another name; none where nothing is changed."""
    assert line.changes(variant("softmax"), CHANGES.format("-"), record) == 5
    assert line.changes(variant("softmax"), CHANGES.format("= x -").replace("= x -=", "= x -"), record) is None


def test_the_report_holds_the_line_that_changes_an_argument():
    """Beside full points, behind the finding that something is changed."""
    with Marker() as marker:
        source = CHANGES.format("-")
        report = marker.file(SubmittedFile(Path("softmax.py"), "function", None, None, source), exercise="softmax")
    (found,) = [one for one in report.steps[0].findings if one.code == "line-changes"]
    assert (found.line, found.numbers["source"]) == (5, "x -= x.max(axis=-1, keepdims=True)")
    assert report.points == report.max_points


def test_in_another_convention(find):
    """A variant whose masks say what is blocked and whose weights are stored [out, in]."""
    source = """
import numpy as np

def cross_attention(X_q, X_kv, Wq, Wk, Wv, mask=None):
    Q = X_q @ Wq.T
    K = X_kv @ Wk.T
    V = X_kv @ Wv.T
    s = Q @ K.T / np.sqrt(Q.shape[1])
    if mask is not None:
        s = np.where(mask, {}, {})
    e = np.exp(s - s.max(axis=1, keepdims=True))
    w = e / e.sum(axis=1, keepdims=True)
    return w @ V, w
"""
    seeds = (draw.rebuild(load.find("cross_attention"), self_study(seed), 0) for seed in range(1, 60))
    wanted = {"mask_true": "blocked", "weights_stored": "out_in"}
    one = next(drawn for drawn in seeds if drawn.chosen.get("conventions") == wanted)
    assert find("cross_attention", source.format("-np.inf", "s"), one) is None
    assert find("cross_attention", source.format("s", "-np.inf"), one).line == 10


def test_what_only_crashes_is_left_to_its_traceback(find):
    """Nothing returns, so nothing is searched."""
    assert find("scores", "def scores(Q, K):\n    return Q @ K.T @ Q.missing\n") is None


def test_a_function_that_sees_it_is_watched_is_left_alone(find):
    """A recorded run that gives something else than the plain one proves nothing."""
    source = """
import sys
def scores(Q, K):
    watched = any(name.startswith("_recorder_") for name in globals())
    return Q @ K.T + (2 if watched else 1)
"""
    assert find("scores", source) is None


def test_what_a_submission_prints_or_prepares_does_not_matter(find):
    """Code of the module itself runs, and is no part of what is named."""
    source = """
import numpy as np
BIAS = np.ones((2, 2)) * 3

def softmax(x):
    print(x.shape)
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=0, keepdims=True)

print(softmax(BIAS))
"""
    assert find("softmax", source).line == 8


def test_an_endless_function_is_given_up(find):
    """The box's clock ends it."""
    assert find("scores", "def scores(Q, K):\n    while True:\n        pass\n") is None


def test_a_function_that_calls_itself_without_end_is_left_alone(find):
    """Too many places to look at: nothing is said."""
    assert find("softmax", "def softmax(x, n=0):\n    return softmax(x, n + 1) if n < 700 else x * 2\n") is None


@pytest.mark.parametrize("forks", [True, False])
def test_both_kinds_of_process(forks):
    """A fork and a fresh process tell the same."""
    source = "def scores(Q, K):\n    return Q @ K.T / 2\n"
    with Runner(forks=forks) as runner:
        found = line.find(
            variant("scores"),
            source,
            lambda text, function, returns: runner.record(text, Path("f.py"), function, returns, Limits(wall=5.0)),
        )
    assert (found.line, found.step) == (2, "scores")


def test_no_probe_holds_numbers_of_a_graded_case():
    """The reference's values of a probe are seen by the submission; those of a graded case must not be."""
    for exercise in ("softmax", "attention", "multi_head_attention", "causal_mask", "padding_mask", "split_heads"):
        one = variant(exercise)
        graded = [to_arrays(case.inputs) for case in one.cases]
        for probe in probes(one):
            floats = {name for name, value in probe.items() if value.dtype.kind == "f"}
            for case in graded:
                for name in floats & case.keys():
                    assert probe[name].shape != case[name].shape or not np.array_equal(probe[name], case[name])


def test_causal_mask_is_probed_at_other_sizes():
    """Its only number is its size."""
    one = variant("causal_mask")
    graded = {int(to_arrays(case.inputs)["n"]) for case in one.cases}
    sizes = {int(probe["n"]) for probe in probes(one)}
    assert not (sizes - {1}) & graded - {2}


def test_the_report_holds_the_line_and_the_marks_stay():
    """The finding stands behind the others; points are what they were."""
    source = "def scores(Q, K):\n    return Q @ K.T / 2\n"
    with Marker() as marker:
        report = marker.file(SubmittedFile(Path("scores.py"), "function", None, None, source), exercise="scores")
    (found,) = [one for one in report.steps[0].findings if one.code == "line-found"]
    assert found.line == 2
    assert found.numbers == {"line": 2, "source": "return Q @ K.T / 2", "expression": "Q @ K.T / 2", "step": "scores"}
    assert report.points == 0


def test_of_low_confidence_only_the_step_is_said():
    """No line, neither in the numbers nor in the finding."""
    found = said.finding(line.Found(3, "x", "weights", "low"), "a\nb\nc\n")
    assert (found.code, found.numbers, found.line) == ("step-found", {"step": "weights"}, None)


def test_a_loop_over_heads_fills_one_step():
    """Two values of (3, 4) are (2, 3, 4); six of (4,) as well; seven are not."""
    assert orders((2, 3, 4), 2, (3, 4)) == ((0, 1, 2),)
    assert orders((2, 3, 4), 6, (4,)) == ((0, 1, 2), (1, 0, 2))
    assert orders((2, 3, 4), 7, (4,)) == ()
    assert orders((3, 1), 1, (3,)) == ((0, 1),)


def test_what_is_alike():
    """To 1e-6; very low counts as -inf, very high does not; a truth is no number."""
    low = np.array([1.0, -np.inf])
    assert alike(low, np.array([1.0, -1e9]))
    assert not alike(low, np.array([1.0, 1e9]))
    assert not alike(low, np.array([1.0, -20.0]))
    assert not alike(np.array([True]), np.array([1.0]))
    assert close(np.array([1.0]), np.array([1.0 + 1e-8]))
    assert not close(np.array([np.inf]), np.array([-np.inf]))


def test_a_row_moved_by_a_constant():
    """Gives the same shares; a row turned does not."""
    row = np.array([[1.0, 2.0, -np.inf], [0.0, 4.0, 5.0]])
    assert shifted(row, row - np.array([[7.0], [1.0]]))
    assert not shifted(row, row * 2)
