"""Every template, many seeds: right answers get full marks, each mistake is marked at its step and carried on."""

import os

import numpy as np
import pytest

from grader import trace
from grader.bank import draw, load, seeds
from grader.judge import worksheet
from grader.model import Seed
from tests.typing_learner import read, text_of

SEEDS = int(os.environ.get("SEEDS", "200"))
WORKSHEETS = [template.id for template in load.bank() if template.function is None]


def variants(template):
    """The drawn variants and the pinned ones."""
    drawn = [draw.draw(template, seeds.self_study(number)) for number in range(SEEDS)]
    return drawn + [draw.draw(template, Seed("0", pin)) for pin in template.pins]


def marks(variant, typed):
    """The status of each blank when this trace is typed in."""
    answers = {blank.name: read(blank, text_of(blank, typed)) for blank in variant.blanks}
    return {report.step: report for report in worksheet.judge(variant, answers)}


def leading_to(pipeline, variant):
    """The steps that the asked ones are made of, themselves included."""
    wanted = {blank.step for blank in variant.blanks}
    for step in reversed(pipeline.steps):
        if step.name in wanted and step.name not in variant.inputs:
            wanted |= {*step.needs, *step.optional}
    return wanted


def differs(blank, right, wrong):
    """Whether a learner would type something else at this blank."""
    return blank.kind not in {"choice", "choices", "truth"} and text_of(blank, right) != text_of(blank, wrong)


@pytest.mark.parametrize("template_id", WORKSHEETS)
def test_right_answers_typed_as_a_learner_would_get_full_marks(template_id):
    """Every blank of every variant is right, and earns all its points."""
    for variant in variants(load.find(template_id)):
        reports = marks(variant, trace.solve(variant))

        wrong = {name: report for name, report in reports.items() if report.status != "right"}
        assert not wrong, (variant.seed, variant.redraw, wrong)
        assert sum(report.points for report in reports.values()) == sum(blank.points for blank in variant.blanks)


@pytest.mark.parametrize("template_id", WORKSHEETS)
def test_each_single_mistake_is_wrong_at_its_step_and_carried_after_it(template_id):
    """The first blank that a mistake changes is wrong; what follows is right or carried, or refused and said."""
    template = load.find(template_id)
    for variant in variants(template):
        right = trace.solve(variant)
        pipeline = trace.pipelines()[template.pipeline]
        for mistake in trace.applicable(pipeline, trace.to_arrays(variant.inputs), right):
            if mistake.made == "code" or not {step.name for step in mistake.steps} & leading_to(pipeline, variant):
                continue
            if mistake.id not in {*variant.certificate.hidden, *template.fair.unseen}:
                _check(variant, right, mistake)


def _check(variant, right, mistake):
    try:
        wrong = trace.solve(variant, [mistake])
        blanks = [blank for blank in variant.blanks if blank.step in wrong and differs(blank, right, wrong)]
    except (ValueError, IndexError, ZeroDivisionError):
        return  # a mistake that cannot be computed, or has no such cell, on these shapes is typed by nobody
    if not all(np.all(~np.isnan(np.asarray(wrong.get(blank.step, 0), dtype=float))) for blank in variant.blanks):
        return  # NaN cannot be typed
    assert blanks, (mistake.id, variant.seed, "typed the same as the right answer")
    order = [step.name for step in trace.pipelines()[variant.template.pipeline].steps]
    first = min(blanks, key=lambda blank: order.index(blank.step))
    reports = marks(variant, wrong)
    where = (variant.template.id, variant.seed, variant.redraw, mistake.id, first.name)
    assert reports[first.name].status == "wrong", (where, reports[first.name])
    for blank in blanks:
        if order.index(blank.step) > order.index(first.step):
            report = reports[blank.name]
            own_way = {step.name for step in mistake.steps}
            refused = {finding.code for finding in report.findings} & {"carry-refused", "wrong-shape", "wrong-count"}
            assert report.status in {"right", "carried"} or refused or blank.step in own_way, (where, report)
