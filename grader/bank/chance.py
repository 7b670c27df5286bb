"""Whether two mistakes agree by chance: on these numbers, but not on others of the same sizes and case."""

import math
from collections.abc import Sequence
from functools import partial

from grader import trace
from grader.bank import alike, blanks, proof
from grader.bank.entries import Drawing, Unfair, draw_all, draw_sizes
from grader.bank.seeds import Stream
from grader.model import Seed, Template, Variant

_PROBES = 5
_CELLS = 4
_DECIMALS = 3
_SEED = Seed("probe")

_Key = tuple[str, str, str, tuple[tuple[str, int], ...]]
_known: dict[_Key, frozenset[alike.Pair]] = {}


def by_chance(variant: Variant) -> tuple[alike.Pair, ...]:
    """The pairs of mistakes that look the same here but can be told apart, where the answers could tell them apart.

    A few cells, or few decimals, never tell all mistakes apart: there it stays with the certificate's groups.
    """
    certificate = variant.certificate
    carried = sum(math.prod(blank.shape) for blank in variant.blanks if blank.decimals >= _DECIMALS)
    if certificate is None or carried < _CELLS or not certificate.alike:
        return ()
    return tuple(sorted(_close(certificate.alike) - _always(variant)))


def _close(groups: Sequence[Sequence[str]]) -> frozenset[alike.Pair]:
    """All pairs within some groups."""
    return frozenset((one, two) for group in groups for one in group for two in group if one < two)


def _always(variant: Variant) -> frozenset[alike.Pair]:
    """The pairs of mistakes that are the same for all numbers of this variant's sizes and case; remembered."""
    template, case = variant.template, str(variant.chosen.get("case"))
    sizes = {name: int(variant.inputs[name].cells[0]) for name in template.sizes}
    key = (template.id, template.drawing_hash, case, tuple(sizes.items()))
    if key not in _known:
        found = [pairs for number in range(_PROBES) if (pairs := _probe(template, case, sizes, number)) is not None]
        _known[key] = frozenset.intersection(*found) if found else frozenset()
    return _known[key]


def _probe(template: Template, case: str, sizes: dict[str, int], number: int) -> frozenset[alike.Pair] | None:
    """The pairs that look the same on other numbers, which need not be fair; `None` if these cannot be used."""
    drawn = next((one for one in template.cases if one["key"] == case), {})
    at = Drawing(partial(Stream, template.id, template.drawing_hash, _SEED, number), drawn, specs=template.draw)
    try:
        draw_sizes(sizes, at)
        draw_all(at)
        right = trace.run(trace.pipelines()[template.pipeline], trace.to_arrays(at.values))
        made = blanks.make(template, at, right, fair=False)
    except Unfair:
        return None
    evidence = proof.gather(template, made, right, at.values)
    close = alike.pairs(evidence.blanks, [(wrong.mistake, wrong.trace) for wrong in evidence.wrong])
    return _close(alike.groups(close))
