"""Wrong multi-head attention as people write it: the catalogue computes what it returns, on every case."""

import numpy as np
import pytest

from tests.solutions.mistakes.steps import blocked, drawn, softmax, spotted


def several_head_cases():
    """Two and three heads, masked and not."""
    wide = {"x": drawn(4, 6), "wq": drawn(6, 6), "wk": drawn(6, 6), "wv": drawn(6, 6), "wo": drawn(6, 6)}
    wide = {name: value / 2 for name, value in wide.items()}
    causal = np.tril(np.ones((4, 4), dtype=bool))
    return [
        wide | {"n_heads": np.array(2)},
        wide | {"n_heads": np.array(2), "mask": causal},
        wide | {"n_heads": np.array(3), "mask": spotted(4, 4)},
    ]


def cut(x, h):
    """Split as it should be."""
    return x.reshape(len(x), h, -1).transpose(1, 0, 2)


def joined(heads, _):
    """Merged as it should be."""
    return np.hstack(list(heads))


def many(split=cut, merge=joined, *, divisor=None, share=softmax, block=blocked, end=np.matmul):
    """Multi-head attention with some of its parts written wrongly."""

    def attention(x, wq, wk, wv, wo, n_heads, mask=None):  # noqa: PLR0917 -- the contract's
        q, k, v = (split(x @ w, n_heads) for w in (wq, wk, wv))
        root = np.sqrt(q.shape[-1] if divisor is None else divisor(x, n_heads))
        s = block(q @ k.transpose(0, 2, 1) / root, mask)
        return end(merge(share(s) @ v, x), wo)

    return attention


def first_head_only(s, mask):
    """The mask on head 0 alone."""
    if mask is None:
        return s
    return np.concatenate([np.where(mask, s[:1], -np.inf), s[1:]])


def head_by_head(x, wq, wk, wv, wo, n_heads, mask=None):  # noqa: PLR0917 -- the contract's
    """Each head through its rows of Wo, the results side by side."""
    heads = many(merge=lambda heads, _: heads, end=lambda heads, _: heads)(x, wq, wk, wv, wo, n_heads, mask)
    d = heads.shape[-1]
    return np.hstack([head @ wo[i * d : (i + 1) * d] for i, head in enumerate(heads)])


def transposed_everywhere(x, wq, wk, wv, wo, n_heads, mask=None):  # noqa: PLR0917 -- the contract's
    """All weights read [out, in]."""
    return many()(x, wq.T, wk.T, wv.T, wo.T, n_heads, mask)


def projected_wrongly(change):
    """Other weights handed in: `change(wq, wk, wv)`."""
    return lambda x, wq, wk, wv, wo, n_heads, mask=None: many()(x, *change(wq, wk, wv), wo, n_heads, mask)


SEVERAL = [
    ("scale_missing", many(divisor=lambda x, h: 1)),
    ("scale_by_d_model", many(divisor=lambda x, h: x.shape[1])),
    ("scale_by_n_heads", many(divisor=lambda x, h: h)),
    ("mask_not_passed_to_heads", many(block=lambda s, _: s)),
    ("mask_first_head_only", many(block=first_head_only)),
    ("softmax_over_heads", many(share=lambda s: softmax(s, 0))),
    ("softmax_over_heads", many(share=lambda s: softmax(s, 0), block=lambda s, m: blocked(s, m).clip(-1e9))),
    ("softmax_heads_jointly", many(share=lambda s: softmax(s, (0, 2)))),
    ("softmax_axis0", many(share=lambda s: softmax(s, 1))),
    ("softmax_hardcoded_axis", many(share=lambda s: softmax(s, 1))),
    (
        "split_reshape_no_transpose",
        many(lambda x, h: x.reshape(h, len(x), -1), lambda heads, x: heads.reshape(x.shape)),
    ),
    ("split_interleaved", many(lambda x, h: np.stack([x[:, i::h] for i in range(h)]))),
    ("merge_reshape_no_transpose", many(merge=lambda heads, x: heads.reshape(x.shape))),
    ("merge_interleaved", many(merge=lambda heads, x: heads.transpose(1, 2, 0).reshape(x.shape))),
    ("wo_missing", many(end=lambda concat, wo: concat)),
    ("wo_transposed", many(end=lambda concat, wo: concat @ wo.T)),
    ("relu_on_output", many(end=lambda concat, wo: np.maximum(concat @ wo, 0))),
    ("wo_per_head_then_concat", head_by_head),
    ("weights_out_in_convention", transposed_everywhere),
    ("weights_out_in_convention", projected_wrongly(lambda wq, wk, wv: (wq.T, wk.T, wv.T))),
    ("query_key_projections_swapped", projected_wrongly(lambda wq, wk, wv: (wk, wq, wv))),
    ("projections_exchanged", projected_wrongly(lambda wq, wk, wv: (wq, wv, wk))),
    ("projections_exchanged", projected_wrongly(lambda wq, wk, wv: (wv, wk, wq))),
    ("projections_exchanged", projected_wrongly(lambda wq, wk, wv: (wk, wv, wq))),
    ("projections_exchanged", projected_wrongly(lambda wq, wk, wv: (wv, wq, wk))),
    ("same_projection_for_qkv", projected_wrongly(lambda wq, wk, wv: (wq, wq, wq))),
    ("value_uses_key_projection", projected_wrongly(lambda wq, wk, wv: (wq, wk, wk))),
    ("value_not_projected", projected_wrongly(lambda wq, wk, wv: (wq, wk, np.eye(len(wv))))),
    ("no_projections", projected_wrongly(lambda wq, wk, wv: [np.eye(len(wv))] * 3)),
]


SEVERAL_HEAD_CASES = several_head_cases()


@pytest.mark.parametrize(("mistake", "attention"), SEVERAL)
def test_multi_head_attention(mistake, attention, named):
    """A wrong multi-head attention is recognised over all cases."""
    arguments = ("x", "wq", "wk", "wv", "wo", "n_heads", "mask")

    assert mistake in named(
        lambda *given: (attention(*given),), "multi_head", SEVERAL_HEAD_CASES, arguments, ("projected",)
    )
