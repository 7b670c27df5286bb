"""What a value on the way may be meant to be: the reference's steps, and what right solutions compute besides.

Every role belongs to a step of the pipeline. The roles of a *supposition* are what the steps would be if a mask or
the scale had been left out: a value that is one of them is wrong, but was not made wrong where it stands.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np

from grader.model import Array, Pipeline, Trace
from grader.trace import run

Supposed = Literal["", "unmasked", "unscaled"]
FAMILIES = (
    ("q", "k", "v"),
    ("q_heads", "k_heads", "v_heads"),
    ("q_scaled", "k_scaled"),
    ("q_heads_scaled", "k_heads_scaled"),
)
WEIGHTS = (("wq", "wk", "wv", "wo"), ("wq_heads", "wk_heads", "wv_heads"), ("x_q", "x_kv"))
SIZES = frozenset({"n", "m", "d_k", "d_head", "n_heads", "d_model"})
LOW = 700.0
"""What lies so far below the allowed scores of its row counts as -inf."""


@dataclass(frozen=True, slots=True, eq=False)
class Role:
    """One value, the step it belongs to, and its place in their order.

    `main`: a step itself, and not what is only met on the way to one. `given`: an input.
    """

    name: str
    step: str
    rank: int
    value: Array
    main: bool = False
    given: bool = False
    supposed: Supposed = ""


def roles(pipeline: Pipeline, inputs: Mapping[str, Array], trace: Trace) -> list[Role]:
    """All roles on these inputs."""
    ranks = {step.name: place for place, step in enumerate(pipeline.steps)}
    found = [
        Role(name, name, ranks.get(name, -1), np.asarray(value), main=name not in inputs, given=name in inputs)
        for name, value in trace.items()
    ]
    with np.errstate(all="ignore"):
        found += [Role(name, step, ranks.get(step, -1), value) for name, step, value in _besides(inputs, trace)]
        for supposed, other in _suppositions(pipeline, inputs, trace):
            found += _supposed(supposed, other, ranks, trace)
    return [
        role
        for role in found
        if role.value.dtype.kind != "f" or not (np.isnan(role.value) | np.isposinf(role.value)).any()
    ]


def needs(pipeline: Pipeline) -> dict[str, frozenset[str]]:
    """The matrices that each step is made of, heads and scale left aside."""
    made = {step.name: frozenset(map(plain, step.needs)) - SIZES for step in pipeline.steps}
    return made | {"scaled": made.get("scores", frozenset())}


def plain(role: str) -> str:
    """The step behind a role's name."""
    for ending in ("_scaled", "_fourth", "_heads"):
        role = role.removesuffix(ending)
    return role


def _supposed(supposed: Supposed, other: Trace, ranks: Mapping[str, int], right: Trace) -> Iterator[Role]:
    extra = [(name, step, value) for name, step, value in _besides({}, other)]
    for name, step, value in [*((name, name, value) for name, value in other.items()), *extra]:
        same = name in right and right[name].shape == value.shape and np.array_equal(right[name], value)
        if (
            value.dtype.kind == "f"
            and not same
            and ranks.get(step, -1) > ranks["scores" if "scores" in ranks else step]
        ):
            yield Role(name, step, ranks[step], value, supposed=supposed)


def _suppositions(pipeline: Pipeline, inputs: Mapping[str, Array], trace: Trace) -> Iterator[tuple[Supposed, Trace]]:
    masks = [name for name in ("mask",) if name in inputs]
    if masks and "masked" in trace:
        yield "unmasked", run(pipeline, {name: value for name, value in inputs.items() if name not in masks})
    if "scaled" in trace and "scaled" not in inputs:
        yield "unscaled", run(pipeline, {**inputs, "scaled": trace["scores"]})


Beside = tuple[str, str, Array]


def _besides(inputs: Mapping[str, Array], trace: Trace) -> Iterator[Beside]:
    yield from _scale(trace)
    yield from _masks(trace)
    yield from _softmax(trace)
    yield from _heads(inputs, trace)


def _scale(trace: Trace) -> Iterator[Beside]:
    width = trace.get("d_head", trace.get("d_k"))
    if width is None or "scaled" not in trace:
        return
    root = np.sqrt(float(width))
    yield "sqrt_d", "scaled", np.array(root)
    yield "one_over_sqrt_d", "scaled", np.array(1 / root)
    yield "fourth_root_d", "scaled", np.array(np.sqrt(root))
    for name in ("q", "k", "q_heads", "k_heads"):
        if name in trace:
            yield f"{name}_scaled", "scaled", trace[name] / root
            yield f"{name}_fourth", "scaled", trace[name] / np.sqrt(root)


def _masks(trace: Trace) -> Iterator[Beside]:
    mask = trace.get("mask", trace.get("combined"))
    if mask is None or mask.dtype != bool:
        return
    yield "blocked", "mask", ~mask
    yield "mask_numbers", "mask", mask.astype(np.float64)
    yield "blocked_numbers", "mask", (~mask).astype(np.float64)
    yield "additive", "mask", np.where(mask, 0.0, -np.inf)
    if "scores" in trace and "masked" in trace:
        yield "masked_raw", "masked", np.where(mask, trace["scores"], -np.inf)


def _softmax(trace: Trace) -> Iterator[Beside]:
    if "minus_max" not in trace or trace["masked"].ndim == 0:
        return
    masked, weights = trace["masked"], trace["weights"]
    top = masked.max(axis=-1, keepdims=True)
    yield "maximum", "minus_max", top
    yield "exp_plain", "exp", np.exp(masked)
    yield "sum_plain", "sum", np.exp(masked).sum(axis=-1, keepdims=True)
    yield "one_over_sum", "sum", 1 / trace["sum"]
    yield "log_sum", "sum", np.log(trace["sum"])
    yield "log_sum_exp", "sum", top + np.log(trace["sum"])
    yield "log_weights", "weights", np.log(weights)
    values = trace.get("v_heads", trace.get("v"))
    if values is not None and values.ndim == weights.ndim:
        yield "unnormalised", "output" if "output" in trace else "heads", trace["exp"] @ values


def _heads(inputs: Mapping[str, Array], trace: Trace) -> Iterator[Beside]:
    if "heads" in trace and "concat" in trace:
        yield "heads_rows", "concat", np.swapaxes(trace["heads"], 0, 1)
    if "n_heads" in inputs and "x" in inputs and "heads" in trace and "q" not in trace:
        yield "blocks", "heads", np.swapaxes(trace["heads"], 0, 1)
    if "n_heads" in inputs and "x" in inputs and "d_head" not in trace:
        yield "d_head", "heads", np.array(inputs["x"].shape[-1] // int(inputs["n_heads"]))
    if "q_heads" not in trace or "heads" not in trace:
        return
    count = trace["q_heads"].shape[0]
    yield "packed", "v", np.concatenate([trace["q"], trace["k"], trace["v"]], axis=-1)
    for name in ("wq", "wk", "wv"):
        if name in inputs:
            yield f"{name}_heads", name, np.stack(np.split(inputs[name], count, axis=1))
    if "wo" in inputs:
        rows = np.stack(np.split(inputs["wo"], count, axis=0))
        yield "wo_heads", "wo", rows
        parts = trace["heads"] @ rows
        yield "projected_parts", "projected", parts
        yield "projected_sums", "projected", np.cumsum(parts, axis=0)
