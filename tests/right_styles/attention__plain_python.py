import math

import numpy as np


def attention(Q, K, V, mask=None):
    weights, outputs = [], []
    for i, q in enumerate(Q):
        row = [sum(a * b for a, b in zip(q, k)) / math.sqrt(len(q)) for k in K]
        allowed = [True] * len(K) if mask is None else list(mask[i])
        top = max(s for s, ok in zip(row, allowed) if ok)
        e = [math.exp(s - top) if ok else 0.0 for s, ok in zip(row, allowed)]
        w = [x / sum(e) for x in e]
        weights.append(w)
        outputs.append([sum(x * v[j] for x, v in zip(w, V)) for j in range(V.shape[1])])
    return outputs, weights
