"""Right but for its digits: too few of them, the rest cut off, or one unit of the last."""

from collections.abc import Sequence

from grader.judge.compare import coarse, cut_off, cut_short, differing, off_by_one
from grader.judge.sheet import Mark
from grader.model import Array, Finding


def too_short(mark: Mark, targets: Sequence[Array]) -> Finding | None:
    """A finding if the answer is right but for its digits: too few of them, or the rest cut off."""
    answer, decimals = mark.answer, mark.blank.decimals
    numbers = {"decimals": decimals, "blank": mark.blank.name}
    if any(coarse(answer, target, decimals, differing(answer, target, decimals)) for target in targets):
        return Finding("imprecise", numbers)
    if any(cut_off(answer, target, decimals) for target in targets):
        return Finding("cut-off", numbers)
    return Finding("cut-short", numbers) if any(cut_short(answer, target, decimals) for target in targets) else None


def far_too_short(mark: Mark, targets: Sequence[Array]) -> tuple[Finding, ...]:
    """A finding if the answer is right as far as it goes, which is less than half of the asked decimals."""
    answer, decimals = mark.answer, mark.blank.decimals
    if any(coarse(answer, target, decimals, differing(answer, target, decimals), 1) for target in targets):
        return (Finding("far-too-few", {"decimals": decimals, "blank": mark.blank.name}),)
    return ()


def last_digit(mark: Mark, targets: Sequence[Array]) -> tuple[Finding, ...]:
    """A finding if the answer is right but for one unit of the last digit, where rounding decides it."""
    found = (off_by_one(mark.answer, target, mark.blank.decimals) for target in targets)
    places = next((one for one in found if one), ())
    if not places:
        return ()
    cell = f"[{', '.join(map(str, places[0]))}]" if places[0] else ""
    return (Finding("last-digit", {"cell": mark.blank.name + cell, "decimals": mark.blank.decimals}),)
