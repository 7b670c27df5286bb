def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def scores(Q, K):
    table = []
    for query in Q:
        row = []
        for key in K:
            row.append(dot(query, key))
        table.append(row)
    return table
