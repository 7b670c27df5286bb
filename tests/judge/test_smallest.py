"""The smallest failing example: it fails indeed, is small and plain, and is shown as the learner meets it."""

import numpy as np
import pytest

import solutions
from grader.bank import load
from grader.judge import conventions, smallest
from grader.judge.function import judge
from grader.model import Limits, Outcome, Seed
from grader.sandbox.run import Runner
from grader.trace import to_arrays
from tests.judge.in_process import asker, variant_of

FUNCTIONS = [template.id for template in load.bank() if template.function is not None]


def softmax(x):
    """Right softmax."""
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def attention(Q, K, V, mask=None, *, divisor=None, fill=-np.inf):
    """Attention with its divisor and fill open to change."""
    s = Q @ K.T / (divisor or np.sqrt(Q.shape[-1]))
    w = softmax(s if mask is None else np.where(mask, s, fill))
    return w @ V, w


def heads(X, Wq, Wk, Wv, Wo, n_heads, mask=None):  # noqa: PLR0917 -- as the contract says
    """Multi-head attention whose heads stand in reverse order."""
    parts = [np.split(X @ W, n_heads, axis=1) for W in (Wq, Wk, Wv)]
    return np.hstack([attention(*one, mask)[0] for one in zip(*parts, strict=True)][::-1]) @ Wo


def overflowing(x):
    """No maximum taken away."""
    return np.exp(x) / np.exp(x).sum(axis=-1, keepdims=True)


WRONG = [
    ("softmax", lambda x: 0.9 * softmax(x), 1),
    ("softmax", lambda x: softmax(x * 1.1), 2),
    ("softmax", overflowing, 1),
    ("scores", lambda Q, K: (Q @ K.T) ** 2, 4),
    ("scores", lambda Q, K: Q @ np.roll(K, 1, axis=1).T, 4),
    ("attention", lambda *a: attention(*a, divisor=3), 8),
    ("attention", lambda *a: attention(*a, fill=-2.0), 7),
    ("attention", lambda *a: (np.tanh(attention(*a)[0]), attention(*a)[1]), 4),
    ("cross_attention", lambda x, y, q, k, v, mask=None: attention(x @ q, y @ k, y @ v, mask, divisor=3), 20),
    ("multi_head_attention", heads, 21),
    ("project_qkv", lambda X, q, k, v: (X @ q, X @ k, X @ v + 1), 4),
    ("split_heads", lambda X, h: np.stack(np.split(X, h, axis=1))[::-1], 3),
    ("merge_heads", lambda H: np.hstack(list(H[::-1])), 2),
    ("causal_mask", lambda n: np.tri(n, k=1, dtype=bool), 1),
    ("padding_mask", lambda lengths, m: np.arange(m) <= lengths[:, None], 2),
]


def known(variant, ask):
    """The graded case that judging shows."""
    return judge(variant, ask([to_arrays(case.inputs) for case in variant.cases])).failing


@pytest.mark.parametrize(("name", "function", "cells"), WRONG)
def test_the_example_fails_and_is_small(name, function, cells):
    """Run again on the inputs shown, the function gives what is called yours, which is not what is expected."""
    variant = variant_of(name)
    ask = asker(variant, function)

    found = smallest.failing(variant, ask, known(variant, ask))
    given = [int(one) if one is not None and one.ndim == 0 else one for one in found.inputs.values()]
    with np.errstate(all="ignore"):
        again = function(*given)
    place = [one.name for one in variant.template.function.returns].index(found.returned)
    again = np.asarray(again[place] if len(variant.template.function.returns) > 1 else again)

    assert np.array_equal(again, found.yours, equal_nan=True)
    assert found.yours.shape != found.expected.shape or not np.allclose(found.yours, found.expected, rtol=0, atol=1e-6)
    assert sum(one.size for one in found.inputs.values() if one is not None) <= cells


@pytest.mark.parametrize(("name", "function", "cells"), WRONG)
def test_the_numbers_are_whole(name, function, cells):
    """Nothing that is handed in has decimals."""
    variant = variant_of(name)
    ask = asker(variant, function)

    found = smallest.failing(variant, ask, known(variant, ask))

    assert all(
        np.array_equal(one, np.rint(one)) for one in found.inputs.values() if one is not None and one.dtype != bool
    )


def test_an_overflow_needs_one_score_alone():
    """A single score of 1000 is enough where no maximum is taken away."""
    variant = variant_of("softmax")
    ask = asker(variant, overflowing)

    found = smallest.failing(variant, ask, known(variant, ask))

    assert found.inputs["x"].ravel().tolist() == [1000.0]
    assert np.isnan(found.yours).all()
    assert found.expected.ravel().tolist() == [1.0]


def test_what_need_not_be_there_is_zero():
    """Of queries, keys and values only the numbers that make it fail are left."""
    variant = variant_of("attention")
    ask = asker(variant, lambda *a: attention(*a, divisor=3))

    found = smallest.failing(variant, ask, known(variant, ask))

    assert sum(int((found.inputs[name] != 0).sum()) for name in ("Q", "K", "V")) <= 3
    assert all(abs(one).max() <= 1 for one in (found.inputs[name] for name in ("Q", "K", "V")))


def test_the_sizes_are_its_name():
    """Sizes read the same in every language."""
    variant = variant_of("attention")
    ask = asker(variant, lambda *a: attention(*a, divisor=3))

    assert smallest.failing(variant, ask, known(variant, ask)).name == "n = 1, m = 2, d_k = 2, d_v = 1"


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_right_function_has_no_example(name):
    """Nothing fails, nothing is shown, and the work is bounded."""
    variant, counts = variant_of(name), []
    ask = asker(variant, getattr(solutions, variant.template.function.name), counts)

    assert smallest.failing(variant, ask) is None
    assert len(counts) <= smallest.ROUNDS
    assert max(counts) <= smallest.BATCH


def test_the_same_question_gets_the_same_answer():
    """Nothing is left to chance."""
    variant = variant_of("multi_head_attention")
    ask = asker(variant, heads)
    case = known(variant, ask)

    first, second = (smallest.failing(variant, ask, case) for _ in range(2))

    assert first.name == second.name
    assert all(np.array_equal(one, second.inputs[name]) for name, one in first.inputs.items() if one is not None)


def test_a_function_that_crashes_has_an_example_without_values():
    """The smallest inputs on which it crashes, and what it should give."""
    variant = variant_of("scores")
    ask = asker(variant, np.matmul)

    crashes = smallest.failing(variant, asker(variant, lambda Q, K: Q @ K.T + np.zeros((1, 9))[:, : 8 + len(K)]))
    differs = smallest.failing(variant, ask, known(variant, ask))

    assert crashes.yours is None
    assert crashes.expected.shape == (1, 2)
    assert differs.yours is not None


def test_a_fault_that_only_the_known_case_shows_keeps_it():
    """What fails at nine columns alone is shown by the case that was known."""
    variant = variant_of("split_heads")
    ask = asker(variant, lambda X, h: np.stack(np.split(X * (1 + (X.shape[1] == 9)), h, axis=1)))
    case = known(variant, ask)

    found = smallest.failing(variant, ask, case)

    assert found.inputs["X"].shape[1] == 9


def test_the_value_shown_is_the_one_that_the_known_case_is_about():
    """Of three results in each other's places the first is shown, though another can differ in a plainer example."""
    variant = variant_of("project_qkv")
    ask = asker(variant, lambda X, q, k, v: (X @ k, X @ v, X @ q))
    case = known(variant, ask)

    found = smallest.failing(variant, ask, case)

    assert (case.returned, found.returned) == ("Q", "Q")
    assert found.yours.shape == found.expected.shape or found.yours.size <= 2 >= found.expected.size


def test_an_example_that_does_not_fail_alone_is_not_shown():
    """What fails in a fresh process is sought there, and its values are those that it gives there."""
    variant = variant_of("scores")
    ask = asker(variant, lambda Q, K: Q @ K.T + 1)
    alone = asker(variant, lambda Q, K: Q @ K.T + 2 * (len(K) > 1))
    case = known(variant, alone)

    found = smallest.failing(variant, ask, case, alone)

    assert found.inputs["K"].shape[0] == 2
    np.testing.assert_array_equal(found.yours, found.expected + 2)


def test_nothing_more_is_asked_of_a_function_that_does_not_end():
    """One round whose cases ran out of time is enough; the known case stays."""
    variant, counts = variant_of("attention"), []
    case = known(variant, asker(variant, lambda *a: attention(*a, divisor=3)))

    def ask(inputs):
        counts.append(len(inputs))
        return [Outcome("timeout", limit=5.0)] * len(inputs)

    assert smallest.failing(variant, ask, case) is case
    assert len(counts) == 1


def test_the_example_is_in_the_learners_own_convention():
    """Where True blocks, the mask that is shown blocks where it is True."""
    seeds = (variant_of("attention", Seed(str(seed))) for seed in range(20))
    variant = next(one for one in seeds if one.chosen["conventions"]["mask_true"] == "blocked")
    ask = asker(variant, lambda Q, K, V, mask=None: attention(Q, K, V, None if mask is None else ~mask, fill=-1.0))

    found = smallest.failing(variant, ask, known(variant, ask))

    blocked = found.inputs["mask"]
    assert blocked.any()
    assert np.all(found.expected[blocked] == 0) if found.returned == "weights" else True
    assert not blocked.all(axis=1).any()


WRITTEN = """
import numpy as np

def softmax(x):
    e = np.exp(x - x.max())
    return e / e.sum()
"""


def test_an_example_is_found_through_the_runner(tmp_path):
    """One softmax over the whole matrix: two rows of one score are enough."""
    variant = variant_of("softmax")
    spec = variant.template.function
    with Runner() as runner:

        def ask(inputs):
            cases = [conventions.arguments(spec, {}, one) for one in inputs]
            return runner.run(WRITTEN, tmp_path / "a.py", spec.name, cases, len(spec.returns), Limits())

        found = smallest.failing(variant, ask, known(variant, ask))

    assert found.name == "n = 2, m = 1"
    assert found.expected.tolist() == [[1.0], [1.0]]
