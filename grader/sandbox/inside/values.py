"""Arguments in, what a function may return out.

A function may return what people return: arrays of any numeric type and any subclass, nested lists and tuples,
numbers; several values as a tuple, list, named tuple, dataclass or anything else that gives that many. They leave as
plain arrays. Nothing is ever written into a result.
"""

import itertools
import math
import struct
from typing import Any, NamedTuple

import numpy as np

from .reports import Stop, type_name
from .wire import DTYPES, MAX_NDIM, Reader, array_bytes

# Kept from before the submission runs: it may replace them in numpy.
_asarray, _frombuffer, _errstate, _ndarray, _dtype = np.asarray, np.frombuffer, np.errstate, np.ndarray, np.dtype


class Argument(NamedTuple):
    """One argument as it was sent, and the copy that the call gets."""

    value: Any
    shape: tuple[int, ...] | None = None
    dtype: Any = None
    data: bytes = b""

    def changed(self) -> bool:
        """Whether the call left other bytes, another shape or another type in its copy."""
        array = self.value
        return self.shape is not None and (
            array.shape != self.shape or array.dtype != self.dtype or array.tobytes() != self.data
        )


def read_argument(reader: Reader) -> Argument:
    """The next argument: nothing, an integer, or an array, a copy that may be written to (2) or not (3)."""
    (kind,) = reader.take(1)
    if kind == 0:
        return Argument(None)
    if kind == 1:
        return Argument(*reader.fields(struct.Struct("<q")))
    code, ndim = reader.take(2)
    shape = reader.fields(struct.Struct(f"<{ndim}Q"))
    dtype = _dtype("<" + DTYPES[code])
    array = _frombuffer(reader.take(math.prod(shape) * dtype.itemsize), dtype).reshape(shape)
    array = array.astype(dtype.newbyteorder("="))
    array.flags.writeable = kind == 2  # noqa: PLR2004 - said above
    return Argument(array, shape, array.dtype, array.tobytes())


def result_bytes(result: Any, returns: int, limit: int) -> bytes:
    """What a function returned, as so many arrays; `Stop` if it is anything else."""
    parts = [_single(result)] if returns == 1 else _several(result, returns)
    arrays = [_plain(part) for part in parts]
    if sum(array.nbytes for array in arrays) > limit:
        raise Stop("wrong-return", "too-large")
    return bytes([len(arrays)]) + b"".join(array_bytes(_portable(array)) for array in arrays)


def _fields(value: Any) -> Any:
    """The fields of a dataclass that is no sequence of its own; everything else as it is."""
    kind = type(value)
    fields = getattr(kind, "__dataclass_fields__", None)
    if fields is None or hasattr(kind, "__iter__") or hasattr(kind, "__array__"):
        return value
    return tuple(getattr(value, name) for name in fields)


def _single(result: Any) -> Any:
    """The one value asked for: a tuple around one array is that array, unlike arrays are too many."""
    result = _fields(result)
    if isinstance(result, tuple) and any(isinstance(part, _ndarray) for part in result):
        if len(result) == 1:
            return result[0]
        if len({getattr(part, "shape", None) for part in result}) > 1:
            raise Stop("wrong-return", "count", str(len(result)))
    return result


def _several(result: Any, returns: int) -> list[Any]:
    """The values of anything that gives as many as asked for."""
    if result is None:
        raise Stop("wrong-return", "none")
    result = _fields(result)
    if isinstance(result, _ndarray):
        raise Stop("wrong-return", "count", "1")
    if isinstance(result, (str, bytes, bytearray, dict, set, frozenset)) or not hasattr(type(result), "__iter__"):
        raise Stop("wrong-return", "type", type_name(type(result)))
    parts = list(itertools.islice(iter(result), returns + 1))
    if len(parts) != returns:
        raise Stop("wrong-return", "count", str(len(result) if isinstance(result, (list, tuple)) else len(parts)))
    if empty := [str(place) for place, part in enumerate(parts, 1) if part is None]:
        raise Stop("wrong-return", "none-inside", ", ".join(empty))
    return parts


def _plain(value: Any) -> Any:
    """One value as an array of the base class that holds booleans or numbers."""
    if value is None:
        raise Stop("wrong-return", "none")
    known = isinstance(value, (_ndarray, list, tuple))
    try:
        array = _asarray(value)
    except ValueError:
        if known:
            raise Stop("wrong-return", "ragged") from None
        raise  # it came from the value's own code
    if array.dtype.kind not in "biufc":
        raise Stop("wrong-return", "dtype", str(array.dtype)) if known else Stop("wrong-return", "type", _kind(value))
    if array.ndim > MAX_NDIM:
        raise Stop("wrong-return", "too-deep", str(array.ndim))
    return array


def _kind(value: Any) -> str:
    return str(type_name(type(value)))


def _portable(array: Any) -> Any:
    """The array in a type that every machine has: long doubles become doubles, bytes little-endian."""
    dtype = array.dtype
    if dtype.str[1:] not in DTYPES:
        dtype = _dtype("c16" if dtype.kind == "c" else "f8")
    with _errstate(all="ignore"):
        return array.astype(dtype.newbyteorder("<"), copy=False)
