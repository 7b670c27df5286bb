"""Cross-attention wired wrongly: who asks and who is read."""

from solutions.contrast import StepSpec
from solutions.mistakes.spec import MistakeSpec, both
from solutions.one_head import projected


def _from(step: str, source: str) -> StepSpec:
    """This projection computed from the other sequence."""
    return StepSpec(step, (source, f"w{step}"), projected)


MISTAKES: tuple[MistakeSpec, ...] = (
    both("cross_roles_swapped", "q", _from("q", "x_kv"), _from("k", "x_q"), _from("v", "x_q")),
    both("cross_kv_from_queries", "k", _from("k", "x_q"), _from("v", "x_q")),
    both("cross_all_from_context", "q", _from("q", "x_kv")),
    both("cross_keys_from_queries", "k", _from("k", "x_q")),
    both("cross_values_from_queries", "v", _from("v", "x_q")),
)
