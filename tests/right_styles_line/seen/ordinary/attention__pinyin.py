import numpy as np

def ruanzuida(hang):
    zuida = hang.max(axis=1, keepdims=True)
    zhishu = np.exp(hang - zuida)
    zonghe = zhishu.sum(axis=1, keepdims=True)
    return zhishu / zonghe

def attention(Q, K, V, mask=None):
    fenshu = np.dot(Q, K.T)
    weidu = Q.shape[1]
    fenshu = fenshu / np.sqrt(weidu)
    if mask is not None:
        fenshu[mask == 0] = -1e9
    quanzhong = ruanzuida(fenshu)
    jieguo = np.dot(quanzhong, V)
    return jieguo, quanzhong
