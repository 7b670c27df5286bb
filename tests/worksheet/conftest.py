"""A template and its variants by hand, small enough to see through."""

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from grader.model import (
    Blank,
    Choice,
    Fairness,
    FunctionSpec,
    Numbers,
    Parameter,
    Returned,
    Seed,
    Template,
    Text,
    Variant,
)

SHOWN = '\n\n{{ show("Q", q) }}\n\n{{ show("K", k) }}\n\n'

TEMPLATE = Template(
    id="tiny",
    chapter="06_one_head",
    title=Text("A tiny head", "一个很小的头"),
    statement=Text(
        "The {{ n }} tokens of {{ case.what }}:" + SHOWN + "Which key suits query {{ i }}?",
        "{{ case.what }}的 {{ n }} 个词元：" + SHOWN + "查询 {{ i }} 适合哪个键？",
    ),
    skill="one_head",
    difficulty=2,
    minutes=6,
    pipeline="one_head",
    sizes={"n": 2},
    draw={},
    cases=(
        {"key": "story", "what": Text("a story", "一个故事")},
        {"key": "song", "what": {"en": "a song", "zh": "歌"}},
    ),
    pins={},
    ask=(),
    function=None,
    hints=(
        Text("Row {{ i }} is {{ inline(q[i]) }}.", "第 {{ i }} 行是 {{ inline(q[i]) }}。"),
        Text("Add up.", "相加。"),
    ),
    about=(),
    fair=Fairness(),
    drawing_hash="3f2a",
    file=Path("tiny.yaml"),
)

INPUTS = {
    "n": Numbers((), ("2",), "integer"),
    "q": Numbers((2, 2), ("1", "0.5", "-2", "0")),
    "k": Numbers((2, 2), ("1", "0", "0", "1"), "integer"),
    "mask": Numbers((2, 2), ("T", "F", "T", "T"), "boolean"),
    "i": Numbers((), ("1",), "integer"),
}

CHOICES = (
    Choice("A", "right", Text("the number {{ value }}", "数 {{ value }}"), right=True, value=np.array([0.25, 0.75])),
    Choice("B", "wrong", Text("none for query {{ i }}", "对查询 {{ i }} 没有"), right=False),
)


def blank(name, kind="numbers", shape=(), *, decimals=4, points=1, note="", choices=()):
    """One blank, the note the same in both languages."""
    return Blank(name, kind, name, (), shape, decimals, Fraction(points), Text(note, note), choices)


BLANKS = (
    blank("scores", shape=(2, 2), decimals=1, note="query {{ i }} too"),
    blank("weights", shape=(2,), note="shares"),
    blank("count", decimals=0, points="1/2"),
    blank("size", "shape", (2,)),
    blank("seen", "mask", (2, 2)),
    blank("best", "choice", note="the best", choices=CHOICES),
    blank("all_of", "choices", choices=CHOICES),
    blank("holds", "truth"),
)

FUNCTION = FunctionSpec(
    "attention",
    (
        Parameter("Q", "q", "(n, d_k)"),
        Parameter("n_heads", "n", "int"),
        Parameter("mask", "mask", "(n, m) bool or None", "None"),
    ),
    (Returned("output", "output", "(n, d_v)", Fraction(1)), Returned("weights", "weights", "(n, m)", Fraction(1))),
    (),
    {"mask_true": ("allowed", "blocked"), "return_order": ("output_first", "weights_first")},
)


@pytest.fixture
def variant():
    """A worksheet's variant with a blank of every kind."""
    return Variant(TEMPLATE, Seed("0"), 0, INPUTS, {"case": "story"}, BLANKS, ())


@pytest.fixture
def function_variant():
    """A function's variant, its conventions as drawn."""
    statement = Text(
        'Mix the values. True means {{ conventions.mask_true }}.\n\nA """quoted""" \\alpha.',
        '混合各个值。True 表示 {{ mask_true }}。\n\n一个 """引用""" \\alpha。',
    )
    template = replace(TEMPLATE, function=FUNCTION, statement=statement, cases=(), hints=())
    chosen = {"conventions": {"mask_true": "blocked", "return_order": "weights_first"}}
    return Variant(template, Seed("0"), 0, {}, chosen, (), ())
