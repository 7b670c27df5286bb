"""A worked solution as text: every step with its formula, the numbers put in, and the array that comes out.

The arithmetic is written out only where it gives the step's own value (it is computed as written and compared), so a
line can never claim what the reference did not do. A step that no rule knows shows its array.
"""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from textwrap import wrap

import numpy as np

from grader.model import Array, Lang, Text, Trace
from grader.show import arithmetic, matrix
from grader.show.formulas import NEW, formula

WIDTH = 76
INDENT = "    "
MOST_CELLS = 12
"""So many cells of one step are written out; the rest go the same way."""

GIVEN = Text("Given", "已知")
MORE = Text("and {count} more in the same way", "其余 {count} 个算法相同")


@dataclass(frozen=True, slots=True)
class _Desk:
    """What writing one solution needs at every step."""

    trace: Trace
    decimals: int
    lang: Lang


def worked(trace: Trace, inputs: Collection[str], decimals: int, lang: Lang) -> str:
    """The whole trace worked out: what is given, then every step in order with its numbers put in."""
    desk = _Desk(trace, decimals, lang)
    given = [_block(name, trace[name], desk) for name in trace if name in inputs]
    lines = [_pick(GIVEN, lang), *(INDENT + line for line in matrix.flow(given, WIDTH - len(INDENT)))] if given else []
    for name in trace:
        if name not in inputs and not _is_idle(name, trace):
            lines += ["", *step(name, trace, decimals, lang)]
    return "\n".join(line.rstrip() for line in lines).strip("\n") + "\n"


def step(name: str, trace: Trace, decimals: int, lang: Lang) -> list[str]:
    """One step worked out, as lines: its formula, its cells with the numbers put in, and the array."""
    desk = _Desk(trace, decimals, lang)
    array = np.asarray(trace[name])
    if array.ndim == 0 and not formula(name, lang):
        return _block(name, array, desk)
    lines = [_heading(name, desk)]
    cells = list(islice(_written(name, array, desk), MOST_CELLS))
    lines += [INDENT + line for text in cells for line in _wrapped(text)]
    if cells and array.size > MOST_CELLS:
        lines.append(INDENT + "… " + _pick(MORE, lang).format(count=array.size - MOST_CELLS))
    if not cells or array.size > 1:
        lines += [""] if cells else []
        lines += [INDENT + line for line in _block(name, array, desk)]
    return lines


def _is_idle(name: str, trace: Trace) -> bool:
    """Whether a step does nothing here: masking where there is no mask."""
    ending = NEW if name.endswith(NEW) else ""
    before = trace.get(f"scaled{ending}")
    return name == f"masked{ending}" and before is not None and np.array_equal(trace[name], before)


def _heading(name: str, desk: _Desk) -> str:
    known = formula(name, desk.lang)
    return f"{name} = {known}" if known else name


def _block(name: str, array: Array, desk: _Desk) -> list[str]:
    """An array under its name; a single number beside it."""
    array = np.asarray(array)
    shown = matrix.grid(array, decimals=matrix.decimals_for(array, most=desk.decimals), width=WIDTH - 2 * len(INDENT))
    if array.ndim == 0:
        return [f"{name} = {shown.lines[0]}"]
    return [f"{name}{shown.part or ''} =", *("  " + line for line in shown.lines)]


def _written(name: str, array: Array, desk: _Desk) -> Iterator[str]:
    """`name[i, j] = ... = value` for every cell, as long as the arithmetic gives the value."""
    rule = arithmetic.rule(name.removesuffix(NEW), _renewed(desk.trace) if name.endswith(NEW) else desk.trace)
    if rule is None or array.size == 0:
        return
    for index in np.ndindex(*array.shape):
        cell = rule(index, desk.decimals)
        if cell is None or not np.isclose(cell.value, float(array[index]), rtol=1e-9, atol=1e-9):
            return
        yield _equation(name, index, cell, desk)


def _renewed(trace: Trace) -> Mapping[str, Array]:
    """The trace as a step of changed inputs sees it: the new array stands for the old where there is one."""
    return {**trace, **{name.removesuffix(NEW): array for name, array in trace.items() if name.endswith(NEW)}}


def _equation(name: str, index: tuple[int, ...], cell: arithmetic.Cell, desk: _Desk) -> str:
    at = f"[{', '.join(map(str, index))}]" if index else ""
    result, exact = arithmetic.rounded(cell.value, desk.decimals)
    note = f"  ({_pick(cell.note, desk.lang)})" if cell.note else ""
    if not cell.text or cell.text == result:
        return f"{name}{at} {'=' if exact else '≈'} {result}{note}"
    return f"{name}{at} = {cell.text} {'=' if exact else '≈'} {result}{note}"


def _wrapped(text: str) -> list[str]:
    """Lines of one equation; the result stays with its sign."""
    kept = text.replace("≈ ", "≈\xa0").replace("= ", "=\xa0")
    lines = wrap(kept, WIDTH - len(INDENT), subsequent_indent=INDENT, break_long_words=False, break_on_hyphens=False)
    return [line.replace("\xa0", " ") for line in lines]


def _pick(text: Text, lang: Lang) -> str:
    return text.zh if lang == "zh" else text.en
