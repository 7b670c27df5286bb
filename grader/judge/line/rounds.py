"""A loop that does not go as far as it should, or too far; a result that is given back in its first round.

What such a loop was to set is wrong, or was never set: the statement inside is not to be blamed for that. So the
numbers that a `range` counts through are replaced like any other value, by those with another beginning or end.
"""

from collections.abc import Iterator, Sequence
from itertools import islice

import numpy as np

from grader.judge.line.layout import alike
from grader.judge.line.named import Named
from grader.judge.line.nodes import MAKERS, Node, several
from grader.judge.line.search import Scene
from grader.judge.line.surety import inputs_of
from grader.judge.line.trials import Trial, fitting
from grader.model import Array
from grader.sandbox.inside.rewrite import (
    ASSIGNED,
    BINARY,
    CALL,
    COMPARE,
    LOOP,
    PARAMETER,
    PLACE,
    RETURNED,
    SUBSCRIPT,
    TARGET,
)
from grader.sandbox.inside.rewrite import LISTED as LISTED_HERE
from grader.sandbox.recorded import LISTED, TUPLE, Replacement, Value

FOR, RETURN = len("for "), len("return ")
MOST_ROUNDS = 64
MOST_TIMES = 160
MOST_LOOPS = 8
MOST_TRIED = 120
Range = tuple[int, int, int]
End = tuple[int, int, int]
"""Where a range may begin or end instead: so many times where it does now, a number, and so many times its turn."""


def miscounted(scene: Scene) -> Named | None:
    """The `range` that makes the result right if it begins or ends elsewhere."""
    found = scene.trials.first(islice(_recounted(scene), MOST_TRIED))
    if found is None:
        return _cut_short(scene)
    return _handed_bound(scene, found) or Named(found.node, "", sure=True, reason=_how(scene, found))


def _handed_bound(scene: Scene, found: Trial) -> Named | None:
    """The call that handed over another size, where a helper goes through exactly what it was told."""
    old = {_range(entry.value) for entry in found.node.entries}
    new = {len(np.ravel(np.asarray(one.values[0]))) for one in found.repair}
    if len(old) > 1 or len(new) > 1 or not found.node.path:
        return None
    ((_, stop, _),) = old
    told = any(
        node.site.kind == PARAMETER
        and found.node.site.reads.split() == ["range", node.site.target]
        and node.path == found.node.path
        for node in scene.nodes
        if node.state == "integer" and int(node.views[0].stack.flat[0]) == stop
    )
    call = next((node for node in scene.nodes if node.number == found.node.path[-1]), None)
    return Named(call, "", sure=True, reason="handed-number") if told and call is not None else None


def _recounted(scene: Scene) -> Iterator[Trial]:
    """Every `range` with other ends; the step that comes of it is not known."""
    sizes = sorted({size for role in scene.roles if role.given for size in role.value.shape} | _numbers(scene))
    for node in _loops(scene)[:MOST_LOOPS]:
        old = [_range(entry.value) for entry in node.entries]
        for new in _others(old, sizes, grows=not _asks(scene, node)):
            if max(len(range(*one)) for one in new) <= MOST_ROUNDS:
                repair = (
                    Replacement(node.number, entry.occurrence, (np.arange(*one),))
                    for entry, one in zip(node.entries, new, strict=True)
                )
                yield Trial(node, scene.roles[0], tuple(repair))


def _loops(scene: Scene) -> list[Node]:
    """Every `range`; one that a helper went through for several callers first as one, for all of them."""
    single = [node for node in scene.nodes if _counts(node)]
    shared = several(single)
    joined = [_joined(group) for group in shared.values()]
    return [one for one in joined if len(one.entries) <= MOST_TIMES] + single


def _joined(group: Sequence[Node]) -> Node:
    entries = sorted((entry for node in group for entry in node.entries), key=lambda entry: entry.order)
    return Node(group[0].number, group[0].site, group[0].path, entries)


def _cut_short(scene: Scene) -> Named | None:
    """A loop over some rows of what should be gone through in full."""
    heads = {node.line for node in scene.nodes if node.site.kind == TARGET and node.site.flags & LOOP}
    for node in scene.nodes:
        array = node.value.array
        if node.site.kind != SUBSCRIPT or node.line not in heads or array is None or not array.ndim:
            continue
        for role in scene.roles:
            if _is_cut(role.value, array) and not role.supposed:
                repair = [Replacement(node.number, entry.occurrence, (role.value,)) for entry in node.entries]
                if scene.trials.works(repair):
                    return Named(node, "", sure=True, reason="loop-short")
    return None


def _is_cut(whole: Array, part: Array) -> bool:
    """Whether these are the first or the last rows, and not all."""
    if whole.ndim != part.ndim or whole.shape[1:] != part.shape[1:] or not 0 < len(part) < len(whole):
        return False
    return alike(whole[: len(part)], part) or alike(whole[-len(part) :], part)


def unset(trial: Trial) -> bool:
    """Whether the rows that are wrong were not set at all: then the statement that sets rows is not to be blamed."""
    node, want = trial.node, trial.role.value
    got = node.entries[-1].value.array
    if node.site.kind != PLACE or not node.site.flags & LOOP or got is None or got.shape != want.shape or not got.ndim:
        return False
    wrong = [not alike(np.asarray(one), np.asarray(other)) for one, other in zip(want, got, strict=True)]
    return not all(wrong) and not any(row.any() for row, bad in zip(got, wrong, strict=True) if bad)


def cut_rows(scene: Scene, trial: Trial) -> bool:
    """Whether a list was handed as many rows as it should, of another length: each was wrong before it came in."""
    node, want = trial.node, trial.role.value
    got = node.entries[-1].value.array
    if node.site.kind != PLACE or node.value.kind != LISTED or got is None or got.ndim != want.ndim:
        return False
    made = any(one.line == node.line and one.site.kind in {BINARY, LISTED_HERE} for one in scene.nodes)
    made = made or any(one is not None and one.match is not None for one in inputs_of(scene, node))
    return got.shape[:1] == want.shape[:1] and got.shape != want.shape and not made


def _how(scene: Scene, found: Trial) -> str:
    """Whether rounds are missing, too many, or both; another size may be the smaller here and the larger elsewhere."""
    if _counts_other(scene, found):
        return "loop-other"
    old = [set(range(*_range(entry.value))) for entry in found.node.entries]
    new = [set(np.ravel(np.asarray(one.values[0])).tolist()) for one in found.repair]
    missing = any(one - was for was, one in zip(old, new, strict=True))
    much = any(was - one for was, one in zip(old, new, strict=True))
    return "loop-other" if missing and much else "loop-short" if missing else "loop-long"


def _counts_other(scene: Scene, found: Trial) -> bool:
    """Whether a loop goes on to one size, given as it is, and should go on to another."""
    old = {_range(entry.value) for entry in found.node.entries}
    new = {np.asarray(one.values[0]).size for one in found.repair}
    sizes = {size for role in scene.roles if not role.supposed for size in role.value.shape} | _numbers(scene)
    if len(old) > 1 or len(new) > 1:
        return False
    ((start, stop, _),) = old
    site = found.node.site
    worked_out = any(
        node.site.kind == BINARY and node.line == site.line and site.column <= node.site.column < site.end_column
        for node in scene.nodes
    )
    return not start and {stop} | new <= sizes and not worked_out


def kept(scene: Scene, trial: Trial) -> bool:
    """Whether what is wrong of an array was never set: the right values, if they are there from the start, stay."""
    if trial.node.site.kind != PLACE:
        return False
    made = [one for one in scene.nodes if one.site.target == trial.node.site.name and one.site.name in MAKERS]
    return scene.trials.first(one for node in made for one in fitting(node, trial.role)) is not None


def _numbers(scene: Scene) -> set[int]:
    """Whole numbers that are given."""
    return {
        int(role.value) for role in scene.roles if role.given and not role.value.ndim and role.value.dtype.kind == "i"
    }


def _counts(node: Node) -> bool:
    here = node.site.kind == CALL and node.site.name == "range" and len(node.entries) <= MOST_TIMES
    return here and all(entry.value.kind == TUPLE and len(entry.value.parts) == 3 for entry in node.entries)  # noqa: PLR2004


def _range(value: Value) -> Range:
    start, stop, step = (int(np.asarray(part.array if isinstance(part, Value) else part)) for part in value.parts)
    return start, stop, step


def _asks(scene: Scene, node: Node) -> bool:
    """Whether something is compared inside a loop: then that may be what leaves out rounds, or does not."""
    return any(
        other.site.kind == COMPARE and other.site.flags & LOOP and other.site.function == node.site.function
        for other in scene.nodes
    )


def _others(old: Sequence[Range], sizes: Sequence[int], *, grows: bool) -> Iterator[list[Range]]:
    """The same ranges with one end elsewhere, then with both; `grows`: with one more round each time, too."""
    tried = [list(old)]
    starts: list[End] = [(1, 0, 0), (1, -1, 0), (0, 0, 0), (1, 1, 0)]
    stops: list[End] = [(1, 0, 0), (1, 1, 0), *((0, size, 0) for size in sizes), (1, -1, 0)]
    pairs = [(starts[0], stop) for stop in stops] + [(start, stops[0]) for start in starts]
    pairs += [(start, stop) for start in starts[1:3] for stop in stops[1:-1]]
    pairs += [(starts[1], stops[-1])] if all(start == 1 for start, *_ in old) else []
    pairs += [(starts[2], (0, 1, 1))] if grows else []
    for first, last in pairs:
        new = [
            (_moved(start, first, turn), _moved(stop, last, turn), step) for turn, (start, stop, step) in enumerate(old)
        ]
        if new not in tried and min(start for start, *_ in new) >= 0:
            tried.append(new)
            yield new
    if any(step > 1 for *_, step in old):
        yield [(start, stop, 1) for start, stop, _ in old]


def _moved(end: int, to: End, turn: int) -> int:
    return to[0] * end + to[1] + to[2] * turn


def early(scene: Scene) -> Named | None:
    """A `return` inside a loop that gives back what was set so far, while the rest is still empty."""
    roles = [role for name in scene.returns if (role := scene.role(name)) is not None]
    for node in scene.nodes:
        if node.site.kind != RETURNED or not node.site.flags & LOOP or node.path or len(node.entries) != 1:
            continue
        if _in_first_round(scene, node):
            return Named(node, "", sure=True, reason="early")
        got = [node.value.array] if len(roles) == 1 else [_part(part) for part in node.value.parts]
        if len(got) == len(roles) and all(_begun(role.value, one) for role, one in zip(roles, got, strict=True)):
            return Named(node, "", sure=True, reason="early")
    return None


def _in_first_round(scene: Scene, node: Node) -> bool:
    """Whether all the loops around it have gone through one round, and each of them had more to go through."""
    here = [one for one in scene.nodes if one.site.function == node.site.function and one.line < node.line]
    around = [one for one in here if one.site.kind == TARGET and one.site.flags & LOOP and one.site.flags & ASSIGNED]
    around = [one for one in around if one.site.reads and one.site.column - FOR < node.site.column - RETURN]
    counts = {one.line: _range(one.value) for one in here if _counts(one)}
    return bool(around) and all(
        len(one.entries) == 1 and one.line in counts and len(range(*counts[one.line])) > 1 for one in around
    )


def _part(part: Value | Array) -> Array | None:
    return part.array if isinstance(part, Value) else part


def _begun(want: Array, got: Array | None) -> bool:
    """Whether a result is right where it is set, and some of it is."""
    if got is None or not want.ndim or got.shape[1:] != want.shape[1:] or got.ndim != want.ndim:
        return False
    rows = want[: len(got)]  # (rows so far, …)
    if len(got) < len(want):
        return len(got) > 0 and alike(rows, got)
    return got.shape == want.shape and bool(got.any()) and alike(np.where(got == 0, got, want), got)
