"""A template's texts filled in with the numbers of a variant.

A text may use every input and size by its name, the drawn `case` and `conventions`, `word(k)`, and `show`, `inline`,
`number`, `shaded`. A name that is not there is an error of the template, never an empty place.
"""

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

import jinja2
from jinja2.exceptions import SecurityError

from grader.errors import GradeError
from grader.model import Lang, Numbers, Text, Variant
from grader.worksheet import layout
from grader.worksheet.confined import TooMuch, counted_range, environment
from grader.worksheet.numbers import plain


def render(text: Text, variant: Variant, lang: Lang, **more: Any) -> str:
    """One text in one language, with `more` names beside those of the variant. Raises `GradeError`."""
    return _filled(getattr(text, lang), {**context(variant, lang), **more}, variant).strip()


def context(variant: Variant, lang: Lang) -> dict[str, Any]:
    """What a variant's texts may use, by name."""
    names: dict[str, Any] = {name: nested(numbers) for name, numbers in variant.inputs.items()}
    conventions = variant.chosen.get("conventions", {})
    names |= {**conventions, "conventions": conventions}
    names |= {"show": layout.show, "inline": layout.inline, "number": plain, "shaded": layout.shaded}
    names["word"] = _word(variant, lang)
    if case := _case(variant):
        names["case"] = {key: _in_language(value, lang, names, variant) for key, value in case.items()}
    return names


def nested(numbers: Numbers) -> Any:
    """Input values as a number or nested lists, whole numbers as such."""
    cells: list[Any] = [_cell(cell, numbers.kind) for cell in numbers.cells]
    for size in reversed(numbers.shape):
        cells = [cells[at : at + size] for at in range(0, len(cells), size)]
    return cells[0]


def _cell(text: str, kind: str) -> bool | float:
    if kind == "boolean":
        return text == "T"
    return int(text) if text.lstrip("-").isdecimal() else float(text)


def _case(variant: Variant) -> Mapping[str, Any]:
    """The drawn case with all it says; a variant keeps its key."""
    chosen = variant.chosen.get("case")
    if isinstance(chosen, Mapping):
        return chosen
    return next((case for case in variant.template.cases if case.get("key") == chosen), {})


def _word(variant: Variant, lang: Lang) -> Callable[[Any], str]:
    """The word of a token: those given with the variant, or a plain name."""
    words = _in_language(variant.chosen.get("words", ()), lang, {}, variant)

    def word(token: Any) -> str:
        try:
            return str(_in_language(words[token], lang, {}, variant))
        except (KeyError, IndexError, TypeError):
            return f"x{token}"

    return word


def _in_language(value: Any, lang: Lang, names: Mapping[str, Any], variant: Variant) -> Any:
    """A value of a case: a text in the language, itself filled in; anything else as it is."""
    if isinstance(value, Mapping) and value.keys() == {"en", "zh"}:
        value = Text(**value)
    if isinstance(value, Text):
        chosen = getattr(value, lang)
        return _filled(chosen, names, variant) if isinstance(chosen, str) else chosen
    return value


def _filled(text: str, names: Mapping[str, Any], variant: Variant) -> str:
    if "{{" not in text and "{%" not in text:
        return text
    try:
        return _compiled(text).render({**names, "range": counted_range()})
    except (TooMuch, RecursionError) as error:
        raise GradeError("template-text-too-much", template=variant.template.id) from error
    except SecurityError as error:
        raise GradeError("template-text-forbidden", template=variant.template.id) from error
    except Exception as error:  # a template may call anything; whatever it raises is its own fault
        raise GradeError("template-text", template=variant.template.id, reason=str(error)) from error


@lru_cache(maxsize=512)
def _compiled(text: str) -> jinja2.Template:
    return environment().from_string(text)
