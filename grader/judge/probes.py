"""Inputs of our own that a function is tried on to find out what it does: the exercise's shapes with other numbers.

Rectangular inputs show that something is wrong; generic square ones let wrong code run to its end and give the numbers
by which a mistake is known. The probes of an exercise are the same for all its variants, so that what the mistakes give
on them is worked out once.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from hashlib import sha256
from typing import Any, Final, Literal

import numpy as np

from grader.model import Array, Template, Variant

TOLERANCE: Final = 1e-6
_LOOSE: Final = 1e-3
"""How near values must come that were perhaps computed in single precision."""
_REACH: Final = 1.2
"""How large ordinary numbers are: with larger ones a softmax saturates, and different mistakes look alike."""
INTEGER: Final = "integer"
READ_ONLY: Final = "read_only"
_GRADED: Final = 8.0
"""A case whose numbers go beyond this is about size itself; its probe keeps its range."""


@dataclass(frozen=True, slots=True)
class Probe:
    """One input by the pipeline's names, and how near values must come on it."""

    name: str
    inputs: Mapping[str, Array]
    tolerance: float = TOLERANCE

    @property
    def is_read_only(self) -> bool:
        """Whether nothing of it can be written to: a function may stop here that gives its values elsewhere."""
        return not any(array.flags.writeable for array in self.inputs.values())


def of(variant: Variant) -> tuple[Probe, ...]:
    """The probes of a function exercise, those first on which a mistake is best known by its numbers."""
    template = variant.template
    key = (template.id, template.drawing_hash)
    if key not in _MADE:
        _MADE[key] = tuple(_made(template))
    return _MADE[key]


_MADE: dict[tuple[str, str], tuple[Probe, ...]] = {}


def of_habits(template: Template) -> tuple[Probe, ...]:
    """Whole numbers, and arrays that cannot be written to: what no graded case hands in."""
    masked = _takes_mask(template)
    recipes = [one for one in _typed(template, masked=masked) if one.name == READ_ONLY]
    whole = _Recipe(INTEGER, {}, {}, "random" if masked else None, kind="int64", reach=3.0)
    return tuple(_probe(template, recipe) for recipe in (*([whole] if recipes else []), *recipes))


def unfit(template: Template) -> tuple[Probe, ...]:
    """Inputs that right code stops at, and on which wrong code may run that stops everywhere else.

    Output weights as high as one head is wide, as all heads are if each has all columns, or if each lays its tokens
    side by side; once with heads as wide as there are tokens.
    """
    if "wo" not in template.draw or "n_heads" not in template.sizes:
        return ()
    kinds = (None, "random") if _takes_mask(template) else (None,)
    found: list[_Recipe] = []
    for n, n_heads, d_head in ((6, 2, 3), (3, 3, 3)):
        sizes = {"n": n, "n_heads": n_heads, "d_model": n_heads * d_head}
        for height in sorted({d_head, n_heads * n_heads * d_head, n_heads * n * d_head}):
            draw = {"wo": {**template.draw["wo"], "shape": [height, "d_model"]}}
            found += [_Recipe(_with(f"wo_{n}_{height}", kind), sizes, draw, kind) for kind in kinds]
    return tuple(_probe(template, recipe) for recipe in found)


def more(variant: Variant, count: int) -> Iterator[Probe]:
    """Further inputs of drawn sizes, to tell apart what the probes cannot; every other one is square."""
    template = variant.template
    masked = _takes_mask(template)
    squares = list(_square(template, masked=masked))
    for number in range(count):
        name = f"more_{number}"
        sizes = squares[number // 2 % len(squares)].sizes if squares and number % 2 else _sizes(template, name)
        yield _probe(template, _Recipe(name, sizes, {}, "random" if masked and number % 3 < 2 else None))  # noqa: PLR2004


def at(template: Template, sizes: Mapping[str, int], name: str, *, kinds: bool = True) -> list[Probe]:
    """Inputs of these sizes: plain ones, and beside them large scores, one query, a mask or none."""
    masked = _takes_mask(template)
    kind = "random" if masked else None
    recipes = [_Recipe(name, sizes, {}, kind)]
    if kinds:
        recipes += [_Recipe(f"{name}_open", sizes, {})] if masked else []
        recipes += [replace(one, name=f"{name}_{one.name}", sizes=sizes) for one in _large(template, masked=masked)]
        ones = {size: 1 for size, length in sizes.items() if length == sizes.get("n") and size != "n_heads"}
        recipes += [_Recipe(f"{name}_one", {**sizes, **ones}, {})] if "n_heads" not in sizes else []
    return [_probe(template, recipe) for recipe in recipes]


def _takes_mask(template: Template) -> bool:
    spec = template.function
    return spec is not None and any(parameter.input == "mask" for parameter in spec.parameters)


def _sizes(template: Template, name: str) -> dict[str, int]:
    """Sizes from 2 to 7, as many columns as make whole heads."""
    share = _numbers(template.id, name, "sizes", len(template.sizes))
    sizes = {size: int(2 + np.floor(6 * part)) for size, part in zip(template.sizes, share, strict=True)}
    if "n_heads" in sizes:
        sizes["n_heads"] = 2 + sizes["n_heads"] % 2
        sizes |= {"d_model": sizes["n_heads"] * sizes["d_model"]} if "d_model" in sizes else {}
    return sizes


# --- recipes -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Recipe:
    """How a probe is made: sizes and draws over the template's own, the kind of mask, the type of the numbers.

    `ranged` keeps the draws' own range, `like` makes it from the numbers of another probe.
    """

    name: str
    sizes: Mapping[str, Any]
    draw: Mapping[str, Any]
    mask: str | None = None
    kind: Literal["float64", "float32", "int64"] = "float64"
    reach: float = _REACH
    ranged: bool = False
    read_only: bool = False
    like: str = ""


def _made(template: Template) -> Iterator[Probe]:
    """All probes of an exercise; two that are alike in all but their name are made only once."""
    seen: set[str] = set()
    for recipe in _recipes(template):
        probe = _probe(template, recipe)
        look = _look(probe) + (repr(recipe.draw) if recipe.ranged else "") + recipe.like + "r" * recipe.read_only
        if look not in seen:
            seen.add(look)
            yield probe


def _look(probe: Probe) -> str:
    """What sets a probe apart beside its numbers: shapes, types, masks."""
    return repr(
        sorted(
            (name, array.shape, array.dtype.str, array.tolist() if array.dtype.kind == "b" or array.ndim == 0 else 0)
            for name, array in probe.inputs.items()
        )
    )


def _recipes(template: Template) -> list[_Recipe]:
    """Our own sizes first, then the shapes and ranges of the graded cases."""
    spec = template.function
    if spec is None:
        raise ValueError(template.id)
    names = {name.input for name in spec.parameters}
    masked = "mask" in names
    found = [*_square(template, masked=masked), *_plain(masked=masked), *_partly_square(template, masked=masked)]
    found += _small(template, masked=masked)
    for case in spec.cases:
        kind = (case.draw.get("mask") or {}).get("mask")
        ranged = any(_widest(value) > _GRADED for value in case.draw.values() if value)
        found.append(_Recipe(f"case_{case.name}", case.sizes, case.draw, kind, ranged=ranged))
    return [*found, *_large(template, masked=masked), *_typed(template, masked=masked)]


def _widest(draw: Mapping[str, Any]) -> float:
    return max(abs(float(draw.get("low", 0))), abs(float(draw.get("high", 0))))


def _square(template: Template, *, masked: bool) -> Iterator[_Recipe]:
    """All sizes alike; with heads, once as many tokens as columns and once as a head has."""
    kinds = ("random", None, "causal") if masked else (None,)
    sizes = template.sizes
    if not any(name in sizes for name in ("m", "d_k", "d_model", "d_head")):
        return
    plans = {"square": dict.fromkeys(sizes, 5)}
    if "n_heads" in sizes and "d_model" in sizes:
        plans = {
            "square": {"n": 6, "d_model": 6, "n_heads": 2},
            "square_heads": {"n": 3, "d_model": 9, "n_heads": 3},
        }
    elif "n_heads" in sizes:
        plans = {"square": {"n": 3, "d_head": 3, "n_heads": 3}}
    for name, made in plans.items():
        for kind in kinds:
            yield _Recipe(_with(name, kind), made, {}, kind)


def _partly_square(template: Template, *, masked: bool) -> Iterator[_Recipe]:
    """Some sizes alike and others not: wrong code runs, but no wrong size passes for the right one."""
    sizes = template.sizes
    if "n_heads" in sizes:
        plans = [{"n": 3, "n_heads": 2, "d_head": 3}, {"n": 5, "n_heads": 3, "d_head": 3}, {"n": 3, "n_heads": 3}]
        plans = [{**plan, "d_model": plan["n_heads"] * plan.get("d_head", 2)} for plan in plans]
    else:
        widths = [name for name in ("d_model", "d_k", "d_v") if name in sizes]
        plans = [{"n": n, "m": m} | dict.fromkeys(widths, 6) for n, m in ((3, 3), (3, 6), (6, 3))]
        plans = [*plans, {"n": 3, "m": 3}, {"n": 3, "m": 5, "d_v": 5}] if widths else []
        if len(widths) > 2:  # noqa: PLR2004 -- two of the three widths alike, the other one not
            plans += [{"n": 3, "m": 3} | dict.fromkeys(widths, 6) | {other: 4} for other in widths]
    for number, plan in enumerate(plans):
        for kind in ("random", None) if masked else (None,):
            made = {name: size for name, size in plan.items() if name in sizes}
            yield _Recipe(_with(f"partly_square_{number}", kind), made, {}, kind)


def _plain(*, masked: bool) -> Iterator[_Recipe]:
    """The template's own sizes, which differ from each other."""
    for kind in (None, "random", "padding") if masked else (None,):
        yield _Recipe(_with("rectangular", kind), {}, {}, kind)


def _small(template: Template, *, masked: bool) -> Iterator[_Recipe]:
    """One query, one key, or one token."""
    for name, size in (("one_query", "n"), ("one_key", "m")):
        if size in template.sizes:
            yield _Recipe(name, {size: 1}, {})
    if masked and "m" in template.sizes:
        yield _Recipe("one_query_mask", {"n": 1}, {}, "random")


def _large(template: Template, *, masked: bool) -> Iterator[_Recipe]:
    """Scores in the thousands, and scores that lie far below zero all of them."""
    draws = template.draw
    if not {"q", "k"} <= draws.keys() or len(draws) < 3:  # noqa: PLR2004 -- scores alone know no softmax
        return
    for kind in (None, "random") if masked else (None,):
        yield _Recipe(_with("large_scores", kind), {}, {}, kind, reach=40.0)
    far = {"q": {**draws["q"], "low": 90, "high": 91}, "k": {**draws["k"], "low": -91, "high": -90}}
    yield _Recipe("far_below_zero", {}, far, "random" if masked else None, ranged=True)


def _typed(template: Template, *, masked: bool) -> Iterator[_Recipe]:
    """Single precision, and the first probe a second time: as it is, and read-only."""
    if not any("shape" in draw for draw in template.draw.values()):
        return
    kind = "random" if masked else None
    first = next(iter([*_square(template, masked=masked), *_plain(masked=masked)]))
    yield _Recipe("single_precision", {}, {}, kind, kind="float32")
    yield replace(first, name="again", like=first.name)
    yield replace(first, name=READ_ONLY, like=first.name, read_only=True)


def _with(name: str, kind: str | None) -> str:
    return name if kind is None else f"{name}_{'mask' if kind == 'random' else kind}"


# --- numbers -----------------------------------------------------------------------------------------------------


def _probe(template: Template, recipe: _Recipe) -> Probe:
    draws = {key: value for key, value in {**template.draw, **recipe.draw}.items() if value is not None}
    sizes = {key: int(value) for key, value in {**template.sizes, **recipe.sizes}.items()}
    inputs: dict[str, Array] = {key: np.array(value, dtype=np.int64) for key, value in sizes.items()}
    stream = recipe.like or recipe.name
    for key, draw in draws.items():
        if key != "mask":
            inputs[key] = _drawn(recipe, draw, sizes, partial(_numbers, template.id, stream, key))
    if recipe.mask is not None:
        n, m = sizes["n"], sizes.get("m", sizes["n"])
        inputs["mask"] = _mask(_numbers(template.id, stream, "mask", n * m).reshape(n, m), recipe.mask)
    for array in inputs.values() if recipe.read_only else ():
        array.flags.writeable = False
    return Probe(recipe.name, inputs, _LOOSE if recipe.kind == "float32" else TOLERANCE)


def _drawn(
    recipe: _Recipe, draw: Mapping[str, Any], sizes: Mapping[str, int], numbers: Callable[[int], Array]
) -> Array:
    if "lengths" in draw:
        return np.asarray(1 + np.floor(numbers(sizes["batch"]) * _size(draw["most"], sizes)), dtype=np.int64)
    if "value" in draw:
        return np.asarray(draw["value"])
    shape = tuple(_size(one, sizes) for one in draw["shape"])
    low, high = (float(draw["low"]), float(draw["high"])) if recipe.ranged else (-recipe.reach, recipe.reach)
    array = low + (high - low) * numbers(int(np.prod(shape))).reshape(shape)
    if recipe.kind == "int64":
        return np.rint(array).astype(np.int64)
    return array.astype(np.float32 if recipe.kind == "float32" else np.float64)


def _size(named: str | int, sizes: Mapping[str, int]) -> int:
    return sizes[named] if isinstance(named, str) else int(named)


def _numbers(template: str, probe: str, name: str, count: int) -> Array:
    """Numbers between 0 and 1 that are the same everywhere, one stream for each input of each probe."""
    key = int.from_bytes(sha256(f"{template}/{probe}/{name}".encode()).digest()[:16], "little")
    raw = np.random.Philox(key=key).random_raw(count)
    return np.asarray(raw >> np.uint64(11), dtype=np.float64) * 2.0**-53


def _mask(share: Array, kind: str) -> Array:
    """A mask that leaves every query a key: lower triangle, the last keys blocked, or at random and not symmetric."""
    n, m = share.shape
    if kind == "causal":
        return np.tri(n, m, dtype=np.bool_)
    if kind == "padding":
        return np.broadcast_to(np.arange(m) < max(1, m - 2), (n, m)).copy()
    mask = share > 0.45  # noqa: PLR2004 -- a little more than half is allowed
    rows = np.arange(n)
    mask[rows, share.argmax(axis=-1)] = True
    if m > 1:
        mask[rows, share.argmin(axis=-1)] = False
    return mask
