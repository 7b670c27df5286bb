"""Answers that are formulas: shapes, widths, columns, counts, divisors."""

from typing import Any

import numpy as np

from solutions import checks
from solutions.checks import Floats, Ints


def shape(rows: Any, columns: Any, batch: Any = None) -> Ints:
    """A shape as whole numbers: (rows, columns), or (batch, rows, columns) where there is a batch."""
    sizes = (rows, columns) if batch is None else (batch, rows, columns)
    return np.array([int(s) for s in sizes])


def sizes(*each: Any) -> Ints:
    """A shape of any rank as whole numbers."""
    return np.array([int(s) for s in each])


def head_width(d_model: Any, n_heads: Any) -> int:
    """How wide one head is: d_model / H.

    Raises:
        ValueError: If H does not divide d_model.
    """
    return checks.even_heads(int(d_model), int(n_heads))


def concat_width(n_heads: Any, d_head: Any) -> int:
    """How wide all heads side by side are."""
    return int(n_heads) * int(d_head)


def first_column(head: Any, d_head: Any) -> int:
    """The first column of a head, heads and columns counted from 0."""
    return int(head) * int(d_head)


def last_column(head: Any, d_head: Any) -> int:
    """The last column of a head, itself included, counted from 0."""
    return (int(head) + 1) * int(d_head) - 1


def head_slice(q: Any, head: Any, d_head: Any) -> Floats:
    """The columns of one head: (n, d_model) -> (n, d_head)."""
    columns = slice(first_column(head, d_head), last_column(head, d_head) + 1)
    return np.asarray(q, dtype=np.float64)[..., columns]  # (n, d_head)


def divisor(d_k: Any) -> float:
    """What the scores are divided by: sqrt(d_k)."""
    return float(np.sqrt(d_k))


def variance(d_k: Any) -> int:
    """The variance of q·k when the entries of q and k are independent, mean 0, variance 1: d_k terms of variance 1."""
    return int(d_k)


def variance_scaled(var: Any, deviation: Any) -> float:
    """The variance of a score after division by the deviation: division by c divides the variance by c²."""
    return float(var / deviation**2)


def square(d_model: Any) -> int:
    """How many numbers one d_model × d_model matrix holds."""
    return int(d_model) ** 2


def per_head(d_model: Any, d_head: Any) -> int:
    """How many numbers of one projection belong to one head: d_model × d_head."""
    return int(d_model) * int(d_head)


def parameter_count(d_model: Any, biases: Any = None) -> int:
    """How many numbers multi-head attention learns: Wq, Wk, Wv, Wo, and a bias each if there are `biases`.

    The number of heads does not matter: heads share out the columns, they add none.
    """
    bias = int(d_model) if biases is not None and bool(biases) else 0
    return 4 * (square(d_model) + bias)
