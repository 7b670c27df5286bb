"""Inputs of every pipeline on which mistakes are looked at: square and rectangular, masked and not, without pattern."""

import numpy as np
import pytest

from grader.trace import applicable, pipelines, run
from solutions.masks import causal_mask

RNG = np.random.default_rng(11)


def drawn(*shape):
    """Numbers of no pattern, small enough that no softmax saturates."""
    return RNG.normal(size=shape)


def weights_for(d_in, d_k, d_v, d_out=None):
    """Projections of one sequence, and output weights if a width is given."""
    w = {"wq": drawn(d_in, d_k), "wk": drawn(d_in, d_k), "wv": drawn(d_in, d_v)}
    return w if d_out is None else w | {"wo": drawn(d_v, d_out)}


def uneven(n, m):
    """A mask without symmetry; the last key is closed to every query, every query has a key."""
    mask = RNG.random((n, m)) < 0.6
    mask[:, 0], mask[0, 1], mask[:, -1] = True, False, False
    return mask


def one_heads():
    """From tokens, from projections and from scores."""
    square = {"x": drawn(4, 4), **weights_for(4, 4, 4)}
    narrow = {"x": drawn(4, 5), **weights_for(5, 2, 2)}
    rectangle = {"q": drawn(3, 6), "k": drawn(7, 6), "v": drawn(7, 5)}
    closed_row = uneven(3, 7)
    closed_row[2] = False
    far = {"scores": drawn(3, 7) * 1e4, "d_k": np.array(6), "v": drawn(7, 5)}
    return [
        square,
        square | {"mask": uneven(4, 4)},
        narrow,
        narrow | {"mask": uneven(4, 4), "d_model": np.array(5), "n_heads": np.array(2)},
        rectangle,
        rectangle | {"mask": uneven(3, 7)},
        rectangle | {"mask": closed_row},
        far,
        far | {"scores": np.array([[-1e4, -1.1e4], [0, 1.0]]), "v": drawn(2, 5)},
        {"q": drawn(1, 6), "k": drawn(7, 6), "v": drawn(7, 5)},
    ]


def several_heads():
    """Two heads of three, four tokens, with and without a mask."""
    plain = {"x": drawn(4, 6), "n_heads": np.array(2), **weights_for(6, 6, 6, 6)}
    square = {"x": drawn(4, 4), "n_heads": np.array(2), **weights_for(4, 4, 4, 4)}
    return [plain, plain | {"mask": uneven(4, 4)}, square, square | {"mask": uneven(4, 4)}]


def crossed():
    """Two sequences, of the same length and not."""
    square = {"x_q": drawn(4, 4), "x_kv": drawn(4, 4), **weights_for(4, 3, 5)}
    rectangle = {
        "x_q": drawn(3, 4),
        "x_kv": drawn(7, 5),
        **weights_for(5, 6, 2),
        "wq": drawn(4, 6),
    }
    return [square, square | {"mask": uneven(4, 4)}, rectangle, rectangle | {"mask": uneven(3, 7)}]


def renewed(inputs, changed):
    """The same inputs and their twins, one of which is changed."""
    twins = {f"{name}_new": value for name, value in inputs.items() if name != "n_heads"}
    return inputs | twins | {f"{changed}_new": inputs[changed] + drawn(*inputs[changed].shape)}


def numbers(**sizes):
    """Sizes and indices as arrays."""
    return {name: np.array(value) for name, value in sizes.items()}


def all_examples():
    """Pipeline -> inputs to try."""
    alone, heads = one_heads(), several_heads()
    sizes = numbers(n=3, m=7, d_k=6, d_v=5, d_model=10, n_heads=2, batch=4)
    reshape = numbers(batch=4, n=5, d_model=12, n_heads=2)
    columns = numbers(d_model=6, n_heads=2, head=1)
    return {
        "one_head": alone,
        "causal": [{k: v for k, v in inputs.items() if k != "mask"} for inputs in alone],
        "cross": crossed(),
        "multi_head": heads,
        "causal_multi_head": [heads[0], heads[2]],
        "project": [{"x": drawn(4, 4), **weights_for(4, 4, 4)}],
        "product": [{"row": drawn(3), "matrix": drawn(3, 3)}, {"row": drawn(3), "matrix": drawn(3, 2)}],
        "softmax": [{"masked": drawn(*shape)} for shape in ((5,), (3, 4), (4, 4), (2, 3, 3))]
        + [{"masked": drawn(3, 4) * 1e4}, {"masked": np.array([[1, 2, 0], [3, 1, 1]])}],
        "split": [{"x": drawn(4, 6), "n_heads": np.array(2)}],
        "merge": [{"heads": drawn(2, 4, 3)}],
        "causal_mask": [numbers(n=4)],
        "padding_mask": [{"lengths": np.array([2, 4, 1]), **numbers(m=5)}],
        "combine_masks": [numbers(n=4, length=3)],
        "mask_order": [{"scores": drawn(4, 4), "mask": causal_mask(4)}, {"scores": drawn(3, 5), "mask": uneven(3, 5)}],
        "what_if": [renewed(alone[0], "wv"), renewed(alone[0], "x")],
        "what_if_heads": [renewed(heads[0], "wo")],
        "head_shapes": [sizes, {k: v for k, v in sizes.items() if k != "batch"}],
        "cross_shapes": [{k: v for k, v in sizes.items() if k != "batch"}],
        "weight_shape": [{k: v for k, v in sizes.items() if k not in {"m", "batch", "n_heads"}}],
        "reshape_trace": [reshape],
        "head_width": [numbers(d_model=12, n_heads=3)],
        "head_columns": [columns | {"q": drawn(4, 6)}, columns],
        "which_divisor": [sizes],
        "score_variance": [numbers(d_k=16)],
        "parameter_count": [numbers(d_model=8, n_heads=2, n=5), numbers(d_model=8, n_heads=2, biases=1)],
        "reading": [{"weights": np.array([[0.6, 0.3, 0.1], [0.2, 0.3, 0.5], [0.1, 0.7, 0.2]]), **numbers(token=1)}],
        "read_cell": [{"scores": drawn(4, 4), **numbers(token_i=1, token_j=3)}],
        "temperature": [{"scores_row": drawn(4), "t_low": np.array(0.5), "t_high": np.array(2.0)}],
        "shift": [{"row": drawn(4), "c": np.array(2.0)}],
        "none": [{}],
        "causal_stored": [numbers(n=4, true_blocks=0), numbers(n=4, true_blocks=1)],
        "padding_rows": [{"lengths": np.array([2, 4, 3]), "scaled": drawn(3, 5), **numbers(m=5)}],
        "head_block": [numbers(n_heads=2, d_model=6, head=1) | {"x": drawn(4, 6)}],
        "stored": [{"x": drawn(3, 3), "stored": drawn(3, 3), **numbers(narrow=32, wide=512)}],
        "what_if_projected": [renewed({"x": drawn(3, 4), **weights_for(4, 2, 3, 3)}, "wk")],
        "heat_map": [{"weights": np.array([[0.6, 0.3, 0.1], [0.2, 0.3, 0.5], [0.1, 0.7, 0.2]]), **numbers(token=1)}],
    }


@pytest.fixture(scope="session")
def examples():
    """Inputs to try on every pipeline."""
    return all_examples()


# --- functions as people write them ------------------------------------------------------------------------------


def found(function, name, cases, arguments, steps):
    """The ids of the mistakes of code that give what a function returns on every case; a crash counts too."""
    pipeline = pipelines()[name]
    returned = [called(lambda i=i: function(*(i.get(argument) for argument in arguments))) for i in cases]
    possible = [m for inputs in cases for m in applicable(pipeline, inputs, run(pipeline, inputs)) if m.made != "hand"]
    wrong = {id(m): m for m in possible}.values()
    return {
        m.id
        for m in wrong
        if all(agree(traced(pipeline, i, m, steps), got) for i, got in zip(cases, returned, strict=True))
    }


def traced(pipeline, inputs, mistake, steps):
    """The values of a mistake's trace, `None` where it does not fit."""
    return called(lambda: tuple(run(pipeline, inputs, [mistake])[step] for step in steps))


def called(function):
    """What a function returns, `None` if it crashes."""
    try:
        with np.errstate(all="ignore"):
            return function()
    except (ValueError, IndexError, TypeError):
        return None


def agree(want, got):
    """Both crash, or all values agree, NaN in the same places."""
    if want is None or got is None:
        return want is got
    return all(
        w.shape == g.shape and np.allclose(w, g, rtol=1e-6, atol=1e-6, equal_nan=True)
        for w, g in zip(want, got, strict=True)
    )


@pytest.fixture(scope="session")
def named():
    """`found`: which mistakes of code a function makes, over some cases."""
    return found
