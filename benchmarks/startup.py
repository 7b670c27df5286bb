"""How long one waits for `grade`, as ratios of whole processes measured in one run.

    python benchmarks/startup.py [rounds]

`grade exercises/` on the filled self-study set against `python -c "import numpy"`, and `grade --help` against
`python -c "import click"`. The four take turns, so that a machine that is busy for a moment disturbs all of them. As
after any first run, modules are compiled and the bank's copies are kept: the round that warms up leaves both.
"""

import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tests.filled import fill_right  # noqa: E402 -- found by the line above

ROUNDS = 11
LIMITS = {"grade exercises/": ("import numpy", 6.0), "grade --help": ("import click", 2.0)}

ENVIRONMENT = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
ENVIRONMENT["PYTHONPATH"] = str(ROOT)


def main() -> int:
    """Print the table; 1 if a ratio is over its limit."""
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else ROUNDS
    with tempfile.TemporaryDirectory() as folder:
        exercises = Path(folder) / "exercises"
        run(grade("start", str(exercises)))
        fill_right(exercises)
        times = measure(
            {
                **{f"import {name}": [sys.executable, "-c", f"import {name}"] for name in ("numpy", "click")},
                "grade exercises/": grade(str(exercises)),
                "grade --help": grade("--help"),
            },
            rounds,
        )
    return show(times, rounds)


def grade(*arguments: str) -> list[str]:
    """The command line of a run."""
    return [sys.executable, "-m", "grader", *arguments]


def run(command: Sequence[str]) -> float:
    """The seconds of one process; it must succeed."""
    start = time.perf_counter()
    subprocess.run(command, stdout=subprocess.DEVNULL, check=True, env=ENVIRONMENT)
    return time.perf_counter() - start


def measure(commands: Mapping[str, Sequence[str]], rounds: int) -> dict[str, list[float]]:
    """The seconds of each command in each round, after one round that warms the caches."""
    times: dict[str, list[float]] = {name: [] for name in commands}
    for number in range(rounds + 1):
        for name, command in commands.items():
            seconds = run(command)
            if number:
                times[name].append(seconds)
    return times


def show(times: Mapping[str, Sequence[float]], rounds: int) -> int:
    """Medians, ratios and limits."""
    medians = {name: statistics.median(all_of) for name, all_of in times.items()}
    print(f"medians of {rounds} rounds, Python {sys.version.split()[0]}")
    print(f"{'':20}{'ms':>8}   {'ratio':>6}  {'limit':>6}  against")
    over = False
    for name, median in medians.items():
        against, limit = LIMITS.get(name, ("", 0.0))
        ratio = median / medians[against] if against else 0.0
        over |= ratio > limit
        more = f"   {ratio:6.1f}  {limit:6.1f}  {against}" if against else ""
        print(f"{name:20}{1000 * median:8.0f}{more}")
    return int(over)


if __name__ == "__main__":
    sys.exit(main())
