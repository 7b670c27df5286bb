"""How large and how many: every count that a template can lead to is bounded before anything is drawn.

A size that is picked or worked out stands here for all the values that it may have.
"""

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from itertools import product
from typing import Any

from grader.bank.entries import constant
from grader.bank.places import Loc
from grader.bank.values import LARGEST, LARGEST_SIZE, MOST_CELLS
from grader.model import Template

Fault = tuple[Loc, str, dict[str, Any]]
Sizes = Mapping[str, frozenset[int]]
_LARGEST_CONSTANT = 10**9
_KEPT = 4096
_RANK = 2


@dataclass(frozen=True)
class _Scope:
    """The sizes and entries that are drawn together, and where each of them stands."""

    sizes: Mapping[str, Any]
    draw: Mapping[str, Any]
    at: Loc = ()
    own: frozenset[str] | None = None

    def loc(self, kind: str, name: str) -> Loc:
        """Where an entry stands: in the case if the case has it, else in the template."""
        return (*(self.at if self.own is None or f"{kind}.{name}" in self.own else ()), kind, name)


def faults(template: Template) -> Iterator[Fault]:
    """Every count of a template that is too large, or that no draw can meet; each place is named once."""
    seen: set[Loc] = set()
    for scope in _scopes(template):
        for fault in _scope_faults(scope):
            if fault[0] not in seen:
                seen.add(fault[0])
                yield fault
    yield from _pins(template)


def _scopes(template: Template) -> Iterator[_Scope]:
    if template.function is None:
        yield _Scope(template.sizes, template.draw)
        return
    for place, case in enumerate(template.function.cases):
        own = frozenset({*(f"sizes.{name}" for name in case.sizes), *(f"draw.{name}" for name in case.draw)})
        sizes, draw = {**template.sizes, **case.sizes}, {**template.draw, **case.draw}
        yield _Scope(sizes, draw, ("function", "cases", place), own)


def _scope_faults(scope: _Scope) -> Iterator[Fault]:
    try:
        sizes = dict(_possible(scope.sizes))
    except (KeyError, ValueError, ZeroDivisionError):  # a size that is at fault already
        return
    for name, values in sizes.items():
        if not values:
            yield scope.loc("sizes", name), "size-never-whole", {"read": scope.sizes[name]}
            return
        if max(values) > LARGEST_SIZE:
            said = {"at": name, "read": max(values), "limit": LARGEST_SIZE}
            yield scope.loc("sizes", name), "number-too-large", said
            return
    for name, spec in scope.draw.items():
        for key, code, said in _entry(spec or {}, sizes):
            yield (*scope.loc("draw", name), *key), code, {"name": name, **said}


# --- sizes -------------------------------------------------------------------------------------------------------


def _possible(specs: Mapping[str, Any]) -> Iterator[tuple[str, frozenset[int]]]:
    """Each size with all the values that it may have."""
    known: dict[str, frozenset[int]] = {}
    for name, spec in specs.items():
        if isinstance(spec, str):
            first, sign, second = spec.split()
            left, right = (frozenset({int(one)}) if one.isdigit() else known[one] for one in (first, second))
            values = _worked_out(left, sign, right)
        else:
            values = frozenset(spec if isinstance(spec, list) else [spec])
        known[name] = values if len(values) <= _KEPT else frozenset({min(values), max(values)})
        yield name, known[name]


def _worked_out(left: frozenset[int], sign: str, right: frozenset[int]) -> frozenset[int]:
    if sign == "*":
        return frozenset(one * two for one, two in product(left, right))
    return frozenset(one // two for one, two in product(left, right) if one % two == 0 and one >= two)


def _values(size: Any, sizes: Sizes) -> frozenset[int]:
    """What a size in a shape may be; 1 where the name is at fault already."""
    return sizes.get(size, frozenset({1})) if isinstance(size, str) else frozenset({size})


# --- entries -----------------------------------------------------------------------------------------------------

_Said = tuple[Loc, str, dict[str, Any]]


def _entry(spec: Mapping[str, Any], sizes: Sizes) -> Iterator[_Said]:
    """What is wrong with the counts of one entry, and under which of its keys."""
    for key, check in _CHECKS:
        if key in spec:
            yield from check(spec, sizes)


def _shape(spec: Mapping[str, Any], sizes: Sizes) -> Iterator[_Said]:
    key = next(key for key in _SHAPES if key in spec)
    cells = math.prod(max(_values(one, sizes)) for one in spec[key])
    if cells > MOST_CELLS:
        yield (key,), "too-many-cells", {"count": cells, "limit": MOST_CELLS}


def _mask(spec: Mapping[str, Any], _sizes: Sizes) -> Iterator[_Said]:
    if len(spec["shape"]) < _RANK:
        yield ("shape",), "list-too-short", {"at": "shape", "count": len(spec["shape"]), "limit": _RANK}


def _grid(spec: Mapping[str, Any], _sizes: Sizes) -> Iterator[_Said]:
    low, high, step = (Decimal(str(spec.get(key, 1))) for key in ("low", "high", "step"))
    count = int((high - low) / step) + 1
    excluded = {Decimal(str(one)) for one in spec.get("exclude", ())}
    if count > LARGEST:
        yield ("high",), "too-many-values", {"count": count, "limit": LARGEST}
    elif low <= high and sum(low <= one <= high and (one - low) % step == 0 for one in excluded) >= count:
        yield ("exclude",), "nothing-left", {}


def _square(spec: Mapping[str, Any], sizes: Sizes) -> Iterator[_Said]:
    times = spec["times"]
    values = _values(times.removeprefix("sqrt_"), sizes) if isinstance(times, str) else ()
    wrong = sorted(one for one in values if math.isqrt(one) ** 2 != one)
    if wrong:
        yield ("times",), "size-not-square", {"name": times, "size": wrong[0]}


def _shares(spec: Mapping[str, Any], sizes: Sizes) -> Iterator[_Said]:
    unit, least = (Fraction(str(spec.get(key, spec["unit"]))) for key in ("unit", "least"))
    count = max(_values(spec["shares"][-1], sizes)) if spec["shares"] else 1
    if (1 / unit).denominator != 1:
        yield ("unit",), "unit-not-whole", {"read": spec["unit"]}
    elif (least / unit).denominator != 1:
        yield ("least",), "least-not-whole", {"read": spec["least"], "unit": spec["unit"]}
    elif count * least > 1 or not spec["shares"]:
        yield ("shares",), "shares-do-not-fit", {"count": count}


def _index(spec: Mapping[str, Any], sizes: Sizes) -> Iterator[_Said]:
    yield from _from(spec.get("from", 0), min(_values(spec["index"], sizes)) - 1)


def _lengths(spec: Mapping[str, Any], sizes: Sizes) -> Iterator[_Said]:
    yield from _from(spec.get("from", 1), min(_values(spec["most"], sizes)))


def _from(low: int, most: int) -> Iterator[_Said]:
    if low > most:
        yield ("from",), "low-over-high", {"low": low, "high": most}


# --- fixed numbers -----------------------------------------------------------------------------------------------


def _constants(spec: Mapping[str, Any], _sizes: Sizes) -> Iterator[_Said]:
    key = "pick" if "pick" in spec else "value"
    wrong = [value for value in (spec[key] if key == "pick" else [spec[key]]) if not _is_sound(value)]
    if wrong:
        yield (key,), "bad-numbers", {"read": str(wrong[0])[:60], "limit": MOST_CELLS}


_SHAPES = ("shares", "lengths", "shape")
_CHECKS: tuple[tuple[str, Callable[[Mapping[str, Any], Sizes], Iterator[_Said]]], ...] = (
    *((key, _shape) for key in _SHAPES),
    ("low", _grid),
    ("times", _square),
    ("shares", _shares),
    ("mask", _mask),
    ("index", _index),
    ("lengths", _lengths),
    ("value", _constants),
    ("pick", _constants),
)
"""What to look at in an entry that has a key."""


def _is_sound(value: Any) -> bool:
    """Whether plain data is a number, a truth or nested lists of them, of equal lengths and not too many."""
    cells = list(_cells(value))
    if not 0 < len(cells) <= MOST_CELLS or not all(isinstance(cell, int | float) for cell in cells):
        return False
    if not all(math.isfinite(cell) and abs(cell) <= _LARGEST_CONSTANT for cell in cells):
        return False
    try:
        return bool(constant(value).cells)
    except (ValueError, ArithmeticError):
        return False


def _cells(value: Any) -> Iterator[Any]:
    for one in value if isinstance(value, list) else ():
        yield from _cells(one)
    if not isinstance(value, list):
        yield value


def _pins(template: Template) -> Iterator[Fault]:
    """A pin's numbers, and whether each matrix has the shape that would have been drawn."""
    for name, pin in template.pins.items():
        sizes = {**template.sizes, **(pin.get("sizes") or {})}
        for entry, value in (pin.get("inputs") or {}).items():
            loc: Loc = ("pins", name, "inputs", entry)
            if not _is_sound(value):
                yield loc, "bad-numbers", {"name": entry, "read": str(value)[:60], "limit": MOST_CELLS}
                continue
            spec = template.draw.get(entry) or {}
            wanted = [
                sizes.get(one, one) for one in next((spec[k] for k in ("shape", "shares", "lengths") if k in spec), ())
            ]
            got = list(constant(value).shape)
            if wanted and all(isinstance(one, int) for one in wanted) and got != wanted:
                yield loc, "pin-shape", {"name": entry, "read": got, "wanted": wanted}
