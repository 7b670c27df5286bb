import numpy as np


def project_qkv(X, Wq, Wk, Wv):
    made = {name: np.dot(X, w) for name, w in {"q": Wq, "k": Wk, "v": Wv}.items()}
    return tuple(made.values())
