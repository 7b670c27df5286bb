"""Which sizes coincide.

Wrong code may run only where some sizes are alike, and be the same as other wrong code where more of them are: it is
known best where no more sizes are alike than it needs, and by stopping where fewer are.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from grader.model import Template

_UNLIKE: Final = (3, 7, 6, 5, 8)
"""Sizes whose roots, halves and squares do not meet each other."""
_HEADS: Final = ((5, 2, 3), (4, 2, 3), (2, 2, 3), (3, 2, 3), (6, 2, 3), (7, 3, 3), (9, 3, 3), (3, 3, 3))
"""Tokens, heads and columns of a head: all unlike, whole heads' worth of tokens, then each alike with another."""
_TWO: Final = 2


@dataclass(frozen=True, slots=True)
class Sizes:
    """Sizes of one pattern; `coarse` if no other pattern of more coincidences still tells two sizes apart."""

    sizes: Mapping[str, int]
    coarse: bool


@lru_cache(maxsize=64)
def patterns(template_sizes: tuple[str, ...]) -> tuple[Sizes, ...]:
    """Every way in which these sizes can coincide, those of the fewest coincidences first."""
    if "n_heads" in template_sizes:
        return tuple(Sizes(_of_heads(template_sizes, *one), coarse=True) for one in _HEADS)
    groups = sorted(_groups(template_sizes), key=len, reverse=True)
    return tuple(Sizes(_sized(template_sizes, one), len(one) == _TWO) for one in groups)


def of(template: Template) -> tuple[Sizes, ...]:
    """The patterns of an exercise."""
    return patterns(tuple(template.sizes))


def _of_heads(names: Sequence[str], n: int, n_heads: int, d_head: int) -> dict[str, int]:
    every = {"n": n, "n_heads": n_heads, "d_head": d_head, "d_model": n_heads * d_head}
    return {name: every[name] for name in names if name in every}


def _groups(names: Sequence[str]) -> Iterator[list[list[str]]]:
    """Every way to put names into groups."""
    if not names:
        yield []
        return
    first, *rest = names
    for groups in _groups(rest):
        yield [[first], *groups]
        for place, group in enumerate(groups):
            yield [*groups[:place], [first, *group], *groups[place + 1 :]]


def _sized(names: Sequence[str], groups: Sequence[Sequence[str]]) -> dict[str, int]:
    size = {name: length for group, length in zip(groups, _UNLIKE, strict=False) for name in group}
    return {name: size[name] for name in names}
