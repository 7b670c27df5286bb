"""How many variants are drawn a second and core, each with its certificate.

    python benchmarks/drawing.py [seconds per template]

Processor time of one process. Templates whose pipeline runs one head stand against 100 a second; those that run several
heads, or the same head twice (what if something changes?), against 25. The others are shown for themselves.
"""

import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from grader.bank import draw, load  # noqa: E402 -- found by the line above
from grader.bank.seeds import self_study  # noqa: E402
from grader.model import Template  # noqa: E402

SECONDS = 0.5
ONE_HEAD, SEVERAL = 100.0, 25.0
OF_ONE_HEAD = frozenset({"one_head", "causal", "cross"})
OF_SEVERAL = frozenset({"multi_head", "causal_multi_head", "what_if", "what_if_heads", "what_if_projected"})


def main() -> int:
    """Print a line for each template, slowest first; 1 if one is slower than its kind should be."""
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else SECONDS
    rows = sorted(((measured(one, seconds), one) for one in load.bank()), key=lambda row: row[0])
    print(f"variants a second and core, with certificate; Python {sys.version.split()[0]}")
    print(f"{'template':24}{'pipeline':20}{'a second':>10}{'at least':>10}{'redraws':>9}{'by chance':>11}")
    for (rate, redraws, colliding), template in rows:
        least = wanted(template)
        print(
            f"{template.id:24}{template.pipeline:20}{rate:10.0f}{f'{least:10.0f}' if least else '':>10}"
            f"{redraws:9.1f}{colliding:11}{'  too slow' if rate < least else ''}"
        )
    return int(any(rate < wanted(template) for (rate, _, _), template in rows))


def wanted(template: Template) -> float:
    """How many variants a second a template of this kind should give."""
    if template.pipeline in OF_SEVERAL:
        return SEVERAL
    return ONE_HEAD if template.pipeline in OF_ONE_HEAD else 0.0


def measured(template: Template, seconds: float) -> tuple[float, float, int]:
    """Variants a second, redraws for each, and how many kept two mistakes that agree by chance."""
    draw.draw(template, self_study(0))  # what is remembered for all variants is not counted
    start, count, redraws, colliding = time.process_time(), 0, 0, 0
    while time.process_time() - start < seconds:
        count += 1
        variant = draw.draw(template, self_study(count))
        redraws += variant.redraw
        colliding += bool(variant.certificate and variant.certificate.chance)
    return count / (time.process_time() - start), redraws / count, colliding


if __name__ == "__main__":
    sys.exit(main())
