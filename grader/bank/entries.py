"""The kinds of drawing: each turns one entry of a template's `draw` into numbers kept as decimal strings."""

import itertools
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from grader.bank.seeds import Stream
from grader.errors import GradeError
from grader.model import Numbers

Spec = Mapping[str, Any]
Check = Callable[[str, Numbers], None]
_TRIES = 200


class Unfair(Exception):
    """A draw that breaks a rule; the rule's name and, where there is one, what broke it."""

    def __init__(self, rule: str, what: str = "") -> None:
        """Keep the rule and what broke it."""
        super().__init__(rule, what)
        self.rule = rule
        self.what = what


@dataclass
class Drawing:
    """What one variant, or one case of it, has drawn so far, and where it draws the next name from."""

    stream: Callable[[str], Stream]
    case: Mapping[str, Any] = field(default_factory=dict)
    sizes: dict[str, int] = field(default_factory=dict)
    values: dict[str, Numbers] = field(default_factory=dict)
    specs: Mapping[str, Spec | None] = field(default_factory=dict)

    def size(self, name: int | str) -> int:
        """A number written as it is, or the size of that name."""
        return name if isinstance(name, int) else self.sizes[name]

    def shape(self, names: Sequence[int | str]) -> tuple[int, ...]:
        """A shape written in numbers and sizes."""
        return tuple(self.size(name) for name in names)


# --- decimal strings ---------------------------------------------------------------------------------------------


def canonical(value: Decimal | float | str) -> str:
    """The one decimal string of a number: no exponent, no trailing zeros, no minus zero."""
    plain = format(Decimal(str(value)).normalize(), "f")
    return "0" if plain in {"-0", "0"} else plain


def _flat(value: Any) -> tuple[tuple[int, ...], list[Any]]:
    """The shape and the cells of nested lists; `ValueError` if they are ragged."""
    if not isinstance(value, list):
        return (), [value]
    parts = [_flat(row) for row in value]
    if len({shape for shape, _ in parts}) > 1:
        raise ValueError("ragged rows")
    inner = parts[0][0] if parts else ()
    return (len(value), *inner), [cell for _, cells in parts for cell in cells]


def constant(value: Any) -> Numbers:
    """A number, a truth or nested lists of them: whole single numbers are integers, matrices are decimals."""
    shape, cells = _flat(value)
    if all(isinstance(cell, bool) for cell in cells):
        return Numbers(shape, tuple("T" if cell else "F" for cell in cells), "boolean")
    whole = shape == () and isinstance(cells[0], int)
    return Numbers(shape, tuple(canonical(cell) for cell in cells), "integer" if whole else "decimal")


def integer(value: int) -> Numbers:
    """One integer, as sizes and indices are."""
    return Numbers((), (str(value),), "integer")


def fixed(value: Any, spec: Spec) -> Numbers:
    """A pin's own numbers, of the kind that this entry of `draw` would have drawn."""
    numbers = constant(value)
    if "lengths" in spec or "index" in spec:
        return Numbers(numbers.shape, numbers.cells, "integer")
    if "mask" in spec and numbers.kind != "boolean":
        return Numbers(numbers.shape, tuple("F" if cell == "0" else "T" for cell in numbers.cells), "boolean")
    if "shape" in spec or "shares" in spec:
        return Numbers(numbers.shape, numbers.cells, "decimal")
    return numbers


# --- the kinds ---------------------------------------------------------------------------------------------------


def _grid(spec: Spec) -> tuple[Decimal, Decimal, int, list[int]]:
    """The values that an entry may take, not listed: the lowest, the step, how many, and the places left out."""
    low, high, step = (Decimal(str(spec[name])) for name in ("low", "high", "step"))
    count = int((high - low) / step) + 1
    excluded = {Decimal(str(value)) for value in spec.get("exclude", ())}
    places = sorted({int((value - low) / step) for value in excluded if low <= value and (value - low) % step == 0})
    return low, step, count, [place for place in places if place < count]


def _after(place: int, left_out: Sequence[int]) -> int:
    """The place on the whole grid of a place among those that are not left out."""
    for one in left_out:
        place += one <= place
    return place


def _times(times: float | str, at: Drawing) -> Decimal:
    """The factor of every entry: a number, or `sqrt_NAME` of a size that is a square."""
    if not isinstance(times, str):
        return Decimal(str(times))
    size = at.sizes[times.removeprefix("sqrt_")]
    if math.isqrt(size) ** 2 != size:
        raise GradeError("size-not-square", name=times, size=size)
    return Decimal(math.isqrt(size))


def _entries(spec: Spec, at: Drawing, stream: Stream) -> Numbers:
    shape = at.shape(spec["shape"])
    low, step, count, left_out = _grid({"step": 1} | dict(spec))
    times = _times(spec.get("times", 1), at)
    texts: dict[int, str] = {}
    cells = []
    for _ in range(math.prod(shape)):
        place = _after(stream.integer(0, count - len(left_out) - 1), left_out)
        if place not in texts:
            texts[place] = canonical((low + place * step) * times)
        cells.append(texts[place])
    return Numbers(shape, tuple(cells))


def _index(spec: Spec, at: Drawing, stream: Stream) -> Numbers:
    return integer(stream.integer(spec.get("from", 0), at.size(spec["index"]) - 1))


def _share_row(stream: Stream, count: int, units: int, least: int) -> list[int]:
    """`count` parts, each at least `least`, that add up to `units`; every such row is equally likely."""
    free = units - count * least
    if free < 0:
        raise GradeError("shares-do-not-fit", count=count)
    places = sorted(stream.shuffled(range(free + count - 1))[: count - 1])
    ends = [-1, *places, free + count - 1]
    return [least + after - before - 1 for before, after in itertools.pairwise(ends)]


def _shares(spec: Spec, at: Drawing, stream: Stream) -> Numbers:
    shape, unit = at.shape(spec["shares"]), Decimal(str(spec["unit"]))
    units, least = round(1 / unit), round(Decimal(str(spec.get("least", spec["unit"]))) / unit)
    rows = [_share_row(stream, shape[-1], units, least) for _ in range(math.prod(shape[:-1]))]
    return Numbers(shape, tuple(canonical(unit * part) for row in rows for part in row))


Rows = list[list[bool]]


def _random_mask(stream: Stream, rows: int, columns: int) -> Rows:
    """At least one allowed and one blocked key in each row, and never the same as its transpose."""
    for _ in range(_TRIES):
        mask = [[bool(stream.integer(0, 1)) for _ in range(columns)] for _ in range(rows)]
        if all(0 < sum(row) < columns for row in mask) and mask != [list(row) for row in zip(*mask, strict=True)]:
            return mask
    raise Unfair("mask-impossible")


def _causal_mask(_stream: Stream, rows: int, columns: int) -> Rows:
    return [[key <= query for key in range(columns)] for query in range(rows)]


def _padding_mask(stream: Stream, rows: int, columns: int) -> Rows:
    """The same last keys, at least one, blocked for every query."""
    length = stream.integer(1, max(columns - 1, 1))
    return [[key < length for key in range(columns)] for _ in range(rows)]


_MASKS = {"random": _random_mask, "causal": _causal_mask, "padding": _padding_mask}


def _mask(spec: Spec, at: Drawing, stream: Stream) -> Numbers:
    shape = at.shape(spec["shape"])
    rows, columns = shape[-2:]
    blocks = [_MASKS[spec["mask"]](stream, rows, columns) for _ in range(math.prod(shape[:-2]))]
    return Numbers(shape, tuple("T" if cell else "F" for block in blocks for row in block for cell in row), "boolean")


def _lengths(spec: Spec, at: Drawing, stream: Stream) -> Numbers:
    shape, most = at.shape(spec["lengths"]), at.size(spec["most"])
    low = spec.get("from", 1)
    return Numbers(shape, tuple(str(stream.integer(low, most)) for _ in range(math.prod(shape))), "integer")


def _pick(spec: Spec, _at: Drawing, stream: Stream) -> Numbers:
    """One of some values; all are of one kind, so that one fraction among them makes the whole ones decimals too."""
    numbers = [constant(value) for value in spec["pick"]]
    chosen = stream.pick(numbers)
    mixed = len({one.kind for one in numbers}) > 1
    return Numbers(chosen.shape, chosen.cells, "decimal") if mixed else chosen


def _like(spec: Spec, at: Drawing, stream: Stream) -> Numbers:
    """The numbers of another entry, or a fresh draw by its rule if the drawn case says so."""
    other = spec["like"]
    unless = spec.get("unless")
    if not unless or any(at.case.get(name) != value for name, value in unless.items()):
        return at.values[other]
    fresh = draw_entry(at.specs[other] or {}, at, stream)
    if fresh == at.values[other]:
        raise Unfair("changed-nothing", other)
    return fresh


_KINDS: Mapping[str, Callable[[Spec, Drawing, Stream], Numbers]] = {
    "value": lambda spec, _at, _stream: constant(spec["value"]),
    "pick": _pick,
    "index": _index,
    "shares": _shares,
    "mask": _mask,
    "lengths": _lengths,
    "like": _like,
    "shape": _entries,
}


def kinds_in(spec: Spec) -> list[str]:
    """The kinds of drawing that an entry's keys name; the first one counts (a mask has a shape as well)."""
    return [kind for kind in _KINDS if kind in spec]


def draw_entry(spec: Spec, at: Drawing, stream: Stream) -> Numbers:
    """The numbers of one entry; `Unfair` if this draw cannot be used."""
    return _KINDS[kinds_in(spec)[0]](spec, at, stream)


# --- sizes -------------------------------------------------------------------------------------------------------


def size_value(spec: int | str | Sequence[int], sizes: Mapping[str, int], stream: Callable[[], Stream]) -> int:
    """A size as written, picked from a list, or worked out from earlier ones (`d_model / n_heads`)."""
    if isinstance(spec, int):
        return spec
    if not isinstance(spec, str):
        return stream().pick(spec)
    first, sign, second = spec.split()
    left, right = (int(name) if name.isdigit() else sizes[name] for name in (first, second))
    if sign == "*":
        return left * right
    if left % right:
        raise Unfair("size-not-whole", spec)
    return left // right


def draw_sizes(specs: Mapping[str, Any], at: Drawing) -> None:
    """Draw every size, in order, into `at`."""
    for name, spec in specs.items():
        at.sizes[name] = size_value(spec, at.sizes, lambda name=name: at.stream(f"size:{name}"))  # type: ignore[misc]
        at.values[name] = integer(at.sizes[name])


def draw_all(at: Drawing, given: Mapping[str, Any] | None = None, check: Check | None = None) -> None:
    """Draw every entry, in order, into `at`; `given` are a pin's own numbers. An entry of `None` is left out.

    `check` looks at each as soon as it is drawn.
    """
    given = given or {}
    for name, spec in at.specs.items():
        if spec is None:
            continue
        at.values[name] = fixed(given[name], spec) if name in given else draw_entry(spec, at, at.stream(name))
        if check is not None:
            check(name, at.values[name])
