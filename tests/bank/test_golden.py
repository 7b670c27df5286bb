"""Variants never change: their inputs and blanks have hashes that were written down once.

The draws are rebuilt, not searched for: which redraw is fair may change when a mistake is added to the catalogue, and
the token settles it. No hash depends on a float that was computed.
"""

import hashlib
import json

import pytest

from grader.bank import draw
from grader.bank.seeds import derived, self_study
from grader.model import Seed

SEEDS = [
    (self_study(0), 0),
    (self_study(0), 1),
    (self_study(7), 0),
    (derived(b"secret", "ann", "head", "00000000", 1), 3),
    (Seed("default"), 0),
]
GOLDEN = {
    "head": ("d66d8e58", "e4ec470b0c174f44"),
    "choosing": ("121f7e68", "aa507d390e0d592f"),
    "computed": ("ceea98ac", "bb9edf4f1071feed"),
    "coding": ("87cabbbe", "cfe9fd3e4490f569"),
}


def canonical(variant):
    """Everything that drawing settles, as JSON."""
    inputs = [variant.inputs, *(case.inputs for case in variant.cases)]
    numbers = [[(name, one.shape, one.cells, one.kind) for name, one in each.items()] for each in inputs]
    blanks = [
        (
            blank.name,
            blank.cells,
            blank.shape,
            blank.truth,
            [(choice.letter, choice.key, choice.right) for choice in blank.choices],
        )
        for blank in variant.blanks
    ]
    return json.dumps([numbers, blanks, dict(variant.chosen)], sort_keys=True)


def digest(template, pairs):
    """One hash over some seeds of a template."""
    text = "\n".join(canonical(draw.rebuild(template, seed, redraw)) for seed, redraw in pairs)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


@pytest.mark.parametrize("name", ["head", "choosing", "computed", "coding"])
def test_the_variants_of_a_seed_are_what_they_were(make, name):
    """The drawing hash and the numbers of several seeds are the same on every machine, Python and NumPy."""
    template = make(name)
    pins = [(Seed("0", pin), 0) for pin in template.pins]
    assert (template.drawing_hash, digest(template, [*SEEDS, *pins])) == GOLDEN[name]
