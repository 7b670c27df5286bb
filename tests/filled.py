"""A learner who gets everything right: fills every worksheet and function of a folder."""

from pathlib import Path

from grader import trace
from grader.bank import token
from grader.worksheet.collect import collect
from grader.worksheet.fill import fill
from tests.typing_learner import text_of

RIGHT = Path(__file__).parent / "right" / "one_file.py"


def fill_right(folder: Path) -> None:
    """Put the right answers into every file."""
    functions = RIGHT.read_text(encoding="utf-8")
    for file in collect(folder).files:
        if file.kind == "function":
            header = [line for line in file.source.splitlines() if line.startswith("# ")]
            turned = in_convention(token.variant(file.token))
            file.path.write_text("\n".join(header) + "\n\n" + functions + turned, encoding="utf-8")
        else:
            variant = token.variant(file.token)
            right = trace.solve(variant)
            typed = {blank.name: text_of(blank, right) for blank in variant.blanks}
            file.path.write_text(fill(file.source, typed), encoding="utf-8")


def in_convention(variant) -> str:
    """The lines that turn the function of a file to the conventions its variant was drawn with."""
    spec, settings = variant.template.function, variant.chosen["conventions"]
    blocked, stored = settings.get("mask_true") == "blocked", settings.get("weights_stored") == "out_in"
    ways = [
        "None if one is None else ~one" if one.input == "mask" and blocked
        else "one.T" if one.input in {"wq", "wk", "wv", "wo"} and stored
        else "one"
        for one in spec.parameters
    ]  # fmt: skip
    returns_mask = blocked and any(returned.dtype == "bool" for returned in spec.returns)
    return f"""

_plain = {spec.name}


def {spec.name}(*arguments):
    ways = [{", ".join(f"lambda one: {way}" for way in ways)}]
    result = _plain(*(way(one) for way, one in zip(ways, arguments)))
    return {"~result" if returns_mask else "result"}
"""
