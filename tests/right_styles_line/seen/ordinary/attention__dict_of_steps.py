import numpy as np

def attention(Q, K, V, mask=None):
    step = {}
    step["scores"] = Q @ K.T
    step["scaled"] = step["scores"] / np.sqrt(Q.shape[1])
    step["masked"] = step["scaled"] if mask is None else np.where(mask, step["scaled"], -np.inf)
    step["exp"] = np.exp(step["masked"] - step["masked"].max(axis=1, keepdims=True))
    step["weights"] = step["exp"] / step["exp"].sum(axis=1, keepdims=True)
    step["output"] = step["weights"] @ V
    return step["output"], step["weights"]
