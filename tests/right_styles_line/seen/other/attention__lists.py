import math


def attention(Q, K, V, mask=None):
    rows, outputs = [], []
    for i, query in enumerate(Q.tolist()):
        logits = []
        for j, key in enumerate(K.tolist()):
            product = sum(a * b for a, b in zip(query, key))
            logit = product / math.sqrt(len(query))
            if mask is not None and not mask[i][j]:
                logit = -math.inf
            logits.append(logit)
        top = max(logits)
        powers = [math.exp(logit - top) for logit in logits]
        total = sum(powers)
        shares = [power / total for power in powers]
        rows.append(shares)
        columns = list(zip(*V.tolist()))
        outputs.append([sum(w * v for w, v in zip(shares, column)) for column in columns])
    return outputs, rows
