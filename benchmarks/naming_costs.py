"""What explaining a wrong function costs on top of running it: real files, each in the box.

The files are the wrong code of `tests/mistakes/*.md`, and the same with one of their results blown up a little, which
no catalogued mistake explains: then laws are tried as well.
"""

import re
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import median

from tally import Tally

from grader.judge import diagnose
from grader.mark import Marker
from grader.model import SubmittedFile

PAGES = Path(__file__).resolve().parent.parent / "tests" / "mistakes"
_CODE = re.compile(r"^## ([^\n]+)\n+```python\n(.*?)^```", re.MULTILINE | re.DOTALL)
BLOWN_UP = """

_as_written = {name}


def {name}(*given):
    found = _as_written(*given)
    several = isinstance(found, tuple)
    first = (found[0] if several else found) * 1.01
    return (first, *found[1:]) if several else first
"""


def files() -> Iterator[tuple[str, str]]:
    """Exercise and source of every wrong function on the pages."""
    for page in sorted(PAGES.glob("*.md")):
        for heading, source in _CODE.findall(page.read_text("utf-8")):
            yield heading.split(" in ")[1], source


def measured(kind: str) -> tuple[Tally, Tally]:
    """What explaining costs, and what marking costs in all, but for the line; each file once before it is timed."""
    explaining, marking = Tally(), Tally()
    explained = diagnose.function
    spent: list[float] = []

    def timed(*arguments: object, **named: object) -> object:
        begin = time.perf_counter()
        try:
            return explained(*arguments, **named)  # type: ignore[arg-type]
        finally:
            spent.append(time.perf_counter() - begin)

    diagnose.function = timed  # type: ignore[assignment]
    try:
        with Marker() as marker:
            for name, source in files():
                text = source + BLOWN_UP.format(name=name) * (kind == "unexplained")
                file = SubmittedFile(Path(f"{name}.py"), "function", name, None, text)
                marker.file(file, exercise=name)
                spent.clear()
                begin = time.perf_counter()
                report = marker.file(file, exercise=name)
                if spent:
                    marking.seconds.append(time.perf_counter() - begin)
                    explaining.seconds += spent
                codes = [one.code for step in report.steps for one in step.findings]
                law = any(code.startswith("law-") for code in codes)
                how = "named" if any(one.mistakes for step in report.steps for one in step.findings) else "not named"
                explaining.counts["a law told" if law else how] += 1
    finally:
        diagnose.function = explained
    return explaining, marking


def report() -> None:
    """Print the costs."""
    everything: list[float] = []
    for kind in ("catalogued", "unexplained"):
        explaining, marking = measured(kind)
        everything += explaining.seconds
        print(f"wrong functions in the box, {kind}: {explaining.line()}")
        print(f"  explained: {explaining.cost()}; marked in all, with the line: {marking.cost()}")
    print(f"explaining a wrong function, over all of them: median {1e3 * median(everything):.1f} ms")
