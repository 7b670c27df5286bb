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
    "weights": _same("exp / sum"),
    "output": _same("weights v"),
    "q_heads": Text("q cut by columns", "q 按列切开"),
    "k_heads": Text("k cut by columns", "k 按列切开"),
    "v_heads": Text("v cut by columns", "v 按列切开"),
    "d_head": _same("d_model / n_heads"),
    "heads": Text("weights v, per head", "每个头的 weights v"),
    "concat": Text("heads side by side", "各头按列拼接"),
    "projected": _same("concat Wo"),
    "product": Text("row times matrix", "行乘矩阵"),
    "after": Text("softmax, then zeroed", "softmax 之后再置 0"),
    "after_sum": Text("sum of each row", "每行之和"),
    "renormalised": _same("after / after_sum"),
    "divisor": _same("√d_k"),
    "shifted": _same("row + c"),
}
"""Step name -> the right-hand side of `name = ...`."""

NEW = "_new"
"""The ending of a step that is computed once more from changed inputs, by the same formula."""


def formula(step: str, lang: Lang) -> str:
    """The right-hand side of a step's formula, or nothing for a step that has none."""
    text = FORMULAS.get(step.removesuffix(NEW))
    if text is None:
        return ""
    return text.zh if lang == "zh" else text.en
