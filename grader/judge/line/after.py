"""A statement behind the loop that it belongs to: it reads the loop's variable, of which only the last is left."""

from grader.judge.line.named import Named, is_end
from grader.judge.line.nodes import Node
from grader.judge.line.search import Scene
from grader.judge.line.trials import Trial, fitting
from grader.sandbox.inside.rewrite import PLACE, TARGET

FOR = len("for ")


def behind(scene: Scene, trial: Trial) -> Named | None:
    """Such a statement, if it is the one repaired, or one that could be."""
    for node in scene.nodes:
        if node.order > trial.node.order:
            return None
        if node.site.kind != PLACE or not _stands_behind(scene, node):
            continue
        here = node.line == trial.node.line
        if here or (is_end(trial) and scene.trials.first(fitting(node, trial.role, own=True)) is not None):
            return Named(node, trial.role.step, sure=True, reason="behind")
    return None


def _stands_behind(scene: Scene, node: Node) -> bool:
    """Whether a place reads the variable of a loop that went on before, and stands in no loop over that variable."""
    names = set(node.site.reads.split())
    heads = [
        one
        for one in scene.nodes
        if one.site.name == "for" and one.site.kind == TARGET and one.site.function == node.site.function
        if one.line < node.line and one.site.target in names
    ]
    inside = {one.site.target for one in heads if one.site.column - FOR < node.site.column}
    return any(len(one.entries) > 1 and one.site.target not in inside for one in heads)
