def scores(Q, K):
    return (K @ Q.T).T
