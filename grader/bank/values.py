"""The kinds of single values in a template, each with its own check, so that one sentence says what was wanted."""

import math
from collections.abc import Mapping
from fractions import Fraction
from typing import Annotated, Any

from pydantic import AfterValidator, Field, WithJsonSchema
from pydantic_core import PydanticCustomError

from grader.bank.load import points

LARGEST = 100_000
"""No number that is drawn is larger, and no entry has more values to draw from."""
FINEST = 1e-4
LARGEST_SIZE = 4096
MOST_CELLS = 400
"""So many cells an input may have: more is no exercise."""
MOST_SIZES = 64
_MOST_AXES = 5
_MOST_POINTS = 1000

OURS = frozenset(
    {"bad-points", "bad-size", "bad-shape", "bad-index", "bad-truth", "empty-text", "wanted-number", "wanted-text",
     "number-too-small", "number-too-large", "number-not-above"}
)  # fmt: skip
"""The codes that a check here gives; they are codes of sentences already."""


def refuse(code: str, **numbers: Any) -> PydanticCustomError:
    """The error of a value, by the code of its sentence."""
    return PydanticCustomError(code, "{code}", {"code": code, **numbers})


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _within(value: Any, low: float, high: float) -> Any:
    if value < low:
        raise refuse("number-too-small", limit=low)
    if value > high:
        raise refuse("number-too-large", limit=high)
    return value


def _number(value: Any) -> Any:
    if not _is_number(value) or not math.isfinite(value):
        raise refuse("wanted-number")
    return _within(value, -LARGEST, LARGEST)


def _positive(value: Any) -> Any:
    if _number(value) <= 0:
        raise refuse("number-not-above", limit=0)
    return value


def _unit(value: Any) -> Any:
    return _within(_positive(value), FINEST, LARGEST)


def _times(value: Any) -> Any:
    return value if isinstance(value, str) and value.startswith("sqrt_") else _number(value)


def _points(value: Any) -> Any:
    try:
        worth = points(value) if isinstance(value, str) or _is_number(value) else Fraction(0)
    except ValueError:
        worth = Fraction(0)
    if not 0 < worth <= _MOST_POINTS:
        raise refuse("bad-points", limit=_MOST_POINTS)
    return value


def _size(value: Any) -> Any:
    if isinstance(value, str):
        return value
    choices = value if isinstance(value, list) else [value]
    if not all(map(_is_whole, choices)) or not 0 < len(choices) <= MOST_SIZES:
        raise refuse("bad-size")
    for one in choices:
        _within(one, 1, LARGEST_SIZE)
    return value


def _shape(value: Any) -> Any:
    if not isinstance(value, list) or not all(isinstance(one, str) or _is_whole(one) for one in value):
        raise refuse("bad-shape", limit=_MOST_AXES)
    if len(value) > _MOST_AXES:
        raise refuse("bad-shape", limit=_MOST_AXES)
    for one in value:
        if not isinstance(one, str):
            _within(one, 1, MOST_CELLS)
    return value


def _index(value: Any) -> Any:
    if isinstance(value, str):
        return value
    if not _is_whole(value):
        raise refuse("bad-index")
    return _within(value, 0, LARGEST_SIZE)


def _truth(value: Any) -> Any:
    words = isinstance(value, str) and (value in {"true", "false"} or value.startswith("case."))
    pair = value.get("same") if isinstance(value, Mapping) and set(value) == {"same"} else None
    compared = isinstance(pair, list) and len(pair) == 2 and all(isinstance(one, str) for one in pair)  # noqa: PLR2004
    if not (value is None or isinstance(value, bool) or words or compared):
        raise refuse("bad-truth")
    return value


def _right(value: Any) -> Any:
    if not (value is None or isinstance(value, bool | str)):
        raise refuse("wanted-text")
    return value


def _said(value: str) -> str:
    if not value.strip():
        raise refuse("empty-text")
    return value


_NAME_OR_COUNT: dict[str, Any] = {"type": ["integer", "string"]}
_COUNT: dict[str, Any] = {"type": "integer", "minimum": 1, "maximum": LARGEST_SIZE}
_SMALL: dict[str, Any] = {"type": "number", "minimum": -LARGEST, "maximum": LARGEST}
_SIZE: dict[str, Any] = {"anyOf": [_COUNT, {"type": "string"}, {"type": "array", "items": _COUNT}]}
_SHAPE: dict[str, Any] = {"type": "array", "items": _NAME_OR_COUNT, "maxItems": _MOST_AXES}

Name = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]*$")]
Said = Annotated[str, AfterValidator(_said)]
Number = Annotated[Any, AfterValidator(_number), WithJsonSchema(_SMALL)]
Positive = Annotated[Any, AfterValidator(_positive), WithJsonSchema({"type": "number", "exclusiveMinimum": 0})]
Unit = Annotated[Any, AfterValidator(_unit), WithJsonSchema({"type": "number", "minimum": FINEST})]
Times = Annotated[Any, AfterValidator(_times), WithJsonSchema({"type": ["number", "string"]})]
Points = Annotated[Any, AfterValidator(_points), WithJsonSchema({"type": ["number", "string"]})]
Size = Annotated[Any, AfterValidator(_size), WithJsonSchema(_SIZE)]
Shape = Annotated[Any, AfterValidator(_shape), WithJsonSchema(_SHAPE)]
Index = Annotated[Any, AfterValidator(_index), WithJsonSchema(_NAME_OR_COUNT)]
Truth = Annotated[Any, AfterValidator(_truth), WithJsonSchema({"type": ["boolean", "string", "object", "null"]})]
Right = Annotated[Any, AfterValidator(_right), WithJsonSchema({"type": ["boolean", "string", "null"]})]
