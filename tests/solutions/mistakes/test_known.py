"""Well-known mistakes against numbers worked out apart from the code."""

import numpy as np
import pytest

from grader.trace import applicable, catalogue, pipelines, run

TWO_TOKENS = {
    "x": [[1, 1], [1, -1]],
    "wq": [[0.5, 0.5], [-0.5, 0.5]],
    "wk": [[0.5, 0.5], [0.5, -0.5]],
    "wv": [[5, 10], [5, -10]],
}
TWO_SCORES = {"scores": [[112.0, 96.0]], "d_k": 64}
EIGHT = {"n": 3, "m": 7, "d_k": 6, "d_v": 5}


def trace(pipeline, mistake, **inputs):
    """The trace of these inputs with this mistake made."""
    arrays = {name: np.asarray(value) for name, value in inputs.items()}
    return run(pipelines()[pipeline], arrays, [catalogue()[mistake]])


def ways(pipeline, mistake, **inputs):
    """The traces of these inputs with this mistake made in each way that can show here."""
    arrays = {name: np.asarray(value) for name, value in inputs.items()}
    able = applicable(pipelines()[pipeline], arrays, run(pipelines()[pipeline], arrays))
    return [run(pipelines()[pipeline], arrays, [one]) for one in able if one.id == mistake]


def applies(pipeline, **inputs):
    """The ids of the mistakes that can show here."""
    arrays = {name: np.asarray(value) for name, value in inputs.items()}
    right = run(pipelines()[pipeline], arrays)
    return {mistake.id for mistake in applicable(pipelines()[pipeline], arrays, right)}


@pytest.mark.parametrize(
    ("mistake", "scaled", "weights"),
    [
        ("scale_missing", [112, 96], [0.9999998875, 1.125e-7]),
        ("scale_dk_not_sqrt", [1.75, 1.5], [0.5621765009, 0.4378234991]),
        ("scale_half_dk_precedence", [3.5, 3], [0.6224593312, 0.3775406688]),
        ("scale_multiplied", [896, 768], [1, 0]),
        ("scale_by_num_keys", [79.1959594929, 67.8822509939], [0.9999877957, 0.0000122043]),
    ],
)
def test_dividing_112_and_96(mistake, scaled, weights):
    """Each divisor in place of 8 gives its own scores and weights."""
    steps = trace("one_head", mistake, **TWO_SCORES)

    np.testing.assert_allclose(steps["scaled"], [scaled], atol=1e-9)
    np.testing.assert_allclose(steps["weights"], [weights], atol=1e-9)


def test_a_fixed_eight_is_right_for_64():
    """Dividing by 8 is no mistake where d_k is 64, and one elsewhere."""
    assert "scale_fixed_eight" not in applies("one_head", **TWO_SCORES)
    assert "scale_fixed_eight" in applies("one_head", **TWO_SCORES | {"d_k": 16})


def test_softmax_over_columns_of_a_causal_matrix():
    """Over the columns, token 1 weighs its keys 0.6698 and 1."""
    steps = trace("causal", "softmax_axis0", **TWO_TOKENS)

    np.testing.assert_allclose(steps["weights"], [[0.3302384507, 0], [0.6697615493, 1]], atol=1e-9)
    np.testing.assert_allclose(steps["sum"], [[1.4930686914, 1]], atol=1e-9)


def test_softmax_over_the_whole_matrix():
    """One denominator for four cells, two of them e^0.7071 and two 1: 0.3348807746 and 0.1651192254."""
    steps = trace("one_head", "softmax_global", **TWO_TOKENS)

    np.testing.assert_allclose(steps["weights"][1], [0.3348807746, 0.1651192254], atol=1e-9)


def test_masking_after_softmax():
    """Masked too late, token 0 keeps 0.3302 and its row no longer adds to 1."""
    steps = trace("causal", "mask_after_softmax", **TWO_TOKENS)

    np.testing.assert_allclose(steps["weights"][0], [0.3302384507, 0], atol=1e-9)
    np.testing.assert_allclose(steps["output"][0], [3.3023845067, 0], atol=1e-9)


def test_a_blocked_score_of_zero_still_weighs():
    """A blocked score set to 0 beside an allowed 0 takes half."""
    steps = trace("causal", "mask_multiplies_scores", **TWO_TOKENS)

    assert steps["weights"][0].tolist() == [0.5, 0.5]


def test_no_exponential():
    """2 and 1 over their sum: two thirds and one third; a blocked key takes no part."""
    assert trace("softmax", "linear_normalisation", masked=[2.0, 1, -np.inf])["weights"].tolist() == [2 / 3, 1 / 3, 0]


def test_exponential_forgotten_after_the_maximum():
    """0, -1, -3 over -4."""
    assert trace("softmax", "exp_forgotten", masked=[3.0, 2, 0])["weights"].tolist() == [0, 0.25, 0.75]


def test_maximum_taken_from_itself_only():
    """The largest becomes 0, the others stay."""
    assert trace("softmax", "max_subtracted_once", masked=[3.0, 2, 0])["minus_max"].tolist() == [0, 2, 0]


@pytest.mark.parametrize(
    ("mistake", "mask"),
    [
        ("causal_upper_triangle", [[1, 1, 1], [0, 1, 1], [0, 0, 1]]),
        ("causal_excludes_self", [[0, 0, 0], [1, 0, 0], [1, 1, 0]]),
        ("causal_leaks_next", [[1, 1, 0], [1, 1, 1], [1, 1, 1]]),
        ("causal_true_means_blocked", [[0, 1, 1], [0, 0, 1], [0, 0, 0]]),
        ("causal_all_visible", [[1, 1, 1], [1, 1, 1], [1, 1, 1]]),
        ("causal_diagonal_only", [[1, 0, 0], [0, 1, 0], [0, 0, 1]]),
    ],
)
def test_triangles(mistake, mask):
    """Each wrong triangle of three tokens."""
    assert trace("causal_mask", mistake, n=3)["mask"].astype(int).tolist() == mask


def test_causal_masks_are_no_padding_masks():
    """Mistakes about triangles stay away from padding, and the other way round; both may hold no truths."""
    held = {"causal_wrong_dtype", "causal_additive_floats"}
    told = {name for name in applies("padding_mask", lengths=[1, 2], m=3, n=3) if name.startswith("causal")}
    assert told == held
    assert not any(name.startswith("padding") for name in applies("causal_mask", n=3))


@pytest.mark.parametrize(
    ("mistake", "mask"),
    [
        ("padding_true_means_padding", [[0, 0, 1, 1]]),
        ("padding_one_too_many", [[1, 1, 1, 0]]),
        ("padding_one_too_few", [[1, 0, 0, 0]]),
        ("padding_on_the_left", [[0, 0, 1, 1]]),
    ],
)
def test_padding_of_two_in_four(mistake, mask):
    """Two tokens in a row of four."""
    assert trace("padding_mask", mistake, lengths=[2], m=4)["mask"].astype(int).tolist() == mask


@pytest.mark.parametrize(
    ("mistake", "mask"),
    [
        ("causal_wrong_dtype", [[1, 1, 0], [1, 0, 0]]),
        ("causal_additive_floats", [[0, 0, -np.inf], [0, -np.inf, -np.inf]]),
    ],
)
def test_padding_that_holds_no_truths(mistake, mask):
    """Two tokens and one in rows of three, as numbers."""
    inputs = {"lengths": np.array([2, 1]), "m": np.array(3)}
    pipeline = pipelines()["padding_mask"]
    ways = [way for way in applicable(pipeline, inputs, run(pipeline, inputs)) if way.id == mistake]

    made = run(pipeline, inputs, ways[:1])["mask"]

    assert made.dtype == np.float64
    assert made.tolist() == mask


HEADS = [[[1, 2], [5, 6]], [[3, 4], [7, 8]]]
ROWS = [[1, 2, 3, 4], [5, 6, 7, 8]]


@pytest.mark.parametrize(
    ("mistake", "heads"),
    [
        ("split_reshape_no_transpose", [[[1, 2], [3, 4]], [[5, 6], [7, 8]]]),
        ("split_interleaved", [[[1, 3], [5, 7]], [[2, 4], [6, 8]]]),
        ("split_missing_head_axis_first", [[[1, 2], [3, 4]], [[5, 6], [7, 8]]]),
        ("split_last_axes_swapped", [[[1, 5], [2, 6]], [[3, 7], [4, 8]]]),
        ("split_rows_not_columns", [[[1, 2, 3, 4]], [[5, 6, 7, 8]]]),
        ("split_copies_input", [ROWS, ROWS]),
    ],
)
def test_splits(mistake, heads):
    """Each wrong way of cutting two tokens of four into two heads."""
    assert trace("split", mistake, x=ROWS, n_heads=2)["heads"].tolist() == heads


@pytest.mark.parametrize(
    ("mistake", "concat"),
    [
        ("merge_reshape_no_transpose", [[1, 2, 5, 6], [3, 4, 7, 8]]),
        ("merge_interleaved", [[1, 3, 2, 4], [5, 7, 6, 8]]),
        ("merge_concat_axis0", [[1, 2], [5, 6], [3, 4], [7, 8]]),
        ("merge_mean", [[2, 3], [6, 7]]),
        ("merge_sum", [[4, 6], [12, 14]]),
        ("merge_heads_backwards", [[3, 4, 1, 2], [7, 8, 5, 6]]),
    ],
)
def test_merges(mistake, concat):
    """Each wrong way of putting two heads together."""
    assert trace("merge", mistake, heads=HEADS)["concat"].tolist() == concat


@pytest.mark.parametrize(
    ("mistake", "output"),
    [
        ("mix_weights_transposed", [[1, 2], [5.5, 11]]),
        ("mix_concatenates_values", [[1, 2, 3, 6], [0, 0, 4, 8]]),
        ("mix_averages", [[2, 4], [2, 4]]),
        ("mix_plain_mean", [[3, 6], [3, 6]]),
        ("mix_plain_sum", [[6, 12], [6, 12]]),
        ("mix_picks_strongest", [[4, 8], [4, 8]]),
    ],
)
def test_mixes(mistake, output):
    """Each wrong way of mixing (2, 4) and (4, 8) by (1/2, 3/4) and (0, 1)."""
    steps = trace("one_head", mistake, weights=[[0.5, 0.75], [0.0, 1.0]], v=[[2.0, 4.0], [4.0, 8.0]])

    assert steps["output"].tolist() == output


@pytest.mark.parametrize(
    ("mistake", "step", "shape"),
    [
        ("shape_scores_transposed", "scores_shape", [7, 3]),
        ("shape_scores_by_width", "weights_shape", [6, 6]),
        ("shape_scores_square", "scores_shape", [3, 3]),
        ("shape_output_uses_dk", "output_shape", [3, 6]),
        ("shape_output_rows_are_keys", "output_shape", [7, 5]),
        ("shape_keys_follow_queries", "k_shape", [3, 6]),
        ("shape_values_use_dk", "v_shape", [7, 6]),
        ("shape_columns_first", "q_shape", [6, 3]),
        ("shape_columns_first", "k_shape", [6, 7]),
        ("shape_columns_first", "output_shape", [5, 3]),
    ],
)
def test_shapes(mistake, step, shape):
    """Each wrong shape of three queries of six, seven keys, values of five."""
    assert trace("head_shapes", mistake, **EIGHT)[step].tolist() == shape


@pytest.mark.parametrize(
    ("mistake", "count"),
    [
        ("count_forgot_wo", 3 * 64 + 3 * 8),
        ("count_per_head_again", 2 * (4 * 64 + 4 * 8)),
        ("count_forgot_biases", 4 * 64),
        ("count_one_bias", 4 * 64 + 8),
        ("count_not_squared", 4 * 8 + 4 * 8),
    ],
)
def test_counts(mistake, count):
    """Each wrong count of 8 columns in 2 heads with biases."""
    assert trace("parameter_count", mistake, d_model=8, n_heads=2, biases=1)["count"] == count


@pytest.mark.parametrize(("d_model", "n_heads", "biases"), [(8, 2, 0), (8, 2, 1), (12, 4, 1)])
def test_counts_of_one_head(d_model, n_heads, biases):
    """One of four matrices, all four, three, and three with all of Wo: counted cell by cell."""
    columns = np.zeros((d_model + biases, d_model // n_heads))  # the bias is one more row
    whole = np.zeros((d_model + biases, d_model))

    counts = {
        (int(made["per_matrix"]), int(made["count"]))
        for made in ways("parameter_count", "count_one_head", d_model=d_model, n_heads=n_heads, biases=biases)
    }

    right = (d_model**2, 4 * whole.size)
    assert counts == {
        (columns[:d_model].size, right[1]),
        (right[0], 4 * columns.size),
        (right[0], 3 * columns.size),
        (right[0], 3 * columns.size + whole.size),
    }


def test_columns_counted_from_one():
    """Head 1 of 2 in 6 columns has columns 3 to 5, which people call 4 to 6."""
    made = trace("head_columns", "head_columns_counted_from_one", d_model=6, n_heads=2, head=1)

    assert (int(made["first_column"]), int(made["last_column"])) == (4, 6)


def test_the_combined_mask_by_the_other_convention():
    """Two tokens and one place of filling: allowed where the future or the filling is."""
    made = trace("combine_masks", "mask_polarity_swapped", n=3, length=2)

    assert made["combined"].tolist() == [[False, True, True], [False, False, True], [False, False, True]]


@pytest.mark.parametrize(
    ("mistake", "fifths"), [("exp_sign_lost", [2, 1, 2]), ("exp_sign_turned", [20 / 7, 10 / 7, 5 / 7])]
)
def test_exponentials_with_the_wrong_signs(mistake, fifths):
    """Of -ln 2, 0 and ln 2: 2, 1, 2 of 5 without the signs; 4, 2, 1 of 7 with the others."""
    made = trace("softmax", mistake, masked=np.log([0.5, 1.0, 2.0]))

    assert np.allclose(5 * made["weights"], fifths)


def test_the_blocked_keys_kept_after_softmax():
    """Three equal scores, one of them blocked: only its third is left."""
    made = ways("mask_order", "mask_inverted", scores=np.zeros((1, 3)), mask=np.array([[True, False, True]]))

    assert any(
        np.allclose(one["after"], [[0, 1 / 3, 0]]) and np.allclose(one["weights"], [[0.5, 0, 0.5]]) for one in made
    )


def test_reading_a_column():
    """Read down instead of along."""
    weights = [[0.6, 0.3, 0.1], [0.2, 0.3, 0.5], [0.1, 0.7, 0.2]]

    steps = trace("reading", "reads_column_for_row", weights=weights, token=1)

    assert (int(steps["strongest"]), float(steps["share"]), round(float(steps["row_sum"]), 9)) == (2, 0.7, 1.3)


def test_cross_roles():
    """Roles exchanged: one query for each token of the source."""
    inputs = {"x_q": np.eye(2), "x_kv": np.ones((3, 2)), "wq": np.eye(2), "wk": np.eye(2), "wv": np.eye(2)}

    assert trace("cross", "cross_roles_swapped", **inputs)["weights"].shape == (3, 2)


def test_several_ways_of_one_mistake():
    """A mistake that code makes in two ways applies in both, under one id."""
    inputs = {"masked": np.array([[2.0, 1.0]])}
    right = run(pipelines()["softmax"], inputs)
    ways = [m for m in applicable(pipelines()["softmax"], inputs, right) if m.id == "softmax_plus_one"]

    weights = [run(pipelines()["softmax"], inputs, [way])["weights"].round(4).tolist() for way in ways]
    assert weights == [[[0.4223, 0.1554]], [[0.6652, 0.2447]]]


def test_the_first_form_that_fits_is_made():
    """In several heads the per-head width divides, whatever other sizes are there."""
    inputs = {"scores": np.ones((2, 1, 1)), "d_head": np.array(4), "d_k": np.array(9), "n_heads": np.array(2)}

    assert trace("multi_head", "scale_dk_not_sqrt", **inputs)["scaled"].ravel().tolist() == [0.25, 0.25]


def test_given_steps_are_not_made_wrong():
    """A mistake in a step that is given cannot be made."""
    assert "scale_missing" not in applies("one_head", scores=[[1.0, 2]], scaled=[[0.5, 1]], d_k=4)
    assert "softmax_missing_keepdims" not in applies("one_head", scaled=[[0.5, 1]])
