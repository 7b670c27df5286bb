"""The environment that fills in a template's texts: what a text of a course's own bank may do, and how much of it.

A text reads numbers, decides, and repeats a little. It reaches no insides of Python, and cannot run on or fill the
memory, whatever stands in it.
"""

import operator
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

import jinja2
from jinja2.sandbox import ImmutableSandboxedEnvironment

LONGEST = 10_000
"""So many steps may all `range` of one text have together, and so long may a list or a text grow in it."""
_LARGEST, _LARGEST_POWER = 10**64, 64

_METHODS = frozenset(
    {"split", "strip", "lower", "upper", "capitalize", "title", "startswith", "endswith", "index", "count"}
)
"""What a text or a list may be asked for."""

FILTERS = frozenset(
    {"abs", "capitalize", "default", "first", "float", "int", "join", "last", "length", "list", "lower", "map", "max",
     "min", "reject", "replace", "reverse", "round", "select", "sort", "string", "sum", "trim", "unique", "upper"}
)  # fmt: skip
"""The filters that a text may use: none of them makes much out of little."""


class TooMuch(ArithmeticError):
    """A text that would run on, or grow without bounds."""


class _Confined(ImmutableSandboxedEnvironment):
    """No attribute that begins with `_`, few methods, and sums and powers of a reasonable size."""

    intercepted_binops = frozenset({"*", "**", "+", "%"})

    def is_safe_attribute(self, obj: Any, attr: str, value: Any) -> bool:
        """Whether a text may ask for an attribute."""
        if isinstance(obj, str | bytes | int | float | list | tuple):
            return attr in _METHODS
        return super().is_safe_attribute(obj, attr, value)

    def call_binop(self, _context: Any, operator: str, left: Any, right: Any) -> Any:
        """A sum, product, power or rest, if it cannot get out of hand."""
        return _BINARY[operator](left, right)


def _plus(left: Any, right: Any) -> Any:
    if isinstance(left, str | list | tuple) and len(left) + len(right) > LONGEST:
        raise TooMuch
    return left + right


def _numbers_only(compute: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    def computed(left: Any, right: Any) -> Any:
        if not (isinstance(left, int | float) and isinstance(right, int | float)):
            raise TooMuch
        return compute(left, right)

    return computed


def _power(left: Any, right: Any) -> Any:
    if abs(left) > _LARGEST or abs(right) > _LARGEST_POWER:
        raise TooMuch
    return left**right


def _product(left: Any, right: Any) -> Any:
    if max(abs(left), abs(right)) > _LARGEST:
        raise TooMuch
    return left * right


_BINARY: Mapping[str, Callable[[Any, Any], Any]] = {
    "+": _plus,
    "*": _numbers_only(_product),
    "**": _numbers_only(_power),
    "%": _numbers_only(operator.mod),
}


@cache
def environment() -> jinja2.Environment:
    """The environment of all texts; a name that is not there is an error."""
    made = _Confined(undefined=jinja2.StrictUndefined, autoescape=False)  # Markdown, not HTML
    made.filters = {name: made.filters[name] for name in FILTERS}
    made.globals = {"namespace": made.globals["namespace"]}
    return made


def counted_range() -> Callable[..., range]:
    """A `range` for one text, which stops the text once all its ranges together are too long."""
    left = LONGEST

    def bounded(*bounds: int) -> range:
        nonlocal left
        steps = range(*bounds)
        left -= steps.stop - steps.start if steps.step == 1 else len(steps)
        if left < 0:
            raise TooMuch
        return steps

    return bounded
