"""Which of a file's own functions did what their contract says, on what they were really given."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from grader.judge.line.layout import alike
from grader.model import Array
from grader.sandbox.inside.rewrite import RETURNED
from grader.sandbox.recorded import NONE, SCALAR, TUPLE, Entry, Recording, Value
from grader.trace import pipelines, run


class Contract(NamedTuple):
    """What a function of that name takes and returns, by the pipeline's names."""

    pipeline: str
    takes: tuple[str, ...]
    returns: tuple[str, ...]


CONTRACTS: Mapping[str, Contract] = {
    "softmax": Contract("softmax", ("masked",), ("weights",)),
    "scores": Contract("one_head", ("q", "k"), ("scores",)),
    "attention": Contract("one_head", ("q", "k", "v", "mask"), ("output", "weights")),
    "split_heads": Contract("split", ("x", "n_heads"), ("heads",)),
    "merge_heads": Contract("merge", ("heads",), ("concat",)),
    "causal_mask": Contract("causal_mask", ("n",), ("mask",)),
    "padding_mask": Contract("padding_mask", ("lengths", "m"), ("mask",)),
    "project_qkv": Contract("project", ("x", "wq", "wk", "wv"), ("q", "k", "v")),
}
Masks = tuple[()] | tuple[Array, Array]
WHOLE = ("softmax", "attention", "split_heads", "merge_heads", "causal_mask")
"""The contracts that a function may keep under any name; its inside is then nobody's fault."""


def returned(recording: Recording) -> dict[int, Entry]:
    """What each call returned."""
    return {entry.call: entry for entry in recording.entries if recording.sites[entry.site].kind == RETURNED}


def sound(recording: Recording, target: str, masks: Masks = ()) -> set[int]:
    """The calls that kept a contract, the outermost one left aside. `masks`: as handed over, and as the reference's."""
    results = returned(recording)
    kept: set[int] = set()
    broken: set[int] = set()
    for place, call in enumerate(recording.calls):
        name = recording.functions[call.function]
        if place > 1 and place in results and name != target:
            names = [name] if name in CONTRACTS else [other for other in WHOLE if _could(other, call.arguments)]
            if any(keeps(each, call.arguments, results[place].value, masks) for each in names):
                kept.add(place)
            elif names:
                broken.add(call.function)
    return {place for place in kept if recording.calls[place].function not in broken}


def _could(name: str, arguments: Sequence[Value]) -> bool:
    arrays = sum(value.array is not None and value.array.ndim > 0 for value in arguments)
    return arrays >= (3 if name == "attention" else 0 if name == "causal_mask" else 1)


def keeps(name: str, arguments: Sequence[Value], result: Value, masks: Masks = ()) -> bool:
    """Whether a result is what the contract of that name gives for these arguments."""
    if name == "softmax" and any(map(_matters, arguments[1:])):
        return False  # it does more than its contract, or should
    for given in _orders(name, arguments, masks):
        wanted = wanted_of(name, given)
        if wanted is None:
            continue
        parts = _parts(result)
        if any(
            len(parts) == count and all(_same(want, part) for want, part in zip(wanted, parts, strict=False))
            for count in range(1, len(wanted) + 1)
        ):
            return True
    return False


def _matters(value: Value) -> bool:
    """Whether an argument is more than an axis or nothing."""
    return value.array is not None and not (value.kind == SCALAR and value.array.dtype.kind in "iu")


def _orders(name: str, arguments: Sequence[Value], masks: Masks) -> Iterator[list[Array | None]]:
    """The arguments that hold numbers; a mask as the reference has it, or either way."""
    arrays = [value.array for value in arguments if value.kind in {1, 2, 3, NONE}]
    count = len(CONTRACTS[name].takes)
    mask = arrays[3] if name == "attention" and len(arrays) > 3 else None  # noqa: PLR2004
    if mask is None or mask.dtype != bool or not masks:
        yield list(arrays[:count])
    elif np.array_equal(mask, masks[0]):
        yield [*arrays[:3], masks[1]]
    else:
        yield [*arrays[:3], mask]
        if np.array_equal(mask, ~masks[0]):
            yield [*arrays[:3], ~mask]


def wanted_of(name: str, given: Sequence[Array | None]) -> tuple[Array, ...] | None:
    """What the contract gives for these arguments."""
    contract = CONTRACTS[name]
    inputs = {key: value for key, value in zip(contract.takes, given, strict=False) if value is not None}
    try:
        trace = run(pipelines()[contract.pipeline], inputs)
        return tuple(np.asarray(trace[step]) for step in contract.returns)
    except Exception:  # noqa: BLE001 -- the arguments are the submission's
        return None


def _parts(value: Value) -> list[Array | None]:
    if value.kind != TUPLE:
        return [value.array]
    return [part.array if isinstance(part, Value) else part for part in value.parts]


def _same(want: Array, got: Array | None) -> bool:
    return got is not None and want.shape == got.shape and alike(want, got)
