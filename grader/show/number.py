"""Values as short text: numbers with no more digits than help, points as exact fractions, lists joined."""

from collections.abc import Mapping
from fractions import Fraction
from math import floor, isfinite, isnan, log10
from typing import Any

import numpy as np

from grader.show.escape import escape

DIGITS = 4
PLAIN_BELOW = 1e7
PLAIN_ABOVE = 1e-6
LARGEST_BITS = 1000

SHORT_DECIMAL = 1000
"""A fraction whose denominator divides this is a decimal of three places."""

VULGAR = {
    Fraction(1, 2): "½",
    Fraction(1, 3): "⅓",
    Fraction(2, 3): "⅔",
    Fraction(1, 4): "¼",
    Fraction(3, 4): "¾",
    Fraction(1, 8): "⅛",
    Fraction(3, 8): "⅜",
    Fraction(5, 8): "⅝",
    Fraction(7, 8): "⅞",
}
"""Fractions that have a sign of their own, in fonts that people have."""


def number(value: float) -> str:
    """A number with four decimals, or four significant digits below one, without trailing zeros."""
    if isnan(value):
        return "nan"
    if not isfinite(value):
        return "inf" if value > 0 else "-inf"
    size = abs(value)
    if value == 0:
        return "0"
    if not PLAIN_ABOVE <= size < PLAIN_BELOW:
        return f"{value:.{DIGITS}g}"
    decimals = DIGITS if size >= 1 else DIGITS - 1 - floor(log10(size))
    return trim(f"{value:.{decimals}f}")


def trim(text: str) -> str:
    """A decimal without trailing zeros, and without a sign if nothing is left."""
    short = text.rstrip("0").rstrip(".") if "." in text else text
    return "0" if short in {"-0", ""} else short


def points(value: Fraction, *, signs: bool = True) -> str:
    """Points exactly as they are: `3`, `3½`, `0.4`, `3 5/12`; without signs of fractions `3.5`."""
    whole, rest = divmod(value, 1)
    if not rest:
        return str(whole)
    if signs and rest in VULGAR:
        return f"{whole or ''}{VULGAR[rest]}"
    if not SHORT_DECIMAL % rest.denominator:
        return trim(f"{float(value):.3f}")
    return f"{whole} {rest}" if whole else str(rest)


def shown(thing: Any) -> str:
    """Anything that may stand in a finding's numbers, as text for a sentence; strings are made safe."""
    if isinstance(thing, np.generic):
        thing = thing.item()
    if isinstance(thing, str):
        return escape(thing)
    if thing is None or isinstance(thing, bool | Fraction):
        return str(thing)
    if isinstance(thing, int):
        return str(thing) if thing.bit_length() < LARGEST_BITS else f"≈ 1e{floor(thing.bit_length() * log10(2))}"
    if isinstance(thing, float):
        return number(thing)
    return _several(thing)


def _several(thing: Any) -> str:
    """A list, tuple, array or mapping; lists within lists keep their brackets."""
    if isinstance(thing, np.ndarray):
        return shown(thing.tolist())
    if isinstance(thing, Mapping):
        return ", ".join(f"{shown(key)}: {shown(item)}" for key, item in thing.items())
    if isinstance(thing, list | tuple | set | frozenset):
        nested = (f"[{shown(item)}]" if isinstance(item, list | tuple) else shown(item) for item in thing)
        return escape(", ".join(nested))
    return escape(str(thing))
