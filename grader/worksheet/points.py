"""What a problem is worth as people write it: `2`, `0.5`, `5e-1`, `1/2`. One reader for files of every kind.

Its bounds come before any arithmetic: `1e999999999` has twelve characters and takes years to write out.
"""

import re
from fractions import Fraction
from typing import Final

LARGEST: Final = 1_000_000
_LONGEST: Final = 20
_FORM: Final = re.compile(r"\+?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d{1,2})?|\+?\d+/\d+")
_LARGEST_SUM, _LONGEST_SUM = 1000 * LARGEST, 2000
"""Of a worksheet's blanks together: denominators multiply."""


def read(raw: object) -> Fraction:
    """Points exactly, from 0 to `LARGEST`. Errors: `ValueError`."""
    return _read(str(raw), _LONGEST, LARGEST)


def read_sum(raw: object) -> Fraction:
    """What several points came to, as a lock keeps it. Errors: `ValueError`."""
    return _read(str(raw), _LONGEST_SUM, _LARGEST_SUM)


def _read(text: str, longest: int, largest: int) -> Fraction:
    text = text.strip()
    if len(text) > longest or not _FORM.fullmatch(text):
        raise ValueError("no number of points")
    try:
        points = Fraction(text)
    except ZeroDivisionError:
        raise ValueError("a fraction of nothing") from None
    if points > largest:
        raise ValueError("too many points")
    return points
