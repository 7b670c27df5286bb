import math

def dot(a, b):
    return sum(x * y for x, y in zip(a, b))

def softmax_list(values):
    top = max(values)
    powers = [math.exp(value - top) for value in values]
    total = sum(powers)
    return [power / total for power in powers]

def attention(Q, K, V, mask=None):
    Q, K, V = Q.tolist(), K.tolist(), V.tolist()
    scale = math.sqrt(len(Q[0]))
    weights, output = [], []
    for i, q in enumerate(Q):
        row = [dot(q, k) / scale for k in K]
        if mask is not None:
            row = [s if ok else -math.inf for s, ok in zip(row, mask[i])]
        w = softmax_list(row)
        weights.append(w)
        output.append([dot(w, column) for column in zip(*V)])
    return output, weights
