"""The worksheet's own words, in both languages. What a problem says stands in its template."""

from collections.abc import Mapping
from typing import Final

from grader.model import BlankKind, Text

ABOUT: Final = Text(
    "Difficulty {difficulty} of 3, about {minutes} min, {points} pt.",
    "难度 {difficulty}（最高 3），约 {minutes} 分钟，共 {points} 分。",
)
CHOICES: Final = Text("## Options", "## 选项")
FILL_IN: Final = Text("## Fill in", "## 填写")
LEGEND: Final = Text(
    "Put your answers in place of the `_`; a `_` that is left means not done yet.",
    "把 `_` 换成你的答案；留着的 `_` 表示还没做。",
)
NUMBERS: Final = Text(
    "Numbers may be typed as `0.67`, `-1/2`, `sqrt(2)`, `e^2`, or pasted whole from NumPy or a spreadsheet.",
    "数字可以写成 `0.67`、`-1/2`、`sqrt(2)`、`e^2`，也可以从 NumPy 或电子表格整块粘贴。",
)
CHECK: Final = Text("Check it: `grade {file}`", "检查：`grade {file}`")
CHECK_CODE: Final = Text(
    "Replace `raise NotImplementedError` and check: `grade {file}`",
    "替换 `raise NotImplementedError`，然后检查：`grade {file}`",
)
RETURNS: Final = Text("returns", "返回")
AND: Final = Text(" and ", " 和 ")

DECIMALS: Final = Text("{decimals} decimals", "{decimals} 位小数")
ONE_DECIMAL: Final = Text("1 decimal", "1 位小数")
ONE_WHOLE: Final = Text("a whole number", "整数")
WHOLE: Final = Text("whole numbers", "整数")
COLON: Final = Text(": ", "：")
BETWEEN: Final = Text(", ", "，")
HOW: Final[Mapping[BlankKind, Text]] = {
    "shape": Text("a shape such as (3, 4)", "形状，例如 (3, 4)"),
    "mask": Text("0 and -inf, or T and F", "0 和 -inf，或 T 和 F"),
    "choice": Text("one letter", "一个字母"),
    "choices": Text("letters such as A, C, or none", "若干字母，例如 A, C；都不选就写 none"),
    "truth": Text("T or F", "T 或 F"),
}
SAYS_HOW: Final[Mapping[BlankKind, tuple[str, ...]]] = {
    "numbers": ("decimal", "integer", "whole", "小数", "整数"),
    "shape": ("shape", "形状", "(", "（"),
    "mask": ("-inf", "T "),
    "choice": ("letter", "字母"),
    "choices": ("letter", "字母"),
    "truth": ("T ",),
}
"""Words in a note that say already how to answer."""

CONVENTIONS: Final[Mapping[tuple[str, str], Text]] = {
    ("mask_true", "allowed"): Text(
        "True in a mask means allowed: the query may attend to that key.",
        "掩码中的 True 表示允许：该查询可以读取这个键。",
    ),
    ("mask_true", "blocked"): Text(
        "True in a mask means blocked: the query must not attend to that key.",
        "掩码中的 True 表示屏蔽：该查询不可以读取这个键。",
    ),
    ("weights_stored", "in_out"): Text(
        "Weight matrices are stored [in, out]: a projection is X @ W.", "权重矩阵按 [in, out] 存放：投影是 X @ W。"
    ),
    ("weights_stored", "out_in"): Text(
        "Weight matrices are stored [out, in], as PyTorch does: a projection is X @ W.T.",
        "权重矩阵按 [out, in] 存放（与 PyTorch 相同）：投影是 X @ W.T。",
    ),
    ("return_order", "output_first"): Text("Return the output first, then the weights.", "先返回输出，再返回权重。"),
    ("return_order", "weights_first"): Text("Return the weights first, then the output.", "先返回权重，再返回输出。"),
    ("causal_alignment", "top_left"): Text(
        "With fewer or more keys than queries, query i may attend to the keys 0 to i.",
        "查询数与键数不同时，查询 i 可以读取键 0 到 i。",
    ),
    ("causal_alignment", "bottom_right"): Text(
        "With more keys than queries, the last query may attend to every key, the one before it to all but the last.",
        "键多于查询时，最后一个查询可以读取所有键，它前面的查询可以读取除最后一个以外的键，依此类推。",
    ),
}

STUCK: Final = Text(
    "Stuck? `grade hint 3` gives a hint for problem 3, `grade fresh 3` new numbers; `grade reset 3` starts it again.",
    "卡住了？`grade hint 3` 给出第 3 题的提示，`grade fresh 3` 换一组数，`grade reset 3` 重新开始这道题。",
)
GIVEN_OUT: Final = Text(
    "These numbers are yours alone: everybody in the course has others. `grade reset 3` starts problem 3 again. Hand\n"
    "   in this whole folder, and leave the names of the files and the lines at their top as they are.",
    "这组数只属于你：课程里每个人的都不一样。`grade reset 3` 重新开始第 3 题。请交回整个文件夹，\n"
    "   文件名和文件开头的几行不要改动。",
)
README: Final = Text(
    """# {title}

{about}Each problem is one file: a worksheet (`.md`) to fill in, or a function (`.py`) to write. Take them in order.

1. Open the first file in your editor. In a worksheet, put your answers in place of the `_`; in a Python file, replace
   `raise NotImplementedError`.
2. Save it and run `grade` with the file's name. You see at once which steps are right, and where the first one goes
   wrong.
3. {then}

`grade .` checks everything in this folder. An answer that cannot be read is said, with the reason;
it is not counted as wrong, and earns its points once it can be read.
Working in a clone of the project? Then `grade` is `./scripts/grade`, typed in the clone's top folder.

| file | problem | difficulty | minutes |
|---|---|---|---|
{rows}

About {minutes} minutes in all.
""",
    """# {title}

{about}每道题一个文件：填写的练习页（`.md`），或要编写的函数（`.py`）。请按顺序做。

1. 用编辑器打开第一个文件。练习页里把 `_` 换成你的答案；Python 文件里替换 `raise NotImplementedError`。
2. 保存后运行 `grade` 加文件名，马上就能看到哪一步对，以及第一处出错在哪里。
3. {then}

`grade .` 检查这个文件夹里的全部题目。读不懂的答案会说明原因，
不算错；改到能读懂就能得分。
如果你用的是克隆下来的项目，`grade` 就是在项目根目录下输入的 `./scripts/grade`。

| 文件 | 题目 | 难度 | 分钟 |
|---|---|---|---|
{rows}

总共约 {minutes} 分钟。
""",
)
