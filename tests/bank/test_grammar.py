"""Whatever stands where a value is wanted, the author reads a sentence of ours, in the language asked for."""

import random
import re
import time

import pytest
import yaml

from grader.bank import lint, schema, words
from grader.model import LANGS
from grader.show import text

WRONG = [
    None, True, 3, -1, 0, 2.5, 10**9, -(10**9), float("nan"), float("inf"), "", " ", "two words", "__class__", [], {},
    [None], [[1, 2], [3]], {"en": "", "zh": ""}, {"x": None}, ["n"] * 99, "{{ q.__class__ }}", "1/0",
]  # fmt: skip
LEAKS = re.compile(r"should|Input|valid|pydantic|must be a|greater than|less than|Error|None|Decimal\(")
NAMES = ("head", "choosing", "computed", "coding")


def places(data, at=()):
    """Every place in plain data, outermost first."""
    yield at
    inner = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for key, value in inner:
        yield from places(value, (*at, key))


def changed(data, at, value):
    """Plain data with another value at one place."""
    if not at:
        return value
    copy = dict(data) if isinstance(data, dict) else list(data)
    copy[at[0]] = changed(copy[at[0]], at[1:], value)
    return copy


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("number", range(12))
def test_no_wrong_value_is_answered_in_anybody_elses_words(make, name, number):
    """Each wrong value, anywhere, has a code with a sentence in both languages, and the check ends soon."""
    path = make(name).file
    data = yaml.safe_load(path.read_text(encoding="utf-8"))
    chance = random.Random(f"{name} {number}")
    for at in chance.sample(list(places(data)), 10):
        value = chance.choice(WRONG)
        path.write_text(yaml.safe_dump(changed(data, at, value), allow_unicode=True), encoding="utf-8")
        start = time.process_time()
        found, _ = schema.faults(path)
        assert time.process_time() - start < 5
        for fault in found:
            assert fault.code in words.sentences(), (at, value, fault)
            assert fault.code not in {"not-allowed", "bad-template"}, (at, value, fault)
            assert fault.line is not None or fault.code == "empty-file"
            assert "?" not in [fault.numbers.get(key) for key in fault.numbers]
        said = "\n".join(text.error(fault, words.load(), "zh").split(": ", 1)[-1] for fault in found)
        assert not LEAKS.search(said.replace(str(value), "")), said


@pytest.mark.parametrize("number", range(6))
def test_what_passes_the_grammar_can_be_drawn_or_is_said(make, number):
    """A value that the grammar lets through never ends in a crash of drawing without a line."""
    chance = random.Random(f"draw {number}")
    name = NAMES[number % len(NAMES)]
    path = make(name).file
    data = yaml.safe_load(path.read_text(encoding="utf-8"))
    for at in chance.sample([place for place in places(data) if {"draw", "sizes", "ask", "fair"} & set(place)], 5):
        path.write_text(
            yaml.safe_dump(changed(data, at, chance.choice(WRONG)), allow_unicode=True, sort_keys=False),
            encoding="utf-8",
        )
        for fault in lint.check([path], 1):
            assert fault.line is not None
            for lang in LANGS:
                assert "?" not in text.error(fault, words.load(), lang).replace("? ", "").removesuffix("?")


def test_an_empty_file_and_a_bare_list_are_said(tmp_path):
    """In sentences that leave no place empty."""
    for content, code in (("", "empty-file"), ("# only a comment\n", "empty-file"), ("- a\n", "no-template")):
        path = tmp_path / "x.yaml"
        path.write_text(content, encoding="utf-8")
        found, _ = schema.faults(path)
        assert [fault.code for fault in found] == [code]
        assert "  " not in text.error(found[0], words.load(), "en")
