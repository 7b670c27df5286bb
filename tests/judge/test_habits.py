"""What a right function does with inputs that no graded case has: said by its id, at no cost."""

import numpy as np
import pytest

from grader.bank import words
from grader.judge import function, habits
from grader.model import Finding, Outcome
from grader.show import text
from grader.trace import to_arrays
from tests.judge.in_process import asker, variant_of


def softmax(x):
    """Right softmax."""
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def attention(Q, K, V, mask=None):
    """Right attention."""
    s = Q @ K.T / np.sqrt(Q.shape[-1])
    w = softmax(s if mask is None else np.where(mask, s, -np.inf))
    return w @ V, w


def divides_in_place(Q, K, V, mask=None):
    """The scores keep the type of whole numbers."""
    s = Q @ K.T
    s /= np.sqrt(Q.shape[-1])
    w = softmax(s if mask is None else np.where(mask, s, -np.inf))
    return w @ V, w


def stores_like_values(Q, K, V, mask=None):
    """The output has the type of the values."""
    output, w = attention(Q, K, V, mask)
    return output.astype(V.dtype), w


def writes_and_restores(Q, K, V, mask=None):
    """The queries are as before afterwards."""
    Q += 1
    found = attention(Q - 1, K, V, mask)
    Q -= 1
    return found


def writes_exponentials_back(x):
    """The exponentials stand where the scores stood: an array of whole numbers has no room for them."""
    x = x - np.max(x, axis=-1, keepdims=True)
    np.exp(x, out=x)
    x /= x.sum(axis=-1, keepdims=True)
    return x


def row_by_row(x):
    """The weights are kept in an array made like the scores."""
    y = np.empty_like(x)
    for place in np.ndindex(x.shape[:-1]):
        y[place] = softmax(x[place])
    return y


def wrong_for_whole_numbers(x):
    """Whole numbers are softmaxed along another axis: no way of keeping results."""
    return softmax(x) if x.dtype.kind == "f" else np.moveaxis(softmax(np.moveaxis(x, -1, 0)), 0, -1)


def floats_alone(Q, K, V, mask=None):
    """Whole numbers are refused in so many words."""
    if Q.dtype.kind != "f":
        raise TypeError
    return attention(Q, K, V, mask)


def told(written, name="attention"):
    """The codes and ids that are said about a right function."""
    variant = variant_of(name)
    ask = asker(variant, written)
    judged = function.judge(variant, ask([to_arrays(case.inputs) for case in variant.cases]))
    assert all(step.status == "right" for step in judged.steps)
    return [(finding.code, finding.mistakes) for finding in habits.found(variant, judged, ask)]


def stored(x):
    """The weights have the type of the scores."""
    return softmax(x).astype(x.dtype)


@pytest.mark.parametrize(
    ("written", "name", "ids"),
    [
        (attention, "attention", []),
        (softmax, "softmax", []),
        (divides_in_place, "attention", [("whole-numbers-refused", ("int_inplace_division",))]),
        (stores_like_values, "attention", [("whole-numbers-cut", ("integer_truncation",))]),
        (stored, "softmax", [("whole-numbers-cut", ("integer_truncation",))]),
        (writes_exponentials_back, "softmax", [("whole-numbers-refused", ())]),
        (row_by_row, "softmax", [("whole-numbers-cut", ("integer_truncation",))]),
        (wrong_for_whole_numbers, "softmax", []),
        (floats_alone, "attention", []),
    ],
)
def test_whole_numbers_show_how_results_are_kept(written, name, ids):
    """Said only if keeping them is what goes wrong: never as a mistake about axes, scores or anything else."""
    assert told(written, name) == ids


def test_an_array_that_cannot_be_written_to_shows_who_writes():
    """Even where everything is put back afterwards; the copies that an asker hands on may be written to."""
    variant = variant_of("attention")

    def ask(inputs):
        return [called(one) for one in inputs]

    def called(inputs):
        try:
            return Outcome("returned", writes_and_restores(inputs["q"], inputs["k"], inputs["v"], inputs.get("mask")))
        except ValueError as error:
            return Outcome("exception", error=type(error).__name__, message=str(error))

    judged = function.judge(variant, asker(variant, attention)([to_arrays(case.inputs) for case in variant.cases]))

    (found,) = habits.found(variant, judged, ask)
    assert (found.code, found.mistakes) == ("mutates_input", ("mutates_input",))


def test_an_error_of_another_kind_is_no_writing():
    """Only NumPy's own word that an array is read-only tells who writes."""
    variant = variant_of("softmax")

    def ask(inputs):
        return [Outcome("exception", error="ValueError", message="an axis too many") for _ in inputs]

    judged = function.judge(variant, asker(variant, softmax)([to_arrays(case.inputs) for case in variant.cases]))

    assert habits.found(variant, judged, ask) == ()


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("code", ["whole-numbers-cut", "whole-numbers-refused"])
def test_what_would_become_of_whole_numbers_is_said_as_an_if(code, lang):
    """No exercise hands whole numbers in, so nothing went wrong."""
    said = text.finding(Finding(code), words.load(), lang)

    assert said.startswith({"en": "If whole numbers were handed in, ", "zh": "如果传入的是整数，"}[lang])


@pytest.mark.parametrize(
    ("values", "named"),
    [
        (lambda output, weights: output, True),
        (lambda output, weights: weights, False),
        (lambda output, weights: output + 1e-3, False),
    ],
)
def test_one_value_of_two_is_the_output_or_nobody_is_accused(values, named):
    """It must be the right output in every graded case."""
    variant = variant_of("attention")

    def ask_first(inputs):
        given = ({name: one for name, one in each.items() if name in {"q", "k", "v", "mask"}} for each in inputs)
        return [Outcome("returned", (values(*_called(one)),)) for one in given]

    def _called(one):
        return attention(one["q"], one["k"], one["v"], one.get("mask"))

    assert (habits.only_the_first(variant, ask_first) is not None) == named
