"""The worked solution of a worksheet: its steps with the numbers put in, and at the end what belongs in each blank."""

import numpy as np

from grader.model import Array, Blank, Lang, Text, Trace, Variant
from grader.show import matrix, text, worked

DECIMALS = 4
INDENT = "    "

ANSWERS = Text("What belongs in the blanks", "各个空应填")
NONE = Text("none", "都不选")
WORDS = {True: Text("T (true)", "T（对）"), False: Text("F (false)", "F（错）")}


def solution(variant: Variant, trace: Trace, lang: Lang) -> str:
    """The steps that lead to the asked ones (`trace.asked`), worked out, then every answer."""
    decimals = max((blank.decimals for blank in variant.blanks), default=0) or DECIMALS
    steps = worked.worked(trace, set(variant.inputs), decimals, lang) if _computes(variant, trace) else ""
    answers = [line for blank in variant.blanks for line in answer(blank, trace, lang)]
    head = f"{steps}\n" if steps else ""
    return f"{head}{text.pick(ANSWERS, lang)}\n" + "\n".join(INDENT + line for line in answers) + "\n"


def answer(blank: Blank, trace: Trace, lang: Lang) -> list[str]:
    """One blank's answer, as lines."""
    if blank.kind == "truth":
        return [f"{blank.name}: {text.pick(WORDS[bool(blank.truth)], lang)}"]
    if blank.kind in {"choice", "choices"}:
        letters = ", ".join(choice.letter for choice in blank.choices if choice.right)
        return [f"{blank.name}: {letters or text.pick(NONE, lang)}"]
    values = np.asarray(trace[blank.step or ""])[blank.cells]
    if blank.kind == "shape":
        return [f"{blank.name}: ({', '.join(str(int(size)) for size in values)})"]
    return _numbers(blank, values)


def _computes(variant: Variant, trace: Trace) -> bool:
    return any(name not in variant.inputs for name in trace)


def _numbers(blank: Blank, values: Array) -> list[str]:
    if values.dtype == bool:
        values = np.where(values, 0.0, -np.inf)
    lines = matrix.grid(values, decimals=blank.decimals, width=worked.WIDTH).lines
    if values.ndim == 0:
        return [f"{blank.name}: {lines[0]}"]
    return [f"{blank.name}:", *(INDENT + line for line in lines)]
