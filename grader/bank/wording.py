"""What a template says in words, held against what it does: decimals in a note, a skill that is a slip of another."""

import re
from collections.abc import Iterator
from functools import cache
from typing import Any

from grader.bank import load
from grader.bank.places import Loc
from grader.model import LANGS, Ask, Template

Fault = tuple[Loc, str, dict[str, Any]]

_WORDS = {
    name: count
    for names in ("no one two three four five six seven eight", "零 一 二 三 四 五 六 七 八", "不写 壹 两")
    for count, name in enumerate(names.split())
}
_DECIMALS = re.compile(r"([0-9]+|[a-z]+)[ -]decimals?\b|([0-9]+|不写|[零一二两三四五六七八])\s*位?小数", re.IGNORECASE)

_SLIP = 0.8
"""From here on a skill is rather a slip than another word: `mask` for `masks`, not `sets` for `shapes`."""


def faults(template: Template) -> Iterator[Fault]:
    """Every place where the words say something else than the grammar."""
    for place, ask in enumerate(template.ask):
        if ask.kind == "numbers":
            yield from _note(ask, ("ask", place, "note"))
    yield from _skill(template)


def decimals_said(text: str) -> set[int]:
    """How many decimals a text asks for, as far as it says so."""
    said = (first or second for first, second in _DECIMALS.findall(text))
    counts = (int(one) if one.isdigit() else _WORDS.get(one.lower()) for one in said)
    return {count for count in counts if count is not None}


def _note(ask: Ask, at: Loc) -> Iterator[Fault]:
    for lang in LANGS:
        for count in sorted(decimals_said(getattr(ask.note, lang)) - {ask.decimals}):
            yield (*at, lang), "note-decimals", {"name": ask.name, "read": count, "wanted": ask.decimals}


@cache
def skills() -> frozenset[str]:
    """The skills of our bank's own templates."""
    return frozenset(str(load.read(path).get("skill")) for path in load.index().values())


def _skill(template: Template) -> Iterator[Fault]:
    """A bank of one's own may have skills of its own, but not one that is nearly one of ours."""
    if load.root() in template.file.parents or template.skill in skills():
        return
    near = load.nearest(template.skill, skills(), _SLIP)
    if near:
        yield ("skill",), "skill-nearly", {"name": template.skill, "nearest": near}
