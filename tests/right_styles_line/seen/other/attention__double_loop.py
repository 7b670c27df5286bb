import math

def attention(Q, K, V, mask=None):
    n, m, d, dv = len(Q), len(K), len(Q[0]), len(V[0])
    weights = [[0.0] * m for _ in range(n)]
    output = [[0.0] * dv for _ in range(n)]
    for i in range(n):
        row = []
        for j in range(m):
            total = 0.0
            for c in range(d):
                total += Q[i][c] * K[j][c]
            total = total / math.sqrt(d)
            if mask is not None and not mask[i][j]:
                total = -math.inf
            row.append(total)
        top = max(row)
        powers = [math.exp(value - top) for value in row]
        whole = sum(powers)
        for j in range(m):
            weights[i][j] = powers[j] / whole
        for c in range(dv):
            for j in range(m):
                output[i][c] += weights[i][j] * V[j][c]
    return output, weights
