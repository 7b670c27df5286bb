"""Asks made concrete: which cells, which option is right, in which order, and the numbers that options show."""

import itertools
import string
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from grader import trace
from grader.bank import plan
from grader.bank.entries import Drawing, Unfair
from grader.errors import GradeError
from grader.model import Array, Ask, Blank, Choice, Option, Template, Trace

_SAME = 1e-9
_NEARLY = 5e-4
_OPTIONS_APART = 10


def make(template: Template, at: Drawing, right: Trace, *, fair: bool) -> tuple[Blank, ...]:
    """Every blank of a template on one draw. With `fair`, `Unfair` when options are too close to tell apart."""
    return tuple(_blank(template, ask, at, right, fair=fair) for ask in template.ask)


def _blank(template: Template, ask: Ask, at: Drawing, right: Trace, *, fair: bool) -> Blank:
    cells, shape = _cells(ask, at, right) if ask.step else ((), ())
    choices: tuple[Choice, ...] = ()
    if ask.options:
        choices = _choices(ask, at, right, _Numbers(template, ask, cells, right, frozenset(at.values)))
        if fair:
            _check_options(ask, choices)
    truth = _truth(_resolve(ask.right, at.case)) if ask.kind == "truth" else None
    return Blank(
        ask.name, ask.kind, ask.step, cells, shape, ask.decimals, ask.points, ask.note, choices, truth, ask.feedback
    )


def _cells(ask: Ask, at: Drawing, right: Trace) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The index into the step's array that is asked for, and the shape of what is typed."""
    array = right[str(ask.step)]
    index = tuple(one if isinstance(one, int) else int(at.values[one].cells[0]) for one in ask.take)
    try:
        return index, np.asarray(array[index]).shape
    except IndexError as error:
        raise GradeError("take-outside", blank=ask.name, shape=list(array.shape)) from error


# --- which option is right ---------------------------------------------------------------------------------------


def _resolve(value: Any, case: Mapping[str, Any]) -> Any:
    """`case.field` is what the drawn case says there; anything else is itself."""
    return case[value.removeprefix("case.")] if isinstance(value, str) and value.startswith("case.") else value


def _truth(value: object) -> bool:
    return value if isinstance(value, bool) else str(value).lower() == "true"


def _same(first: Array, second: Array) -> bool:
    """Whether two steps are equal; `Unfair` if they differ by less than anyone would see."""
    if first.shape != second.shape:
        return False
    gap = _gap(first, second)
    if _SAME < gap < _NEARLY:
        raise Unfair("nearly-same")
    return gap <= _SAME


def _is_right(ask: Ask, option: Option, case: Mapping[str, Any], right: Trace) -> bool:
    """Whether an option is right: by its own truth, or because the blank (or the drawn case) names its key.

    Where nothing is said, the option without a mistake is right.
    """
    if isinstance(option.truth, Mapping):
        first, second = option.truth["same"]
        return _same(right[first], right[second])
    said = _resolve(ask.right if option.truth is None else option.truth, case)
    if said is None:
        return option.mistake is None
    if isinstance(said, list):
        return option.key in said
    return said if isinstance(said, bool) else str(said) == option.key


# --- options -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Numbers:
    """The numbers that options show: each computed by its own mistake, or rightly."""

    template: Template
    ask: Ask
    cells: tuple[int, ...]
    right: Trace
    given: frozenset[str]

    def of(self, option: Option, *, is_right: bool) -> Array | None:
        """This option's number; none where no step is asked, or for an option that is just a wrong sentence."""
        if self.ask.step is None or (option.mistake is None and not is_right):
            return None
        values = self.right if option.mistake is None else self._wrongly(self.ask.step, option.mistake)
        return np.asarray(values[self.ask.step][self.cells])

    def _wrongly(self, step: str, mistake: str) -> Trace:
        pipeline = trace.pipelines()[self.template.pipeline]
        inputs = {name: self.right[name] for name in self.given}
        ways = [way for way in trace.applicable(pipeline, inputs, self.right) if way.id == mistake]
        wrong = plan.run_wrong(pipeline.name, self.given, (step,), self.right, ways[0]) if ways else None
        if wrong is None or wrong[step].shape != self.right[step].shape:
            raise Unfair("option-not-computed", mistake)
        return wrong


def _choices(ask: Ask, at: Drawing, right: Trace, numbers: _Numbers) -> tuple[Choice, ...]:
    options = at.stream(f"options:{ask.name}").shuffled(ask.options) if ask.shuffle else list(ask.options)
    choices = []
    for letter, option in zip(string.ascii_uppercase, options, strict=False):
        is_right = _is_right(ask, option, at.case, right)
        number = numbers.of(option, is_right=is_right)
        choices.append(Choice(letter, option.key, option.text, is_right, option.mistake, option.feedback, number))
    return tuple(choices)


def _check_options(ask: Ask, choices: tuple[Choice, ...]) -> None:
    if ask.kind == "choice" and sum(choice.right for choice in choices) != 1:
        raise Unfair("right-options", ask.name)
    apart = _OPTIONS_APART * 0.5 * 10.0**-ask.decimals
    shown = [(choice.key, choice.value) for choice in choices if choice.value is not None]
    for (one, first), (two, second) in itertools.combinations(shown, 2):
        if not _gap(first, second) >= apart:
            raise Unfair("options-close", f"{one}, {two}")


def _gap(first: Array, second: Array) -> float:
    return float(np.abs(first.astype(float) - second.astype(float)).max(initial=0.0))
