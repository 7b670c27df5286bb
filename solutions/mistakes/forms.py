"""One wrong way as the steps of several pipelines, which call their inputs by different names.

The first form whose needs are there is the one that is made, so the more particular one stands first.
"""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from solutions.checks import Anything, Floats
from solutions.contrast import StepSpec
from solutions.one_head import shares

Run = Callable[..., Any]
Right = Mapping[str, Anything]
Axes = int | tuple[int, ...] | None


def scored(run: Run) -> tuple[StepSpec, ...]:
    """Scores from queries and keys: of every head, or of the one there is."""
    return StepSpec("scores", ("q_heads", "k_heads"), run), StepSpec("scores", ("q", "k"), run)


def masked_by(run: Run) -> tuple[StepSpec, ...]:
    """Masked scores from the scaled ones, or from the raw ones where nothing is scaled."""
    return StepSpec("masked", ("scaled", "mask"), run), StepSpec("masked", ("scores", "mask"), run)


def in_one_go(run: Run) -> tuple[StepSpec, ...]:
    """Weights straight from scores, where a pipeline does not cut its softmax into steps."""
    return (
        StepSpec("weights", ("masked",), run),
        StepSpec("weights", ("row",), run),
        StepSpec("weights_shifted", ("shifted",), run),
        StepSpec("weights_low", ("scores_row", "t_low"), lambda row, t: run(row / t)),
        StepSpec("weights_high", ("scores_row", "t_high"), lambda row, t: run(row / t)),
        StepSpec("after", ("scores", "mask"), lambda s, mask: np.where(mask, run(s), 0.0)),
    )


def as_usual() -> StepSpec:
    """Weights from exponentials and sum as they should be: what went wrong lies before."""
    return StepSpec("weights", ("exp", "sum"), shares)


def unguarded(axes: Axes = -1, *beside: str) -> tuple[StepSpec, ...]:
    """The maximum taken away and the sum divided by without a look at what is blocked: -inf - -inf is nan."""
    return (
        StepSpec("minus_max", ("masked", *beside), lambda x, *_: x - x.max(axis=axes, keepdims=True)),
        StepSpec("weights", ("exp", "sum", *beside), over),
    )


def over(e: Anything, total: Anything, *_: Any) -> Floats:
    """Exponentials over their sum, whatever it is: 0 / 0 and inf / inf are nan."""
    out: Floats = e / total
    return out


def filled(s: Anything, mask: Anything) -> Floats:
    """A large negative number in place of -inf."""
    return np.where(mask, s, -1e9)


def mixed_by(run: Run) -> tuple[StepSpec, ...]:
    """The mix of values: of every head, or of the one there is."""
    return StepSpec("heads", ("weights", "v_heads"), run), StepSpec("output", ("weights", "v"), run)


def same(a: Anything, *_: Any) -> Floats:
    """The array as it is, whatever else would be done with it."""
    return np.asarray(a, dtype=np.float64)


def turned(a: Anything) -> Anything:
    """The last two axes exchanged."""
    return np.swapaxes(a, -1, -2)


def unblocked(a: Anything) -> Floats:
    """0 in place of -inf: a blocked key takes no part, even without an exponential."""
    return np.where(np.isneginf(a), 0.0, a)


def softmaxed(right: Right) -> Anything:
    """What is softmaxed in this pipeline."""
    return right[next(name for name in ("masked", "row", "scores_row") if name in right)]


def several_rows(right: Right) -> bool:
    """Whether softmax sees more than one row."""
    x = softmaxed(right)
    return bool(x.size > x.shape[-1])


def several_keys(right: Right) -> bool:
    """Whether some row leaves more than one key to choose from."""
    return bool((np.isfinite(softmaxed(right)).sum(axis=-1) > 1).any())


def several_heads(right: Right) -> bool:
    """Whether there is more than one head."""
    if "n_heads" in right:
        return int(right["n_heads"]) > 1
    return bool(right["heads"].shape[-3] > 1)
