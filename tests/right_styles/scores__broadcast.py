def scores(Q, K):
    return (Q[:, None, :] * K[None, :, :]).sum(axis=2)
