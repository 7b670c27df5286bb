"""Reading what an untrusted process sends: whole answers of known kinds, or a violation, and never anything else."""

import struct

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from grader.model import Frame, Limits, Outcome
from grader.sandbox.inside import reports, submission, values, wire
from grader.sandbox.replies import (
    Task,
    Untrusted,
    Violation,
    case_payload,
    clean,
    job_payload,
    read_report,
    read_result,
)

LIMIT = 10_000
NUMBERS = arrays.arrays(
    dtype=st.sampled_from([np.dtype(name) for name in wire.DTYPES]),
    shape=arrays.array_shapes(min_dims=0, max_dims=4, min_side=0, max_side=4),
)


@given(NUMBERS)
def test_an_array_goes_and_comes_as_it_was(array):
    """Every type and shape survives the way in and the way back, bit for bit."""
    reader = wire.Reader(case_payload([array]))
    assert reader.take(1) == b"\1"
    argument = values.read_argument(reader)
    assert (argument.value.dtype, argument.value.shape) == (array.dtype, array.shape)
    assert not argument.changed()
    back = read_result(b"\0" + values.result_bytes(argument.value, 1, LIMIT), 1, 1, LIMIT).values[0]
    assert (back.dtype, back.shape, back.tobytes()) == (array.dtype, array.shape, array.tobytes())


def test_arguments_that_are_no_arrays():
    """None and integers, negative ones too, go as themselves."""
    reader = wire.Reader(case_payload([None, -3, 2**62]))
    assert reader.take(1) == b"\3"
    assert [values.read_argument(reader).value for _ in range(3)] == [None, -3, 2**62]


def test_a_job_arrives_whole():
    """Names, source and limits arrive as they were sent, in any script."""
    limits = Limits(wall=1.5, cpu=3, memory=64, output=99, result=77)
    task = Task("π = '\ud800'\n", "01_头.py", "softmax", (), 2, limits)
    job = submission.Job.read(job_payload(task, "/tmp/x", 2.5))
    assert job == ("01_头.py", "softmax", "/tmp/x", "π = '\ud800'\n", 2, 1.5, 2.5, 64, 99, 77)


def test_a_report_arrives_as_an_outcome():
    """Ending, texts and lines of a report are those of the outcome."""
    payload = reports.payload("exception", "ValueError", "bad\nshape", "", [(3, "f", "  g(x)\n"), (9, "g", "x @ x")])
    assert read_report(payload) == Outcome(
        "exception",
        line=9,
        error="ValueError",
        message="bad\nshape",
        frames=(Frame(3, "f", "g(x)"), Frame(9, "g", "x @ x")),
    )


def test_long_reports_keep_both_ends():
    """Of many lines the outermost and the innermost are kept, and the line is the innermost."""
    outcome = read_report(reports.payload("exception", lines=[(n, "f", "x") for n in range(1, 1001)]))
    assert [frame.line for frame in outcome.frames] == [1, 2, 3, 4, 5, 996, 997, 998, 999, 1000]
    assert outcome.line == 1000


def result(*parts):
    """The payload of a result that changed nothing."""
    return b"\0" + bytes([len(parts)]) + b"".join(parts)


def array(code, shape, data):
    """One array on the wire, said to be of this type and shape."""
    return struct.pack(f"<BB{len(shape)}Q", code, len(shape), *shape) + data


F8 = wire.DTYPES.index("f8")


@pytest.mark.parametrize(
    "payload",
    [
        b"",
        b"\0",
        b"\0\0",
        b"\2\0\0\1",
        b"\1\5\1" + array(F8, (), bytes(8)),
        result(),
        result(array(F8, (1,), bytes(8)), array(F8, (1,), bytes(8))),
        result(array(F8, (1,), bytes(7))),
        result(array(F8, (1,), bytes(9))),
        result(array(F8, (2, 2), bytes(8))),
        result(array(200, (1,), bytes(8))),
        result(array(F8, (1,) * 9, bytes(8))),
        result(array(F8, (2**40, 2**40), b"")),
        result(array(F8, (0, 2**63), b"")),
        result(array(F8, (2**64 - 1,), b"")),
        result(array(F8, (LIMIT,), bytes(8 * LIMIT))),
    ],
)
def test_what_is_no_result_is_a_violation(payload):
    """Too few or too many bytes, unknown types, sizes beyond the limit: refused before an array is made."""
    with pytest.raises(Violation):
        read_result(payload, 1, 1, LIMIT)


@pytest.mark.parametrize(
    "payload", [b"", b"\xff" * 5, reports.payload("exit") + b"\0", reports.payload("exit")[:-1], b"\0\0\0\0\0\xff\xff"]
)
def test_what_is_no_report_is_a_violation(payload):
    """A report of an unknown ending, cut off, too long, or with texts beyond their cap is refused."""
    with pytest.raises(Violation):
        read_report(payload)


@given(st.binary(max_size=200))
def test_no_bytes_break_the_readers(payload):
    """Any bytes whatever are an outcome or a violation."""
    for read in (read_report, lambda data: read_result(data, 1, 2, LIMIT)):
        try:
            outcome = read(payload)
        except Violation:
            continue
        assert all(type(value) is np.ndarray and value.nbytes <= LIMIT for value in outcome.values)


def test_booleans_are_zero_or_one():
    """A boolean sent as some other byte becomes True, not a third value."""
    outcome = read_result(result(array(0, (3,), b"\0\1\7")), 1, 1, LIMIT)
    assert outcome.values[0].view(np.uint8).tolist() == [0, 1, 1]


@given(st.binary(max_size=60))
def test_clean_text_has_no_control_characters(data):
    """Cleaned text can be shown: line ends and tabs are all that is left of control characters."""
    assert all(letter.isprintable() or letter in "\n\t" for letter in clean(data))


def test_plain_text_is_left_alone():
    """Text in any script, with line ends and tabs, stays as it is."""
    text = "注意力 weights\té\n"
    assert clean(text.encode()) == text


def test_a_reader_never_gives_less():
    """Asking for more than is there is a violation, not a shorter answer."""
    with pytest.raises(Violation):
        Untrusted(b"abc").take(4)
