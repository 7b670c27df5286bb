"""What the reference hands on."""

import solutions


def test_exactly_the_contract():
    """The contract's functions, sorted, and nothing else."""
    assert solutions.__all__ == sorted(solutions.__all__)
    assert set(solutions.__all__) == {
        "attention",
        "causal_mask",
        "cross_attention",
        "merge_heads",
        "multi_head_attention",
        "padding_mask",
        "project_qkv",
        "scores",
        "softmax",
        "split_heads",
    }
    assert all(callable(getattr(solutions, name)) for name in solutions.__all__)
