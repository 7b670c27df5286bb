"""A server that the tests of this folder share, and short ways to run a source."""

import textwrap
from pathlib import Path

import numpy as np
import pytest

from grader.model import Limits
from grader.sandbox.run import Runner, Setting

QUICK = Limits(wall=3.0, cpu=10.0)


@pytest.fixture(scope="session")
def forking():
    """A runner that forks, started once."""
    with Runner(forks=True) as runner:
        yield runner


@pytest.fixture(scope="session")
def plain():
    """A runner that forks, with every wall down: what there is on a machine that has none."""
    with Runner(Setting(walls=()), forks=True) as runner:
        yield runner


@pytest.fixture(scope="session")
def spawning():
    """A runner that starts a fresh process for each submission."""
    with Runner(forks=False) as runner:
        yield runner


@pytest.fixture(params=["forking", "spawning"])
def either(request):
    """Both ways to have a process."""
    return request.getfixturevalue(request.param)


@pytest.fixture(params=["plain", "spawning"])
def without_walls(request):
    """Both ways to have a process that no wall holds."""
    return request.getfixturevalue(request.param)


def _go(runner):
    def go(source, *cases, function="f", returns=1, limits=QUICK):
        cases = cases or ((np.eye(2),),)
        return runner.run(textwrap.dedent(source), Path("01_f.py"), function, cases, returns, limits)

    return go


@pytest.fixture
def go(forking):
    """Run a source on some cases, in a fork."""
    return _go(forking)


@pytest.fixture
def go_either(either):
    """Run a source on some cases, both ways."""
    return _go(either)


@pytest.fixture
def go_without_walls(without_walls):
    """Run a source on some cases, both ways, where only limits hold it."""
    return _go(without_walls)


@pytest.fixture
def ending(go):
    """Run a source on one case and give its only outcome."""
    return lambda source, **more: go(source, **more)[0]
