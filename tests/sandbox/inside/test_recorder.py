"""The recorder changes nothing that it looks at, tells every value, and puts others in their places."""

import textwrap
from pathlib import Path

import numpy as np
import pytest

from grader.sandbox.inside import rewrite
from grader.sandbox.recorded import COPIED, EVERY, MOVED, Replacement

X = np.array([[1.0, 2.0, 4.0], [0.5, 0.25, 3.0]])


@pytest.fixture
def taped(forking):
    """Record one call of `f`: the plain outcome, the recording, and the tape while it runs."""

    def go(source, *arguments, repairs=(), returns=1):
        with forking.record(textwrap.dedent(source), Path("f.py"), "f", returns) as tape:
            plain = tape.plain(arguments)
            recording = tape.run(arguments)
            results = tape.repair([[one] if isinstance(one, Replacement) else one for one in repairs])
            return plain, recording, results

    return go


def seen(recording, **about):
    """The arrays seen at the sites that match."""
    return [
        entry.value.array
        for entry in recording.entries
        if all(getattr(recording.sites[entry.site], key) == value for key, value in about.items())
    ]


def site(recording, **about):
    """The number of the only site that matches."""
    (found,) = [
        number
        for number, one in enumerate(recording.sites)
        if all(getattr(one, key) == value for key, value in about.items())
    ]
    return found


STYLES = {
    "a class": """
        class Scale:
            def __init__(self, by):
                self.__by = by
            def __call__(self, x):
                return self.__times(x)
            def __times(self, x):
                return x * self.__by
        def f(x):
            return Scale(3.0)(x)
        """,
    "a generator": """
        def rows(x):
            for row in x:
                yield row * 2
        def f(x):
            return list(rows(x))
        """,
    "in place": """
        def f(x):
            y = x.copy()
            y[:, 0] += 1
            y /= 2
            y[y > 1] = 0
            return y
        """,
    "closures and globals": """
        TOTAL = 0
        def f(x):
            count = 0
            def more():
                nonlocal count
                global TOTAL
                count += 1
                TOTAL = TOTAL + 1
                return count
            return x * more() + more() + TOTAL
        """,
    "comprehensions and lambdas": """
        double = lambda row, by=2: [by * each for each in row]
        def f(x):
            return [[one + 1 for one in double(row)] for row in x]
        """,
    "recursion and unpacking": """
        def total(row):
            if len(row) == 0:
                return 0.0
            first, *rest = row
            return first + total(rest)
        def f(x):
            (a, b), c = (x[0], x[1]), 2
            return [total(a) * c, total(b)]
        """,
    "dataclass and decorator": """
        import functools
        from dataclasses import dataclass
        @dataclass
        class Pair:
            left: float
            right: float = 2.0
        @functools.cache
        def two():
            return 2.0
        def f(x):
            pair = Pair(two())
            return x * pair.left + pair.right
        """,
    "match and walrus": """
        def f(x):
            match x.shape:
                case (2, n) if (k := n + 1):
                    return x * k
                case _:
                    return x
        """,
    "a docstring, defaults and annotations": '''
        from __future__ import annotations
        def f(x: "array" = 1 + 2, *more: int, key: float = 2.0 * 3) -> "array":
            """Doc."""
            y: float = key
            return x + y
        ''',
    "exceptions": """
        def f(x):
            try:
                return x @ x
            except ValueError:
                return x @ x.T
        """,
}


@pytest.mark.parametrize("style", STYLES)
def test_the_recorded_run_gives_the_same(taped, style):
    """Rewriting a file changes neither its result nor whether it runs."""
    plain, recording, _ = taped(STYLES[style], X)
    assert plain.ending == "returned"
    assert recording.result.values[0].tobytes() == plain.values[0].tobytes()


def test_every_expression_is_seen_where_it_stands(taped):
    """An expression, the parts it is made of, and what is returned, with line and column."""
    _, recording, _ = taped("def f(x):\n    y = x @ x.T\n    return y / 2\n", X)
    assert np.array_equal(seen(recording, kind=rewrite.TURNED)[0], X.T)
    assert np.array_equal(seen(recording, kind=rewrite.BINARY, line=2)[0], X @ X.T)
    assert np.array_equal(seen(recording, kind=rewrite.RETURNED)[0], X @ X.T / 2)
    product = recording.sites[site(recording, kind=rewrite.BINARY, line=2)]
    assert (product.column, product.end_column, product.target, product.reads) == (8, 15, "y", "x")


def test_what_is_changed_in_its_place_is_seen_after_it(taped):
    """A buffer filled in a loop is seen full; a sum at every turn."""
    _, recording, _ = taped(
        """
        import numpy as np
        def f(x):
            out = np.zeros(2)
            for i in range(2):
                total = 0.0
                for value in x[i]:
                    total += value
                out[i] = total
            return out
        """,
        X,
    )
    assert np.array_equal(seen(recording, kind=rewrite.PLACE), [X.sum(axis=1)])
    assert [float(one) for one in seen(recording, kind=rewrite.TARGET, target="total") if one] == pytest.approx(
        [*np.cumsum(X[0]), *np.cumsum(X[1])]
    )


def test_calls_tell_their_arguments(taped):
    """Each call of a function of the file, from which call, with what."""
    _, recording, _ = taped("def g(a, b=2):\n    return a * b\ndef f(x):\n    return g(x[0]) + g(x[1], 3)\n", X)
    calls = [(recording.functions[call.function], call.parent) for call in recording.calls]
    assert calls == [("<module>", 0), ("f", 0), ("g", 1), ("g", 1)]
    assert np.array_equal(recording.calls[3].arguments[0].array, X[1])
    assert int(recording.calls[3].arguments[1].array) == 3


def test_a_value_thrown_away_is_marked(taped):
    """A call that stands alone, whose result nobody keeps."""
    _, recording, _ = taped("import numpy as np\ndef f(x):\n    np.where(x > 1, x, 0)\n    return x\n", X)
    assert recording.sites[site(recording, name="where")].flags & rewrite.DEAD


def test_a_repair_replaces_one_value(taped):
    """The rest of the function goes on from the value that was put there; each repair starts anew."""
    source = "def f(x):\n    y = x * 2\n    return y + 1\n"
    two = [Replacement(1, 0, (X * 10,)), Replacement(1, 0, (X * 100,))]
    _, _, results = taped(source, X, repairs=two)
    assert [np.array_equal(result[0], X * by + 1) for result, by in zip(results, (10, 100), strict=True)] == [True] * 2


def test_a_repair_in_place(taped):
    """A buffer is overwritten where it lies, so that every view of it sees the change."""
    source = "def f(x):\n    y = x.copy()\n    z = y[0]\n    y[1] = 7\n    return z\n"
    _, recording, _ = taped(source, X)
    place = site(recording, kind=rewrite.PLACE)
    _, _, results = taped(source, X, repairs=[Replacement(place, 0, (X * 3,))])
    assert np.array_equal(results[0][0], X[0] * 3)


def test_a_repair_that_breaks_the_function_gives_nothing(taped):
    """The other repairs are not touched by it."""
    source = "def f(x):\n    return x @ x.T\n"
    _, recording, _ = taped(source, X)
    turned = site(recording, kind=rewrite.TURNED)
    _, _, results = taped(source, X, repairs=[Replacement(turned, 0, (X,)), Replacement(turned, 0, (X.T * 2,))])
    assert results[0] is None
    assert np.array_equal(results[1][0], X @ X.T * 2)


def test_a_tuple_is_repaired_as_a_whole(taped):
    """Several arrays take the place of several."""
    source = "def g(x):\n    return x, x + 1\ndef f(x):\n    a, b = g(x)\n    return a - b\n"
    _, recording, _ = taped(source, X)
    call = site(recording, kind=rewrite.CALL)
    _, _, results = taped(source, X, repairs=[Replacement(call, 0, (X * 2, X), several=True)])
    assert np.array_equal(results[0][0], X)


def test_a_limit_is_moved_every_time(taped):
    """What a condition compares with is so much larger each time it is asked, if it is a whole number."""
    source = "def f(x):\n    i = 0\n    while i < 2:\n        x = x + 1\n        i += 1\n    return x\n"
    _, recording, _ = taped(source, X)
    limit = site(recording, kind=rewrite.OPERAND)
    repairs = [Replacement(limit, MOVED, (by,)) for by in (1, -1)]
    _, _, (more, less) = taped(source, X, repairs=repairs)
    assert np.array_equal(more[0], X + 3)
    assert np.array_equal(less[0], X + 1)


def test_a_condition_that_always_holds(taped):
    """It is opened however often it is asked; a loop without end then is given up, and the next repair is tried."""
    source = "def f(x):\n    for i in range(3):\n        if i == 0:\n            x = x * 2\n    return x\n"
    _, recording, _ = taped(source, X)
    test = site(recording, kind=rewrite.COMPARE)
    assert recording.sites[test].flags & rewrite.OPENS
    assert np.array_equal(taped(source, X, repairs=[Replacement(test, EVERY, (1,))])[2][0][0], X * 8)
    endless = "def f(x):\n    i = 0\n    while i < 2:\n        i += 1\n    return x * i\n"
    _, recording, _ = taped(endless, X)
    test = site(recording, kind=rewrite.COMPARE)
    repairs = [Replacement(test, EVERY, (1,)), Replacement(test, EVERY, (0,))]
    never, none = taped(endless, X, repairs=repairs)[2]
    assert never is None
    assert np.array_equal(none[0], X * 0)


@pytest.mark.parametrize("jump", ["break", "continue"])
def test_a_jump_can_be_left_out(taped, jump):
    """A loop goes on as if the statement were not there; as long as nothing is replaced it is taken."""
    source = (
        f"def f(x):\n    y = x * 0\n    for i in range(3):\n        if i == 1: {jump}\n        y += x\n    return y\n"
    )
    plain, recording, results = taped(source, X)
    assert plain.values[0].tobytes() == recording.result.values[0].tobytes()
    place = site(recording, kind=rewrite.JUMP)
    _, _, results = taped(source, X, repairs=[Replacement(place, EVERY, (0,))])
    assert np.array_equal(results[0][0], X * 3)


def test_a_slice_is_told_and_replaced(taped):
    """As its beginning, end and step."""
    source = "def f(x):\n    c = slice(0, None, 2)\n    return x[:, c]\n"
    _, recording, _ = taped(source, X)
    place = site(recording, name="slice")
    (value,) = [entry.value for entry in recording.entries if entry.site == place]
    assert [None if part.array is None else int(part.array) for part in value.parts] == [0, None, 2]
    _, _, results = taped(source, X, repairs=[Replacement(place, 0, (1, 3, None), several=True)])
    assert np.array_equal(results[0][0], X[:, 1:3])


def test_every_name_of_one_value_is_told(taped):
    """Each of them can be given a copy of its own."""
    source = "def f(x):\n    a = b = x.copy()\n    b += 1\n    return a\n"
    _, recording, _ = taped(source, X)
    second = site(recording, kind=rewrite.TARGET, target="b", flags=rewrite.ASSIGNED)
    _, _, results = taped(source, X, repairs=[Replacement(second, 0, (X,))])
    assert np.array_equal(results[0][0], X)


def test_a_copy_is_put_into_a_list(taped):
    """Each time that a variable is added as it is; a list kept once for all rounds then has its rows apart."""
    source = """
        def f(x):
            rows, row = [], [0.0]
            for i in range(2):
                row[0] = i
                rows.append(row)
            return rows
        """
    _, recording, _ = taped(source, X)
    place = site(recording, kind=rewrite.ADDED)
    plain, _, results = taped(source, X, repairs=[Replacement(place, COPIED, (0,))])
    assert plain.values[0].tolist() == [[1.0], [1.0]]
    assert results[0][0].tolist() == [[0.0], [1.0]]


def test_an_endless_loop_ends_the_recording(forking):
    """The clock of the box stops it; nothing more is said."""
    source = "def f(x):\n    while x[0, 0] == 1:\n        pass\n    return x\n"
    with forking.record(source, Path("f.py"), "f", 1) as tape:
        assert tape.plain((X,)) is None
        assert not tape.alive
        assert tape.run((X,)) is None
        assert tape.repair([[Replacement(0, 0, (X,))]]) == [None]


def test_too_many_values_are_no_recording(taped):
    """A file that computes without end is not recorded, and no harm is done."""
    source = "def f(x):\n    total = 0.0\n    for i in range(40000):\n        total += i\n    return x\n"
    _, recording, results = taped(source, X, repairs=[Replacement(0, 0, (X,))])
    assert recording is None
    assert results


def test_a_lying_answer_is_no_recording(forking):
    """What comes back is checked: garbage on the wire ends the recording."""
    source = """
import os
def f(x):
    os.write(3, b"\\x08" + bytes(40))
    return x
"""
    with forking.record(source, Path("f.py"), "f", 1) as tape:
        assert tape.plain((X,)) is None
        assert tape.run((X,)) is None
