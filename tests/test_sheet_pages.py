"""What a learner reads about a worksheet: the whole page in both languages, from answers as they are typed."""

import io
import re

import pytest

from grader import trace
from grader.bank import draw, load, words
from grader.judge import score, worksheet
from grader.model import Batch, Seed
from grader.show import terminal
from grader.show.terminal.paper import Paper
from tests.typing_learner import read


def page(name, lang, pin=None, **typed):
    """The page of a sheet on which nothing but this was typed, its lines joined."""
    variant = draw.draw(load.find(name), Seed("0", pin))
    answers = {blank.name: read(blank, typed.get(blank.name, "_")) for blank in variant.blanks}
    report = score.worksheet(variant, worksheet.judge(variant, answers))
    stream = io.StringIO()
    terminal.show(Batch((report,)), words.load(), lang, paper=Paper(stream, width=200))
    return re.sub(r"\s+", " ", stream.getvalue())


def matrix_of(name, change):
    """The right whole numbers of a matrix as rows of texts, changed."""
    variant = draw.draw(load.find(name), Seed("0"))
    rows = [[f"{number:g}" for number in row] for row in trace.solve(variant)[variant.blanks[0].step]]
    return "\n".join(" ".join(row) for row in change(rows))


def emptied(*cells):
    """Rows with some cells not filled in."""

    def change(rows):
        return [["_" if (i, j) in cells else text for j, text in enumerate(row)] for i, row in enumerate(rows)]

    return change


@pytest.mark.parametrize(
    ("lang", "left", "untouched"),
    [("en", "1 of 6 cells empty", "Nothing is filled in"), ("zh", "空着 1 个", "什么都没有填")],
)
def test_one_empty_cell_is_not_nothing(lang, left, untouched):
    """How many cells are still empty is said, and that the others are right."""
    text = page("score_matrix", lang, scores=matrix_of("score_matrix", emptied((1, 1))))

    assert left in text
    assert untouched not in text
    assert {"en": "The others are right", "zh": "其余的都对"}[lang] in text


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_one_whole_row_is_not_nothing(lang):
    """Half of the matrix is there, and right so far."""
    text = page("score_matrix", lang, scores=matrix_of("score_matrix", emptied((1, 0), (1, 1), (1, 2))))

    assert {"en": "3 of 6 cells empty", "zh": "6 个格子中空着 3 个"}[lang] in text


@pytest.mark.parametrize(("lang", "untouched"), [("en", "Nothing is filled in yet"), ("zh", "还什么都没有填")])
def test_nothing_filled_in_is_still_said(lang, untouched):
    """Where no cell has been touched."""
    assert untouched in page("score_matrix", lang)


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_a_wrong_cell_beside_an_empty_one_is_said_with_its_place(lang):
    """One is missing and one is wrong: both are told, the wrong one by its place."""

    def change(rows):
        rows = emptied((1, 1))(rows)
        rows[0][1] = "77"
        return rows

    text = page("score_matrix", lang, scores=matrix_of("score_matrix", change))

    assert "[0, 1]" in text
    assert {"en": "still empty: 1 of 6", "zh": "6 个格子中还有 1 个是空的"}[lang] in text


@pytest.mark.parametrize(
    ("lang", "again", "follows"),
    [("en", "the same mistake again", "right for your own"), ("zh", "同一个错误", "按你自己的")],
)
def test_the_same_mistake_again_is_not_called_right_for_an_own_value(lang, again, follows):
    """Three weights with their sizes exchanged: none of them follows from another."""
    typed = dict.fromkeys(("wq", "wk", "wv"), "(64, 768)")

    text = page("weight_shape", lang, pin="lesson", **typed)

    assert again in text
    assert follows not in text


@pytest.mark.parametrize(("lang", "said"), [("en", "no points are carried"), ("zh", "不沿用得分")])
def test_it_is_said_when_a_value_makes_the_rest_trivial(lang, said):
    """All weights alike, and the output that follows: the guard is told at the later step."""
    halves = "[[0.5, 0.5], [0.5, 0.5]]"

    text = page(
        "causal_attention",
        lang,
        pin="lesson",
        scaled="[[0, 0.7071], [0.7071, 0]]",
        weights=halves,
        output="[[5, 10], [5, 10]]",
    )

    assert said in text


@pytest.mark.parametrize(
    ("lang", "row", "said"),
    [
        ("en", "1 filled in, 2 wanted", "How many sizes are wanted at `wq`, one for each axis: 2. Yours: 1."),
        ("zh", "填了 1 个，应为 2 个", "`wq` 的形状要写 2 个大小（每个轴一个），你写了 1 个。"),
    ],
)
def test_a_shape_with_too_few_sizes_is_told_in_plain_words(lang, row, said):
    """`(64)` is one size where two are wanted; no shape of a shape is spoken of."""
    text = page("weight_shape", lang, pin="lesson", wq="(64)")

    assert row in text
    assert said in text
    assert "(1,)" not in text


@pytest.mark.parametrize(
    ("lang", "said"),
    [("en", "How many numbers are wanted at `q`: 2. Yours: 1."), ("zh", "`q` 处要填的数的个数是 2，你填了 1 个。")],
)
def test_too_few_numbers_in_a_row_are_told_in_plain_words(lang, said):
    """One number where a row of two is wanted."""
    assert said in page("attention_token", lang, pin="lesson", q="1")


@pytest.mark.parametrize(
    ("lang", "said"),
    [
        ("en", "How many numbers are wanted at `score`: 1. Yours: 2."),
        ("zh", "`score` 处要填的数的个数是 1，你填了 2 个。"),
    ],
)
def test_a_row_where_one_number_is_wanted_is_told_in_plain_words(lang, said):
    """No `()` is spoken of."""
    text = page("dot_score", lang, score="[1, 2]")

    assert said in text
    assert "()" not in text
