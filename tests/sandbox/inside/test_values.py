"""What a function may return, and what it may be: everything that people write and that is right."""

import numpy as np
import pytest

from grader.model import Limits

MATRIX = np.array([[0.25, 0.75], [0.5, 0.5]])

ONE = {
    "array": "np.array(M)",
    "nested list": "M",
    "nested tuple": "tuple(map(tuple, M))",
    "list of arrays": "[np.array(row) for row in M]",
    "tuple of arrays": "tuple(np.array(row) for row in M)",
    "list of numpy scalars": "[[np.float64(c) for c in row] for row in M]",
    "matrix": "np.matrix(M)",
    "float32": "np.array(M, dtype=np.float32)",
    "float16": "np.array(M, dtype=np.float16)",
    "long double": "np.array(M, dtype=np.longdouble)",
    "big-endian": "np.array(M, dtype='>f8')",
    "read-only view": "np.broadcast_to(np.array(M), (2, 2))",
    "transposed view": "np.array(M).T.copy().T",
    "Fortran order": "np.asfortranarray(M)",
    "one-tuple": "(np.array(M),)",
    "masked array": "np.ma.array(M)",
    "own subclass": "np.array(M).view(type('Mine', (np.ndarray,), {}))",
    "dataclass with one field": "Single(np.array(M))",
    "array of ours": "type('T', (), {'__array__': lambda self, dtype=None, copy=None: np.array(M)})()",
    "memoryview": "memoryview(np.array(M))",
}
HEAD = """
import functools, typing, collections
from dataclasses import dataclass
import numpy as np
M = [[0.25, 0.75], [0.5, 0.5]]
O = [[1.0, 2.0, 3.0]]

@dataclass
class Single:
    weights: object

@dataclass
class Both:
    output: object
    weights: object

@dataclass
class Iterable:
    output: object
    weights: object
    def __iter__(self):
        return iter((self.output, self.weights))

class Named(typing.NamedTuple):
    output: object
    weights: object
"""
TWO = {
    "tuple": "np.array(O), np.array(M)",
    "list": "[np.array(O), np.array(M)]",
    "tuple of lists": "O, M",
    "named tuple": "Named(np.array(O), M)",
    "old named tuple": "collections.namedtuple('N', 'a b')(O, M)",
    "dataclass": "Both(np.array(O), np.array(M))",
    "iterable dataclass": "Iterable(np.array(O), np.array(M))",
    "generator": "(np.array(each) for each in (O, M))",
    "map": "map(np.array, (O, M))",
}


@pytest.mark.parametrize("expression", ONE.values(), ids=ONE.keys())
def test_one_value_in_any_clothing(ending, expression):
    """Whatever holds the numbers in the right shape is read as them."""
    outcome = ending(f"{HEAD}\ndef f(x):\n    return {expression}\n")
    assert outcome.ending == "returned", outcome
    assert type(outcome.values[0]) is np.ndarray
    np.testing.assert_array_equal(outcome.values[0], MATRIX)


@pytest.mark.parametrize("expression", TWO.values(), ids=TWO.keys())
def test_two_values_in_any_clothing(ending, expression):
    """Two values are read from whatever gives two."""
    outcome = ending(f"{HEAD}\ndef f(x):\n    return {expression}\n", returns=2)
    assert outcome.ending == "returned", outcome
    np.testing.assert_array_equal(outcome.values[0], [[1, 2, 3]])
    np.testing.assert_array_equal(outcome.values[1], MATRIX)


@pytest.mark.parametrize(
    ("expression", "dtype", "value"),
    [
        ("3", "int64", 3),
        ("0.5", "float64", 0.5),
        ("True", "bool", True),
        ("np.bool_(False)", "bool", False),
        ("np.float32(0.5)", "float32", 0.5),
        ("np.longdouble(0.5)", "float64", 0.5),
        ("1j", "complex128", 1j),
        ("np.clongdouble(2)", "complex128", 2),
        ("[True, False]", "bool", [True, False]),
        ("np.eye(2) > 0", "bool", np.eye(2) > 0),
        ("[1, 2]", "int64", [1, 2]),
        ("np.array([1, 2], dtype='u1')", "uint8", [1, 2]),
        ("[float('nan'), float('inf'), -float('inf')]", "float64", [np.nan, np.inf, -np.inf]),
        ("[]", "float64", []),
        ("np.zeros((0, 3))", "float64", np.zeros((0, 3))),
        ("np.zeros((1,) * 8)", "float64", np.zeros((1,) * 8)),
    ],
)
def test_the_type_is_kept(ending, expression, dtype, value):
    """Integers, booleans and complex numbers come back as they are: judging is another's work."""
    outcome = ending(f"import numpy as np\ndef f(x): return {expression}")
    assert outcome.values[0].dtype == np.dtype(dtype)
    np.testing.assert_array_equal(outcome.values[0], value)
    assert outcome.values[0].shape == np.shape(value)


@pytest.mark.parametrize(
    ("expression", "returns", "error", "message"),
    [
        ("None", 1, "none", ""),
        ("None", 2, "none", ""),
        ("x, None", 2, "none-inside", "2"),
        ("None, None", 2, "none-inside", "1, 2"),
        ("'0.5'", 1, "type", "str"),
        ("'ab'", 2, "type", "str"),
        ("{'output': 1, 'weights': 2}", 1, "type", "dict"),
        ("{'output': 1, 'weights': 2}", 2, "type", "dict"),
        ("{1, 2}", 2, "type", "set"),
        ("object()", 1, "type", "object"),
        ("5", 2, "type", "int"),
        ("(i for i in x)", 1, "type", "generator"),
        ("(x for _ in range(3))", 2, "count", "3"),
        ("iter(int, 1)", 2, "count", "3"),
        ("f", 1, "type", "function"),
        ("np.array([object()])", 1, "dtype", "object"),
        ("[x, 'a']", 2, "type", "str"),
        ("['a', 'b']", 1, "dtype", "<U1"),
        ("[10**30]", 1, "dtype", "object"),
        ("np.zeros(2, dtype='M8[s]')", 1, "dtype", "datetime64[s]"),
        ("[[1, 2], [3]]", 1, "ragged", ""),
        ("x", 2, "count", "1"),
        ("np.stack([x, x])", 2, "count", "1"),
        ("(x, x, x)", 2, "count", "3"),
        ("(x,)", 2, "count", "1"),
        ("(x, x[:1])", 1, "count", "2"),
        ("[x] * 100", 2, "count", "100"),
        ("np.zeros((1,) * 9)", 1, "too-deep", "9"),
        ("np.zeros(10**5)", 1, "too-large", ""),
        ("np.broadcast_to(1.0, (10**9, 10**5))", 1, "too-large", ""),
        ("np.zeros(6 * 10**3), np.zeros(6 * 10**3)", 2, "too-large", ""),
    ],
)
def test_what_is_no_result(ending, expression, returns, error, message):
    """Everything else is a wrong return, told with what came."""
    outcome = ending(
        f"import numpy as np\ndef f(x): return {expression}", returns=returns, limits=Limits(result=80_000)
    )
    assert (outcome.ending, outcome.error, outcome.message) == ("wrong-return", error, message)
    assert outcome.limit == (80_000 if error == "too-large" else returns)


def test_a_list_that_holds_itself(ending):
    """A list inside itself has no end; it is no array."""
    assert ending("def f(x):\n    a = []\n    a.append(a)\n    return a").ending == "wrong-return"


def test_a_result_that_fails_when_it_is_read(ending):
    """An object whose own conversion raises is the learner's exception, in the learner's line."""
    outcome = ending(
        "class A:\n    def __array__(self, dtype=None, copy=None):\n        return 1 / 0\ndef f(x): return A()"
    )
    assert (outcome.ending, outcome.error, outcome.line) == ("exception", "ZeroDivisionError", 3)


@pytest.mark.parametrize(
    "source",
    [
        "def f(x): return x * 2",
        "f = lambda x: x * 2",
        "from functools import partial\ndef g(k, x): return x * k\nf = partial(g, 2)",
        "def d(g):\n    def h(*a): return g(*a)\n    return h\n@d\ndef f(x): return x * 2",
        "import functools\n@functools.singledispatch\ndef f(x): return x * 2",
        "class F:\n    def __call__(self, x): return x * 2\nf = F()",
        "class f:\n    def __call__(self, x): return x * 2",
        "class f:\n    def __new__(cls, x): return x * 2",
        "class F:\n    def go(self, x): return x * 2\nf = F().go",
        "class F:\n    @staticmethod\n    def go(x): return x * 2\nf = F.go",
        "import numpy as np\nf = np.vectorize(lambda c: c * 2)",
        "def f(anything, /, *rest, **more): return anything * 2",
        "def f(*all_of_them): return all_of_them[0] * 2",
        "def g(x): return x * 2\nf = g",
        "def f(x):\n    x = x.copy()\n    x *= 2\n    return x",
    ],
)
def test_what_a_function_may_be(ending, source):
    """Functions, lambdas, partials, decorated ones, methods, and classes and their objects can be called."""
    outcome = ending(source)
    np.testing.assert_array_equal(outcome.values[0], 2 * np.eye(2))


@pytest.mark.parametrize(
    ("source", "kind"), [("async def f(x): return x", "coroutine"), ("def f(x): yield x", "generator")]
)
def test_a_function_that_gives_no_value_of_its_own(ending, source, kind):
    """`async` and `yield` give something to be waited for, and that is said."""
    outcome = ending(source)
    assert (outcome.error, outcome.message) == ("type", kind)


def test_a_result_that_is_kept_is_not_written_to(go):
    """A cached array is returned again and again, unchanged, also when it is read-only."""
    source = "import numpy as np\nkept = np.eye(2)\nkept.flags.writeable = False\ndef f(x): return kept"
    for outcome in go(source, (1,), (2,)):
        np.testing.assert_array_equal(outcome.values[0], np.eye(2))
