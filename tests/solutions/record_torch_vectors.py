"""Record what PyTorch computes, as an oracle that owes nothing to us: writes `torch_vectors.json` beside this file.

Run once, in an environment with torch 2.13.0; the tests only read what was recorded.
"""

import json
from pathlib import Path

import torch
from torch.nn.functional import scaled_dot_product_attention

FILE = Path(__file__).with_name("torch_vectors.json")


def drawn(*shape):
    """Numbers to three decimals, so that the file stays short and exact."""
    return torch.round(torch.randn(*shape, dtype=torch.float64) * 1.5, decimals=3)


def listed(value):
    """A tensor as nested lists, anything else as it is; -inf as a word, which JSON has no number for."""
    if not isinstance(value, torch.Tensor):
        return value
    if value.is_floating_point() and torch.isinf(value).any():
        return [["-inf" if cell == float("-inf") else cell for cell in row] for row in value.tolist()]
    return value.tolist()


def dot_product(name, q, k, v, **settings):
    """One call of scaled_dot_product_attention: inputs, settings, output."""
    output = scaled_dot_product_attention(q, k, v, **settings)
    case = {"name": name, "q": q, "k": k, "v": v, **settings, "output": output}
    return {key: listed(value) for key, value in case.items()}


def dot_products():
    """Rectangular, masked, causal, scaled and batched calls."""
    q, k, v = drawn(3, 6), drawn(5, 6), drawn(5, 4)
    square = drawn(4, 2), drawn(4, 2), drawn(4, 2)
    batch = drawn(2, 2, 3, 2), drawn(2, 2, 4, 2), drawn(2, 2, 4, 3)
    mask = torch.tensor([[1, 0, 1, 1, 0], [0, 0, 1, 0, 0], [1, 1, 1, 1, 1]], dtype=torch.bool)
    closed = torch.tensor([[1, 0, 1, 1, 0], [0, 0, 0, 0, 0], [1, 1, 1, 1, 1]], dtype=torch.bool)
    added = torch.where(mask, drawn(3, 5), float("-inf"))
    padding = torch.tensor([[1, 1, 1, 0], [1, 1, 0, 0]], dtype=torch.bool)[:, None, None, :]
    return [
        dot_product("rectangular", q, k, v),
        dot_product("boolean mask", q, k, v, attn_mask=mask),
        dot_product("a row with every key blocked", q, k, v, attn_mask=closed),
        dot_product("mask to add", q, k, v, attn_mask=added),
        dot_product("causal", *square, is_causal=True),
        dot_product("causal, more keys than queries", q, k, v, is_causal=True),
        dot_product("causal, more queries than keys", drawn(5, 3), drawn(2, 3), drawn(2, 3), is_causal=True),
        dot_product("another scale", q, k, v, scale=0.3),
        dot_product("batch and heads", *batch),
        dot_product("batch with padding", *batch, attn_mask=padding),
        dot_product("large scores", q * 40, k * 40, v),
    ]


def module(name, d_model, n_heads, n, *, context=None, blocked=None):
    """One MultiheadAttention without biases: inputs, weights as stored ([out, in]), output and weights per head."""
    keys_from = drawn(context[0], context[1]) if context else None
    widths = {"kdim": context[1], "vdim": context[1]} if context else {}
    layer = torch.nn.MultiheadAttention(
        d_model, n_heads, bias=False, batch_first=True, dtype=torch.float64, **widths
    ).eval()
    x = drawn(n, d_model)
    source = keys_from if context else x
    if context:
        stored = {"wq": layer.q_proj_weight, "wk": layer.k_proj_weight, "wv": layer.v_proj_weight}
    else:
        stored = dict(zip(("wq", "wk", "wv"), layer.in_proj_weight.chunk(3), strict=True))
    stored["wo"] = layer.out_proj.weight
    output, weights = layer(x, source, source, attn_mask=blocked, average_attn_weights=False)
    case = {"name": name, "n_heads": n_heads, "x": x, "x_kv": keys_from, "blocked": blocked, **stored}
    return {key: listed(value) for key, value in (case | {"output": output, "weights": weights}).items()}


def modules():
    """Self-attention with several heads, plain and causal, and cross-attention with one."""
    future = torch.triu(torch.ones(4, 4, dtype=torch.bool), diagonal=1)
    uneven = torch.tensor([[0, 1, 0, 0, 1], [1, 0, 0, 1, 1], [0, 0, 0, 0, 0]], dtype=torch.bool)
    return [
        module("two heads", 6, 2, 3),
        module("three heads, causal", 6, 3, 4, blocked=future),
        module("one head", 4, 1, 3),
        module("cross", 4, 1, 3, context=(5, 6)),
        module("cross with a mask", 4, 1, 3, context=(5, 6), blocked=uneven),
    ]


def main():
    """Write the file."""
    torch.manual_seed(20)
    with torch.no_grad():
        vectors = {"torch": "2.13.0", "dot_product": dot_products(), "module": modules()}
    FILE.write_text(json.dumps(vectors, separators=(",", ":")).replace('{"name"', '\n{"name"') + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
