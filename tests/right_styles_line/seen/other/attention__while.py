import math


def attention(Q, K, V, mask=None):
    n, m, width, depth = len(Q), len(K), len(Q[0]), len(V[0])
    weights = [[0.0] * m for _ in range(n)]
    output = [[0.0] * depth for _ in range(n)]
    i = 0
    while i < n:
        row = []
        for j in range(m):
            dot = 0.0
            for c in range(width):
                dot += Q[i][c] * K[j][c]
            row.append(dot / math.sqrt(width))
        allowed = [j for j in range(m) if mask is None or mask[i][j]]
        top = max(row[j] for j in allowed)
        total = 0.0
        for j in allowed:
            weights[i][j] = math.exp(row[j] - top)
            total += weights[i][j]
        for j in allowed:
            weights[i][j] /= total
        for c in range(depth):
            for j in range(m):
                output[i][c] += weights[i][j] * V[j][c]
        i += 1
    return output, weights
