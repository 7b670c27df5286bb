"""How well mistakes are named: prints every figure, measured here and now. No number is typed in.

    python benchmarks/diagnosis.py                 # a few minutes
    python benchmarks/diagnosis.py --large         # the sizes that the figures are promised for

Learners are made from the catalogue: functions and worksheets that compute with one, two or three mistakes, and answers
that are wrong at random. "Identified" means that the true set, or one that gives the same values, is what is said;
"named without it" that others are accused.
"""

import argparse
import random
import subprocess
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Sequence
from pathlib import Path

import naming_code as code
import naming_costs as costs
import naming_sheets as sheets
from tally import Tally

from grader.judge import sets

# --- what is printed ---------------------------------------------------------------------------------------------


def report_code(size: dict[str, int], rng: random.Random) -> None:
    """Identification, false names and costs for functions."""
    print("functions: the index of one exercise")
    for most, what in ((2, "singles and pairs"), (sets.MOST, "triples")):
        for name, count, seconds in code.indexes(most):
            print(f"  {what:18} {name:22} {count:7} sets {seconds:7.2f} s")
    for many in (1, 2, 3):
        report_many(many, size["code"], rng)


def report_many(many: int, count: int, rng: random.Random) -> None:
    """Functions with so many mistakes at once."""
    whole = Tally()
    for template, exercise in code.functions():
        tally = Tally()
        code.identified(template, exercise, code.drawn_sets(exercise, many, count, rng), rng, tally)
        if tally.counts:
            print(f"  {many} mistake(s) {template.id:22} {tally.line()}; {tally.cost()}")
        whole.add(tally)
    good = ("named", "named, a set that is the same", code.UNREACHED)
    ran = Tally(Counter({key: number for key, number in whole.counts.items() if key != code.STOPS}))
    print(
        f"{many} mistake(s) in code: {sum(whole.counts.values())} functions; identified {whole.share(*good)} of all, "
        f"{ran.share(*good)} of what gives a wrong value; named without it {whole.counts['named without it']}; "
        f"{whole.cost()}"
    )
    show(whole)


def report_sheets(size: dict[str, int], rng: random.Random) -> None:
    """Identification, coverage, false names and costs for worksheets."""
    tallies: dict[str, Tally] = defaultdict(Tally)
    for template in sheets.sheets():
        sheets.identified(template, size["sheets"], rng, tallies)
    whole = Tally()
    print("worksheets with one mistake, at the first step it changes")
    for kind, tally in sorted(tallies.items()):
        print(f"  {kind:28} {tally.line()}; {tally.cost()}")
        whole.add(tally)
    good = [f"{how}{also}" for how in ("named", "offered") for also in ("", ", a set that is the same")]
    print(
        f"one mistake by hand: identified {whole.share(*good)} of {sum(whole.counts.values())}, "
        f"named without it {whole.counts['named without it']}; {whole.cost()}"
    )
    show(whole)


def report_false(size: dict[str, int], rng: random.Random) -> None:
    """Random wrong answers: how often a mistake is named, offered, or a slip told."""
    false: dict[str, Tally] = defaultdict(Tally)
    for template in sheets.sheets():
        sheets.false(template, -(-size["false"] // len(sheets.sheets())), rng, false)
    print(f"random wrong answers on worksheets: {sum(sum(one.counts.values()) for one in false.values())}")
    for kind, tally in sorted(false.items()):
        print(
            f"random wrong {kind}: {sum(tally.counts.values())}; falsely named {tally.share('named')}, "
            f"offered {tally.share('offered')}, slips named {tally.share('slip named')}, "
            f"offered {tally.share('slip offered')}; {tally.cost()}"
        )
        show(tally)


def show(tally: Tally) -> None:
    """Some of what should not have happened."""
    for odd in tally.odd[:6]:
        print("   ", *odd)


def report_costs(_: dict[str, int], __: random.Random) -> None:
    """What explaining costs in the box."""
    costs.report()


def report_false_code(size: dict[str, int], rng: random.Random) -> None:
    """Random wrong functions: nobody may be accused."""
    false = Tally()
    for template, exercise in code.functions():
        code.false(template, exercise, size["code_false"], rng, false)
    print(f"random wrong functions: {sum(false.counts.values())}; {false.line()}; {false.cost()}")
    show(false)


OWN = {
    "code": report_code,
    "costs": report_costs,
    "false-code": report_false_code,
    "sheets": report_sheets,
    "false": report_false,
}
"""The parts that are measured here; the others are files of their own."""
PARTS = [*OWN, "line", "drawing"]
TOGETHER = ("code", "false", "sheets", "false-code")
"""What `--large` runs side by side, after the costs alone, whose clock nothing may disturb."""
SIZES = {
    "small": {"code": 40, "code_false": 20, "sheets": 3, "false": 3_000},
    "large": {"code": 400, "code_false": 1_000, "sheets": 40, "false": 100_000},
}


def run_part(name: str, *options: str) -> "subprocess.Popen[str]":
    """A part in a process of its own; its figures come out when it is waited for."""
    command = [sys.executable, __file__, "--only", name, *options]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


def run_together(options: Sequence[str]) -> None:
    """The costs first, then the other parts in two processes at a time; printed part by part."""
    print(run_part("costs", *options).communicate()[0], flush=True)
    waiting = list(TOGETHER)
    running = [(name, run_part(name, *options)) for name in (waiting.pop(0), waiting.pop(0))]
    while running:
        time.sleep(1)
        for name, process in [one for one in running if one[1].poll() is not None]:
            print(process.communicate()[0], flush=True)
            running.remove((name, process))
            running += [(waiting[0], run_part(waiting.pop(0), *options))] if waiting else []


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--large", action="store_true", help="the sizes that the figures are promised for")
    parser.add_argument("--only", choices=PARTS, help="one part alone")
    parser.add_argument("--seed", type=int, default=20240601, help="what is drawn")
    for name in SIZES["small"]:
        parser.add_argument(f"--{name.replace('_', '-')}", type=int, help="so many, instead")
    options = parser.parse_args()
    if options.large and options.only is None:
        run_together(sys.argv[1:])
        return
    size = dict(SIZES["large" if options.large else "small"])
    size |= {name: getattr(options, name) for name in size if getattr(options, name) is not None}
    for name, part in OWN.items():
        if options.only in {None, name}:
            part(size, random.Random(options.seed))
    for name in ("line", "drawing"):
        if options.only in {None, name}:
            sys.stdout.flush()
            subprocess.run([sys.executable, Path(__file__).with_name(f"{name}.py")], check=False)


if __name__ == "__main__":
    main()
