"""The filter on the kernel's calls: what it allows, on both architectures, read from the program itself."""

import errno
import re
from pathlib import Path

import pytest

from grader.sandbox.inside import seccomp
from grader.sandbox.inside.seccomp import ALLOW, ALLOWED, AUDIT, FAIL, FAILING, KILL, Numbers, program

NO = FAIL | errno.EPERM
BOTH = pytest.mark.parametrize("machine", ["x86_64", "aarch64"])
PID = 4321
HEADERS = {
    "x86_64": Path("/usr/include/x86_64-linux-gnu/asm/unistd_64.h"),
    "aarch64": Path("/usr/include/asm-generic/unistd.h"),
}


def fate(machine, number, *arguments, audit=None):
    """What the program says to a call: a small interpreter for the five operations it uses."""
    steps, at, value = program(machine, PID), 0, 0
    words = [number, audit or AUDIT[machine], 0, 0]
    for argument in (*arguments, *[0] * (6 - len(arguments))):
        words += [argument & 0xFFFFFFFF, argument >> 32 & 0xFFFFFFFF]
    while True:
        operation, jump, other, operand = steps[at]
        at += 1
        if operation == seccomp.RETURN:
            return operand
        if operation == seccomp.LOAD:
            value = words[operand // 4]
            continue
        truth = {
            seccomp.EQUAL: value == operand,
            seccomp.AT_LEAST: value >= operand,
            seccomp.ANY_BIT: bool(value & operand),
        }
        at += jump if truth[operation] else other


def on(machine, numbers):
    """The number of a call on a machine."""
    return getattr(numbers, machine)


@BOTH
def test_what_is_listed_is_allowed_and_nothing_else(machine):
    """Of the first thousand numbers exactly those listed pass, with arguments of zero."""
    checked = (seccomp.MMAP, seccomp.MPROTECT, seccomp.FCNTL, seccomp.PRLIMIT)
    listed = {on(machine, numbers) for numbers in (*ALLOWED.values(), *checked)} - {None}
    assert {number for number in range(1000) if fate(machine, number) == ALLOW} == listed


@BOTH
def test_files_are_not_there_and_the_rest_is_not_permitted(machine):
    """A look at a file says that there is none; calls that are not named are refused."""
    for numbers, error in FAILING.values():
        if on(machine, numbers) is not None:
            assert fate(machine, on(machine, numbers)) == FAIL | error
    opening, socket, execute = {"x86_64": (257, 41, 59), "aarch64": (56, 198, 221)}[machine]
    assert [fate(machine, number) for number in (opening, socket, execute)] == [NO] * 3


@BOTH
def test_calls_numbered_another_way_end_the_process(machine):
    """Another architecture, and the x32 numbers of x86-64, are no way around."""
    assert fate(machine, 0, audit=0x40000003) == KILL
    assert fate("x86_64", 0x40000000) == fate("x86_64", 0x40000001) == KILL


@BOTH
def test_no_memory_becomes_code(machine):
    """Memory may be made readable and writable, never executable."""
    for numbers in (seccomp.MMAP, seccomp.MPROTECT):
        assert [fate(machine, on(machine, numbers), 0, 4096, mode) for mode in (0, 1, 3)] == [ALLOW] * 3
        assert [fate(machine, on(machine, numbers), 0, 4096, mode) for mode in (4, 5, 7)] == [NO] * 3


@BOTH
def test_descriptors_are_only_duplicated_and_asked(machine):
    """Of `fcntl` four commands pass: not the one that has signals sent to other processes."""
    allowed = [command for command in range(2000) if fate(machine, on(machine, seccomp.FCNTL), 3, command) == ALLOW]
    assert allowed == [0, 1, 3, 1030]


@BOTH
def test_limits_are_read_and_not_set(machine):
    """A process may read its own limits; setting them, or naming another process, fails."""
    number = on(machine, seccomp.PRLIMIT)
    assert fate(machine, number, 0, 7, 0, 0x7FFF0000) == ALLOW
    assert fate(machine, number, 0, 7, 0x7FFF0000, 0) == NO
    assert fate(machine, number, 0, 7, 1 << 40, 0) == NO
    assert fate(machine, number, 1, 7, 0, 0x7FFF0000) == NO


@BOTH
def test_a_process_signals_itself_alone(machine):
    """`abort` works; no other process or group is reached."""
    number = on(machine, seccomp.TGKILL)
    assert fate(machine, number, PID, PID, 6) == ALLOW
    assert [fate(machine, number, pid, pid, 9) for pid in (1, PID + 1, 0, -1)] == [NO] * 4


@BOTH
def test_numbers_are_those_of_the_kernel(machine):
    """Every number is the one in the kernel's own header, where that is installed."""
    if not HEADERS[machine].exists():
        pytest.skip("no kernel headers here")
    text = HEADERS[machine].read_text(encoding="utf-8")
    known = {
        name.removeprefix("3264_"): int(number) for name, number in re.findall(r"#define __NR_?(\w+)\s+(\d+)", text)
    }
    own = {name.lower(): value for name, value in vars(seccomp).items() if isinstance(value, Numbers)}
    own["prlimit64"] = own.pop("prlimit")
    listed = {**ALLOWED, **{name: numbers for name, (numbers, _) in FAILING.items()}, **own}
    for name, numbers in listed.items():
        if on(machine, numbers) is not None:
            assert known.get(name, known.get({"newfstatat": "fstatat"}.get(name, ""))) == on(machine, numbers), name


def test_the_program_is_short_enough_for_the_kernel():
    """Jumps are one byte wide and a program has at most 4096 steps."""
    for machine in AUDIT:
        steps = program(machine, PID)
        assert len(steps) < 4096
        assert all(max(step[1:3]) < 256 for step in steps)
