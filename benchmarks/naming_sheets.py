"""Worksheets typed with one mistake, and answers that are wrong at random: what is said of them."""

import random
import re
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from tally import Tally, product, said

from grader import trace
from grader.bank import draw, load, seeds
from grader.judge import worksheet
from grader.judge.compare import expected
from grader.model import Blank, Mistake, StepReport, Template, Variant
from tests.typing_learner import read, text_of


def sheets() -> list[Template]:
    """Every template with blanks that are typed."""
    return [
        template
        for template in load.bank()
        if template.function is None and any(ask.kind in {"numbers", "mask", "shape"} for ask in template.ask)
    ]


def kind_of(blank: Blank) -> str:
    """The kind of a question, by what its answer can carry."""
    if blank.kind != "numbers":
        return {"mask": "masks", "shape": "shapes"}.get(blank.kind, blank.kind)
    cells = int(np.prod(blank.shape))
    if blank.decimals == 0:
        return "whole numbers, several" if cells > 1 else "one whole number"
    return f"{'several numbers' if cells > 1 else 'one number'}, {blank.decimals} decimals"


def marked(variant: Variant, texts: Mapping[str, str]) -> tuple[dict[str, StepReport], float]:
    """The reports by blank when these texts are typed, and how long judging takes."""
    answers = {blank.name: read(blank, texts[blank.name]) for blank in variant.blanks}
    begin = time.perf_counter()
    reports = {report.step: report for report in worksheet.judge(variant, answers)}
    return reports, time.perf_counter() - begin


@dataclass(frozen=True)
class _Typed:
    """A sheet typed with one mistake: the first blank that it changes, and all that was typed."""

    variant: Variant
    mistake: Mistake
    blank: Blank
    texts: Mapping[str, str]


def identified(template: Template, count: int, rng: random.Random, tallies: dict[str, Tally]) -> None:
    """Whole chains typed with one mistake: what is said at the first blank that it changes."""
    for number in rng.sample(range(10**9), count):
        variant = draw.draw(template, seeds.self_study(number))
        able = _able(variant)
        for typed in filter(None, (_with_mistake(variant, mistake) for mistake in able)):
            reports, seconds = marked(variant, typed.texts)
            report = reports[typed.blank.name]
            tally = tallies[kind_of(typed.blank)]
            tally.seconds.append(seconds)
            kind = _judged(able, typed, report)
            tally.counts[kind] += 1
            if kind in {"silent", "named without it", "offered without it"}:
                tally.odd.append((template.id, number, typed.mistake.id, report.step, *report.findings))


def _able(variant: Variant) -> list[Mistake]:
    """The mistakes of the hand that this variant shows."""
    certificate = variant.certificate
    hidden = {*(certificate.hidden if certificate else ()), *variant.template.fair.unseen}
    pipeline, inputs = trace.pipelines()[variant.template.pipeline], trace.to_arrays(variant.inputs)
    able = trace.applicable(pipeline, inputs, trace.run(pipeline, inputs))
    return [one for one in able if one.made != "code" and one.id not in hidden]


def _with_mistake(variant: Variant, mistake: Mistake) -> _Typed | None:
    """The sheet typed with this mistake; nothing if no blank shows it."""
    order = [step.name for step in trace.pipelines()[variant.template.pipeline].steps]
    right, wrong = _typed_with(variant, []), _typed_with(variant, [mistake])
    if right is None or wrong is None:
        return None
    changed = [blank for blank in variant.blanks if wrong[blank.name] != right[blank.name]]
    if not changed:
        return None
    return _Typed(variant, mistake, min(changed, key=lambda blank: order.index(blank.step or "")), wrong)


def _typed_with(variant: Variant, mistakes: Iterable[Mistake]) -> dict[str, str] | None:
    """What a learner types who makes these mistakes; nothing if they do not fit or cannot be typed."""
    try:
        made = trace.solve(variant, mistakes)
        values = [expected(blank, made) for blank in variant.blanks if blank.step in made]
        if any(np.isnan(np.asarray(value, float)).any() for value in values):
            return None
        return {blank.name: text_of(blank, made) for blank in variant.blanks}
    except (ValueError, IndexError, ZeroDivisionError, KeyError):
        return None


def _judged(able: Sequence[Mistake], typed: _Typed, report: StepReport) -> str:
    found = [finding for finding in report.findings if finding.mistakes]
    if not found:
        return "silent"
    how = "offered" if found[0].code == "offered" else "named"
    told = said([found])
    if frozenset([typed.mistake.id]) in told:
        return how
    name = typed.blank.name
    for ids in told:
        ways = [[one for one in able if one.id == made] for made in sorted(ids)]
        texts = (_typed_with(typed.variant, made) for made in product(ways))
        if any(one is not None and one[name] == typed.texts[name] for one in texts):
            return f"{how}, a set that is the same"
    return f"{how} without it"


def false(template: Template, count: int, rng: random.Random, tallies: dict[str, Tally]) -> None:
    """One blank typed wrong at random, the rest right: digits changed, drawn anew, cells shuffled."""
    counted = 0
    while counted < count:
        number = rng.randrange(10**9)
        variant = draw.draw(template, seeds.self_study(number))
        right = trace.solve(variant)
        texts = {blank.name: text_of(blank, right) for blank in variant.blanks}
        blanks = [blank for blank in variant.blanks if blank.kind in {"numbers", "mask", "shape"}]
        for turn in range(100):
            blank = rng.choice(blanks)
            typed = _random_text(texts[blank.name], turn % 3, rng)
            if typed == texts[blank.name]:
                continue
            reports, seconds = marked(variant, texts | {blank.name: typed})
            report = reports[blank.name]
            if report.status == "right":
                continue
            tally = tallies["numbers" if blank.kind == "numbers" else blank.kind]
            tally.seconds.append(seconds)
            kind = _named_or_not(report)
            tally.counts[kind] += 1
            if kind == "named":
                tally.odd.append((template.id, number, turn % 3, blank.name, typed, report.findings[0].code))
            counted += 1
            if counted == count:
                return


def _named_or_not(report: StepReport) -> str:
    found = [finding.code for finding in report.findings if finding.mistakes]
    if found:
        return "offered" if found[0] == "offered" else "named"
    slips = [finding.code for finding in report.findings if "slip-" in finding.code]
    return ("slip named" if slips[0].startswith("slip") else "slip offered") if slips else "silent"


def _random_text(text: str, how: int, rng: random.Random) -> str:
    if "inf" in text:
        return _random_mask(text, how, rng)
    if how == 0:
        places = [place for place, letter in enumerate(text) if letter.isdigit()]
        place = rng.choice(places)
        return text[:place] + rng.choice([one for one in "0123456789" if one != text[place]]) + text[place + 1 :]
    cells = _cells(text)
    if how == 1:
        highest = max(1.0, *(abs(float(one)) for one in cells))
        new = [f"{rng.uniform(-highest, highest):.{len(one.partition('.')[2])}f}" for one in cells]
    else:
        new = rng.sample(cells, len(cells))
    return _refilled(text, cells, new)


def _cells(text: str) -> list[str]:
    return re.findall(r"[^\s\[\](),]+", text)


def _refilled(text: str, cells: Sequence[str], new: Sequence[str]) -> str:
    out, at = [], 0
    for old, fresh in zip(cells, new, strict=True):
        place = text.index(old, at)
        out.append(text[at:place] + fresh)
        at = place + len(old)
    return "".join(out) + text[at:]


def _random_mask(text: str, how: int, rng: random.Random) -> str:
    cells = _cells(text)
    new = list(cells)
    if how == 0:
        place = rng.randrange(len(new))
        new[place] = "0" if new[place] == "-inf" else "-inf"
    elif how == 1:
        new = [rng.choice(["0", "-inf"]) for _ in new]
    else:
        new = rng.sample(new, len(new))
    return _refilled(text, cells, new)
