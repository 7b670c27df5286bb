"""What the process of a submission may use, and where its prints go."""

import os
import textwrap
from pathlib import Path

import numpy as np
import pytest

from grader.model import Limits
from grader.sandbox.inside.limits import Prints


def test_the_kernel_holds_the_process(ending):
    """Processor, memory, file size, open files and core dumps are limited before the first line runs."""
    outcome = ending(
        """
        import resource as r
        names = ("RLIMIT_CPU", "RLIMIT_AS", "RLIMIT_FSIZE", "RLIMIT_NOFILE", "RLIMIT_CORE")
        at_load = [r.getrlimit(getattr(r, name))[0] for name in names]
        def f(x): return at_load
        """,
        limits=Limits(cpu=2.5, memory=100, output=1000),
    )
    cpu, memory, file, files, core = outcome.values[0]
    assert cpu == 3
    assert 100 * 2**20 < memory < 2**31
    assert 1000 <= file < 100_000
    assert (files, core) == (32, 0)


def test_more_processes_share_the_processor_seconds(go):
    """After a crash the fresh process has only what is left of the processor's seconds."""
    source = """
        import os, resource, time
        def f(x):
            if x:
                return [resource.getrlimit(resource.RLIMIT_CPU)[0]]
            until = time.process_time() + 2.2
            while time.process_time() < until: pass
            os._exit(0)
    """
    outcomes = go(source, (1,), (0,), (1,), limits=Limits(wall=20.0, cpu=6.0))
    assert [int(outcomes[case].values[0][0]) for case in (0, 2)] == [6, 4]


def test_no_descriptor_of_the_server_is_open(forking, plain):
    """Beside the standard three there is the submission's own channel, and nothing else, with walls and without."""
    source = """
        import os
        def f():
            found = []
            for number in range(1000):
                try:
                    found.append(os.lseek(number, 0, 1) * 0 + number)
                except OSError as error:
                    found += [number] if error.errno == 29 else []
            return found
    """
    for runner in (forking, plain):
        (outcome,) = runner.run(textwrap.dedent(source), Path("f.py"), "f", [()], 1)
        np.testing.assert_array_equal(outcome.values[0], [0, 1, 2, 3])


def test_capped_writing_says_it_wrote_all():
    """Beyond the cap writing goes on without an error and without effect."""
    end, start = os.pipe()
    raw = Prints(start)
    raw.restart(5)
    assert [raw.write(b"abc"), raw.write(b"defg"), raw.write(b"h")] == [3, 4, 1]
    assert os.read(end, 100) == b"abcde"
    raw.restart(5)
    assert raw.write(memoryview(np.arange(2, dtype="u1"))) == 2
    assert os.read(end, 100) == b"\0\1"
    for descriptor in (start, end):
        os.close(descriptor)
    assert raw.write(b"x") == 1  # a closed descriptor is no error either


@pytest.mark.parametrize("module", ["numpy", "numpy.linalg", "math", "typing"])
def test_a_module_can_give_all_its_names(ending, module):
    """The star asks for every name that a module lists; those that cannot be had here are not on the list."""
    outcome = ending(f"from {module} import *\nfrom numpy import *\ndef f(x): return dot(x, eye(2)) + linalg.norm(x)")
    assert outcome.ending == "returned"


@pytest.mark.parametrize("module", ["numpy.ma", "difflib", "dataclasses"])
def test_the_file_has_its_pick_of_modules(ending, module):
    """Whether a module was imported ahead makes no difference."""
    assert ending(f"import {module}\ndef f(x): return x").ending == "returned"
