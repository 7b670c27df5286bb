"""A variant to the file that a learner edits: a worksheet in Markdown, or a stub in Python."""

import re
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Final

from grader.errors import GradeError
from grader.model import WEIGHTS, Blank, Choice, FunctionSpec, Lang, Parameter, Template, Text, Variant
from grader.worksheet import phrases
from grader.worksheet.layout import empty, inline, pad, width, wrapped
from grader.worksheet.numbers import plain
from grader.worksheet.render import render

COLUMNS: Final = 100
CODE_COLUMNS: Final = 88
_TWO_SIZES: Final = re.compile(r"\((\w+), (\w+)\)")
_ADJACENT: Final = re.compile(r"\n```\n+```text\n")


def write(variant: Variant, token: str, lang: Lang, number: int, points: Fraction | None = None) -> tuple[str, str]:
    """The name and the text of a variant's file, `number` being its place in the set. Raises `GradeError`.

    `points` is what the set makes the problem worth, if not what its template says.
    """
    code = variant.template.function
    name = f"{number:02d}_{variant.template.id}.{'py' if code else 'md'}"
    head = {"problem": variant.template.id, "variant": token, "lang": lang}
    lines = [f"{key}: {value}" for key, value in (head | ({"points": str(points)} if points else {})).items()]
    if code:
        return name, _stub(variant, code, lines, lang, name)
    return name, _worksheet(variant, lines, lang, name, points)


def hints(variant: Variant, lang: Lang) -> tuple[str, ...]:
    """The hints of a variant in order, with its own numbers. Raises `GradeError`."""
    return tuple(render(hint, variant, lang) for hint in variant.template.hints)


def readme(
    title: Text, about: Text | None, entries: Sequence[tuple[str, Template]], lang: Lang, *, given_out: bool = False
) -> str:
    """The text of a set's README: what it is, what to do, the files in order. `given_out`: by a course to a student."""
    rows = [
        f"| [{file}]({file}) | {_in(template.title, lang)} | {template.difficulty} | {template.minutes} |"
        for file, template in entries
    ]
    minutes = sum(template.minutes for _, template in entries)
    then = phrases.GIVEN_OUT if given_out else phrases.STUCK
    said = wrapped(_in(about, lang), COLUMNS) + "\n\n" if about else ""
    return _in(
        phrases.README,
        lang,
        title=_in(title, lang),
        about=said,
        then=_in(then, lang),
        rows="\n".join(rows),
        minutes=minutes,
    )


# --- worksheet ---------------------------------------------------------------------------------------------------


def _worksheet(variant: Variant, head: Sequence[str], lang: Lang, name: str, worth: Fraction | None) -> str:
    """Front matter, statement, options, block of answers."""
    template = variant.template
    options = [_options(variant, blank, lang) for blank in variant.blanks if blank.choices]
    points = _decimal(worth or sum((blank.points for blank in variant.blanks), Fraction(0)))
    parts = [
        "\n".join(["---", *head, "---"]),
        f"# {name.partition('_')[0]} · {_in(template.title, lang)}",
        _in(phrases.ABOUT, lang, difficulty=template.difficulty, minutes=template.minutes, points=points),
        _statement(variant, lang, COLUMNS),
        *([_in(phrases.CHOICES, lang), *options] if options else []),
        _in(phrases.FILL_IN, lang),
        _legend(variant, lang),
        _block(variant, lang),
        _in(phrases.CHECK, lang, file=name),
    ]
    return "\n\n".join(parts) + "\n"


def _decimal(points: Fraction) -> str:
    """Points as a decimal where they are one."""
    return str(points) if 1000 % points.denominator else plain(points)  # three decimals hold it


def _statement(variant: Variant, lang: Lang, columns: int) -> str:
    """The statement; matrices that follow each other share one block."""
    text = _ADJACENT.sub("\n\n", render(variant.template.statement, variant, lang))
    return wrapped(re.sub(r"\n{3,}", "\n\n", text), columns)


def _legend(variant: Variant, lang: Lang) -> str:
    """How to fill in; how numbers may be typed only where there are any."""
    said = [_in(phrases.LEGEND, lang)]
    if any(blank.kind == "numbers" for blank in variant.blanks):
        said.append(_in(phrases.NUMBERS, lang))
    return wrapped(("" if lang == "zh" else " ").join(said), COLUMNS)


def _options(variant: Variant, blank: Blank, lang: Lang) -> str:
    """The options of one blank as a list, under its name and what is asked."""
    note = render(blank.note, variant, lang)
    rows = [f"- **{choice.letter}.** {_option(variant, blank, choice, lang)}" for choice in blank.choices]
    head = f"`{blank.name}`{_in(phrases.COLON, lang)}{note}".rstrip()
    return wrapped("\n".join([head, "", *rows]), COLUMNS)


def _option(variant: Variant, blank: Blank, choice: Choice, lang: Lang) -> str:
    """One option; `value` is the number that was worked out for it."""
    value = "" if choice.value is None else inline(choice.value, blank.decimals)
    return render(choice.text, variant, lang, value=value).replace("\n", "\n  ")


def _block(variant: Variant, lang: Lang) -> str:
    """The fenced block to fill in, values and comments aligned."""
    margin = max((len(blank.name) for blank in variant.blanks), default=0) + 2
    entries = [(_entry(blank, margin), _comment(variant, blank, lang)) for blank in variant.blanks]
    column = max((width(line) for lines, _ in entries for line in lines), default=0) + 2
    lines = [line for entry, comment in entries for line in _commented(entry, comment, column)]
    return "\n".join(["```answers", *lines, "```"])


def _entry(blank: Blank, margin: int) -> list[str]:
    """The lines of one blank, its rows under each other."""
    rows = empty(blank.shape, "()" if blank.kind == "shape" else "[]")
    rows = ["_"] if blank.kind in {"choice", "choices", "truth"} else rows
    return [f"{blank.name}:".ljust(margin) + rows[0], *(" " * margin + row for row in rows[1:])]


def _commented(entry: list[str], comment: str, column: int) -> list[str]:
    """An entry with its comment behind the first line, or above it if that would be too long."""
    if column + width(comment) + 2 > COLUMNS:
        return [*(f"# {line}" for line in wrapped(comment, COLUMNS - 2).splitlines()), *entry]
    return [pad(entry[0], column) + f"# {comment}", *entry[1:]]


def _comment(variant: Variant, blank: Blank, lang: Lang) -> str:
    """What is asked, and how to write it unless the note says so itself."""
    note = " ".join(render(blank.note, variant, lang).split())
    if any(word in note for word in phrases.SAYS_HOW[blank.kind]):
        return note
    return _in(phrases.BETWEEN, lang).join(filter(None, [note, _how(blank, lang)]))


def _how(blank: Blank, lang: Lang) -> str:
    """How the answer of a blank is written."""
    if blank.kind != "numbers":
        return _in(phrases.HOW[blank.kind], lang)
    whole = phrases.WHOLE if blank.shape else phrases.ONE_WHOLE
    phrase = {0: whole, 1: phrases.ONE_DECIMAL}.get(blank.decimals, phrases.DECIMALS)
    return _in(phrase, lang, decimals=blank.decimals)


# --- stub --------------------------------------------------------------------------------------------------------


def _stub(variant: Variant, spec: FunctionSpec, head: Sequence[str], lang: Lang, name: str) -> str:
    """Header, statement, the function to write."""
    title = f"{name.partition('_')[0]} · {_in(variant.template.title, lang)}"
    about = [title, _statement(variant, lang, CODE_COLUMNS), _in(phrases.CHECK_CODE, lang, file=name)]
    parts = [
        "\n".join(f"# {line}" for line in head),
        _docstring("\n\n".join(about), ""),
        "import numpy as np\n",
        _signature(spec, _returned(variant, spec)) + "\n" + _docstring(_contract(variant, spec, lang), "    "),
    ]
    return "\n\n".join(parts) + "\n    raise NotImplementedError\n"


def _docstring(text: str, indent: str) -> str:
    """A docstring that Python reads back as `text`, whatever is in it."""
    raw = "r" if "\\" in text else ""
    lines = text.replace('"""', "'''").splitlines()
    body = "\n".join((indent + line).rstrip() for line in lines).strip()
    return f'{indent}{raw}"""{body}\n{indent}"""'


def _signature(spec: FunctionSpec, returned: Sequence[str]) -> str:
    """The `def` line, on one line or one parameter a line."""
    parameters = [_parameter(parameter) for parameter in spec.parameters]
    result = "np.ndarray" if len(returned) == 1 else f"tuple[{', '.join(['np.ndarray'] * len(returned))}]"
    line = f"def {spec.name}({', '.join(parameters)}) -> {result}:"
    if len(line) <= CODE_COLUMNS:
        return line
    return f"def {spec.name}(\n" + "".join(f"    {parameter},\n" for parameter in parameters) + f") -> {result}:"


def _parameter(parameter: Parameter) -> str:
    kind = "int" if parameter.shape.startswith("int") else "np.ndarray"
    if parameter.default is None:
        return f"{parameter.name}: {kind}"
    optional = " | None" if parameter.default == "None" else ""
    return f"{parameter.name}: {kind}{optional} = {parameter.default}"


def _returned(variant: Variant, spec: FunctionSpec) -> list[str]:
    """What is returned, in the order that this variant asks for."""
    order = [f"{returned.name} {returned.shape}" for returned in spec.returns]
    return order[::-1] if variant.chosen.get("conventions", {}).get("return_order") == "weights_first" else order


def _contract(variant: Variant, spec: FunctionSpec, lang: Lang) -> str:
    """The function's own docstring: shapes in, shapes out, and the conventions of this variant."""
    margin = max(len(parameter.name) for parameter in spec.parameters)
    settings = variant.chosen.get("conventions", {})
    shapes = [f"{parameter.name.ljust(margin)}  {_shape(parameter, settings)}" for parameter in spec.parameters]
    returned = f"{_in(phrases.RETURNS, lang)} {_in(phrases.AND, lang).join(_returned(variant, spec))}"
    said = [_convention(name, setting, lang) for name, setting in settings.items()]
    text = "\n".join([*shapes, returned, *(["", *said] if said else [])])
    return f"{_in(variant.template.title, lang)}\n\n{wrapped(text, CODE_COLUMNS - 4)}"


def _shape(parameter: Parameter, settings: Mapping[str, str]) -> str:
    """A parameter's shape in words; a weight matrix that is stored [out, in] has its two sizes the other way round."""
    if parameter.input in WEIGHTS and settings.get("weights_stored") == "out_in":
        return _TWO_SIZES.sub(r"(\2, \1)", parameter.shape)
    return parameter.shape


def _convention(name: str, setting: str, lang: Lang) -> str:
    """A convention in words. Raises `GradeError` for one that has none."""
    phrase = phrases.CONVENTIONS.get((name, setting))
    if phrase is None:
        raise GradeError("convention-unknown", convention=name, setting=setting)
    return _in(phrase, lang)


def _in(text: Text, lang: Lang, **names: object) -> str:
    """One of our own phrases, or a plain text of a template, in one language."""
    chosen: str = getattr(text, lang)
    return chosen.format(**names) if names else chosen
