"""How well the line of a mistake is named: labelled wrong files, fresh mutants of right files, right files.

    python benchmarks/line.py [--half seen|unseen] [--mutants N] [--pairs N] [--seed S] [--show] [--kinds]

Mutants are one-edit mutants (`tests/mutants.py`) of the right files in `tests/right_styles_line`. The finder was
developed on those in `seen`. Those in `unseen` are for measuring only: whoever looks at what goes wrong on one of them
moves it to `seen` and writes another. Labelled files are those of `tests/wrong_lines`, with `# <- here` at the line of
the mistake. A line is *exact* if it is that of the edit (for a removed statement, and for two exchanged ones: where the
variable is set before or used next, too). The baseline names the last `return`. Pairs are files with two such edits,
each of which is wrong by itself; the line of either is exact.
"""

import argparse
import os
import random
import statistics
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache, partial
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from grader.bank import draw, load  # noqa: E402
from grader.bank.seeds import DEFAULT  # noqa: E402
from grader.judge import conventions, line  # noqa: E402
from grader.judge.line.layout import close  # noqa: E402
from grader.model import Limits, Outcome, Variant  # noqa: E402
from grader.sandbox.recorded import Tape  # noqa: E402
from grader.sandbox.run import Runner  # noqa: E402
from grader.trace import pipelines, run, to_arrays  # noqa: E402
from tests.mutants import Mutant, both, mutants  # noqa: E402

HALVES = ("seen", "unseen")
MARK = "# <- here"
ALSO = "# <- or here"
QUICK = Limits(wall=0.5, cpu=2.0)


class Wrong(NamedTuple):
    """One wrong file: the exercise it is of, its style, what is wrong with it, the lines that may be named."""

    exercise: str
    style: str
    kind: str
    source: str
    exact: frozenset[int]
    near: frozenset[int]
    ordinary: bool = True


class Result(NamedTuple):
    """What was said about one."""

    wrong: Wrong
    found: line.Found | None
    seconds: float
    processor: float
    baseline: int
    crashes: bool
    frame: int | None


@cache
def variant(exercise: str) -> Variant:
    """The exercise's default variant."""
    return draw.rebuild(load.find(exercise), DEFAULT, 0)


def outcomes(runner: Runner, exercise: str, source: str) -> list[Outcome]:
    """What the graded cases give."""
    one = variant(exercise)
    spec = one.template.function
    assert spec is not None
    cases = [conventions.arguments(spec, {}, to_arrays(case.inputs)) for case in one.cases]
    return list(runner.run(source, Path("f.py"), spec.name, cases, len(spec.returns), QUICK))


def is_right(exercise: str, place: int, outcome: Outcome) -> bool:
    """Whether one graded case gave what it should."""
    one = variant(exercise)
    assert one.template.function is not None
    trace = run(pipelines()[one.template.pipeline], to_arrays(one.cases[place].inputs))
    steps = [returned.step for returned in one.template.function.returns]
    return outcome.ending == "returned" and all(
        close(trace[step], value) for step, value in zip(steps, outcome.values, strict=True)
    )


def look(runner: Runner, wrong: Wrong) -> Result | None:
    """What is said about a wrong file; nothing if it turns out to be right."""
    given = outcomes(runner, wrong.exercise, wrong.source)
    failed = [outcome for place, outcome in enumerate(given) if not is_right(wrong.exercise, place, outcome)]
    if not failed:
        return None
    crashes = all(outcome.ending != "returned" for outcome in failed)
    frame = next((outcome.line for outcome in failed if outcome.line), None)
    tapes: list[Tape] = []
    start, before = time.perf_counter(), time.process_time()
    found = line.find(variant(wrong.exercise), wrong.source, partial(_record, runner, tapes))
    seconds = time.perf_counter() - start
    processor = time.process_time() - before + sum(tape.spent for tape in tapes)
    return Result(wrong, found, seconds, processor, last_return(wrong.source), crashes, frame)


@contextmanager
def _record(runner: Runner, tapes: list[Tape], source: str, function: str, returns: int) -> Iterator[Tape]:
    with runner.record(source, Path("f.py"), function, returns) as tape:
        tapes.append(tape)
        yield tape


def last_return(source: str) -> int:
    """The baseline."""
    lines = source.split("\n")
    return max((number for number, text in enumerate(lines, 1) if text.lstrip().startswith("return")), default=0)


def labelled() -> Iterator[Wrong]:
    """The labelled wrong files."""
    for file in sorted((ROOT / "tests" / "wrong_lines").glob("*.py")):
        source = file.read_text(encoding="utf-8")
        exercise, style, *kind = file.stem.split("__")
        exact = {number for number, text in enumerate(source.split("\n"), 1) if MARK in text}
        near = {number for number, text in enumerate(source.split("\n"), 1) if ALSO in text}
        plain = source.replace(MARK, "").replace(ALSO, "")
        yield Wrong(exercise, style, "__".join(kind), plain, frozenset(exact), frozenset(near))


def right(half: str) -> Iterator[tuple[str, str, bool, str]]:
    """The right files of a half: exercise, style, whether it is an ordinary one, source."""
    for file in sorted((ROOT / "tests" / "right_styles_line" / half).glob("*/*.py")):
        exercise, style = file.stem.split("__")
        yield exercise, style, file.parent.name == "ordinary", file.read_text(encoding="utf-8")


def fresh(half: str, count: int, seed: int) -> list[Wrong]:
    """So many mutants, drawn over all right files of a half, the files in turn."""
    by_file: dict[tuple[str, str], list[Wrong]] = defaultdict(list)
    for exercise, style, ordinary, source in right(half):
        for mutant in mutants(source):
            wrong = Wrong(exercise, style, mutant.kind, mutant.source, mutant.lines, mutant.near, ordinary)
            by_file[exercise, style].append(wrong)
    dice = random.Random(seed)
    for some in by_file.values():
        dice.shuffle(some)
    drawn: list[Wrong] = []
    while len(drawn) < count and any(by_file.values()):
        drawn += [some.pop() for some in by_file.values() if some]
    return drawn[:count]


def pairs(runner: Runner, half: str, count: int, seed: int) -> Iterator[Wrong]:
    """So many files with two edits, each wrong by itself, drawn over all right files of a half in turn."""
    dice = random.Random(seed)
    files = [(each, list(mutants(each[3]))) for each in right(half)]
    found = tries = 0
    while found < count and tries < 20 * count:
        for (exercise, style, ordinary, source), some in files:
            tries += 1
            one, other = dice.sample(some, 2)
            mutant = both(source, one, other)
            if mutant is not None and all(_is_wrong(runner, exercise, each) for each in (one, other)):
                found += 1
                yield Wrong(exercise, style, mutant.kind, mutant.source, mutant.lines, mutant.near, ordinary)


def _is_wrong(runner: Runner, exercise: str, mutant: Mutant) -> bool:
    """Whether a mutant returns something each time, and something wrong once."""
    given = outcomes(runner, exercise, mutant.source)
    returned = all(outcome.ending == "returned" for outcome in given)
    return returned and not all(is_right(exercise, place, outcome) for place, outcome in enumerate(given))


def verdict(result: Result, named: int | None) -> str:
    """Exact, near, wrong or none."""
    if named is None:
        return "none"
    if named in result.wrong.exact:
        return "exact"
    return "near" if named in result.wrong.near else "wrong"


def share(part: int, whole: int) -> str:
    """A share in per cent with its numbers."""
    return f"{100 * part / whole:5.1f} % ({part}/{whole})" if whole else "    – (0)"


def table(results: list[Result]) -> None:
    """Exact, near, wrong, none; where it is shown, and whatever was found."""
    for title, sure in (("shown (high confidence)", True), ("found at all", False)):
        said = Counter(
            verdict(one, one.found.line if one.found and (not sure or one.found.confidence == "high") else None)
            for one in results
        )
        shown = len(results) - said["none"]
        print(
            f"  {title:24} shown {share(shown, len(results))}   exact {share(said['exact'], shown)}"
            f"   defensible {said['near']}   wrong {said['wrong']}   abstained {said['none']}"
        )
    base = Counter(verdict(one, one.baseline) for one in results)
    print(f"  {'the last return':24} exact {share(base['exact'], len(results))}")


def times(results: list[Result]) -> None:
    """Median, p95 and the longest, by the clock and in processor time: the grader's own and that of the process."""
    for title, seconds in (
        ("time", sorted(one.seconds for one in results)),
        ("processor time", sorted(one.processor for one in results)),
    ):
        if seconds:
            p95 = seconds[int(0.95 * (len(seconds) - 1))]
            print(
                f"  {title}: median {1000 * statistics.median(seconds):.1f} ms, p95 {1000 * p95:.1f} ms,"
                f" longest {1000 * seconds[-1]:.0f} ms"
            )


def show(results: list[Result]) -> None:
    """What went wrong, one by one."""
    for one in results:
        if one.found is None or one.found.line not in one.wrong.exact or one.found.confidence != "high":
            print("--", one.wrong.exercise, one.wrong.style, one.wrong.kind, sorted(one.wrong.exact))
            lines = one.wrong.source.split("\n")
            for number in sorted(one.wrong.exact):
                print(f"     {number}: {lines[number - 1].strip() if 0 < number <= len(lines) else ''}")
            if one.found:
                print(f"     said {one.found}   {lines[one.found.line - 1].strip()}")


def of_half(runner: Runner, half: str, options: argparse.Namespace) -> None:
    """The figures on the mutants of one half."""
    wrong = fresh(half, options.mutants, options.seed)
    drawn = [one for one in (look(runner, each) for each in wrong) if one]
    alive = [one for one in drawn if not one.crashes]
    for title, ordinary in (("ordinary styles", True), ("other styles", False)):
        some = [one for one in alive if one.wrong.ordinary == ordinary]
        print(f"mutants of {half} files, {title}: {len(some)}")
        table(some)
        if options.show:
            show(some)
    if options.kinds:
        by_kind(alive)
    if options.pairs:
        two = [one for wrong in pairs(runner, half, options.pairs, options.seed) if (one := look(runner, wrong))]
        some = [one for one in two if not one.crashes]
        print(f"two edits at once in {half} files: {len(some)}")
        table(some)
        if options.show:
            show(some)
    crashed = [one for one in drawn if one.crashes]
    framed = sum(one.frame in one.wrong.exact for one in crashed)
    print(f"  mutants that only crash: {len(crashed)}; their last own frame is exact {share(framed, len(crashed))}")
    times(alive)
    files = list(right(half))
    record = partial(_record, runner, [])
    named = sum(line.find(variant(exercise), source, record) is not None for exercise, *_, source in files)
    print(f"  right files: {len(files)}, lines named: {named}")


def by_kind(results: list[Result]) -> None:
    """The same by the kind of edit."""
    for kind in sorted({one.wrong.kind for one in results}):
        some = [one for one in results if one.wrong.kind == kind]
        said = [one for one in some if one.found and one.found.confidence == "high"]
        exact = sum(one.found is not None and one.found.line in one.wrong.exact for one in said)
        print(f"    {kind:20} shown {share(len(said), len(some))}   exact {share(exact, len(said))}")


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--mutants", type=int, default=600, help="so many of each half")
    parser.add_argument("--pairs", type=int, default=0, help="so many files with two edits of each half")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--show", action="store_true", help="list what was not named exactly")
    parser.add_argument("--kinds", action="store_true", help="the figures by the kind of edit")
    parser.add_argument("--half", choices=HALVES, help="only the files seen, or not seen, in development")
    options = parser.parse_args()
    with Runner() as runner:
        runner.start()
        looked = [look(runner, wrong) for wrong in labelled()]
        marked = [one for one in looked if one is not None]
        running = [one for one in marked if not one.crashes]
        print(f"labelled wrong files: {len(marked)}, of which {len(marked) - len(running)} only crash")
        table(running)
        times(running)
        if options.show:
            show(running)
        for half in [options.half] if options.half else HALVES:
            of_half(runner, half, options)
        print(f"load of this machine while measuring: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")


if __name__ == "__main__":
    main()
