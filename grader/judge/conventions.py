"""Conventions of a function exercise: how a variant hands inputs over and expects results.

Judging happens in one canonical form (`True` = may attend, weights `[in, out]`, the template's order of results); a
drawn convention only changes what crosses the border to the learner's function and back.
"""

from collections.abc import Mapping

from grader.model import WEIGHTS, Array, FunctionSpec

Argument = Array | int | None


def arguments(spec: FunctionSpec, conventions: Mapping[str, str], inputs: Mapping[str, Array]) -> tuple[Argument, ...]:
    """The arguments of one case, in the order of the parameters; an input that the case lacks is `None`."""
    return tuple(_argument(name.input, inputs.get(name.input), conventions) for name in spec.parameters)


def canonical(spec: FunctionSpec, conventions: Mapping[str, str], values: tuple[Array, ...]) -> tuple[Array, ...]:
    """The returned values in the template's order and polarity."""
    ordered = values[::-1] if conventions.get("return_order") == "weights_first" else values
    return turned(spec, conventions, ordered)


def turned(spec: FunctionSpec, conventions: Mapping[str, str], values: tuple[Array, ...]) -> tuple[Array, ...]:
    """Returned masks from one polarity to the other where `True` means blocked; the rest as it is."""
    return tuple(
        ~value if returned.dtype == "bool" and _blocked(conventions) and value.dtype == bool else value
        for returned, value in zip(spec.returns, values, strict=True)
    )


def _argument(name: str, value: Array | None, conventions: Mapping[str, str]) -> Argument:
    if value is None:
        return None
    if value.ndim == 0 and value.dtype.kind == "i":
        return int(value)
    made = value
    if name == "mask" and _blocked(conventions):
        made = ~value
    if name in WEIGHTS and conventions.get("weights_stored") == "out_in":
        made = value.T.copy()
    if made is not value:
        made.flags.writeable = value.flags.writeable  # what is read-only goes so to the function
    return made


def _blocked(conventions: Mapping[str, str]) -> bool:
    return conventions.get("mask_true") == "blocked"
