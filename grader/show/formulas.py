"""The formula of each step, short enough to stand beside its name; symbols where the languages agree."""

from collections.abc import Mapping

from grader.model import Lang, Text


def _same(text: str) -> Text:
    return Text(text, text)


FORMULAS: Mapping[str, Text] = {
    "q": _same("x Wq"),
    "k": _same("x Wk"),
    "v": _same("x Wv"),
    "d_k": Text("columns of q", "q 的列数"),
    "scores": _same("q kᵀ"),
    "scaled": _same("scores / √d_k"),
    "mask": Text("who may attend", "可以读取谁"),
    "additive": Text("0 allowed, −∞ blocked", "允许为 0，屏蔽为 −∞"),
    "combined": Text("causal and padding", "因果 且 填充"),
    "masked": Text("blocked cells to −∞", "被屏蔽处换成 −∞"),
    "minus_max": Text("minus the row's largest", "减去该行最大值"),
    "exp": Text("e^(each entry)", "对每个元素取 e 的幂"),
    "sum": Text("sum of each row of exp", "exp 每行之和"),
    "weights": Text("softmax of each row", "按行 softmax"),
    "output": _same("weights v"),
    "q_heads": Text("q cut by columns", "q 按列切开"),
    "k_heads": Text("k cut by columns", "k 按列切开"),
    "v_heads": Text("v cut by columns", "v 按列切开"),
    "d_head": _same("d_model / n_heads"),
    "heads": Text("one block per head", "每个头一块"),
    "concat": Text("heads side by side", "各头按列拼接"),
    "projected": _same("concat Wo"),
    "product": Text("row times matrix", "行乘矩阵"),
    "after": Text("softmax, then zeroed", "softmax 之后再置 0"),
    "after_sum": Text("sum of each row", "每行之和"),
    "renormalised": _same("after / after_sum"),
    "divisor": _same("√d_k"),
    "shifted": _same("row + c"),
    "weights_shifted": _same("softmax(shifted)"),
    "weights_low": _same("softmax(scores_row / t_low)"),
    "weights_high": _same("softmax(scores_row / t_high)"),
    "causal": Text("key ≤ query", "键 ≤ 查询"),
    "padding": Text("key < length", "键 < 长度"),
    "concat_width": _same("n_heads · d_head"),
    "first_column": _same("head · d_head"),
    "last_column": _same("(head + 1) · d_head − 1"),
    "per_matrix": _same("d_model²"),
    "per_head": _same("d_model · d_head"),
}
"""Step name -> the right-hand side of `name = ...`."""

OPEN = frozenset(
    {"q", "k", "v", "scores", "scaled", "masked", "minus_max", "exp", "sum", "weights", "output", "product", "shifted"}
    | {"q_heads", "k_heads", "v_heads", "heads", "concat", "projected", "after", "after_sum", "renormalised"}
    | {"weights_shifted"}
)
"""Steps whose formula may stand beside an answer that is still open; for the others the formula is the answer."""

NEW = "_new"
"""The ending of a step that is computed once more from changed inputs, by the same formula."""


def formula(step: str, lang: Lang) -> str:
    """The right-hand side of a step's formula, or nothing for a step that has none."""
    text = FORMULAS.get(step.removesuffix(NEW))
    if text is None:
        return ""
    return text.zh if lang == "zh" else text.en
