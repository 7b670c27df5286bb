"""Every mistake that is recognised by its trace: the same steps, each computed wrong in one known way.

A mistake that code makes in several ways stands here once for each, under the same id.
"""

from solutions.contrast import changed
from solutions.mistakes import (
    axes,
    causal,
    counting,
    cross,
    mask,
    merge,
    mix,
    project,
    returned,
    scale,
    scores,
    shapes,
    softmax,
    split,
    whole,
)
from solutions.mistakes.spec import MistakeSpec

__all__ = ["MISTAKES", "MistakeSpec"]


def _made_twice(mistake: MistakeSpec) -> MistakeSpec:
    """The mistake made again on the changed inputs of a what-if question."""
    return mistake._replace(steps=mistake.steps + changed(mistake.steps, kept=("n_heads",)))


MISTAKES: tuple[MistakeSpec, ...] = tuple(
    _made_twice(mistake)
    for module in (
        project,
        cross,
        split,
        scores,
        scale,
        mask,
        causal,
        axes,
        softmax,
        mix,
        merge,
        returned,
        shapes,
        counting,
        whole,
    )
    for mistake in module.MISTAKES
)
