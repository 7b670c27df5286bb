"""Classes of mistakes that give the same numbers: which sentence is true of every one of them.

Which mistakes cannot be told apart is always computed. What stands here is only how such a class is called: by a
sentence of `problem_bank/words/classes.yaml` that fits whichever of its members was made.
"""

from collections.abc import Iterable, Sequence
from typing import Final

CLASSES: Final[dict[str, frozenset[str]]] = {
    name: frozenset(members.split())
    for name, members in {
        "same-divided-by-width": "scale_dk_not_sqrt scale_twice scores_already_scaled",
        "same-not-divided": "scale_missing scale_after_softmax",
        "same-divided-by-tokens": "scale_by_num_keys scale_by_num_queries",
        "same-divided-by-input": "scale_by_d_model scale_by_input_dim",
        "same-mask-turned-over": "mask_inverted mask_sign_flipped causal_true_means_blocked",
        "same-blocked-is-zero": "mask_multiplies_scores mask_fill_tiny",
        "same-blocked-row-nan": "mask_fill_nan mask_on_queries",
        "same-mask-without-effect": "mask_ignored cross_mask_dropped mask_not_passed_to_heads causal_all_visible",
        "same-mask-turned-round": "mask_transposed cross_mask_transposed causal_upper_triangle",
        "same-queries-and-keys-exchanged": "query_key_projections_swapped scores_qk_swapped",
        "same-q-and-k-exchanged": "query_key_projections_swapped projections_exchanged",
        "same-keys-from-wq": "key_uses_query_projection query_key_projections_swapped same_projection_for_qkv",
        "same-queries-as-keys": "key_uses_query_projection scores_use_query_twice same_projection_for_qkv",
        "same-values-from-wq": "value_uses_query_projection same_projection_for_qkv mix_queries_instead_of_values",
        "same-keys-as-values": "mix_keys_instead_of_values value_uses_key_projection",
        "same-values-not-projected": "no_projections value_not_projected",
        "same-transposed-weights": "weights_out_in_convention wo_transposed",
        "same-no-exponential": "exp_forgotten linear_normalisation",
        "same-wrong-axis": "softmax_axis0 softmax_hardcoded_axis",
        "same-strongest-alone": "hard_attention mix_picks_strongest",
        "same-scores-mixed": "mix_scores_not_weights scores_taken_as_weights",
        "same-head-axis-not-moved": "merge_reshape_no_transpose split_reshape_no_transpose",
        "same-keys-from-queries": "cross_keys_from_queries cross_kv_from_queries",
    }.items()
}


def called(sets: Iterable[tuple[str, ...]]) -> dict[str, str]:
    """What a finding holds for the names of its classes, if there are such: `same`, the codes of their sentences."""
    names = names_of(sets)
    return {"same": " ".join(names)} if names else {}


def names_of(sets: Iterable[tuple[str, ...]]) -> tuple[str, ...]:
    """The classes of what several sets differ by: each set has one mistake of each, beside those that are in all."""
    every = [frozenset(one) for one in sets]
    common = frozenset.intersection(*every) if every else frozenset()
    apart = [one - common for one in every]
    if len(every) < 2 or not all(apart):  # noqa: PLR2004 -- one alone needs no class
        return ()
    return _covering(apart) or ()


def _covering(apart: Sequence[frozenset[str]]) -> tuple[str, ...] | None:
    """Classes that hold all mistakes of some sets, each set having one of each; `None` if there are none such."""
    left = frozenset[str]().union(*apart)
    if not left:
        return ()
    for name, members in CLASSES.items():
        group = members & left
        if min(left) in group and all(len(one & group) == 1 for one in apart):
            rest = _covering([one - group for one in apart])
            if rest is not None:
                return (name, *rest)
    return None
