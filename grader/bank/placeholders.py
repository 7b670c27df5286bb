"""The placeholders of a template's texts: they compile, name what there is, and are the same in both languages."""

from collections.abc import Iterator
from typing import Any

from jinja2 import TemplateSyntaxError, meta, nodes

from grader.bank import load
from grader.bank.places import Loc
from grader.model import LANGS, Template, Text
from grader.worksheet.confined import FILTERS, environment

HELPERS = frozenset({"show", "inline", "number", "shaded", "word", "range", "loop"})
"""What texts may call beside the numbers of their variant."""

_SHOWN = 60

Fault = tuple[Loc, str, dict[str, Any]]


def _texts(template: Template) -> Iterator[tuple[Loc, Text, frozenset[str]]]:
    """Every text that is filled in, with its place and the names it may use beside the usual ones."""
    none: frozenset[str] = frozenset()
    yield ("statement",), template.statement, none
    yield from ((("hints", place), hint, none) for place, hint in enumerate(template.hints))
    for place, ask in enumerate(template.ask):
        if ask.note.en:
            yield ("ask", place, "note"), ask.note, none
        for number, option in enumerate(ask.options):
            yield ("ask", place, "options", number, "text"), option.text, frozenset({"value"})
    for place, case in enumerate(template.cases):
        yield from ((("cases", place, key), Text(**raw), none) for key, raw in case.items() if load.is_text(raw))


def _plain_texts(template: Template) -> Iterator[tuple[Loc, Text]]:
    """Every text that is shown as it stands."""
    yield ("title",), template.title
    for place, ask in enumerate(template.ask):
        if ask.feedback is not None:
            yield ("ask", place, "feedback"), ask.feedback
        for number, option in enumerate(ask.options):
            if option.feedback is not None:
                yield ("ask", place, "options", number, "feedback"), option.feedback


def names(template: Template) -> frozenset[str]:
    """The names that a template's texts may use."""
    own = {*template.sizes, *template.draw} | ({"case"} if template.cases else set())
    if template.function is not None:
        own = {"conventions", *template.function.conventions}
    return HELPERS | own


def faults(template: Template) -> Iterator[tuple[Loc, str, dict[str, Any]]]:
    """Every fault of a template's placeholders."""
    known = names(template)
    for loc, text, more in _texts(template):
        yield from _text(template, loc, text, known | more)
    for loc, text in _plain_texts(template):
        for lang in LANGS:
            if "{{" in getattr(text, lang) or "{%" in getattr(text, lang):
                yield (*loc, lang), "placeholder-not-filled", {}


def _text(template: Template, loc: Loc, text: Text, known: frozenset[str]) -> Iterator[Fault]:
    used: dict[str, set[str]] = {}
    for lang in LANGS:
        source = getattr(text, lang)
        try:
            tree = environment().parse(source)
        except TemplateSyntaxError as error:
            yield (*loc, lang), "bad-placeholder", {"read": _line(source, error.lineno)}
            continue
        yield from _fields(template, tree, (*loc, lang))
        reaching = list(_reach(tree, (*loc, lang)))
        if reaching:
            yield from reaching
            continue
        used[lang] = meta.find_undeclared_variables(tree)
        for name in sorted(used[lang] - known):
            yield (*loc, lang), *load.unknown("unknown-name", name, known)
    if len(used) == len(LANGS) and used["en"] != used["zh"]:
        yield loc, "languages-differ", {"names": sorted(used["en"] ^ used["zh"])}


def _line(source: str, number: int) -> str:
    """The line of a text that a fault is about, as it was read."""
    lines = source.splitlines() or [""]
    return lines[min(number, len(lines)) - 1].strip()[:_SHOWN]


def _reach(tree: nodes.Template, loc: Loc) -> Iterator[Fault]:
    """Filters that there are not, and names that reach into the program."""
    for found in tree.find_all(nodes.Filter):
        if found.name not in FILTERS:
            yield loc, *load.unknown("unknown-filter", found.name, FILTERS)
    for node in tree.find_all((nodes.Getattr, nodes.Getitem)):
        name = getattr(node, "attr", None) or getattr(getattr(node, "arg", None), "value", None)
        if isinstance(name, str) and name.startswith("_"):
            yield loc, "forbidden-name", {"name": name}


def _fields(template: Template, tree: nodes.Template, loc: Loc) -> Iterator[Fault]:
    """Fields that no case has; one that only some have may stand behind an `if`."""
    for node in tree.find_all(nodes.Getattr):
        of_case = isinstance(node.node, nodes.Name) and node.node.name == "case"
        if of_case and not any(node.attr in case for case in template.cases):
            known = {name for case in template.cases for name in case}
            yield loc, *load.unknown("unknown-field", node.attr, known)
