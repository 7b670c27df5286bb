"""Reasons that others give in English are told in Chinese, with the original behind; held against who says them."""

import re
import string
from pathlib import Path

import numpy as np
import pytest
import yaml

from grader.bank import words
from grader.show import reasons, text

WORDS = words.load()
RAISED = (ArithmeticError, AttributeError, ImportError, LookupError, NameError, TypeError, ValueError)
CHINESE = re.compile("[\u4e00-\u9fff]")


def in_chinese(reason):
    """What is said of a reason in Chinese, without the original in brackets, which must be there."""
    said = reasons.told({"reason": reason}, WORDS, "zh")["reason"]
    original = f"（{reason.strip()}）"
    assert said.endswith(original)
    return said.removesuffix(original)


@pytest.mark.parametrize(
    ("source", "told"),
    [
        ("f(1", "("),
        ("f(1]", "]"),
        ("f)", ")"),
        ("if x\n  y", "冒号"),
        ("x = 'a", "引号"),
        ("if x:\ny", "缩进"),
        ("x\n  y", "缩进"),
        ("if x:\n    y\n  z", "缩进"),
        ("f(1，2)", "，"),
        ("return 1", "函数外面"),
        ("x = 1a", "数字"),
        ("x = = 1", "语法错误"),
        ("f(a=1, 2)", "关键字参数"),
        ("print x", "print"),
        ("f() = 1", "=="),
    ],
)
def test_what_python_says_of_a_file(source, told):
    """As this Python says it."""
    with pytest.raises(SyntaxError) as caught:
        compile(source, "f.py", "exec")

    assert told in in_chinese(caught.value.msg)


@pytest.mark.parametrize(
    "source",
    [
        "1 / 0",
        "1.0 / 0",
        "nothing_of_this_name",
        "[1, 2][len(WORD)]",
        "EYE[3]",
        "EYE + np.eye(3)",
        "EYE @ np.eye(3)",
        "EYE.dot(np.eye(3))",
        "EYE.sum(axis=2)",
        "EYE.reshape(3)",
        "EYE.sofmax",
        "np.sofmax",
        "EYE()",
        "len(WORD)[0]",
        "__import__('torch_of_nobody')",
    ],
)
def test_what_python_and_numpy_say_of_code(source):
    """As this Python and this NumPy say it."""
    with pytest.raises(RAISED) as caught:
        eval(source, {"np": np, "EYE": np.eye(2), "WORD": "no"})

    assert CHINESE.search(in_chinese(str(caught.value)))


YAML = [
    "a: b: c",
    "a: [1, 2",
    "a: {b: 1",
    "a: 'b",
    "- a\nb: 1",
    "a:\n\tb: 1",
    "a: *b",
    "a: @b",
    "a: - b",
    "a:\n  b: 1\n c: 2",
]


@pytest.mark.parametrize("source", YAML)
def test_what_pyyaml_says(source):
    """As the loader that we use says it."""
    with pytest.raises(yaml.MarkedYAMLError) as caught:
        yaml.load(source, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))

    assert CHINESE.search(in_chinese(caught.value.problem))


@pytest.mark.parametrize("opened", ["nowhere/at/all", "."])
def test_what_the_system_says(opened, tmp_path, monkeypatch):
    """As this system says it."""
    monkeypatch.chdir(tmp_path)
    with pytest.raises(OSError) as caught:
        Path(opened).read_text(encoding="utf-8")

    assert CHINESE.search(in_chinese(caught.value.strerror))


def test_english_and_what_is_not_known_stay_as_they_are():
    """The names of problems too, and what is no text."""
    known = {"reason": "division by zero", "problem": "causal_attention"}

    assert reasons.told(known, WORDS, "en") == known
    assert reasons.told({"reason": "nobody knows why", "message": 3}, WORDS, "zh") == {
        "reason": "nobody knows why",
        "message": 3,
    }
    assert reasons.told({"problem": "scores"}, WORDS, "zh") == {"problem": "scores"}


def test_a_sentence_holds_both():
    """The Chinese sentence first, the original in its brackets."""
    said = text.sentence("bad-yaml", {"problem": "did not find expected key"}, WORDS, "zh")

    assert said == "YAML 格式有误：这里需要一个键，可能是缩进不对（did not find expected key）。"


def test_both_halves_name_the_same_places():
    """What a pattern takes from the English is all that the Chinese may use; none stands for nothing."""
    for code, both in words.sentences().items():
        if code.startswith(reasons.CODE):
            en, zh = ({name for _, name, _, _ in string.Formatter().parse(half) if name} for half in (both.en, both.zh))
            assert en == zh, code
            assert " " in both.en, code
