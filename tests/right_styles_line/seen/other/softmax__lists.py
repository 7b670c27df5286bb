import math


def one_row(row):
    top = max(row)
    powers = [math.exp(value - top) for value in row]
    total = sum(powers)
    return [power / total for power in powers]


def along_last(values):
    if isinstance(values[0], list):
        return [along_last(inner) for inner in values]
    return one_row(values)


def softmax(x):
    return along_last(x.tolist())
