def padding_mask(lengths, m):
    return [[True] * int(n) + [False] * (m - int(n)) for n in lengths]
