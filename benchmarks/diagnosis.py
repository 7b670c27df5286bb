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
from collections import Counter, defaultdict
from pathlib import Path

import naming_code as code
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
    false = Tally()
    for template, exercise in code.functions():
        code.false(template, exercise, size["code_false"], rng, false)
    print(f"random wrong functions: {false.line()}; {false.cost()}")


def report_many(many: int, count: int, rng: random.Random) -> None:
    """Functions with so many mistakes at once."""
    whole = Tally()
    for template, exercise in code.functions():
        tally = Tally()
        code.identified(template, exercise, code.drawn_sets(exercise, many, count, rng), tally)
        if tally.counts:
            print(f"  {many} mistake(s) {template.id:22} {tally.line()}; {tally.cost()}")
        whole.add(tally)
    good = ("named", "named, a set that is the same")
    ran = Tally(Counter({key: number for key, number in whole.counts.items() if key != "raises everywhere"}))
    print(
        f"{many} mistake(s) in code: identified {whole.share(*good)} of all, {ran.share(*good)} of what gives a value; "
        f"named without it {whole.counts['named without it']}; {whole.cost()}"
    )
    show(whole)


def report_sheets(size: dict[str, int], _: random.Random) -> None:
    """Identification, coverage, false names and costs for worksheets."""
    tallies: dict[str, Tally] = defaultdict(Tally)
    for template in sheets.sheets():
        sheets.identified(template, size["sheets"], tallies)
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
        sheets.false(template, size["false"] // len(sheets.sheets()), rng, false)
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


PARTS = ["code", "sheets", "false", "line", "drawing"]
SIZES = {
    "small": {"code": 40, "code_false": 20, "sheets": 3, "false": 3_000},
    "large": {"code": 400, "code_false": 2_000, "sheets": 40, "false": 100_000},
}


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--large", action="store_true", help="the sizes that the figures are promised for")
    parser.add_argument("--only", choices=PARTS, help="one part alone")
    for name in SIZES["small"]:
        parser.add_argument(f"--{name.replace('_', '-')}", type=int, help="so many, instead")
    options = parser.parse_args()
    size = dict(SIZES["large" if options.large else "small"])
    size |= {name: getattr(options, name) for name in size if getattr(options, name) is not None}
    rng = random.Random(20240601)
    parts = {"code": report_code, "sheets": report_sheets, "false": report_false}
    for name, part in parts.items():
        if options.only in {None, name}:
            part(size, rng)
    for name in ("line", "drawing"):
        if options.only in {None, name}:
            sys.stdout.flush()
            subprocess.run([sys.executable, Path(__file__).with_name(f"{name}.py")], check=False)


if __name__ == "__main__":
    main()
