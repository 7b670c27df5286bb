"""Wrong attention as people write it: the catalogue computes what it returns, on every case."""

import numpy as np
import pytest

from tests.solutions.mistakes.steps import blocked, drawn, softmax, spotted


def one_head_cases():
    """The cases of the exercise: rectangular and square, masked and not, large scores and far negative ones."""
    rectangle = {"q": drawn(3, 6), "k": drawn(7, 6), "v": drawn(7, 5)}
    square = {"q": drawn(5, 5), "k": drawn(5, 5), "v": drawn(5, 5)}
    padding = np.tile(np.arange(7) < 4, (3, 1))
    large = {"q": rectangle["q"] * 60, "k": rectangle["k"] * 60, "v": rectangle["v"]}
    return [
        rectangle,
        rectangle | {"mask": spotted(3, 7)},
        rectangle | {"mask": padding},
        square,
        square | {"mask": spotted(5, 5)},
        {"q": drawn(1, 6), "k": drawn(7, 6), "v": drawn(7, 5)},
        large,
        rectangle | {"q": 90 + drawn(3, 6), "k": -90 + drawn(7, 6), "mask": spotted(3, 7)},
    ]


def divided(q, k):
    """Scores as they should be."""
    return q @ k.T / np.sqrt(q.shape[1])


def written(score=divided, block=blocked, share=softmax, mix=np.matmul):
    """Attention with some of its parts written wrongly."""

    def attention(q, k, v, mask=None):
        weights = share(block(score(q, k), mask))
        return mix(weights, v), weights

    return attention


def changed(change):
    """Attention right, its result changed at the end."""
    return lambda q, k, v, mask=None: change(*written()(q, k, v, mask))


def where_masked(change):
    """A mask applied by `change(scores, mask)` if there is one."""
    return lambda s, mask: s if mask is None else change(s, mask)


def late(q, k, v, mask=None):
    """Masked after softmax."""
    weights = softmax(divided(q, k))
    weights = weights if mask is None else weights * mask
    return weights @ v, weights


def late_over_columns(q, k, v, mask=None):
    """Masked after softmax, then made to add to 1 down the columns."""
    weights = softmax(divided(q, k))
    if mask is not None:
        weights = weights * mask
        weights = weights / weights.sum(axis=0, keepdims=True)
    return weights @ v, weights


def keys_mixed(q, k, v, mask=None):
    """The keys mixed instead of the values."""
    weights = softmax(blocked(divided(q, k), mask))
    return weights @ k, weights


def scores_mixed(q, k, v, mask=None):
    """The values mixed by the scores."""
    s = divided(q, k)
    return s @ v, softmax(blocked(s, mask))


def scores_returned(q, k, v, mask=None):
    """Masked scores returned in place of the weights."""
    s = blocked(divided(q, k), mask)
    return softmax(s) @ v, s


def blocked_keys_zeroed(q, k, v, mask=None):
    """Keys that nobody may read set to zero before scoring."""
    k = k if mask is None else k * mask.any(axis=0)[:, None]
    weights = softmax(divided(q, k))
    return weights @ v, weights


def blocked_values_zeroed(q, k, v, mask=None):
    """Values that nobody may read set to zero before mixing."""
    weights = softmax(divided(q, k))
    return weights @ (v if mask is None else v * mask.any(axis=0)[:, None]), weights


def queries_added(q, k, v, mask=None):
    """The queries added to the output."""
    output, weights = written()(q, k, v, mask)
    return output + q, weights


def causal_always(q, k, v, mask=None):
    """A causal mask whether asked for or not."""
    triangle = np.tril(np.ones((len(q), len(k)), dtype=bool))
    return written()(q, k, v, triangle if mask is None else triangle & mask)


def causal_always_by_a_large_number(q, k, v, mask=None):
    """The same, with -1e9 for -inf."""
    triangle = np.tril(np.ones((len(q), len(k)), dtype=bool))
    return written(block=lambda s, m: np.where(m, s, -1e9))(q, k, v, triangle if mask is None else triangle & mask)


def bare_exp(s, axis=-1):
    """Softmax of the bare exponentials."""
    return np.exp(s) / np.exp(s).sum(axis=axis, keepdims=True)


def flat_sums(s):
    """Row sums without keepdims."""
    e = np.exp(s - s.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1)


def row_maxima_column_sums(s):
    """Maxima by row, sums by column."""
    e = np.exp(s - s.max(axis=-1, keepdims=True))
    return e / e.sum(axis=0)


def everywhere(s):
    """One softmax over the whole matrix."""
    e = np.exp(s - s.max())
    return e / e.sum()


def zero_based_max(s):
    """A running maximum that starts at 0."""
    e = np.exp(s - np.maximum(s.max(axis=-1, keepdims=True), 0))
    return e / e.sum(axis=-1, keepdims=True)


def global_max(s):
    """The maximum of the whole matrix taken away."""
    e = np.exp(s - s.max())
    return e / e.sum(axis=-1, keepdims=True)


def plus_one(s):
    """1 added to the denominator."""
    e = np.exp(s - s.max(axis=-1, keepdims=True))
    return e / (1 + e.sum(axis=-1, keepdims=True))


def exp_of_ratio(s):
    """A parenthesis in the wrong place."""
    z = s - s.max(axis=-1, keepdims=True)
    return np.exp(z / np.exp(z).sum(axis=-1, keepdims=True))


def cosine(q, k):
    """Rows made unit vectors first."""
    q, k = (a / np.linalg.norm(a, axis=1, keepdims=True) for a in (q, k))
    return divided(q, k)


def over_root_after(q, k, v, mask=None):
    """Divided by the root after softmax."""
    weights = softmax(blocked(q @ k.T, mask)) / np.sqrt(q.shape[1])
    return weights @ v, weights


ONE_HEAD = [
    ("scale_after_softmax", over_root_after),
    ("scale_missing", written(lambda q, k: q @ k.T)),
    ("scale_dk_not_sqrt", written(lambda q, k: q @ k.T / q.shape[1])),
    ("scale_half_dk_precedence", written(lambda q, k: q @ k.T / (q.shape[1] ** 1 / 2))),
    ("scale_multiplied", written(lambda q, k: q @ k.T / q.shape[1] ** -0.5)),
    ("scale_twice", written(lambda q, k: (q / np.sqrt(q.shape[1])) @ k.T / np.sqrt(q.shape[1]))),
    ("scale_fourth_root_once", written(lambda q, k: (q / q.shape[1] ** 0.25) @ k.T)),
    ("scale_by_num_keys", written(lambda q, k: q @ k.T / np.sqrt(len(k)))),
    ("scale_by_num_queries", written(lambda q, k: q @ k.T / np.sqrt(len(q)))),
    ("scale_integer_sqrt", written(lambda q, k: q @ k.T / int(np.sqrt(q.shape[1])))),
    ("scores_qk_swapped", written(lambda q, k: divided(k, q))),
    ("scores_no_transpose", written(lambda q, k: q @ k / np.sqrt(q.shape[1]))),
    ("scores_use_query_twice", written(lambda q, k: divided(q, q))),
    ("scores_elementwise_product", written(lambda q, k: q * k / np.sqrt(q.shape[1]))),
    ("scores_cosine", written(cosine)),
    ("scores_same_position_only", written(lambda q, k: divided(q, k) * np.eye(len(q), len(k)))),
    ("channel_attention", written(lambda q, k: q.T @ k / np.sqrt(q.shape[1]))),
    ("mask_ignored", written(block=lambda s, _: s)),
    ("mask_inverted", written(block=where_masked(lambda s, m: np.where(m, -np.inf, s)))),
    ("mask_after_softmax", late),
    ("mask_renormalised_wrong_axis", late_over_columns),
    ("mask_multiplies_scores", written(block=where_masked(lambda s, m: s * m))),
    ("mask_fill_tiny", written(block=where_masked(lambda s, m: np.where(m, s, -1e-9)))),
    ("mask_added_as_bool", written(block=where_masked(lambda s, m: s + m))),
    ("mask_sign_flipped", written(block=where_masked(lambda s, m: s + 1e9 * ~m))),
    ("mask_sign_flipped", written(block=where_masked(lambda s, m: np.where(m, s, 1e9)))),
    ("mask_transposed", written(block=where_masked(lambda s, m: np.where(m.T, s, -np.inf)))),
    ("mask_transposed", written(block=where_masked(lambda s, m: np.where(m.T, s, -1e9)))),
    ("mask_on_queries", written(block=where_masked(lambda s, m: np.where(m.all(1, keepdims=True), s, -1e9)))),
    ("mask_on_queries", written(block=where_masked(lambda s, m: np.where(m.all(1, keepdims=True), s, -np.inf)))),
    ("mask_inf_times_zero", written(block=where_masked(lambda s, m: s + (1 - m) * -np.inf))),
    ("mask_bitwise_not_on_int", written(block=where_masked(lambda s, m: np.where(~m.astype(int), -1e9, s)))),
    ("mask_on_raw_inputs", blocked_keys_zeroed),
    ("mask_zeroes_values", blocked_values_zeroed),
    ("always_causal", causal_always),
    ("always_causal", causal_always_by_a_large_number),
    ("softmax_axis0", written(share=lambda s: softmax(s, 0))),
    ("softmax_axis0", written(block=where_masked(lambda s, m: np.where(m, s, -1e9)), share=lambda s: softmax(s, 0))),
    ("softmax_axis0", written(share=row_maxima_column_sums)),
    ("softmax_global", written(share=everywhere)),
    ("softmax_missing_keepdims", written(share=flat_sums)),
    ("softmax_exp_of_ratio", written(share=exp_of_ratio)),
    ("linear_normalisation", written(share=lambda s: s / s.sum(axis=-1, keepdims=True))),
    ("sigmoid_instead_of_softmax", written(share=lambda s: 1 / (1 + np.exp(-s)))),
    ("softmax_plus_one", written(share=plus_one)),
    ("softmax_plus_one", written(share=lambda s: np.exp(s) / (1 + np.exp(s).sum(axis=-1, keepdims=True)))),
    ("double_softmax", written(share=lambda s: softmax(softmax(s)))),
    ("hard_attention", written(share=lambda s: np.eye(s.shape[1])[s.argmax(axis=1)])),
    ("softmax_no_max_subtraction", written(share=bare_exp)),
    ("softmax_global_max", written(share=global_max)),
    ("softmax_max_clamped_at_zero", written(share=zero_based_max)),
    ("mix_keys_instead_of_values", keys_mixed),
    ("mix_weights_transposed", written(mix=lambda w, v: w.T @ v)),
    ("mix_scores_not_weights", scores_mixed),
    ("mix_concatenates_values", written(mix=lambda w, v: (w[:, :, None] * v).reshape(len(w), -1))),
    ("mix_averages", written(mix=lambda w, v: w @ v / len(v))),
    ("residual_added", queries_added),
    ("returns_scores_as_weights", scores_returned),
    ("extra_batch_dim", changed(lambda o, w: (o[None], w[None]))),
    ("output_transposed", changed(lambda o, w: (o.T, w))),
    ("squeezes_singleton", changed(lambda o, w: (np.squeeze(o), np.squeeze(w)))),
    ("rounded_output", changed(lambda o, w: (np.round(o, 4), w))),
    ("rounded_output", changed(lambda o, w: (np.round(o, 4), np.round(w, 4)))),
]


ONE_HEAD_CASES = one_head_cases()
ARGUMENTS, RETURNED = ("q", "k", "v", "mask"), ("output", "weights")


@pytest.mark.parametrize(("mistake", "attention"), ONE_HEAD)
def test_attention(mistake, attention, named):
    """A wrong attention is recognised over all cases."""
    assert mistake in named(attention, "one_head", ONE_HEAD_CASES, ARGUMENTS, RETURNED)


def test_right_attention(named):
    """Right code in another style is no mistake: a finite fill, scaled queries, an epsilon."""

    def attention(q, k, v, mask=None):
        s = (q / np.sqrt(q.shape[1])) @ k.T
        s = s if mask is None else np.where(mask, s, -1e9)
        e = np.exp(s - s.max(axis=-1, keepdims=True))
        weights = e / (e.sum(axis=-1, keepdims=True) + 1e-12)
        return weights @ v, weights

    assert named(attention, "one_head", ONE_HEAD_CASES, ARGUMENTS, RETURNED) == set()
