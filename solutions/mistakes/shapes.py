"""Shapes, widths and columns named wrongly."""

from collections.abc import Callable

from solutions.contrast import StepSpec
from solutions.formulas import shape, sizes
from solutions.mistakes.forms import Right
from solutions.mistakes.spec import MistakeSpec, When, hand


def _told(step: str, *names: str) -> StepSpec:
    """This shape told as these sizes, with a batch in front where there is one."""
    return StepSpec(step, names, shape, optional=("batch",))


def _listed(step: str, *names: str) -> StepSpec:
    """This shape, of any rank, told as these sizes."""
    return StepSpec(step, names, sizes)


def _unlike(*names: str) -> When:
    """When these sizes are not all the same."""
    return lambda right: len({int(right[name]) for name in names}) > 1


_WITHOUT_BATCH = {
    "q_shape": ("n", "d_k"),
    "k_shape": ("m", "d_k"),
    "v_shape": ("m", "d_v"),
    "scores_shape": ("n", "m"),
    "weights_shape": ("n", "m"),
    "output_shape": ("n", "d_v"),
}


def _columns_first() -> tuple[StepSpec, ...]:
    return tuple(_told(step, *reversed(names)) for step, names in _WITHOUT_BATCH.items())


OF_ONE_HEAD: tuple[MistakeSpec, ...] = (
    hand(
        "shape_scores_transposed",
        "scores_shape",
        _told("scores_shape", "m", "n"),
        _told("weights_shape", "m", "n"),
        when=_unlike("n", "m"),
    ),
    hand("shape_weights_transposed", "weights_shape", _told("weights_shape", "m", "n"), when=_unlike("n", "m")),
    hand(
        "shape_scores_by_width",
        "scores_shape",
        _told("scores_shape", "d_k", "d_k"),
        _told("weights_shape", "d_k", "d_k"),
        when=_unlike("n", "m", "d_k"),
    ),
    hand(
        "shape_scores_square",
        "scores_shape",
        _told("scores_shape", "n", "n"),
        _told("weights_shape", "n", "n"),
        when=_unlike("n", "m"),
    ),
    hand(
        "shape_weights_like_values",
        "weights_shape",
        _told("weights_shape", "m", "d_v"),
        when=lambda r: (r["n"], r["m"]) != (r["m"], r["d_v"]),
    ),
    hand("shape_output_uses_dk", "output_shape", _told("output_shape", "n", "d_k"), when=_unlike("d_k", "d_v")),
    hand("shape_output_rows_are_keys", "output_shape", _told("output_shape", "m", "d_v"), when=_unlike("n", "m")),
    hand(
        "shape_output_like_scores",
        "output_shape",
        _told("output_shape", "n", "m"),
        when=_unlike("m", "d_v"),
    ),
    hand(
        "shape_keys_follow_queries",
        "k_shape",
        _told("k_shape", "n", "d_k"),
        _told("v_shape", "n", "d_v"),
        when=lambda r: "wq_shape" not in r and r["n"] != r["m"],
    ),
    hand(
        "shape_values_use_dk",
        "v_shape",
        _told("v_shape", "m", "d_k"),
        _listed("v_shape", "n", "d_k"),
        _listed("wv_shape", "d_model", "d_k"),
        when=_unlike("d_k", "d_v"),
    ),
    hand(
        "shape_columns_first",
        "q_shape",
        *_columns_first(),
        when=lambda r: "m" in r and _unlike("n", "m", "d_k", "d_v")(r),
    ),
    hand(
        "shape_batch_forgotten",
        "q_shape",
        *(StepSpec(step, (*names, "batch"), lambda a, b, _: shape(a, b)) for step, names in _WITHOUT_BATCH.items()),
    ),
)


def _weights(*names: Callable[[str], str], of: str = "w{}_shape") -> tuple[StepSpec, ...]:
    """The three weights' shapes, or those `of` what they make; each name is made from the weight's own output width."""
    widths = (("q", "d_k"), ("k", "d_k"), ("v", "d_v"))
    return tuple(_listed(of.format(step), *(name(width) for name in names)) for step, width in widths)


def _itself(width: str) -> str:
    return width


def _model(_: str) -> str:
    return "d_model"


def _tokens(_: str) -> str:
    return "n"


OF_WEIGHTS: tuple[MistakeSpec, ...] = (
    hand("shape_weight_out_in", "wq_shape", *_weights(_itself, _model), when=_unlike("d_model", "d_k", "d_v")),
    hand(
        "shape_columns_first",
        "q_shape",
        *_weights(_itself, _model),
        *_weights(_itself, _tokens, of="{}_shape"),
        when=lambda r: "wq_shape" in r and _unlike("d_model", "d_k", "d_v", "n")(r),
    ),
    hand("shape_weight_per_token", "wq_shape", *_weights(_tokens, _itself), when=_unlike("d_model", "n")),
    hand("shape_weight_square", "wq_shape", *_weights(_model, _model), when=_unlike("d_model", "d_k", "d_v")),
    hand(
        "shape_projection_keeps_width",
        "q_shape",
        _listed("q_shape", "n", "d_model"),
        _listed("k_shape", "n", "d_model"),
        _listed("v_shape", "n", "d_model"),
        when=lambda r: "wq_shape" in r and _unlike("d_model", "d_k", "d_v")(r),
    ),
)


def _several_heads(right: Right) -> bool:
    return int(right["n_heads"]) > 1


OF_HEADS: tuple[MistakeSpec, ...] = (
    hand(
        "shape_no_transpose",
        "heads_shape",
        _listed("heads_shape", "batch", "n", "n_heads", "d_head"),
        when=_unlike("n", "n_heads"),
    ),
    hand(
        "shape_split_straight",
        "split_shape",
        _listed("split_shape", "batch", "n_heads", "n", "d_head"),
        when=_unlike("n", "n_heads"),
    ),
    hand(
        "shape_back_not_transposed",
        "back_shape",
        _listed("back_shape", "batch", "n_heads", "n", "d_head"),
        when=_unlike("n", "n_heads"),
    ),
    hand(
        "shape_wrong_axes_transposed",
        "heads_shape",
        _listed("heads_shape", "batch", "n_heads", "d_head", "n"),
        when=_unlike("n", "d_head"),
    ),
    hand(
        "shape_heads_and_width_swapped",
        "split_shape",
        _listed("split_shape", "batch", "n", "d_head", "n_heads"),
        _listed("heads_shape", "batch", "d_head", "n", "n_heads"),
        _listed("back_shape", "batch", "n", "d_head", "n_heads"),
        when=_unlike("n_heads", "d_head"),
    ),
    hand(
        "shape_merged_one_head",
        "merged_shape",
        _listed("merged_shape", "batch", "n", "d_head"),
        when=_several_heads,
    ),
    hand(
        "head_width_not_divided",
        "d_head",
        StepSpec("d_head", ("d_model", "n_heads"), lambda d, _: int(d)),
        when=lambda r: "q_heads" not in r and _several_heads(r),
    ),
    hand(
        "head_width_is_count",
        "d_head",
        StepSpec("d_head", ("d_model", "n_heads"), lambda _, h: int(h)),
        when=lambda r: "q_heads" not in r and int(r["n_heads"]) != int(r["d_head"]),
    ),
    hand(
        "concat_width_of_one_head",
        "concat_width",
        StepSpec("concat_width", ("d_head",), int),
        when=_several_heads,
    ),
    hand(
        "head_columns_from_one",
        "first_column",
        StepSpec("first_column", ("head", "d_head"), lambda h, d: int((h - 1) * d)),
        StepSpec("last_column", ("head", "d_head"), lambda h, d: int(h * d - 1)),
        StepSpec("head_slice", ("q", "head", "d_head"), lambda q, h, d: q[..., int((h - 1) * d) : int(h * d)]),
        when=lambda r: int(r["head"]) > 0,
    ),
    hand(
        "head_columns_counted_from_one",
        "first_column",
        StepSpec("first_column", ("head", "d_head"), lambda h, d: int(h * d + 1)),
        StepSpec("last_column", ("head", "d_head"), lambda h, d: int((h + 1) * d)),
    ),
    hand(
        "head_columns_end_left_out",
        "last_column",
        StepSpec("last_column", ("head", "d_head"), lambda h, d: int((h + 1) * d)),
    ),
    hand(
        "head_columns_by_count",
        "first_column",
        StepSpec("first_column", ("head", "n_heads"), lambda h, n: int(h * n)),
        StepSpec("last_column", ("head", "n_heads"), lambda h, n: int((h + 1) * n - 1)),
        when=lambda r: int(r["n_heads"]) != int(r["d_head"]),
    ),
)

MISTAKES: tuple[MistakeSpec, ...] = OF_ONE_HEAD + OF_WEIGHTS + OF_HEADS
