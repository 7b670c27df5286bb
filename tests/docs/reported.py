"""The run whose report docs/report.md shows: one mistake on a worksheet, a variant mistyped, a function that stops."""

import shutil

from tests.conftest import ROOT

FILES = ("15_two_scores.md", "20_softmax_axis.md", "22_softmax.py")


def write(folder):
    """The three files: divided by 64 instead of its root, a name mistyped in code, a variant that is no token."""
    folder.mkdir()
    for name in FILES:
        shutil.copy(ROOT / "exercises" / name, folder / name)
    _change(folder / FILES[0], {
        "scaled:    [_, _]": "scaled:    [1.75, 1.5]",
        "minus_max: [_, _]": "minus_max: [0, -0.25]",
        "weights:   [_, _]": "weights:   [0.5622, 0.4378]",
    })  # fmt: skip
    _change(folder / FILES[1], {"variant: softmax_axis.": "variant: "})
    stops = "e = np.exp(x)\n    return e / totl.sum(axis=-1, keepdims=True)"
    _change(folder / FILES[2], {"raise NotImplementedError": stops})


def _change(file, changes):
    text = file.read_text(encoding="utf-8")
    for old, new in changes.items():
        assert old in text, old
        text = text.replace(old, new)
    file.write_text(text, encoding="utf-8")
