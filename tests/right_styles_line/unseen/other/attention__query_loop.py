import numpy as np

def attention(Q, K, V, mask=None):
    all_weights, all_outputs = [], []
    for i, q in enumerate(Q):
        s = K @ q / np.sqrt(len(q))
        if mask is not None:
            s = np.where(mask[i], s, -np.inf)
        e = np.exp(s - s.max())
        w = e / e.sum()
        all_weights.append(w)
        all_outputs.append(w @ V)
    return np.array(all_outputs), np.array(all_weights)
