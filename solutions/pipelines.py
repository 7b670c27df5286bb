"""The steps of every question in order: what is computed from what."""

from collections.abc import Mapping

import numpy as np

from solutions import formulas, heads, masks, one_head, reading
from solutions.contrast import StepSpec, changed, masked_after, renormalised, row_sums

__all__ = ["PIPELINES", "StepSpec"]

PROJECT = (
    StepSpec("q", ("x", "wq"), one_head.projected),  # (n, d_k)
    StepSpec("k", ("x", "wk"), one_head.projected),  # (n, d_k)
    StepSpec("v", ("x", "wv"), one_head.projected),  # (n, d_v)
)
PROJECT_CROSS = (
    StepSpec("q", ("x_q", "wq"), one_head.projected),  # (n, d_k)
    StepSpec("k", ("x_kv", "wk"), one_head.projected),  # (m, d_k)
    StepSpec("v", ("x_kv", "wv"), one_head.projected),  # (m, d_v)
)
SCORE = (
    StepSpec("d_k", ("q",), one_head.width),
    StepSpec("scores", ("q", "k"), one_head.scores),  # (n, m)
)
CAUSAL = (StepSpec("mask", ("scores",), masks.causal_for),)  # (n, m)
SCALE = (StepSpec("scaled", ("scores", "d_k"), one_head.scaled),)  # (n, m)
MASK = (StepSpec("masked", ("scaled",), one_head.masked_loosely, optional=("mask",)),)  # (n, m)
SOFTMAX = (
    StepSpec("minus_max", ("masked",), one_head.minus_max),  # (n, m)
    StepSpec("exp", ("minus_max",), np.exp),  # (n, m)
    StepSpec("sum", ("exp",), one_head.sums),  # (n, 1)
    StepSpec("weights", ("exp", "sum"), one_head.shares),  # (n, m)
)
MIX = (StepSpec("output", ("weights", "v"), one_head.mixed),)  # (n, d_v)
SPLIT = (
    StepSpec("q_heads", ("q", "n_heads"), heads.split_heads),  # (H, n, d_head)
    StepSpec("k_heads", ("k", "n_heads"), heads.split_heads),  # (H, n, d_head)
    StepSpec("v_heads", ("v", "n_heads"), heads.split_heads),  # (H, n, d_head)
)
SCORE_HEADS = (
    StepSpec("d_head", ("q_heads",), one_head.width),
    StepSpec("scores", ("q_heads", "k_heads"), one_head.scores),  # (H, n, n)
)
SCALE_HEADS = (StepSpec("scaled", ("scores", "d_head"), one_head.scaled),)  # (H, n, n)
MIX_HEADS = (
    StepSpec("heads", ("weights", "v_heads"), one_head.mixed),  # (H, n, d_head)
    StepSpec("concat", ("heads",), heads.merge_heads),  # (n, d_model)
    StepSpec("projected", ("concat", "wo"), one_head.projected),  # (n, d_model)
)
PROJECT_OUTPUT = StepSpec("projected", ("output", "wo"), one_head.projected)  # one head alone: (n, d_out)
ONE_HEAD = PROJECT + SCORE + SCALE + MASK + SOFTMAX + MIX
MULTI_HEAD = PROJECT + SPLIT + SCORE_HEADS + SCALE_HEADS + MASK + SOFTMAX + MIX_HEADS
HEAD_SHAPES = (
    StepSpec("q_shape", ("n", "d_k"), formulas.shape, optional=("batch",)),
    StepSpec("k_shape", ("m", "d_k"), formulas.shape, optional=("batch",)),
    StepSpec("v_shape", ("m", "d_v"), formulas.shape, optional=("batch",)),
    StepSpec("scores_shape", ("n", "m"), formulas.shape, optional=("batch",)),
    StepSpec("weights_shape", ("n", "m"), formulas.shape, optional=("batch",)),
    StepSpec("output_shape", ("n", "d_v"), formulas.shape, optional=("batch",)),
)

PIPELINES: Mapping[str, tuple[StepSpec, ...]] = {
    "one_head": ONE_HEAD,
    "causal": PROJECT + SCORE + CAUSAL + SCALE + MASK + SOFTMAX + MIX,
    "cross": PROJECT_CROSS + SCORE + SCALE + MASK + SOFTMAX + MIX,
    "multi_head": MULTI_HEAD,
    "causal_multi_head": PROJECT + SPLIT + SCORE_HEADS + CAUSAL + SCALE_HEADS + MASK + SOFTMAX + MIX_HEADS,
    "project": PROJECT,
    "product": (StepSpec("product", ("row", "matrix"), np.matmul),),  # (d_in,) @ (d_in, d_out) -> (d_out,)
    "softmax": SOFTMAX,
    "split": (StepSpec("heads", ("x", "n_heads"), heads.split_heads),),  # (H, n, d_head)
    "merge": (StepSpec("concat", ("heads",), heads.merge_heads),),  # (n, d_model)
    "causal_mask": (
        StepSpec("mask", ("n",), masks.causal_mask),  # (n, n)
        StepSpec("additive", ("mask",), masks.additive),  # (n, n)
    ),
    "padding_mask": (StepSpec("mask", ("lengths", "m"), masks.padding_mask),),  # (B, m)
    "combine_masks": (
        StepSpec("causal", ("n",), masks.causal_mask),  # (n, n)
        StepSpec("padding", ("length", "n"), masks.first_keys),  # (n,)
        StepSpec("combined", ("causal", "padding"), masks.both),  # (n, n)
    ),
    "mask_order": (
        StepSpec("masked", ("scores", "mask"), one_head.masked),  # (n, m)
        StepSpec("weights", ("masked",), one_head.softmax),  # (n, m)
        StepSpec("after", ("scores", "mask"), masked_after),  # (n, m)
        StepSpec("after_sum", ("after",), row_sums),  # (n,)
        StepSpec("renormalised", ("after",), renormalised),  # (n, m)
    ),
    "what_if": (*ONE_HEAD, *changed(ONE_HEAD)),
    "what_if_heads": (*MULTI_HEAD, *changed(MULTI_HEAD, kept=("n_heads",))),
    "head_shapes": HEAD_SHAPES,
    "cross_shapes": HEAD_SHAPES,
    "weight_shape": (
        StepSpec("wq_shape", ("d_model", "d_k"), formulas.sizes),
        StepSpec("wk_shape", ("d_model", "d_k"), formulas.sizes),
        StepSpec("wv_shape", ("d_model", "d_v"), formulas.sizes),
        StepSpec("q_shape", ("n", "d_k"), formulas.sizes),
        StepSpec("k_shape", ("n", "d_k"), formulas.sizes),
        StepSpec("v_shape", ("n", "d_v"), formulas.sizes),
    ),
    "reshape_trace": (
        StepSpec("d_head", ("d_model", "n_heads"), formulas.head_width),
        StepSpec("split_shape", ("batch", "n", "n_heads", "d_head"), formulas.sizes),
        StepSpec("heads_shape", ("batch", "n_heads", "n", "d_head"), formulas.sizes),
        StepSpec("back_shape", ("batch", "n", "n_heads", "d_head"), formulas.sizes),
        StepSpec("merged_shape", ("batch", "n", "d_model"), formulas.sizes),
    ),
    "head_width": (
        StepSpec("d_head", ("d_model", "n_heads"), formulas.head_width),
        StepSpec("concat_width", ("n_heads", "d_head"), formulas.concat_width),
    ),
    "head_columns": (
        StepSpec("d_head", ("d_model", "n_heads"), formulas.head_width),
        StepSpec("first_column", ("head", "d_head"), formulas.first_column),
        StepSpec("last_column", ("head", "d_head"), formulas.last_column),
        StepSpec("head_slice", ("q", "head", "d_head"), formulas.head_slice),  # (n, d_head)
    ),
    "which_divisor": (StepSpec("divisor", ("d_k",), formulas.divisor),),
    "score_variance": (
        StepSpec("variance", ("d_k",), formulas.variance),
        StepSpec("deviation", ("variance",), np.sqrt),
        StepSpec("variance_scaled", ("variance", "deviation"), formulas.variance_scaled),
        StepSpec("variance_over", ("variance", "d_k"), formulas.variance_scaled),  # divided by d_k itself
    ),
    "parameter_count": (
        StepSpec("per_matrix", ("d_model",), formulas.square),
        StepSpec("d_head", ("d_model", "n_heads"), formulas.head_width),
        StepSpec("per_head", ("d_model", "d_head"), formulas.per_head),
        StepSpec("count", ("d_model",), formulas.parameter_count, optional=("biases",)),
    ),
    "reading": (
        StepSpec("strongest", ("weights", "token"), reading.strongest),
        StepSpec("share", ("weights", "token"), reading.share),
        StepSpec("row_sum", ("weights", "token"), reading.row_sum),
    ),
    "read_cell": (
        StepSpec("cell_row", ("token_i",), int),
        StepSpec("cell_column", ("token_j",), int),
        StepSpec("value", ("scores", "token_i", "token_j"), reading.cell),
    ),
    "temperature": (
        StepSpec("weights_low", ("scores_row", "t_low"), reading.at_temperature),  # (m,)
        StepSpec("weights_high", ("scores_row", "t_high"), reading.at_temperature),  # (m,)
        StepSpec("top_low", ("weights_low",), reading.largest),
        StepSpec("top_high", ("weights_high",), reading.largest),
        StepSpec("top_key", ("weights_low",), np.argmax),
    ),
    "shift": (
        StepSpec("weights", ("row",), one_head.softmax),  # (m,)
        StepSpec("shifted", ("row", "c"), reading.shifted),  # (m,)
        StepSpec("weights_shifted", ("shifted",), one_head.softmax),  # (m,)
    ),
    "none": (),  # a question about words alone
    "causal_stored": (
        StepSpec("mask", ("n",), masks.causal_mask),  # (n, n)
        StepSpec("stored", ("mask", "true_blocks"), masks.stored),  # (n, n)
        StepSpec("additive", ("mask",), masks.additive),  # (n, n)
    ),
    "padding_rows": (  # one query for each sequence of a batch
        StepSpec("mask", ("lengths", "m"), masks.padding_mask),  # (B, m)
        *MASK,
        *SOFTMAX,
    ),
    "head_block": (
        StepSpec("d_head", ("d_model", "n_heads"), formulas.head_width),
        StepSpec("first_column", ("head", "d_head"), formulas.first_column),
        StepSpec("last_column", ("head", "d_head"), formulas.last_column),
        StepSpec("heads", ("x", "n_heads"), heads.split_heads),  # (H, n, d_head)
    ),
    "stored": (  # one layer as it is stored, [out, in]
        StepSpec("wq", ("stored",), np.transpose),  # (d_k, d_model) -> (d_model, d_k)
        PROJECT[0],  # (n, d_k)
        StepSpec("stored_shape", ("narrow", "wide"), formulas.sizes),
    ),
    "what_if_projected": (*ONE_HEAD, PROJECT_OUTPUT, *changed((*ONE_HEAD, PROJECT_OUTPUT))),
    "heat_map": (
        StepSpec("strongest", ("weights", "token"), reading.strongest),
        StepSpec("share", ("weights", "token"), reading.share),
        StepSpec("row_sum", ("weights", "token"), reading.row_sum),
        StepSpec("column_sum", ("weights", "token"), reading.column_sum),
    ),
}
