"""Patterns of sizes that coincide."""

import pytest

from grader.bank import load
from grader.judge import coincide, probes


@pytest.mark.parametrize(("name", "many"), [("scores", 5), ("attention", 15), ("cross_attention", 52)])
def test_every_way_to_be_alike_is_there_once(name, many):
    """As many as there are partitions of so many names (Bell numbers), and the first has no two alike."""
    found = coincide.of(load.find(name))
    patterns = {tuple(list(one.sizes.values()).index(size) for size in one.sizes.values()) for one in found}

    assert len(found) == len(patterns) == many
    assert len(set(found[0].sizes.values())) == len(found[0].sizes)


@pytest.mark.parametrize("name", ["split_heads", "merge_heads", "multi_head_attention"])
def test_heads_are_whole(name):
    """The columns are those of all heads; tokens, heads and columns are alike in turn."""
    template = load.find(name)
    for one in coincide.of(template):
        assert "d_model" not in one.sizes or one.sizes["d_model"] % one.sizes["n_heads"] == 0
        (probe, *_) = probes.at(template, one.sizes, "a", kinds=False)
        assert all(array.size for array in probe.inputs.values())
