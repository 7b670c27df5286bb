"""Seeds and the streams of numbers drawn from them: the same on every machine and under every NumPy.

Each drawn name has a stream of its own, so adding a variable to a template shifts no other. A stream is the raw output
of a counter-based generator; integers are taken from it by rejection, because NumPy's own integer draw may change.
"""

import hashlib
import hmac
import json
from collections.abc import Sequence
from typing import TypeVar

import numpy as np

from grader.model import Seed

T = TypeVar("T")
_RANGE = 1 << 64
_BLOCK = 16
DERIVED = 16
"""Characters of a seed that a course derives."""
MOST = 10 ** (DERIVED - 1) - 1
"""The largest seed of self-study: shorter than a course's, so that the two are never taken for each other."""
DEFAULT = Seed("default")
"""The seed of a function exercise marked without a variant: every convention has its first setting."""


def self_study(number: int) -> Seed:
    """The seed of the self-study variant of this number."""
    return Seed(str(number))


def is_derived(seed: Seed) -> bool:
    """Whether a course drew it: its length tells, as those of self-study are plain numbers below `MOST`."""
    return len(seed.text) == DERIVED or not (seed.text.isdecimal() or seed.text == DEFAULT.text)


def derived(secret: bytes, student: str, template_id: str, drawing_hash: str, attempt: int) -> Seed:
    """A class member's seed: nobody without the secret can tell it beforehand, and all parts take part."""
    message = json.dumps([student, template_id, drawing_hash, attempt], ensure_ascii=True).encode()
    return Seed(hmac.new(secret, message, hashlib.sha256).hexdigest()[:DERIVED])


class Stream:
    """Integers drawn for one name of one variant."""

    def __init__(self, template_id: str, drawing_hash: str, seed: Seed, redraw: int, name: str) -> None:
        """Key the generator by SHA-256 of everything that tells this stream from others."""
        parts = json.dumps([template_id, drawing_hash, seed.text, seed.pin, redraw, name], ensure_ascii=True)
        key = hashlib.sha256(parts.encode()).digest()[:16]
        self._key = int.from_bytes(key, "little")
        self._raw: np.random.Philox | None = None
        self._block: list[int] = []

    def _word(self) -> int:
        if not self._block:
            self._raw = self._raw or np.random.Philox(key=self._key)
            self._block = self._raw.random_raw(_BLOCK).tolist()[::-1]
        return self._block.pop()

    def integer(self, low: int, high: int) -> int:
        """One integer, uniform from `low` to `high`, both included."""
        span = high - low + 1
        limit = _RANGE - _RANGE % span
        while (word := self._word()) >= limit:
            pass
        return low + word % span

    def pick(self, values: Sequence[T]) -> T:
        """One of the values, all equally likely."""
        return values[self.integer(0, len(values) - 1)]

    def shuffled(self, values: Sequence[T]) -> list[T]:
        """The values in an order drawn from all orders equally."""
        order = list(values)
        for last in range(len(order) - 1, 0, -1):
            other = self.integer(0, last)
            order[last], order[other] = order[other], order[last]
        return order
