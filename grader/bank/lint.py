"""The author's check: a template against the grammar, and against what drawing it many times shows.

Every fault is a `BadInput` with a code; nothing is raised, so that an author sees all of them at once.
"""

import string
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from grader import trace
from grader.bank import draw, load, rounding, schema, seeds, sets, token, where, words
from grader.bank.places import Loc, Places
from grader.errors import BadInput, GradeError
from grader.model import LANGS, Lang, Seed, Template, Variant
from grader.show import worked
from grader.worksheet import write

Render = Callable[[Variant, Lang], object]
"""Writes a variant out in one language; what it raises is a fault of the template."""

_PAGE = ("title", "what", "why", "look", "read")
_DECIMALS = 4
_WRITTEN = 25
"""So many variants of a template are written out as well; its texts are few, its numbers many."""
_TYPED = ("numbers", "shape", "mask")


def write_out(variant: Variant, lang: Lang) -> None:
    """Write a variant as its learner will see it: the file, the hints and the worked solution."""
    write.write(variant, token.format(variant), lang, 1)
    write.hints(variant, lang)
    if variant.blanks:
        worked.worked(trace.solve(variant), variant.inputs, _DECIMALS, lang)


def check(
    names: Iterable[str | Path], count: int, render: Render = write_out, roots: Sequence[Path] = ()
) -> tuple[BadInput, ...]:
    """Every fault of some templates, by id or by path: the grammar, then `count` variants of each and every pin."""
    found: list[BadInput] = []
    for name in names:
        try:
            found += check_template(_path(name, roots), count, render)
        except BadInput as error:
            found.append(error)
    return tuple(found)


def _path(name: str | Path, roots: Sequence[Path]) -> Path:
    path = Path(name)
    if path.suffix in {".yaml", ".yml"}:
        return path
    known = load.index(roots)
    if str(name) not in known:
        code, said = load.unknown("unknown-problem", str(name), known)
        raise BadInput(code, **said)
    return known[str(name)]


# --- one template ------------------------------------------------------------------------------------------------


def check_template(path: Path, count: int, render: Render = write_out) -> list[BadInput]:
    """Every fault of one template file; it is drawn only once its grammar is in order."""
    found, template = schema.faults(path)
    if found or template is None:
        return found
    variants: list[Variant] = []
    chosen = [*(seeds.self_study(number) for number in range(count)), *(Seed("0", pin) for pin in template.pins)]
    for seed in chosen:
        try:
            variants.append(draw.draw(template, seed))
        except GradeError as error:
            numbers = {**error.numbers, "template": template.id}
            return [_fault(template, where.of_error(template, seed, error), error.code, **numbers)]
        except Exception as error:  # noqa: BLE001 (an author wants to know which seed it was)
            numbers = {"template": template.id, "seed": seed.text, "reason": str(error) or type(error).__name__}
            return [_fault(template, where.of_seed(template, seed), "draw-crashed", **numbers)]
        if pairs := _colliding(variants[-1]):
            numbers = {"template": template.id, "seed": seed.text, "first": pairs[0], "second": pairs[1]}
            return [_fault(template, where.of_seed(template, seed), "unfair-alike", **numbers)]
    drawn = [variant for variant in variants if variant.seed.pin is None]
    pinned = [variant for variant in variants if variant.seed.pin is not None]
    written = [*drawn[:_WRITTEN], *pinned]
    shown = [*_mistakes(template, drawn), *_cases(template, drawn), *_rounded(template, variants)]
    return [*shown, *_rendered(template, written, render)]


def _fault(template: Template, loc: Loc, code: str, /, **numbers: Any) -> BadInput:
    return Places(template.file).fault(loc, code, of_key=True, **numbers)


def _colliding(variant: Variant) -> tuple[str, str] | None:
    """Two mistakes that a drawn variant should tell apart and does not; a pin may do as it likes."""
    certificate = variant.certificate
    return certificate.chance[0] if certificate and certificate.chance and variant.seed.pin is None else None


def _shown(variant: Variant) -> set[str]:
    """The mistakes that a variant can show: at a typed blank, in a case of code, or as an option."""
    options = {choice.mistake for blank in variant.blanks for choice in blank.choices if choice.mistake}
    certificate = variant.certificate
    return options | (set(certificate.applied) - set(certificate.hidden) if certificate else set())


def _mistakes(template: Template, variants: Sequence[Variant]) -> Iterator[BadInput]:
    """Mistakes that the template is about but never shows, and ones it calls unseen although all variants show them."""
    if not variants:
        return
    shown = [_shown(variant) for variant in variants]
    numbers = {"template": template.id, "seeds": len(variants)}
    if template.function is not None or any(ask.kind in _TYPED for ask in template.ask):
        for place, mistake in enumerate(template.about):
            if not any(mistake in one for one in shown):
                yield _fault(template, ("about", place), "about-not-shown", mistake=mistake, **numbers)
    for place, mistake in enumerate(template.fair.unseen):
        if all(mistake in one for one in shown):
            yield _fault(template, ("fair", "unseen", place), "unseen-is-seen", mistake=mistake, **numbers)


_ENOUGH = 20
"""So many variants of each case that one that never comes up is no accident."""


def _cases(template: Template, variants: Sequence[Variant]) -> Iterator[BadInput]:
    if len(variants) < _ENOUGH * len(template.cases):
        return
    drawn = {variant.chosen.get("case") for variant in variants}
    for place, case in enumerate(template.cases):
        if case["key"] not in drawn:
            numbers = {"template": template.id, "case": case["key"], "seeds": len(variants)}
            yield _fault(template, ("cases", place), "case-never-drawn", **numbers)


def _rounded(template: Template, variants: Sequence[Variant]) -> Iterator[BadInput]:
    """Blanks whose answers do not go into the decimals asked."""
    for place, code, numbers in rounding.faults(template, variants):
        yield _fault(template, ("ask", place, "decimals"), code, template=template.id, **numbers)


def _rendered(template: Template, variants: Sequence[Variant], render: Render) -> Iterator[BadInput]:
    """The first variant in each language that cannot be written out."""
    for lang in LANGS:
        for variant in variants:
            try:
                render(variant, lang)
            except GradeError as error:
                yield _fault(template, ("statement", lang), error.code, **error.numbers)
                break
            except Exception as error:  # noqa: BLE001 (whatever it is, the author's text led to it)
                numbers = {"template": template.id, "language": lang, "reason": str(error) or type(error).__name__}
                yield _fault(template, ("statement", lang), "text-not-rendered", **numbers)
                break


# --- the rest of the bank ----------------------------------------------------------------------------------------


def check_sets() -> Iterator[BadInput]:
    """Sets that cannot be read, or list a template or pin that the bank does not have."""
    known = load.index()
    for name in sets.names():
        try:
            problems = sets.find(name).problems
        except BadInput as error:
            yield error
            continue
        for entry in problems:
            if entry.template not in known:
                code, said = load.unknown("set-entry-unknown", entry.template, known, template=entry.template)
                yield BadInput(code, file=sets.path(name), **{**said, "name": name})
            elif entry.pin is not None:
                yield from _pin(load.load(known[entry.template]), entry.pin)


def _pin(template: Template, pin: str) -> Iterator[BadInput]:
    try:
        draw.pinned(template, pin)
    except BadInput as error:
        yield error


def check_pages() -> Iterator[BadInput]:
    """Mistakes of the catalogue whose page is missing, or lacks a part in one language."""
    for mistake in trace.catalogue():
        try:
            page = words.page(mistake)
        except KeyError:
            yield BadInput("page-missing", mistake=mistake)
            continue
        for part in _PAGE:
            if part not in page or not (page[part].en.strip() and page[part].zh.strip()):
                yield BadInput("page-incomplete", mistake=mistake, part=part)


def placeholders(sentence: str) -> set[str]:
    """The names of the numbers that a sentence has places for."""
    return {name for _, name, _, _ in string.Formatter().parse(sentence) if name is not None}


def check_words() -> Iterator[BadInput]:
    """Sentences that stand in one language only, or whose places for numbers differ."""
    for path in sorted((load.root() / "words").glob("*.yaml")):
        for key, raw in (load.read(path) or {}).items():
            if not load.is_text(raw) or not all(isinstance(text, str) and text.strip() for text in raw.values()):
                yield BadInput("words-incomplete", file=path, key=key)
            elif placeholders(raw["en"]) != placeholders(raw["zh"]):
                names = sorted(placeholders(raw["en"]) ^ placeholders(raw["zh"]))
                yield BadInput("words-differ", file=path, key=key, names=names)
