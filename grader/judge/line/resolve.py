"""From the place whose repair makes the result right to the line that is to be named."""

import ast
from collections.abc import Iterator, Sequence
from itertools import chain, pairwise

from grader.judge.line.after import behind
from grader.judge.line.aliases import copied
from grader.judge.line.cuts import cut
from grader.judge.line.handed import ingredient, this_call
from grader.judge.line.kinds import numbers_for_truths, whole_numbers
from grader.judge.line.limits import conditions, worked_out
from grader.judge.line.meant import misnamed
from grader.judge.line.mixed import mixed_up
from grader.judge.line.named import Named, is_end
from grader.judge.line.nodes import Node
from grader.judge.line.pairs import even_so
from grader.judge.line.parts import told
from grader.judge.line.roles import FAMILIES
from grader.judge.line.rounds import cut_rows, early, kept, miscounted, unset
from grader.judge.line.search import Scene, departed, ends, raised, supposed
from grader.judge.line.sums import restarted
from grader.judge.line.surety import inputs_of, sure
from grader.judge.line.trials import Trial, native
from grader.judge.line.turns import made_turned, turned_later
from grader.judge.line.upstream import chosen, factor, inverted, upstream
from grader.sandbox.inside.rewrite import ARGUMENT, ASSIGNED, DEAD, PARAMETER, PLACE, TURNED
from grader.sandbox.recorded import ARRAY, NONE, Site

MOST_TEXT = 80
CHANGES = frozenset({"fill_diagonal", "copyto", "put", "putmask", "place", "put_along_axis", "append", "extend"})


def resolved(scene: Scene) -> Named | None:
    """The place where the function went wrong."""
    other = whole_numbers(scene) or miscounted(scene) or early(scene) or _not_kept(scene)
    other = other or _shaped(scene)
    if other is not None:
        return other
    trial = departed(scene)
    trial = None if trial is None else turned_later(scene, trial)
    if trial is not None and not is_end(trial):
        named = behind(scene, trial) or upstream(scene, trial)
        if named is None and _to_blame(scene, trial):
            return told(scene, trial, sure=True, reason="unset" if kept(scene, trial) else "repaired")
        return named or even_so(scene, trial) or told(scene, trial, sure=False, reason="repaired")
    named = _omitted(scene) or mixed_up(scene, None)
    if named is not None:
        return named
    trial = trial or scene.trials.first(ends(scene))
    if trial is None:
        return None
    sure_of_it = sure(scene, trial.node, strictly=True)
    other = numbers_for_truths(scene, trial) or made_turned(scene, trial) or behind(scene, trial)
    return other or upstream(scene, trial) or told(scene, trial, sure=sure_of_it, reason="returned")


def _shaped(scene: Scene) -> Named | None:
    """Two names for one array, the columns of a head, a condition, a jump, a sum: what no single step shows."""
    found = scene.trials.first(chain(copied(scene), cut(scene), conditions(scene), restarted(scene)))
    if found is None:
        return None
    setter = worked_out(scene, found) if found.reason == "limit" else None
    if setter is not None:
        return Named(setter, "", sure=True, reason="number-alone")
    return Named(found.node, "", sure=True, reason=found.reason)


def _to_blame(scene: Scene, trial: Trial) -> bool:
    """Whether the place repaired is sure to be the one that is wrong."""
    if any(node is not None and misnamed(node) for node in inputs_of(scene, trial.node)):
        return False  # something else came in than was meant to
    return sure(scene, trial.node) and not inverted(scene, trial) and not unset(trial) and not cut_rows(scene, trial)


def _omitted(scene: Scene) -> Named | None:
    """A step that was left out: the mask, the scale, the output projection, the exponential."""
    for state, steps in (
        ("unmasked", (("scaled", "masked"), ("scores", "masked_raw"))),
        ("unscaled", (("scores", "scaled"),)),
    ):
        trial = supposed(scene, state)
        if trial is not None:
            dead = next(_dead(scene), None)
            if dead is not None:
                return Named(dead, dead.match.role.step if dead.match else steps[0][1], sure=True, reason="dead")
            return _left_out(scene, trial, state, steps)
    for low, high in _pairs(scene):
        found = raised(scene, low, high)
        if found:
            node, step = found[0].node, found[0].role.step
            return this_call(scene, node, step) or Named(node, step, sure=sure(scene, node), reason="omitted")
    return None


def _left_out(scene: Scene, trial: Trial, state: str, steps: Sequence[tuple[str, str]]) -> Named:
    """Where the step should have come: thrown away, put elsewhere, not read, not there."""
    place = _elsewhere(scene) if state == "unmasked" else None
    if place is not None:
        return Named(place, steps[0][1], sure=True, reason="elsewhere")
    unused = _unused(scene, trial, steps)
    if unused is not None:
        return Named(unused, steps[0][1], sure=sure(scene, unused), reason="unused")
    for low, high in steps:
        found = raised(scene, low, high, before=trial.node.order)
        if found:
            last = chosen(found) if state == "unscaled" else _inside(scene, _last(found), found)
            step = high.removesuffix("_raw")
            dead = _dead_at(scene, last.node)
            forgot = _not_handed_on(scene, last.node) if state == "unmasked" else None
            if dead is not None or forgot is not None:
                return Named(dead or forgot or last.node, step, sure=True, reason="dead" if dead else "omitted")
            other = ingredient(scene, last) if state == "unmasked" else factor(scene, last.node)
            return other or Named(last.node, step, sure=sure(scene, last.node), reason="omitted")
    return Named(trial.node, steps[0][1], sure=sure(scene, trial.node), reason="omitted-here")


def _last(found: Sequence[Trial]) -> Trial:
    """The last place that holds a value, a mere transpose of it left aside; first of all one that chooses."""
    for one in found:
        if one.node.site.name == "where":
            return one
    return next((one for one in reversed(found) if one.node.site.kind != TURNED), found[-1])


def _inside(scene: Scene, last: Trial, found: Sequence[Trial]) -> Trial:
    """What a helper returns, if it was given the mask and did not use it."""
    number = last.node.number
    takes = any(
        node.path[-1:] == (number,) and node.role == "mask" and node.site.kind == PARAMETER for node in scene.nodes
    )
    inside = [one for one in found if one.node.path[-1:] == (number,)]
    return inside[-1] if takes and inside else last


def _not_handed_on(scene: Scene, node: Node) -> Node | None:
    """The call of a helper that could have been given the mask, and was not."""
    for one in scene.nodes:
        if one.site.kind == PARAMETER and one.path == node.path and one.path and one.value.kind == NONE:
            return next((call for call in scene.nodes if call.number == one.path[-1]), None)
    return None


def _pairs(scene: Scene) -> Iterator[tuple[str, str]]:
    names = [role.name for role in scene.main()]
    beside = [set(family) for family in FAMILIES]
    for pair in pairwise(names):
        if pair[1] != "minus_max" and not any(set(pair) <= family for family in beside):
            yield pair


def _unused(scene: Scene, trial: Trial, steps: Sequence[tuple[str, str]]) -> Node | None:
    """What is read instead of the step, where a variable does hold it."""
    if trial.node.path:
        return None
    before = [node for node in scene.nodes if node.order < trial.node.order and node.state == "legit"]
    kept = [node for node in before if node.site.flags & ASSIGNED or node.site.kind == PLACE]
    holds = [node for node in kept if node.role == steps[0][1]]
    if not holds:
        return None
    lows = {low for low, _ in steps} | {"masked_raw"}
    later = [node for node in before if node.order > holds[0].order and node.role in lows]
    return next((node for node in later if node.site.kind != ARGUMENT), trial.node)


def _elsewhere(scene: Scene) -> Node | None:
    """Something else that was masked in its place."""
    masks = {node.site.target for node in scene.nodes if node.role in {"mask", "blocked"}}
    for node in scene.nodes:
        if node.site.kind == PLACE and node.state == "foreign" and masks & set(node.site.reads.split()):
            return node
    return None


def _not_kept(scene: Scene) -> Named | None:
    """A step that was computed and not kept, if a variable that it reads makes the result right by holding it."""
    for dead in _dead(scene):
        role = scene.role(dead.role)
        names = set(dead.site.reads.split())
        read = [one for one in scene.nodes if one.order < dead.order and {one.site.target, _changed(one)} & names]
        last = {one.site.target or one.site.name: one for one in read}
        if role is not None and scene.trials.first(native(one, role) for one in last.values()):
            return Named(dead, role.step, sure=True, reason="dead")
    return None


def _changed(node: Node) -> str:
    """The variable that is changed in its place."""
    return node.site.name if node.site.kind == PLACE else ""


def _dead_at(scene: Scene, node: Node) -> Node | None:
    """What is computed there and not kept, if a variable only stands in a statement that does nothing to it."""
    for one in scene.nodes:
        thrown = one.site.flags & DEAD and one.site.name not in CHANGES and one.value.kind == ARRAY
        if thrown and one.site[4:8] == node.site[4:8]:
            return one
    return None


def _dead(scene: Scene) -> Iterator[Node]:
    """The steps that were computed and not kept."""
    for node in scene.nodes:
        used = node.site.name in CHANGES
        if node.site.flags & DEAD and not used and node.state == "legit" and node.match and node.match.role.main:
            yield node


def part_of(source: str, site: Site, part: int) -> Site:
    """One part of a tuple that is written out at a place; else the place itself."""
    here = (site.line, site.column, site.end_line, site.end_column)
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Tuple) and _place(node) == here and part < len(node.elts):
            line, column, end_line, end_column = _place(node.elts[part])
            return site._replace(line=line, column=column, end_line=end_line, end_column=end_column)
    return site


def _place(node: ast.expr) -> tuple[int, int, int, int]:
    return node.lineno, node.col_offset, node.end_lineno or node.lineno, node.end_col_offset or node.col_offset


def text_of(source: str, site: Site) -> str:
    """The expression at a place, as it stands in the file; its first line if it has several."""
    lines = source.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    if not 0 < site.line <= len(lines):
        return ""
    data = lines[site.line - 1].encode("utf-8", "replace")
    end = site.end_column if site.end_line == site.line else len(data)
    text = data[site.column : end].decode("utf-8", "replace").strip()
    return text if len(text) <= MOST_TEXT else text[: MOST_TEXT - 1] + "…"
