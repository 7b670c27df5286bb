"""No template leads to more numbers or cells than an exercise can have, and each limit is said where it stands."""

import time

import pytest

from grader.bank import draw, lint, schema
from grader.bank.seeds import self_study
from grader.errors import GradeError

CASES = [
    ("low: -1, high: 1, step: 0.5", "low: -100000, high: 100000, step: 0.5", "too-many-values"),
    ("exclude: [0]", "exclude: [-1, -0.5, 0, 0.5, 1.0]", "nothing-left"),
    ("m: 3, d_k", "m: 300, d_k", "too-many-cells"),
    ("d_v: 2}", "d_v: m * 2000}", "number-too-large"),
    ("d_v: 2}", "d_v: m / 7}", "size-never-whole"),
    ("d_v: 2}", "d_v: m / 0}", "bad-size"),
    ("i: {index: n}", "i: {index: n, from: 2}", "low-over-high"),
    ("i: {index: n}", "i: {lengths: [n], most: m, from: 4}", "low-over-high"),
    ("step: 0.5, exclude", "step: 0.5, times: sqrt_d_k, exclude", "size-not-square"),
    (
        "v: {shape: [m, d_v], low: -1, high: 1, step: 0.5, exclude: [0]}",
        "v: {shares: [n, m], unit: 0.3}",
        "unit-not-whole",
    ),
    (
        "v: {shape: [m, d_v], low: -1, high: 1, step: 0.5, exclude: [0]}",
        "v: {shares: [n, m], unit: 0.5}",
        "shares-do-not-fit",
    ),
    (
        "v: {shape: [m, d_v], low: -1, high: 1, step: 0.5, exclude: [0]}",
        "v: {shares: [n, m], unit: 0.05, least: 0.07}",
        "least-not-whole",
    ),
    ("v: {shape: [m, d_v], low: -1, high: 1, step: 0.5, exclude: [0]}", "v: {value: [[1], [2, 3]]}", "bad-numbers"),
    ("v: {shape: [m, d_v], low: -1, high: 1, step: 0.5, exclude: [0]}", "v: {pick: [1, two]}", "bad-numbers"),
    (
        "v: {shape: [m, d_v], low: -1, high: 1, step: 0.5, exclude: [0]}",
        "v: {mask: causal, shape: [m]}",
        "list-too-short",
    ),
    ("q: [[1, 0], [0, 1]]", "q: [[1, 0, 2], [0, 1, 2]]", "pin-shape"),
    ("q: [[1, 0], [0, 1]]", "q: [[1, 0], [0, one]]", "bad-numbers"),
]


@pytest.mark.parametrize(("old", "new", "code"), CASES, ids=[f"{case[2]}-{case[1][-20:]}" for case in CASES])
def test_a_count_out_of_bounds_is_a_fault_with_its_line(edit, old, new, code):
    """Found from the structure alone, before anything is drawn."""
    path = edit("head", (old, new))
    found = [fault for fault in schema.faults(path)[0] if fault.code == code]
    assert found
    lines = path.read_text(encoding="utf-8").splitlines()
    assert new.rsplit(", ", 1)[-1] in lines[found[0].line - 1]


def test_a_cases_own_sizes_are_bounded_too(edit):
    """A function's case is held against the limits with the sizes it has, and named once."""
    path = edit("coding", ("sizes: {n: 2}", "sizes: {n: 200}"))
    found, _ = schema.faults(path)
    assert [fault.code for fault in found] == ["too-many-cells"]


def test_wide_entries_are_drawn_without_listing_them(make):
    """A hundred thousand values cost no more than five."""
    template = make("head", ("v: {shape: [m, d_v], low: -1, high: 1", "v: {shape: [m, d_v], low: -24000, high: 24000"))
    start = time.process_time()
    for number in range(20):
        draw.rebuild(template, self_study(number), 0)
    assert time.process_time() - start < 1


def test_a_template_out_of_bounds_is_refused_at_once(edit, folder):
    """The author's check does not hang on numbers that nobody could draw."""
    edit("head", ("low: -2, high: 2}\n  k", "low: -1000000, high: 1000000}\n  k"))
    start = time.process_time()
    found = lint.check(["head"], 200, roots=(folder,))
    assert {fault.code for fault in found} == {"number-too-small", "number-too-large"}
    assert time.process_time() - start < 2


def test_a_step_too_large_for_any_exercise_stops_the_draw(make):
    """Small inputs can lead to a large step: it is not worked out for every mistake."""
    template = make("coding", ("pipeline: one_head", "pipeline: causal_mask"), ("{n: 3, m: 4", "{n: 2000, m: 1"))
    for name in ("q", "k", "v", "mask"):
        template.draw.pop(name)
    with pytest.raises(GradeError) as caught:
        draw.draw(template, self_study(0))
    assert caught.value.code == "step-too-large"
