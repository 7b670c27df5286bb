"""Words, pages and a paper that writes to memory, for the tests of everything that shows."""

import io
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml

from grader.model import Text, Words
from grader.show.terminal import Paper

OWN_WORDS = [Path(__file__).parents[2] / "problem_bank" / "words" / f"{name}.yaml" for name in ("terminal", "classes")]

SENTENCES = {
    "bad-token": ("The variant token cannot be read: {token}.", "无法读取变体标记：{token}。"),
    "unreadable-number": ("`{text}` is not a number.", "`{text}` 不是数。"),
    "exception": ("{error}: {message}", "{error}：{message}"),
    "timeout": ("A case took longer than {limit} s. Does a loop end?", "一个用例超过了 {limit} 秒。循环会结束吗？"),
    "not-written": (
        "`{function}` is not written yet: replace `raise NotImplementedError`.",
        "`{function}` 尚未编写：请替换 `raise NotImplementedError`。",
    ),
    "wrong-shape": (
        "Your `{blank}` has the shape {got}; {wanted} is wanted.",
        "你的 `{blank}` 形状是 {got}，应为 {wanted}。",
    ),
    "wrong-option": ("{letter} is not right.", "{letter} 不对。"),
    "self_or_cross/which/cross": ("In cross-attention the keys come from elsewhere.", "交叉注意力的键来自别处。"),
    "read-comma": ("The comma in `{text}` was read as a decimal point.", "`{text}` 中的逗号读作小数点。"),
    "cases-passed": ("`{returned}` is right in {passed} of {total} cases.", "{total} 个用例中 {passed} 个正确。"),
}

PAGES = {
    "softmax_axis0": {
        "title": ("Softmax over the wrong axis", "softmax 的方向错了"),
        "what": (
            "Each column of yours adds up to 1, but the rows do not.",
            "你的结果每一列之和为 1，而每一行之和不为 1。",
        ),
        "why": (
            "A row holds how one query shares its attention among the keys, so every row must add up to 1.",
            "一行表示一个查询如何把注意力分给各个键，所以每一行之和应为 1。",
        ),
        "look": (
            "By hand: add along each row. In code: check the axis that you hand to max() and sum().",
            "手算：沿每一行相加。代码：检查传给 max() 和 sum() 的 axis。",
        ),
        "read": ("problem_bank/notes/softmax.md", "problem_bank/notes/softmax.md"),
    },
    "scale_dk_not_sqrt": {
        "title": ("Divided by d_k instead of √d_k", "除以了 d_k 而不是 √d_k"),
        "what": (
            "Each score was divided by d_k; it should be divided by √d_k.",
            "每个注意力分数除以了 d_k；应除以 √d_k。",
        ),
        "look": ("For d_k = 4 the divisor is 2, not 4.", "d_k = 4 时除数是 2，不是 4。"),
    },
    "scale_twice": {"title": ("Scaled twice", "缩放了两次"), "what": ("Scaled twice.", "缩放了两次。")},
}


@pytest.fixture(scope="session")
def words() -> Words:
    """The terminal's own phrases, what classes are called, and a few sentences and pages that stay as they are."""
    phrases = [yaml.safe_load(path.read_text(encoding="utf-8")) for path in OWN_WORDS]
    sentences = {code: Text(**both) for some in phrases for code, both in some.items()}
    sentences |= {code: Text(*both) for code, both in SENTENCES.items()}
    pages = {name: {part: Text(*both) for part, both in page.items()} for name, page in PAGES.items()}
    return Words(sentences, pages)


@pytest.fixture
def printed() -> Callable[..., str]:
    """Call a page with a paper of 80 columns in memory and give back what it wrote."""

    def call(page: Callable[..., None], *arguments, plain: bool = False, encoding: str = "utf-8", width=80, **options):
        raw = io.BytesIO()
        stream = io.TextIOWrapper(raw, encoding=encoding, newline="\n")
        page(*arguments, paper=Paper(stream, plain=plain, width=width), **options)
        stream.flush()
        return raw.getvalue().decode(encoding)

    return call


@pytest.fixture(autouse=True)
def _calm_terminal(monkeypatch):
    """No variable of the environment changes what a page looks like."""
    for name in ("NO_COLOR", "FORCE_COLOR", "COLUMNS", "TTY_COMPATIBLE", "COLORTERM"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("GRADE_COMMAND", "grade")
