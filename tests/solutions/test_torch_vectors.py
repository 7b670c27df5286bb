"""Our attention against what PyTorch recorded."""

import json
from pathlib import Path

import numpy as np
import pytest

from solutions import attention, cross_attention, merge_heads, multi_head_attention, project_qkv, split_heads
from solutions.masks import lower_triangle

VECTORS = json.loads(Path(__file__).with_name("torch_vectors.json").read_text(encoding="utf-8"))


def named(cases):
    """One parameter a case, by its name."""
    return [pytest.param(case, id=case["name"]) for case in cases]


def mask_of(case):
    """The mask of a recorded call: none, causal, boolean or floats to add."""
    if case.get("is_causal"):
        return lower_triangle(len(case["q"]), len(case["k"]))
    mask = case.get("attn_mask")
    if mask is None or np.array(mask).dtype == bool:
        return None if mask is None else np.array(mask)
    return np.array(mask, dtype=object).astype(np.float64)


@pytest.mark.parametrize("case", named(VECTORS["dot_product"]))
def test_dot_product(case):
    """One head agrees with scaled_dot_product_attention, masked, causal, scaled and batched."""
    output, weights = attention(case["q"], case["k"], case["v"], mask_of(case), scale=case.get("scale"))

    np.testing.assert_allclose(output, case["output"], rtol=0, atol=1e-12)
    assert weights.shape == (*output.shape[:-1], np.shape(case["k"])[-2])


@pytest.mark.parametrize("case", named(c for c in VECTORS["module"] if c["x_kv"] is None))
def test_module(case):
    """Several heads agree with nn.MultiheadAttention, whose weights are [out, in], whose mask says blocked."""
    wq, wk, wv, wo = (np.array(case[name]).T for name in ("wq", "wk", "wv", "wo"))
    mask = None if case["blocked"] is None else ~np.array(case["blocked"])

    output = multi_head_attention(case["x"], wq, wk, wv, wo, case["n_heads"], mask)

    np.testing.assert_allclose(output, case["output"], rtol=0, atol=1e-12)
    q, k, v = (split_heads(a, case["n_heads"]) for a in project_qkv(case["x"], wq, wk, wv))
    heads, weights = attention(q, k, v, mask)
    np.testing.assert_allclose(weights, case["weights"], rtol=0, atol=1e-12)
    np.testing.assert_allclose(merge_heads(heads) @ wo, case["output"], rtol=0, atol=1e-12)


@pytest.mark.parametrize("case", named(c for c in VECTORS["module"] if c["x_kv"] is not None))
def test_cross(case):
    """Cross-attention agrees with nn.MultiheadAttention of one head, its output weights applied after."""
    wq, wk, wv, wo = (np.array(case[name]).T for name in ("wq", "wk", "wv", "wo"))
    mask = None if case["blocked"] is None else ~np.array(case["blocked"])

    output, weights = cross_attention(case["x"], case["x_kv"], wq, wk, wv, mask)

    np.testing.assert_allclose(output @ wo, case["output"], rtol=0, atol=1e-12)
    np.testing.assert_allclose(weights, np.array(case["weights"])[0], rtol=0, atol=1e-12)
