"""Submissions of ten cases a second in the full box, beside the same without walls and beside what others do.

    python benchmarks/throughput.py [--rounds N] [--many N]

All four ways get the same file (attention, right), the same ten cases and two processes at a time, and take turns, so
that whatever else the machine does falls on all of them. With `--many`, mixed good and hostile submissions in a row
as well, with the memory, the descriptors and the processes before and after.
"""

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from grader.model import Limits  # noqa: E402 - found through the line above
from grader.sandbox.command import WALLS, environment  # noqa: E402
from grader.sandbox.pool import Pool  # noqa: E402
from grader.sandbox.run import Runner, Setting  # noqa: E402

JOBS = 2
HERE = "benchmarks.throughput"
SOURCE = """
import numpy as np

def softmax(x):
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)

def attention(Q, K, V, mask=None):
    s = Q @ K.T / np.sqrt(Q.shape[-1])
    if mask is not None:
        s = np.where(mask, s, -np.inf)
    w = softmax(s)
    return w @ V, w
"""
RNG = np.random.default_rng(0)
CASES = [tuple(RNG.normal(size=shape) for shape in ((5, 4), (7, 4), (7, 3))) for _ in range(10)]
HOSTILE = [
    "import os\nos._exit(0)",
    "def attention(*a): raise ValueError('x' * 10**6)",
    "import numpy as np\ndef attention(*a): return np.ones((10**5, 10**5)), 1",
    "import os\ndef attention(*a):\n    for _ in range(99): os.write(1, bytes(10**6))",
    "import os\ndef attention(*a): return os.fork(), 1",
    "import os\ndef attention(*a): return os.write(3, bytes(1000)), 1",
    "import signal\ndef attention(*a): signal.raise_signal(signal.SIGSEGV)",
]


@contextmanager
def running(walls: tuple[str, ...]) -> Iterator[Callable[[str], int]]:
    """What each process of the pool does: run one submission, and count the cases that gave a result."""
    with Runner(Setting(walls=walls)) as runner:

        def run(source: str) -> int:
            outcomes = runner.run(source, Path("f.py"), "attention", CASES, 2, Limits(wall=2.0))
            return sum(outcome.ending == "returned" for outcome in outcomes)

        yield run


def rate(count: int, work: Callable[[int], Any]) -> float:
    """How many a second."""
    began = time.perf_counter()
    work(count)
    return count / (time.perf_counter() - began)


def pooled(pool: Pool) -> Callable[[int], None]:
    """Submissions through a pool."""

    def work(count: int) -> None:
        done = list(pool.map([SOURCE] * count))
        assert done == [len(CASES)] * count, done

    return work


def started(command: list[str], folder: Path) -> Callable[[int], None]:
    """A process for each submission, two at a time."""
    clean = environment() | {"HOME": str(folder), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}

    def one(_: int) -> None:
        subprocess.run(command, cwd=folder, env=clean, check=True, capture_output=True)

    def work(count: int) -> None:
        with ThreadPoolExecutor(JOBS) as threads:
            list(threads.map(one, range(count)))

    return work


def written(folder: Path) -> None:
    """The same submission and cases as files, for whoever starts a process for each."""
    (folder / "submission.py").write_text(SOURCE)
    np.savez(
        folder / "cases.npz", **{f"{i}_{j}": array for i, case in enumerate(CASES) for j, array in enumerate(case)}
    )
    load = "data = np.load('cases.npz')\ncases = [[data[f'{i}_{j}'] for j in range(3)] for i in range(10)]\n"
    head = f"import sys\nimport numpy as np\nsys.path.insert(0, '.')\nfrom submission import attention\n{load}"
    check = "np.allclose(attention(*case)[1].sum(-1), 1)"
    (folder / "plain.py").write_text(f"{head}for case in cases:\n    assert {check}\n")
    parameters = "@pytest.mark.parametrize('case', cases)\ndef test_attention(case):\n"
    (folder / "test_it.py").write_text(f"import pytest\n{head}{parameters}    assert {check}\n")


def compare(rounds: int) -> None:
    """The four ways in turns, medians, and the ratios that are promised."""
    with tempfile.TemporaryDirectory() as name, Pool(f"{HERE}:running", WALLS, JOBS) as box:
        folder = Path(name)
        written(folder)
        with Pool(f"{HERE}:running", (), JOBS) as bare:
            test = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_it.py"]
            ways = {
                "the full box": (200, pooled(box)),
                "walls down": (200, pooled(bare)),
                "python and numpy": (20, started([sys.executable, "plain.py"], folder)),
                "pytest": (6, started(test, folder)),
            }
            for count, work in ways.values():
                work(min(count, 10))  # once to warm up
            rates = turns(ways, rounds)
    middle = {way: statistics.median(values) for way, values in rates.items()}
    for way, values in rates.items():
        print(f"{way:18} {middle[way]:8.1f} submissions a second   ({min(values):.1f} to {max(values):.1f})")
    for way, promised in (("walls down", 0.75), ("python and numpy", 10), ("pytest", 30)):
        ratio = statistics.median(ours / others for ours, others in zip(rates["the full box"], rates[way], strict=True))
        print(f"box / {way:18} {ratio:6.2f}   promised {promised}")


def turns(ways: dict[str, tuple[int, Callable[[int], None]]], rounds: int) -> dict[str, list[float]]:
    """Each way once in each round."""
    rates: dict[str, list[float]] = {way: [] for way in ways}
    for _ in range(rounds):
        for way, (count, work) in ways.items():
            rates[way].append(rate(count, work))
    return rates


def many(count: int) -> None:
    """Mixed good and hostile submissions in a row: what there is after a tenth of them, and after all."""
    with running(WALLS) as run:
        for place in range(count):
            good = place % 2 == 0
            assert (run(SOURCE if good else HOSTILE[place // 2 % len(HOSTILE)]) == len(CASES)) == good
            if place + 1 in {max(1, count // 10), count}:
                print(f"after {place + 1:5}: {state()}")


def state() -> str:
    """Memory, descriptors and processes of this grader and of what it started."""
    pids = [os.getpid(), *below(os.getpid())]
    texts = [Path(f"/proc/{pid}/status").read_text(encoding="ascii") for pid in pids]
    memory = " + ".join(str(int(text.partition("VmRSS:")[2].split()[0]) // 1024) for text in texts)
    return f"{memory} MiB, {len(list(Path('/proc/self/fd').iterdir()))} descriptors, {len(pids)} processes"


def below(pid: int) -> list[int]:
    """The processes that one has started, and so on."""
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii").split()
    return [one for child in map(int, children) for one in (child, *below(child))]


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--many", type=int, default=0)
    asked = parser.parse_args()
    compare(asked.rounds)
    if asked.many:
        many(asked.many)
