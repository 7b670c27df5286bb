"""The tree of one number and its value: a `Fraction` wherever it is rational, a float otherwise, and always bounded."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from grader.model import Finding
from grader.worksheet.unreadable import Unreadable

Value = Fraction | float

MAX_BITS: Final = 4096
LARGEST: Final = 10**300
"""A little less than what a float holds, so that whoever compares may work with floats."""

CONSTANTS: Final[dict[str, Value]] = {
    "e": math.e,
    "pi": math.pi,
    "π": math.pi,
    "inf": math.inf,
    "infinity": math.inf,
}


@dataclass(frozen=True, slots=True)
class Literal:
    """A number as typed: its value, its digits after the point, and a notice if its comma had to be read."""

    value: Fraction
    decimals: int
    notice: Finding | None = None


@dataclass(frozen=True, slots=True)
class Constant:
    """A named number: e, pi, infinity."""

    name: str


@dataclass(frozen=True, slots=True)
class Unary:
    """A sign, `sqrt` or `exp` before its argument."""

    sign: str
    inner: "Node"


@dataclass(frozen=True, slots=True)
class Binary:
    """Two sides of `+ - * / ^`."""

    sign: str
    left: "Node"
    right: "Node"


Node = Literal | Constant | Unary | Binary


def evaluate(node: Node) -> Value:
    """The value of a tree, exact where rational. Raises `Unreadable` for what has no value here."""
    try:
        value = _value(node)
    except OverflowError:
        raise Unreadable("too-large") from None
    except ZeroDivisionError:
        raise Unreadable("division-by-zero") from None
    if isinstance(value, float) and math.isnan(value):
        raise Unreadable("nan")
    if isinstance(value, Fraction) and abs(value) > LARGEST:
        raise Unreadable("too-large")
    return value


def decimals(node: Node) -> int | None:
    """How many digits after the point were typed: of a plain number or one times a power of ten, else `None`."""
    match node:
        case Literal(decimals=digits):
            return digits
        case Unary("-" | "+", inner):
            return decimals(inner)
        case Binary("*", left, Binary("^", Literal(value=base), power)) if base == 10:  # noqa: PLR2004 - 1.6*10^-4
            typed, exponent = decimals(left), _value(power)
            return None if typed is None or exponent != int(exponent) else max(0, typed - int(exponent))
        case _:
            return None


def notices(node: Node) -> tuple[Finding, ...]:
    """What had to be said about the numbers in a tree."""
    match node:
        case Literal(notice=notice):
            return (notice,) if notice else ()
        case Unary(_, inner):
            return notices(inner)
        case Binary(_, left, right):
            return notices(left) + notices(right)
        case _:
            return ()


def _value(node: Node) -> Value:
    match node:
        case Literal(value=value):
            return _bounded(value)
        case Constant(name):
            return CONSTANTS[name]
        case Unary(sign, inner):
            return _UNARY[sign](_value(inner))
        case Binary("^", Constant("e"), right):
            return math.exp(_value(right))
        case Binary(sign, left, right):
            sides = _value(left), _value(right)
            result = _bounded(_BINARY[sign](*sides))
            if math.isinf(result) and not any(map(math.isinf, sides)):
                raise OverflowError
            return result


def _bounded(value: Value) -> Value:
    """`value`, unless it has grown past anything an exercise could need."""
    if isinstance(value, Fraction) and max(value.numerator.bit_length(), value.denominator.bit_length()) > MAX_BITS:
        raise OverflowError
    return value


def _root(value: Value) -> Value:
    """The square root, exact of a square."""
    if value < 0:
        raise Unreadable("negative-root")
    if isinstance(value, float):
        return math.sqrt(value)
    top, bottom = math.isqrt(value.numerator), math.isqrt(value.denominator)
    if top * top == value.numerator and bottom * bottom == value.denominator:
        return Fraction(top, bottom)
    return math.sqrt(value)


def _power(base: Value, exponent: Value) -> Value:
    """A power, exact where the exponent is a whole number of sensible size."""
    if isinstance(base, Fraction) and isinstance(exponent, Fraction):
        if exponent == Fraction(1, 2):
            return _root(base)
        if exponent.denominator == 1:
            bits = max(base.numerator.bit_length(), base.denominator.bit_length())
            if bits > 1 and abs(exponent.numerator) * (bits - 1) > MAX_BITS:
                raise OverflowError
            return Fraction(base**exponent.numerator)
    if base < 0:
        raise Unreadable("negative-root")
    return float(float(base) ** float(exponent))


_UNARY: Final[dict[str, Callable[[Value], Value]]] = {
    "+": lambda value: value,
    "-": lambda value: -value,
    "sqrt": _root,
    "exp": math.exp,
}
_BINARY: Final[dict[str, Callable[[Value, Value], Value]]] = {
    "+": lambda left, right: left + right,
    "-": lambda left, right: left - right,
    "*": lambda left, right: left * right,
    "/": lambda left, right: left / right,
    "^": _power,
}
