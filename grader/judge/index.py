"""What every set of mistakes gives on one probe, so that naming is a look-up.

Each set is kept with the shapes of what it gives back and two weighted sums of its numbers. A look-up takes all sets of
these shapes whose sums lie as near as rounding may move them, so no set is missed for a last digit; what it returns are
candidates, to be held against every probe exactly.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Any, Final

import numpy as np

from grader.judge.sets import MOST, Given, Ground, Members
from grader.model import Array

FORMAT: Final = 1
"""To be raised when what stands in an index, or the order of the ways, changes its meaning."""

RAISED: Final = "raised"
_NEAR: Final = 2e-6
_STAND_INS: Final = (777.25, 91357.5, -64321.5)
"""What stands for NaN and the two infinities in a sum."""
_BATCH: Final = 4096
_GOLDEN: Final = 0.6180339887498949
_SILVER: Final = 0.4142135623730951


@dataclass(frozen=True, slots=True, eq=False)
class Index:
    """All sets of one size or more, sorted by their shapes and first sums."""

    kinds: tuple[str, ...]
    starts: Array
    sums: Array
    members: Array

    def find(self, given: Given | None) -> list[Members]:
        """The sets that may give this, the smallest first; `None` stands for an exception."""
        kind = _kind(given)
        if kind not in self.kinds:
            return []
        place = self.kinds.index(kind)
        start, stop = int(self.starts[place]), int(self.starts[place + 1])
        if given is None:
            rows = self.members[start:stop]
        else:
            flat = _flat(given)
            sums, near = _sums(flat[None])[0], _around(flat)
            low, high = np.searchsorted(self.sums[start:stop, 0], [sums[0] - near[0], sums[0] + near[0]])
            found = slice(start + int(low), start + int(high))
            rows = self.members[found][np.abs(self.sums[found, 1] - sums[1]) <= near[1]]
        sets = [tuple(int(one) for one in row if one >= 0) for row in rows]
        return sorted(sets, key=lambda one: (len(one), one))


def build(ground: Ground, most: int, least: int = 1) -> Index:
    """The index of all sets of `least` to `most` mistakes on one probe."""
    batches: dict[str, list[tuple[Members, Array]]] = {}
    done: dict[str, list[tuple[Array, Array]]] = {}
    for members, values in ground.walk(most, least):
        given = ground.wanted(values)
        kind = _kind(given)
        batch = batches.setdefault(kind, [])
        batch.append((members, np.zeros(0) if given is None else _flat(given)))
        if len(batch) == _BATCH:
            done.setdefault(kind, []).append(_summed(batches.pop(kind)))
    for kind, batch in batches.items():
        done.setdefault(kind, []).append(_summed(batch))
    return _sorted({kind: done[kind] for kind in sorted(done)})


def _summed(batch: Sequence[tuple[Members, Array]]) -> tuple[Array, Array]:
    members = np.array([[*one, *[-1] * (MOST - len(one))] for one, _ in batch], dtype=np.int16)  # (sets, 3)
    return members, _sums(np.stack([flat for _, flat in batch]))


def _sorted(parts: dict[str, list[tuple[Array, Array]]]) -> Index:
    members, sums, starts = [np.zeros((0, MOST), np.int16)], [np.zeros((0, 2))], [0]
    for some in parts.values():
        which, sizes = (np.concatenate(one) for one in zip(*some, strict=True))
        order = np.argsort(sizes[:, 0], kind="stable")
        members.append(which[order])
        sums.append(sizes[order])
        starts.append(starts[-1] + len(order))
    return Index(tuple(parts), np.array(starts, np.int64), np.concatenate(sums), np.concatenate(members))


def _kind(given: Given | None) -> str:
    """The shapes of what was given, and whether they are truths or numbers."""
    if given is None:
        return RAISED
    return " ".join(f"{'x'.join(map(str, one.shape))}{'b' if one.dtype.kind == 'b' else ''}" for one in given)


def _flat(given: Iterable[Any]) -> Array:
    flat = np.concatenate([np.asarray(one, dtype=np.float64).ravel() for one in given])
    nan, more, less = _STAND_INS
    return np.asarray(np.nan_to_num(flat, nan=nan, posinf=more, neginf=less))


@lru_cache(maxsize=64)
def _weights(size: int) -> Array:
    """Two columns of irregular positive weights between a half and one and a half."""
    places = np.arange(1, size + 1)
    return np.stack([(places * _GOLDEN) % 1 + 0.5, (places * places * _SILVER) % 1 + 0.5], axis=-1)  # (size, 2)


def _sums(flats: Array) -> Array:
    return np.asarray(flats @ _weights(flats.shape[-1]))  # (sets, size) @ (size, 2) -> (sets, 2)


def _around(flat: Array) -> Array:
    """How far the sums may lie from those of a set that gives the same numbers within the tolerance."""
    return np.asarray(_NEAR * ((1 + np.abs(flat)) @ _weights(flat.size)))


# --- as bytes, to be kept on disk --------------------------------------------------------------------------------


def to_bytes(index: Index) -> bytes:
    """The index as plain bytes: the kinds, then the arrays, little-endian."""
    head = "\n".join(index.kinds).encode()
    sizes = np.array([FORMAT, len(head), len(index.kinds), len(index.members)], dtype="<i8")
    arrays = (index.starts.astype("<i8"), index.sums.astype("<f8"), index.members.astype("<i2"))
    return b"".join([sizes.tobytes(), head, *(one.tobytes() for one in arrays)])


def from_bytes(data: bytes) -> Index | None:
    """The index that `to_bytes` wrote; `None` for anything else."""
    if len(data) < 4 * 8:
        return None
    form, head, kinds, rows = (int(one) for one in np.frombuffer(data, "<i8", 4))
    sizes = [head, (kinds + 1) * 8, rows * 16, rows * 2 * MOST]
    if form != FORMAT or min(head, kinds, rows) < 0 or 4 * 8 + sum(sizes) != len(data):
        return None
    cuts = np.cumsum([4 * 8, *sizes]).tolist()
    names, starts, sums, members = (data[one:other] for one, other in pairwise(cuts))
    return Index(
        tuple(names.decode("utf-8", "replace").split("\n")) if names else (),
        np.frombuffer(starts, "<i8"),
        np.frombuffer(sums, "<f8").reshape(-1, 2),
        np.frombuffer(members, "<i2").reshape(-1, MOST),
    )
