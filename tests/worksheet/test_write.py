"""Writing the files that a learner edits, and reading them back."""

import ast
from dataclasses import replace
from pathlib import Path

import markdown_it
import pytest

from grader.errors import GradeError
from grader.model import Text
from grader.worksheet import answers
from grader.worksheet.fill import fill
from grader.worksheet.layout import width
from grader.worksheet.read import check_names, header, split
from grader.worksheet.write import hints, readme, write

FILE = Path("07_tiny.md")
LANGS = pytest.mark.parametrize("lang", ["en", "zh"])


def typed(variant, text):
    """Every blank of a worksheet as read."""
    _, raws = split(text, FILE)
    check_names(raws, [blank.name for blank in variant.blanks], FILE)
    named = {raw.name: raw for raw in raws}
    return {blank.name: answers.read(blank, named.get(blank.name)) for blank in variant.blanks}


def test_worksheet(variant):
    """A worksheet holds front matter, statement, options and the block to fill in, all aligned."""
    name, text = write(variant, "tiny.3f2a.0.0", "en", 7)

    assert name == "07_tiny.md"
    assert text == EXPECTED


EXPECTED = """\
---
problem: tiny
variant: tiny.3f2a.0.0
lang: en
---

# 07 · A tiny head

Difficulty 2 of 3, about 6 min, 7.5 pt.

The 2 tokens of a story:

```text
Q = [  1.0   0.5 ]
    [ -2.0   0.0 ]

K = [ 1  0 ]
    [ 0  1 ]
```

Which key suits query 1?

## Options

`best`: the best

- **A.** the number [0.2500, 0.7500]
- **B.** none for query 1

`all_of`:

- **A.** the number [0.2500, 0.7500]
- **B.** none for query 1

## Fill in

Put your answers in place of the `_`; a `_` that is left means not done yet. Numbers may be typed as
`0.67`, `-1/2`, `sqrt(2)`, `e^2`, or pasted whole from NumPy or a spreadsheet.

```answers
scores:  [[_, _],  # query 1 too, 1 decimal
          [_, _]]
weights: [_, _]    # shares, 4 decimals
count:   _         # a whole number
size:    (_, _)    # a shape such as (3, 4)
seen:    [[_, _],  # 0 and -inf, or T and F
          [_, _]]
best:    _         # the best, one letter
all_of:  _         # letters such as A, C, or none
holds:   _         # T or F
```

Check it: `grade 07_tiny.md`
"""


@LANGS
def test_written_then_read_is_blank(variant, lang):
    """A worksheet as given out reads back with every blank blank, and its front matter."""
    _, text = write(variant, "tiny.3f2a.0.0", lang, 7)

    assert split(text, FILE)[0] == {"problem": "tiny", "variant": "tiny.3f2a.0.0", "lang": lang}
    assert {name: answer.state for name, answer in typed(variant, text).items()} == dict.fromkeys(
        (blank.name for blank in variant.blanks), "blank"
    )


@LANGS
def test_filled_then_read(variant, lang):
    """What is filled in is read, whatever stands around it."""
    _, text = write(variant, "tiny.3f2a.0.0", lang, 7)
    values = {
        "scores": "1 2\n3 ½",
        "weights": "array([0.25, 0.75])",
        "count": "3",
        "size": "2x2",
        "seen": "[[0, −∞],\n[0, 0]]",
        "best": "a",
        "all_of": "A, B",
        "holds": "错",
    }

    assert {name: answer.read_as for name, answer in typed(variant, fill(text, values)).items()} == {
        "scores": "[[1, 2], [3, 0.5]]",
        "weights": "[0.25, 0.75]",
        "count": "3",
        "size": "(2, 2)",
        "seen": "[[0, -inf], [0, 0]]",
        "best": "A",
        "all_of": "A, B",
        "holds": "F",
    }


@LANGS
def test_lines_are_not_too_wide(variant, lang):
    """Every line fits an editor of 100 columns, long statements and notes too."""
    long = Text("many words " * 40, "很多字" * 60)
    blanks = tuple(replace(blank, note=long) for blank in variant.blanks)
    wide = replace(variant, blanks=blanks, template=replace(variant.template, statement=long))
    _, text = write(wide, "tiny.3f2a.0.0", lang, 7)

    assert max(map(width, text.splitlines())) <= 100
    assert {answer.state for answer in typed(wide, text).values()} == {"blank"}


def test_note_that_says_how(variant):
    """A note that says how to answer is not said twice."""
    note = Text("the share, 2 decimals", "占比，2 位小数")
    _, text = write(replace(variant, blanks=(replace(variant.blanks[1], note=note),)), "t", "en", 7)

    assert "# the share, 2 decimals\n" in text


def test_worksheet_without_numbers(variant):
    """How numbers are typed is said only where there are any."""
    _, text = write(replace(variant, blanks=(variant.blanks[-1],)), "t", "en", 7)

    assert "sqrt" not in text


def test_markdown_reads_well(variant):
    """Markdown sees headings, a list of options and two code blocks."""
    _, text = write(variant, "tiny.3f2a.0.0", "en", 7)
    kinds = [token.type for token in markdown_it.MarkdownIt().parse(text.split("---\n", 2)[2])]

    assert kinds.count("heading_open") == 3
    assert kinds.count("list_item_open") == 4
    assert kinds.count("fence") == 2


STUB = '''\
# problem: tiny
# variant: tiny.3f2a.0.0
# lang: en

r"""07 · A tiny head

Mix the values. True means blocked.

A \'\'\'quoted\'\'\' \\alpha.

Replace `raise NotImplementedError` and check: `grade 07_tiny.py`
"""

import numpy as np


def attention(
    Q: np.ndarray,
    n_heads: int,
    mask: np.ndarray | None = None,
) -> tuple[np.ndarray, np.ndarray]:
    """A tiny head

    Q        (n, d_k)
    n_heads  int
    mask     (n, m) bool or None
    returns weights (n, m) and output (n, d_v)

    True in a mask means blocked: the query must not attend to that key.
    Return the weights first, then the output.
    """
    raise NotImplementedError
'''


def test_stub(function_variant):
    """A stub holds header, statement, typed signature and the conventions of its variant."""
    name, text = write(function_variant, "tiny.3f2a.0.0", "en", 7)

    assert name == "07_tiny.py"
    assert text == STUB


@LANGS
def test_stub_is_python(function_variant, lang):
    """A stub runs as it is, names its problem, and its function is not written yet."""
    _, text = write(function_variant, "tiny.3f2a.0.0", lang, 7)
    names: dict[str, object] = {}
    exec(compile(ast.parse(text), "07_tiny.py", "exec"), names)

    assert header(text) == {"problem": "tiny", "variant": "tiny.3f2a.0.0", "lang": lang}
    with pytest.raises(NotImplementedError):
        names["attention"](None, 2)


def test_short_signature(function_variant):
    """A signature that fits stands on one line; one value is returned bare."""
    spec = function_variant.template.function
    short = replace(spec, parameters=spec.parameters[:1], returns=spec.returns[:1])
    small = replace(function_variant, template=replace(function_variant.template, function=short), chosen={})
    small = replace(small, template=replace(small.template, statement=Text("Mix.", "混合。")))
    _, text = write(small, "t", "en", 7)

    assert "\ndef attention(Q: np.ndarray) -> np.ndarray:\n" in text


def test_unknown_convention(function_variant):
    """A convention without words is our fault, not a silent gap."""
    with pytest.raises(GradeError) as caught:
        write(replace(function_variant, chosen={"conventions": {"mask_true": "x"}}), "t", "en", 1)

    assert caught.value.code == "convention-unknown"


def test_hints(variant):
    """Hints come in order with the numbers of the variant."""
    assert hints(variant, "en") == ("Row 1 is [-2, 0].", "Add up.")
    assert hints(variant, "zh") == ("第 1 行是 [-2, 0]。", "相加。")


@LANGS
def test_readme(variant, lang):
    """A set's README lists its files in order and says what to do."""
    text = readme(Text("First hour", "第一小时"), None, [("01_tiny.md", variant.template)] * 2, lang)

    assert text.startswith({"en": "# First hour\n", "zh": "# 第一小时\n"}[lang])
    assert text.count("| [01_tiny.md](01_tiny.md) | ") == 2
    assert "grade hint 3" in text
    assert "12" in text


@pytest.mark.parametrize(("setting", "shape"), [("in_out", "(d_model, d_k)"), ("out_in", "(d_k, d_model)")])
def test_the_shape_of_a_stored_weight(function_variant, setting, shape):
    """A weight matrix is shown in the shape in which this variant hands it over; no other parameter is turned."""
    spec = function_variant.template.function
    q, n_heads, mask = spec.parameters
    wq = replace(q, name="Wq", input="wq", shape="(d_model, d_k)")
    turned = replace(function_variant.template, function=replace(spec, parameters=(q, wq, n_heads, mask)))
    chosen = {"conventions": {"mask_true": "blocked", "weights_stored": setting}}
    _, text = write(replace(function_variant, template=turned, chosen=chosen), "t", "en", 7)

    assert f"    Wq       {shape}\n" in text
    assert "    Q        (n, d_k)\n" in text
