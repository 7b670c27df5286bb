"""Laws: none is broken by a right function in any style; each is by a wrong one, with the tokens concerned."""

import string
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import yaml

import solutions
from grader.bank import load
from grader.judge import conventions, laws
from grader.model import Limits, Outcome, Seed
from grader.sandbox.run import Runner
from tests.judge.in_process import asker, variant_of

FUNCTIONS = [template.id for template in load.bank() if template.function is not None]
WORDS = yaml.safe_load((Path(__file__).parents[2] / "problem_bank" / "words" / "laws.yaml").read_text(encoding="utf-8"))


def softmax(x, axis=-1):
    """Softmax along one axis."""
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


def attend(Q, K, V, mask=None, *, divisor=None, scores=None):
    """Right attention with its parts open to change."""
    s = (Q @ K.T if scores is None else scores) / (np.sqrt(Q.shape[-1]) if divisor is None else divisor)
    w = softmax(s if mask is None else np.where(mask, s, -np.inf))
    return w @ V, w


def split(X, n_heads):
    """The columns cut into heads."""
    return X.reshape(len(X), n_heads, -1).transpose(1, 0, 2)


def merge(H):
    """The heads side by side."""
    return H.transpose(1, 0, 2).reshape(H.shape[1], -1)


def heads_of(one_head):
    """Multi-head attention with this function inside every head."""

    def function(X, Wq, Wk, Wv, Wo, n_heads, mask=None):  # noqa: PLR0917 -- as the contract says
        parts = zip(*(split(X @ W, n_heads) for W in (Wq, Wk, Wv)), strict=True)
        return merge(np.stack([one_head(q, k, v, mask) for q, k, v in parts])) @ Wo

    return function


def first_of(function):
    """The output alone."""
    return lambda *given: np.array(function(*given)[0])


def projected(function):
    """Cross-attention that projects and then calls this function."""

    def cross(X_q, X_kv, Wq, Wk, Wv, mask=None):  # noqa: PLR0917 -- as the contract says
        return function(X_q @ Wq, X_kv @ Wk, X_kv @ Wv, mask)

    return cross


# --- right, in many styles ---------------------------------------------------------------------------------------


def in_single_precision(Q, K, V, mask=None):
    """Everything in float32."""
    Q, K, V = (a.astype(np.float32) for a in (Q, K, V))
    s = Q @ K.T / np.float32(np.sqrt(Q.shape[-1]))
    if mask is not None:
        s = np.where(mask, s, np.float32(-np.inf))
    w = softmax(s)
    return w @ V, w


def with_large_negative(Q, K, V, mask=None):
    """Blocked scores get -1e9 added."""
    s = Q @ K.T / np.sqrt(Q.shape[-1])
    if mask is not None:
        s = s + (1 - mask.astype(float)) * -1e9
    w = softmax(s)
    return w @ V, w


def renormalised(Q, K, V, mask=None):
    """Mask after softmax, rows made to add up to one again, with a small epsilon."""
    w = softmax(Q @ K.T / np.sqrt(Q.shape[-1]))
    if mask is not None:
        w = w * mask
        w = w / (w.sum(axis=-1, keepdims=True) + 1e-12)
    return w @ V, w


def turned(Q, K, V, mask=None):
    """K Qᵀ, softmax over axis 0, and a transpose at the end; both scaled by the fourth root."""
    root = Q.shape[-1] ** 0.25
    s = (K / root) @ (Q / root).T
    if mask is not None:
        s[~mask.T] = -np.inf
    w = softmax(s, axis=0).T
    return w @ V, w


def base_two(Q, K, V, mask=None):
    """Exponentials to the base 2, masked before scaling."""
    s = Q @ K.T
    if mask is not None:
        s = np.where(mask, s, -1e30)
    s = s / np.sqrt(Q.shape[-1]) * np.log2(np.e)
    e = np.exp2(s - s.max(axis=1)[:, None])
    w = e / e.sum(axis=1)[:, None]
    return w @ V, w


def online(Q, K, V, mask=None):
    """Softmax in one pass over the keys, with a running maximum, in plain loops."""
    n, m = len(Q), len(K)
    output, weights = np.zeros((n, V.shape[1])), np.zeros((n, m))
    for i in range(n):
        top, total = -np.inf, 0.0
        for j in range(m):
            if mask is not None and not mask[i, j]:
                continue
            s = float(Q[i] @ K[j]) / Q.shape[1] ** 0.5
            new = max(top, s)
            shrink = np.exp(top - new)
            total, weights[i] = total * shrink + np.exp(s - new), weights[i] * shrink
            output[i] = output[i] * shrink + np.exp(s - new) * V[j]
            weights[i, j], top = np.exp(s - new), new
        output[i] /= total
        weights[i] /= total
    return output.tolist(), weights.tolist()


ATTENTIONS = (attend, in_single_precision, with_large_negative, renormalised, turned, base_two, online)


def summed_over_heads(X, Wq, Wk, Wv, Wo, n_heads, mask=None):  # noqa: PLR0917 -- as the contract says
    """Each head through its own rows of Wo, and a sum instead of a merge; in float32."""
    X, Wq, Wk, Wv, Wo = (a.astype(np.float32) for a in (X, Wq, Wk, Wv, Wo))
    width = X.shape[1] // n_heads
    cuts = [slice(h * width, (h + 1) * width) for h in range(n_heads)]
    return sum(in_single_precision(X @ Wq[:, c], X @ Wk[:, c], X @ Wv[:, c], mask)[0] @ Wo[c] for c in cuts)


RIGHT = [
    *(("attention", function) for function in ATTENTIONS),
    *(("cross_attention", projected(function)) for function in ATTENTIONS),
    *(("multi_head_attention", heads_of(first_of(function))) for function in ATTENTIONS),
    ("multi_head_attention", summed_over_heads),
    ("softmax", softmax),
    ("softmax", lambda x: softmax(x.astype(np.float32))),
    ("softmax", lambda x: np.exp(x - np.logaddexp.reduce(x, axis=-1, keepdims=True))),
    ("softmax", lambda x: np.apply_along_axis(softmax, -1, x).tolist()),
    ("scores", lambda Q, K: np.einsum("id,jd->ij", Q, K)),
    ("scores", lambda Q, K: (K.astype(np.float32) @ Q.T.astype(np.float32)).T),
    ("scores", lambda Q, K: [[sum(a * b for a, b in zip(q, k, strict=True)) for k in K] for q in Q]),
    ("project_qkv", lambda X, Wq, Wk, Wv: np.split(X @ np.hstack([Wq, Wk, Wv]), np.cumsum([Wq.shape[1]] * 2), axis=1)),
    ("project_qkv", lambda X, *W: [np.float32(X) @ np.float32(w) for w in W]),
    ("split_heads", split),
    ("split_heads", lambda X, n_heads: np.stack(np.split(X, n_heads, axis=1)).astype(np.float32)),
    ("merge_heads", lambda H: np.concatenate(list(H), axis=-1)),
    ("causal_mask", lambda n: np.arange(n)[:, None] >= np.arange(n)),
    ("padding_mask", lambda lengths, m: [[j < length for j in range(m)] for length in lengths]),
]


@pytest.mark.parametrize("name", FUNCTIONS)
def test_the_reference_breaks_no_law_under_any_convention(name):
    """The reference itself, handed what a learner would be."""
    for seed in (Seed("0"), Seed("1"), Seed("2"), Seed("3")):
        variant = variant_of(name, seed)
        spec, settings = variant.template.function, variant.chosen["conventions"]

        def reference(*given, spec=spec, settings=settings):
            arguments = list(given)
            for place, one in enumerate(spec.parameters):
                if one.input == "mask" and arguments[place] is not None and settings.get("mask_true") == "blocked":
                    arguments[place] = ~arguments[place]
                if one.input in conventions.WEIGHTS and settings.get("weights_stored") == "out_in":
                    arguments[place] = arguments[place].T
            made = getattr(solutions, spec.name)(*arguments)
            many = len(spec.returns) > 1
            made = conventions.turned(spec, settings, made if many else (made,))
            return made if many else made[0]

        assert laws.broken(variant, asker(variant, reference)) is None


@pytest.mark.parametrize(("name", "function"), RIGHT)
def test_no_right_style_breaks_a_law(name, function):
    """Right values computed in another way, in single precision or as lists, keep every law."""
    variant = variant_of(name)

    assert laws.broken(variant, asker(variant, function)) is None


# --- wrong, one law at a time ------------------------------------------------------------------------------------


def noisy(x):
    """A little noise at each call."""
    return softmax(x) + NOISE.normal(0, 0.01, x.shape)


def left_out(x):
    """Dropout that was left on, others at each call, and none made larger for it."""
    return softmax(x) * (NOISE.random(x.shape) > 0.3)


NOISE = np.random.default_rng(7)


def weights_of(change):
    """Right attention whose weights are changed before they mix the values."""

    def function(Q, K, V, mask=None):
        allowed = np.ones((len(Q), len(K)), dtype=bool) if mask is None else mask
        w = change(attend(Q, K, V, mask)[1], allowed)
        return w @ V, w

    return function


def output_of(change):
    """Right attention with another output."""

    def function(Q, K, V, mask=None):
        output, w = attend(Q, K, V, mask)
        return change(output, w, Q, K, V), w

    return function


def softened(rows, allowed):
    """Weights that are squared roots of the right ones, made shares again."""
    w = np.sqrt(rows) * allowed
    return w / w.sum(axis=-1, keepdims=True)


def scored(change):
    """Right attention whose scores are changed before they are scaled."""
    return lambda Q, K, V, mask=None: attend(Q, K, V, mask, scores=change(Q @ K.T))


def order_matters(Q, K, V, mask=None):
    """A bonus for near keys, as positions give."""
    return attend(Q, K, V, mask, scores=Q @ K.T - 0.1 * np.arange(len(K)))


def earlier_queries(Q, K, V, mask=None):
    """Every query is the mean of those so far."""
    return attend(np.cumsum(Q, axis=0) / np.arange(1, len(Q) + 1)[:, None], K, V, mask)


def leaks_next(Q, K, V, mask=None):
    """The mask is moved by one key."""
    if mask is not None:
        mask = mask | np.roll(mask, 1, axis=1) & (np.arange(mask.shape[1]) > 0)
    return attend(Q, K, V, mask)


def first_token_read_by_all(one_head):
    """Multi-head attention in which every token may read the last one."""

    def function(q, k, v, mask):
        if mask is not None:
            mask = mask.copy()
            mask[:, -1] = True
        return one_head(q, k, v, mask)[0]

    return heads_of(function)


def reads_earlier(Q, K, V, mask=None):
    """Every earlier token may be read, whatever the mask says."""
    return attend(Q, K, V, None if mask is None else mask | np.tri(*mask.shape, dtype=bool))


def divided(divisor):
    """Attention with a divisor of its own."""
    return lambda Q, K, V, mask=None: attend(Q, K, V, mask, divisor=divisor)


def dropped(weights, share=0.25):
    """Some left out by chance, the others so much larger that the mean stays; the same ones at each call."""
    return weights * (np.random.default_rng(3).random(weights.shape) > share) / (1 - share)


def with_dropout(Q, K, V, mask=None):
    """Dropout left on, on the weights."""
    w = dropped(attend(Q, K, V, mask)[1])
    return w @ V, w


def values_in_scale(Q, K, V, mask=None):
    """The divisor depends on the values."""
    return attend(Q, K, V, mask, divisor=1 + (V**2).mean())


def scaled_under_a_mask(Q, K, V, mask=None):
    """Another divisor where there is a mask."""
    return attend(Q, K, V, mask, divisor=None if mask is None else 2)


def later_queries_louder(Q, K, V, mask=None):
    """Queries grow with their place."""
    return attend(Q * (1 + np.arange(len(Q)))[:, None], K, V, mask)


def best_two(w, allowed):
    """The two largest weights of a row, made shares again."""
    w = w * (w >= np.sort(w, axis=1)[:, -2:-1])
    return w / w.sum(axis=1, keepdims=True)


def uneven(w, allowed):
    """Small weights shrink the more, the later their key."""
    top = w.max(axis=1, keepdims=True)
    w = (w / top) ** (1 + 0.1 * np.arange(w.shape[1])) * allowed
    return w / w.sum(axis=1, keepdims=True)


def exaggerated(w, allowed):
    """Weights moved away from even shares: their sum stays 1, but some are negative."""
    return np.where(allowed, w + 4 * (w - 1 / allowed.sum(axis=1, keepdims=True)), 0)


def numbers_mixed(X, n_heads):
    """Token means in place of numbers."""
    return split(X * 0 + X.mean(axis=1, keepdims=True), n_heads)


def writes(x):
    """The maximum taken away in place."""
    x -= x.max(axis=-1, keepdims=True)
    e = np.exp(x)
    return e / e.sum(axis=-1, keepdims=True)


def over_all_heads(X, Wq, Wk, Wv, Wo, n_heads, mask=None):  # noqa: PLR0917 -- as the contract says
    """The scores of all heads added before softmax."""
    q, k, v = (split(X @ W, n_heads) for W in (Wq, Wk, Wv))
    s = (q @ k.transpose(0, 2, 1)).sum(axis=0) / np.sqrt(q.shape[-1])
    w = softmax(s if mask is None else np.where(mask, s, -np.inf))
    return merge(w @ v) @ Wo


def with_wo(change):
    """Right multi-head attention with another last step."""

    def function(X, Wq, Wk, Wv, Wo, n_heads, mask=None):  # noqa: PLR0917 -- as the contract says
        inside = heads_of(lambda q, k, v, mask: attend(q, k, v, mask)[0])
        return change(inside(X, Wq, Wk, Wv, np.eye(len(Wo)), n_heads, mask), Wo)

    return function


def masked_heads(q, k, v, mask):
    """Weights zeroed after softmax inside the head."""
    w = attend(q, k, v)[1]
    return (w if mask is None else w * mask) @ v


def remembering(function):
    """The result of the first call with these shapes, whatever numbers come later."""
    kept = {}

    def cached(*given):
        key = tuple(np.shape(one) for one in given)
        kept[key] = kept[key] if key in kept else function(*given)
        return kept[key]

    return cached


def in_loops(Q, K, V, mask, keys):
    """Scores one by one, of these keys alone; the others stay 0."""
    s = np.zeros((len(Q), len(K)))
    for i in range(len(Q)):
        for j in keys:
            s[i, j] = Q[i] @ K[j]
    return attend(Q, K, V, mask, scores=s)


def below_the_least(Q, K, V, mask=None):
    """Less the least score of a row in place of the largest: −∞ less −∞ where a key is blocked."""
    s = Q @ K.T / np.sqrt(Q.shape[-1])
    s = s if mask is None else np.where(mask, s, -np.inf)
    e = np.exp(s - s.min(axis=-1, keepdims=True))
    w = e / e.sum(axis=-1, keepdims=True)
    return w @ V, w


WRONG = [
    ("law-nan", "softmax", lambda x: softmax(np.sqrt(x))),
    ("law-nan", "attention", lambda Q, K, V, mask=None: attend(Q, K, V, mask, divisor=np.sqrt(Q.sum() - Q.sum()))),
    ("law-nan-masked", "attention", below_the_least),
    ("law-score-place", "scores", lambda Q, K: (Q @ K.T) * (np.arange(len(K)) < len(Q))),
    ("law-dropout", "attention", with_dropout),
    ("law-dropout", "cross_attention", projected(with_dropout)),
    ("law-dropout", "multi_head_attention", heads_of(first_of(with_dropout))),
    ("law-dropout", "softmax", left_out),
    ("law-dropout", "softmax", lambda x: dropped(softmax(x), 0.1)),
    ("law-dropout-scores", "attention", lambda Q, K, V, mask=None: attend(Q, K, V, mask, scores=dropped(Q @ K.T))),
    ("law-scores-zero", "attention", lambda Q, K, V, mask=None: in_loops(Q, K, V, mask, range(min(len(Q), len(K))))),
    ("law-scores-zero", "attention", lambda Q, K, V, mask=None: in_loops(Q, K, V, mask, range(len(K) - 1))),
    ("law-not-repeatable", "softmax", noisy),
    ("law-inputs-changed", "softmax", writes),
    ("law-same-for-all", "attention", remembering(attend)),
    ("law-same-for-all", "softmax", lambda x: np.full(x.shape, 1 / x.shape[-1])),
    ("law-unused", "attention", lambda Q, K, V, mask=None: attend(Q, Q[:1] * 0 + V[:, :1], V, mask)),
    ("law-unused-mask", "attention", lambda Q, K, V, mask=None: attend(Q, K, V)),
    ("law-rounded", "attention", lambda *a: tuple(np.round(one, 3) for one in attend(*a))),
    ("law-half-precision", "attention", lambda *a: tuple(one.astype(np.float16) for one in attend(*a))),
    ("law-columns-sum", "softmax", lambda x: softmax(x, axis=max(x.ndim - 2, 0))),
    ("law-rows-sum", "softmax", lambda x: 0.9 * softmax(x)),
    ("law-rows-sum-masked", "attention", weights_of(lambda w, allowed: w * (1 - 0.1 * (~allowed).any()))),
    (
        "law-weights-range",
        "attention",
        weights_of(lambda w, a: w + np.eye(*w.shape) - np.eye(*w.shape, k=1)),
    ),
    ("law-blocked-weight", "attention", leaks_next),
    ("law-allowed-weight", "attention", weights_of(lambda w, a: (w >= w.max(axis=1, keepdims=True)) * 1.0)),
    ("law-mix", "attention", output_of(lambda o, w, Q, K, V: np.tanh(o))),
    ("law-equal-values", "attention:output", output_of(lambda o, w, Q, K, V: 1.1 * o)),
    ("law-equal-values-heads", "multi_head_attention", heads_of(masked_heads)),
    ("law-own-query", "attention", earlier_queries),
    ("law-future", "multi_head_attention", first_token_read_by_all(attend)),
    (
        "law-open-mask",
        "attention",
        scaled_under_a_mask,
    ),
    ("law-blocked-key", "attention:output", reads_earlier),
    (
        "law-blocked-token",
        "multi_head_attention",
        heads_of(first_of(reads_earlier)),
    ),
    ("law-allowed-key", "attention:output", weights_of(best_two)),
    ("law-allowed-token", "multi_head_attention", heads_of(first_of(weights_of(best_two)))),
    ("law-one-key", "attention:output", output_of(lambda o, w, Q, K, V: o * (len(K) > 1))),
    ("law-values-range", "attention:output", weights_of(exaggerated)),
    ("law-values-range-heads", "multi_head_attention", heads_of(first_of(weights_of(exaggerated)))),
    ("law-weights-values", "attention", values_in_scale),
    (
        "law-linear-values",
        "attention:output",
        lambda *a: np.cbrt(attend(*a[:2], a[2] ** 3, *a[3:])[0]),
    ),
    ("law-keys-moved", "attention", weights_of(uneven)),
    (
        "law-queries-moved",
        "attention",
        later_queries_louder,
    ),
    ("law-tokens-moved", "multi_head_attention", heads_of(first_of(order_matters))),
    ("law-key-shift", "attention:output", scored(np.tanh)),
    ("law-mask-future", "causal_mask", lambda n: np.tri(n, k=2, dtype=bool)),
    ("law-mask-self", "causal_mask", lambda n: np.tri(n, dtype=bool) & (np.arange(n) != 2)),
    ("law-mask-past", "causal_mask", lambda n: np.tri(n, dtype=bool) & ~np.tri(n, k=-3, dtype=bool)),
    ("law-mask-padding", "padding_mask", lambda lengths, m: np.arange(m) <= lengths[:, None] + 1),
    ("law-mask-token", "padding_mask", lambda lengths, m: (np.arange(m) < lengths[:, None]) & (np.arange(m) > 0)),
    ("law-numbers-kept", "split_heads", numbers_mixed),
    ("law-numbers-kept", "merge_heads", lambda H: merge(H[:1].repeat(len(H), axis=0))),
    ("law-split-token", "split_heads", lambda X, n_heads: X.reshape(n_heads, len(X), -1)),
    ("law-split-head", "split_heads", lambda X, n_heads: split(X[:, ::-1], n_heads)),
    ("law-merge-token", "merge_heads", lambda H: H.reshape(H.shape[1], -1)),
    ("law-merge-head", "merge_heads", lambda H: merge(H[::-1])),
    ("law-own-matrix", "project_qkv", lambda X, Wq, Wk, Wv: (X @ Wq, X @ (Wk + 0.1 * Wv.sum()), X @ Wv)),
    ("law-projection-token", "project_qkv", lambda X, *W: [(X - X.mean(axis=0)) @ w for w in W]),
    ("law-identity", "project_qkv", lambda X, *W: [X @ w * 2 for w in W]),
    ("law-linear", "project_qkv", lambda X, *W: [np.maximum(X, 0) @ w for w in W]),
    ("law-score-pair", "scores", lambda Q, K: Q @ K.T - (Q @ K.T).mean(axis=1, keepdims=True)),
    ("law-score-units", "scores", lambda Q, K: Q @ np.roll(K, 1, axis=1).T),
    ("law-linear", "scores", lambda Q, K: (Q @ K.T) + (Q @ K.T) * (Q @ K.T - 1) / 8),
    ("law-linear", "scores", lambda Q, K: Q @ (K * np.abs(K)).T),
    (
        "law-equal-keys",
        "attention",
        scored(lambda s: s * (1 + np.arange(s.shape[1]))),
    ),
    ("law-scale", "attention", divided(7)),
    (
        "law-scale",
        "cross_attention",
        projected(divided(1.9)),
    ),
    ("law-scale", "multi_head_attention", heads_of(first_of(divided(2.5)))),
    ("law-scale", "attention", weights_of(softened)),
    (
        "law-head-ratio",
        "multi_head_attention",
        heads_of(first_of(scored(np.tanh))),
    ),
    ("law-order", "attention", scored(lambda s: (s) ** 2)),
    ("law-ratio", "attention", scored(np.tanh)),
    ("law-temperature", "softmax", lambda x: softmax(x * 0.7)),
    ("law-row-shift", "softmax", lambda x: softmax(np.exp(np.minimum(x, 9)))),
    ("law-own-row", "softmax", lambda x: softmax(x * (1 + np.tanh(x.sum())))),
    ("law-equal-scores", "softmax", lambda x: softmax(x + 0.1 * np.arange(x.shape[-1]))),
    (
        "law-columns-moved",
        "softmax",
        lambda x: softmax((x - x.max(axis=-1, keepdims=True)) * (1 + np.arange(x.shape[-1]))),
    ),
    ("law-large-numbers", "softmax", lambda x: np.exp(x) / np.exp(x).sum(axis=-1, keepdims=True)),
    ("law-far-rows", "softmax", lambda x: np.exp(x - x.max()) / np.exp(x - x.max()).sum(axis=-1, keepdims=True)),
    (
        "law-large-scores",
        "attention",
        scored(lambda s: np.clip(s, -400, 400)),
    ),
    ("law-heads-apart", "multi_head_attention", over_all_heads),
    ("law-output-matrix", "multi_head_attention", with_wo(lambda o, Wo: o @ Wo.T)),
]


def returning(name):
    """The exercise, or one like it that returns only the first of its values: `attention:output`."""
    exercise, _, only = name.partition(":")
    variant = variant_of(exercise)
    if not only:
        return variant
    spec = variant.template.function
    spec = replace(spec, returns=spec.returns[:1])
    return replace(variant, template=replace(variant.template, function=spec))


@pytest.mark.parametrize(("code", "name", "function"), WRONG)
def test_each_law_is_broken_by_a_wrong_function(code, name, function):
    """The first broken law is the expected one, and its sentence finds every number in it."""
    variant = returning(name)

    found = laws.broken(variant, asker(variant, function))

    assert found is not None
    assert found.code == code
    for lang in ("en", "zh"):
        wanted = {part for _, part, _, _ in string.Formatter().parse(WORDS[code][lang]) if part}
        assert wanted <= found.numbers.keys(), (lang, wanted - found.numbers.keys())


KNOWN_BY_LAW = {
    "law-dropout": "dropout_active",
    "law-dropout-scores": "dropout_before_softmax",
    "law-rounded": "rounded_output",
    "law-half-precision": "float16_precision",
    "law-inputs-changed": "mutates_input",
}


@pytest.mark.parametrize(("code", "name", "function"), WRONG)
def test_a_law_carries_the_mistake_of_which_it_is_the_mark(code, name, function):
    """And no other law accuses anybody."""
    variant = returning(name)

    found = laws.broken(variant, asker(variant, function))

    assert found.mistakes == ((KNOWN_BY_LAW[code],) if code in KNOWN_BY_LAW else ())


def keeps_the_best(rows, count):
    """Only the highest weights of each row, made shares again."""
    kept = rows * (rows >= np.sort(rows, axis=-1)[:, -count:][:, :1])
    return kept / kept.sum(axis=-1, keepdims=True)


@pytest.mark.parametrize(
    "change",
    [
        lambda w: keeps_the_best(w, 2),
        lambda w: w * (w > 0.1),
        lambda w: w * np.tri(*w.shape),
        lambda w: w * (np.add.outer(np.arange(len(w)), np.arange(w.shape[1])) % 2),
        lambda w: 1.25 * w,
    ],
)
def test_weights_that_are_left_out_by_rule_are_no_dropout(change):
    """The best few, those above a threshold, a triangle, a chessboard, or none at all."""
    variant = returning("attention")

    def function(Q, K, V, mask=None):
        w = change(attend(Q, K, V, mask)[1])
        return w @ V, w

    assert not laws.broken(variant, asker(variant, function)).mistakes


@pytest.mark.parametrize(
    "loop",
    [
        pytest.param(lambda n, m, d: (n, n, d), id="as many keys as queries"),
        pytest.param(lambda n, m, d: (n, min(m, d), d), id="as many keys as columns"),
        pytest.param(lambda n, m, d: (n - 1, m, d), id="not the last query"),
        pytest.param(lambda n, m, d: (n, m, d - 1), id="not the last column"),
        pytest.param(lambda n, m, d: (n, m, min(n, d)), id="as many columns as queries"),
    ],
)
def test_what_is_said_of_single_ones_is_true_wherever_the_rows_stand(loop):
    """A loop of the wrong length: if two vectors are said to score something, they do in every pair of places."""

    def function(Q, K):
        n, m, width = loop(len(Q), *K.shape)
        out = np.zeros((len(Q), len(K)))
        out[:n, :m] = (Q[:, :width] @ K[:, :width].T)[:n, :m]
        return out

    variant = variant_of("scores")

    found = laws.broken(variant, asker(variant, function))

    if found.code == "law-score-place":
        assert len(np.unique(function(np.ones((3, 5)), np.ones((7, 5))))) > 1
    else:
        assert found.code == "law-score-units"
        width = laws.scenes(variant)[0].base["q"].shape[-1]
        one, two = (np.eye(width)[found.numbers[name]] for name in ("query", "key"))
        given = function(np.tile(one, (found.numbers["n"], 1)), np.tile(two, (found.numbers["m"], 1)))
        assert set(given.flat) == {found.numbers["got"]}
        assert found.numbers["got"] != found.numbers["wanted"] == one @ two


@pytest.mark.parametrize("name", ["softmax", "attention", "cross_attention"])
def test_what_is_no_number_at_all_is_not_told_to_subtract_a_maximum(name):
    """NaN for ordinary scores has another origin than their size."""
    variant = variant_of(name)
    spec = variant.template.function

    def function(*given):
        right = getattr(solutions, spec.name)(*given)
        return tuple(one * np.nan for one in right) if isinstance(right, tuple) else right * np.nan

    assert laws.broken(variant, asker(variant, function)).code == "law-nan"


def test_every_law_is_tried_and_every_sentence_is_in_use():
    """The wrong functions above cover every law, and each law has its sentence in both languages."""
    codes = {law.code for law in laws.LAWS} | {"law-inputs-changed"}

    assert codes == {code for code, _, _ in WRONG}
    assert codes == set(WORDS)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_nothing_that_comes_back_upsets_a_law(name):
    """Random numbers, NaN, wrong shapes, wrong kinds and crashes: a finding or none, never an error."""
    variant = variant_of(name)
    spec = variant.template.function
    random = np.random.default_rng(1)

    def made(shape):
        kind = random.integers(6)
        values = random.normal(size=shape if kind != 4 else (2, 1))
        return values > 0 if kind == 3 else np.where(values > 1, np.nan, values) if kind == 2 else values

    for _ in range(20):

        def ask(inputs):
            outcomes = []
            for one in inputs:
                shapes = [np.shape(array) for array in one.values() if np.ndim(array)] or [(3, 3)]
                values = tuple(made(shapes[place % len(shapes)]) for place in range(len(spec.returns)))
                outcomes.append(Outcome("returned", values) if random.random() < 0.97 else Outcome("exception"))
            return outcomes

        found = laws.broken(variant, ask)

        assert found is None or found.code in WORDS


def test_nothing_more_is_asked_of_a_function_that_does_not_end():
    """One round whose cases ran out of time is enough."""
    counts = []

    def ask(inputs):
        counts.append(len(inputs))
        return [Outcome("timeout", limit=5.0)] * len(inputs)

    assert laws.broken(variant_of("attention"), ask) is None
    assert len(counts) == 1


def test_the_work_is_bounded():
    """At most two rounds of at most sixty inputs each, for every exercise."""
    for name in FUNCTIONS:
        variant, counts = variant_of(name), []
        laws.broken(variant, asker(variant, getattr(solutions, variant.template.function.name), counts))

        assert len(counts) <= 2
        assert max(counts) <= 60


LEAKS = """
import numpy as np

def attention(Q, K, V, mask=None):
    s = Q @ K.T / np.sqrt(Q.shape[1])
    if mask is not None:
        s = np.where(mask, s, -3.0)
    e = np.exp(s - s.max(axis=1, keepdims=True))
    w = e / e.sum(axis=1, keepdims=True)
    return w @ V, w
"""


def test_a_law_is_told_through_the_runner(tmp_path):
    """A mask that fills with -3 leaves blocked keys some weight; the sandbox's outcomes serve as well."""
    variant = variant_of("attention")
    spec = variant.template.function
    with Runner() as runner:

        def ask(inputs):
            cases = [conventions.arguments(spec, {}, one) for one in inputs]
            return runner.run(LEAKS, tmp_path / "a.py", spec.name, cases, len(spec.returns), Limits())

        found = laws.broken(variant, ask)

    assert found.code == "law-blocked-weight"
    assert found.numbers["weight"] > 0.001
