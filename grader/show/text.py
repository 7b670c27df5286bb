"""From a code and its numbers to a sentence in one language; nothing is worded before this.

A sentence that is missing never breaks a report: the code is shown with its numbers instead.
"""

import re
import string
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from grader.errors import BadInput, BadInputs, GradeError
from grader.model import Finding, Lang, Text, Words
from grader.show import reasons
from grader.show.escape import escape
from grader.show.number import shown

MISSING = "?"
OFFERED = "offered"
LAW = "law-"
"""How the codes of broken laws begin: they were seen on inputs of their own, not on the failing case shown."""
_FOLDED = r"(?<=[\u3001-\u9fff\uff01-\uff60]) (?=[\u3001-\u9fff\uff01-\uff60])"


def pick(text: Text, lang: Lang) -> str:
    """One language of a text, without what folding its lines in YAML left: a break at the end, spaces in Chinese."""
    return re.sub(_FOLDED, "", text.zh).strip() if lang == "zh" else text.en.strip()


def fill(template: str, numbers: Mapping[str, Any]) -> str:
    """`template` with its placeholders filled in by plain name; what is missing shows as `?`.

    No attributes, indices or formats; a template that is not well formed is shown as it is.
    """
    try:
        parts = list(string.Formatter().parse(template))
    except ValueError:
        return template
    return "".join(
        literal + ("" if name is None else shown(numbers.get(name, MISSING))) for literal, name, _, _ in parts
    )


def sentence(code: str, numbers: Mapping[str, Any], words: Words, lang: Lang) -> str:
    """The sentence of a code with its numbers put in; without a sentence, the code and the numbers."""
    if code not in words.sentences:
        return _bare(code, numbers)
    return fill(pick(words.sentences[code], lang), reasons.told(numbers, words, lang))


def join(parts: Iterable[str], lang: Lang) -> str:
    """Sentences one after the other: with a space in English, without one in Chinese."""
    return ("" if lang == "zh" else " ").join(part for part in parts if part)


def page(mistake: str, part: str, words: Words, lang: Lang) -> str:
    """One part of a mistake's page, or nothing."""
    found = words.pages.get(mistake, {}).get(part)
    return pick(found, lang) if found else ""


def title(mistakes: Iterable[str], words: Words, lang: Lang) -> str:
    """The titles of mistakes that were made together."""
    return " + ".join(page(name, "title", words, lang) or escape(name) for name in mistakes)


def finding(found: Finding, words: Words, lang: Lang, problem: str = "") -> str:
    """What a finding says: a mistake's `what` and `look`, the feedback to an option of `problem`, or its sentence."""
    above = f"{heading(found, words, lang)}{'。' if lang == 'zh' else '.'}" if "same" in found.numbers else ""
    return join([above, *paragraphs(found, words, lang, problem)], lang)


def paragraphs(found: Finding, words: Words, lang: Lang, problem: str = "") -> list[str]:
    """What a finding says, in the parts that may stand on lines of their own."""
    feedback = option_feedback(found, words, lang, problem)
    if found.alternatives:
        return [part for part in (feedback, *_any_of_them(found, words, lang)) if part]
    if found.code in words.pages:
        made = found.mistakes or (found.code,)
        said = [page(name, part, words, lang) for name in made for part in ("what", "look")]
        return [part for part in (feedback, *said) if part]
    named = {"title": title(found.mistakes, words, lang)} if found.mistakes else {}
    numbers = {**named, **found.numbers}
    tried = sentence("tried-elsewhere", {}, words, lang) if found.code.startswith(LAW) else ""
    return [join([tried, sentence(found.code, numbers, words, lang), feedback], lang)]


def heading(found: Finding, words: Words, lang: Lang) -> str:
    """What stands above a finding: the mistake's title, or what all that give the same have in common; or nothing."""
    if found.alternatives and found.code != OFFERED:
        same = [sentence(code, {}, words, lang) for code in _classes(found) or ["same-mistakes"]]
        common = [name for name in found.mistakes if all(name in each for each in found.alternatives)]
        return " + ".join([*same, *([title(common, words, lang)] if common and _classes(found) else [])])
    return title(found.mistakes or (found.code,), words, lang) if found.code in words.pages else ""


def _any_of_them(found: Finding, words: Words, lang: Lang) -> list[str]:
    """Several explanations that give the same: what is true of all, then all of them, none before the others.

    Where they are of two classes or more they are every pair, or more than that: what is true of all is enough.
    """
    titles = "; ".join(title(each, words, lang) for each in (found.mistakes, *found.alternatives))
    code = "offered-several" if found.code == OFFERED else "same-numbers"
    what = [sentence(f"{one}-what", {}, words, lang) for one in _classes(found)]
    return what if len(what) > 1 else [*what, sentence(code, {"titles": titles}, words, lang)]


def _classes(found: Finding) -> list[str]:
    """The codes of what several explanations have in common, if there is a word for it."""
    return str(found.numbers.get("same", "")).split()


def option_feedback(found: Finding, words: Words, lang: Lang, problem: str) -> str:
    """What choosing this option meant, if the template says so."""
    key = f"{problem}/{found.numbers.get('blank')}/{found.numbers.get('key')}"
    return sentence(key, found.numbers, words, lang) if key in words.sentences else ""


def short(found: Finding, words: Words, lang: Lang, problem: str = "") -> str:
    """A finding in a few words, for one line of a table: the mistake's title, or the first sentence."""
    return heading(found, words, lang) or finding(found, words, lang, problem)


def place(file: Path | None, line: int | None = None, column: int | None = None) -> str:
    """`file:line:column`, as far as it is known, with forward slashes everywhere."""
    named = "" if file is None or file == Path() else escape(file.as_posix())  # "here" is no place
    return ":".join(part for part in (named, *map(_known, (line, column))) if part)


def error(fault: Exception, words: Words, lang: Lang) -> str:
    """`file:line: sentence`; several faults stand on a line each, and an unexpected one is called ours."""
    if isinstance(fault, BadInputs):
        return "\n".join(error(one, words, lang) for one in fault.faults)
    if not isinstance(fault, GradeError):
        return sentence("own-fault", {"error": type(fault).__name__, "message": str(fault)}, words, lang)
    where = (fault.file, fault.line, fault.column) if isinstance(fault, BadInput) else (None, None, None)
    known = {name: _known(part) for name, part in zip(("file", "line", "column"), where, strict=True)}
    said = sentence(fault.code, {**known, **fault.numbers}, words, lang)
    at = "" if _names_file(fault.code, words, lang) else place(*where)
    return f"{at}: {said}" if at else said


def _names_file(code: str, words: Words, lang: Lang) -> bool:
    return code in words.sentences and "{file}" in pick(words.sentences[code], lang)


def _known(part: Any) -> str:
    return "" if part is None else str(part)


def _bare(code: str, numbers: Mapping[str, Any]) -> str:
    named = ", ".join(f"{escape(str(name))} = {shown(number)}" for name, number in numbers.items())
    return f"{escape(code)} ({named})" if named else escape(code)
