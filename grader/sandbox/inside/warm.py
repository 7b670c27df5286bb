"""Runs a little file of our own in the server, the way a submission is run, before any is.

Python keeps notes on code that has run: which operation suits which types, where an attribute was found. A fork that
had to make them itself would copy every page of memory that holds one. This way they are there before it is forked.
"""

import linecache
import socket
import sys

import numpy as np

from .serve import Session
from .wire import CASE, HEADER, JOB, LOADED, Channel, array_bytes, long_text

ROUNDS = 3
"""With three cases in each, our own functions run more than the eight times after which Python 3.11 takes notes."""

NAME = "warm.py"
SOURCE = """
import numpy as np

def spread(x, axis=-1):
    top = np.max(x, axis=axis, keepdims=True)
    return (x - top).sum(axis=axis, keepdims=True) / np.exp(np.abs(x)).sum(axis=axis, keepdims=True)

class Kept:
    def __init__(self, width):
        self.width = np.sqrt(width)

    def __call__(self, a, b, some=None):
        product = a @ b.T * self.width + np.matmul(b, a.transpose(1, 0)).mean()
        if some is not None:
            product = np.where(some, product, -1.0)
        for place in range(len(product)):
            product[place] = np.dot(a[place], b[place])
        parts = [np.zeros_like(row, dtype=float) for row in product]
        return np.stack(parts), product.reshape(-1, product.shape[-1])

def warm(a, b, some=None):
    low, high = Kept(a.shape[-1])(a, b, some)
    return spread(low) + low, high
"""


def warm() -> None:
    """Load it and call it, a few times over; nothing of it stays."""
    ours, theirs = socket.socketpair()
    with ours, theirs:
        session = Session()
        session.channel = Channel(theirs.fileno(), theirs.fileno())
        for _ in range(ROUNDS):
            ours.sendall(_frame(0, _job()))
            session.take(session.hear()[1])
            session.answer(LOADED, session.load)
            ours.recv(HEADER.size)
            for case in _cases():
                ours.sendall(_frame(CASE, case))
                session.go_on()
                ours.recv(1 << 16)
    del sys.modules["submission"], linecache.cache[NAME]


def _frame(tag: int, payload: bytes) -> bytes:
    return HEADER.pack(tag, 0, len(payload)) + payload


def _job() -> bytes:
    texts = b"".join(long_text(text) for text in (NAME, "warm", "", SOURCE))
    return texts + JOB.pack(2, 10.0, 10.0, 0, 1 << 10, 1 << 20)


def _cases() -> list[bytes]:
    """Two square arrays and nothing, a mask, or no third argument at all."""
    array = b"\2" + array_bytes(np.eye(3))
    return [b"\3" + array * 2 + more for more in (b"\0", b"\2" + array_bytes(np.eye(3) > 0))] + [b"\2" + array * 2]
