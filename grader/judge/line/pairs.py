"""Two places that are wrong at once: a softmax whose maximum and whose sum are both along the wrong axis.

No single repair shows then which of them is wrong. But a place that still gives the wrong thing when all that goes into
it was made right is wrong by itself.
"""

from dataclasses import replace
from itertools import product

from grader.judge.line.named import Named
from grader.judge.line.nodes import Node
from grader.judge.line.roles import plain
from grader.judge.line.search import Scene
from grader.judge.line.surety import inputs_of
from grader.judge.line.trials import Trial, fitting, native

MADE = {"exp": "exp", "sum": "sum"}
"""What a value was meant to be, where the function that made it leaves no doubt."""
MOST_INPUTS = 2


def even_so(scene: Scene, trial: Trial) -> Named | None:
    """The place repaired, or one that went into it, if it is wrong even where all before it is right."""
    read = list(inputs_of(scene, trial.node))
    inputs = [node for node in read if node is not None and node.state == "foreign" and node.line != trial.node.line]
    told = None not in read and all(node.site.name in MADE and _made_right(scene, node) for node in inputs)
    name = trial.node.site.name
    told = told and not any(node is not None and node.state == "integer" for node in read)
    told = told and (name not in MADE or trial.role.step == MADE[name])
    there = {plain(node.role) for node in read if node is not None and node.state in {"legit", "repeated"}}
    told = told and _all_there(scene, trial.role.name, there | {MADE[node.site.name] for node in inputs})
    if not told or not 0 < len(inputs) <= MOST_INPUTS:
        return None
    inputs.sort(key=lambda node: node.order)
    right = _right_with(scene, inputs)
    if scene.trials.over():
        return None
    if not right:
        return Named(trial.node, trial.role.step, sure=True, reason="even-so")
    for node in reversed(inputs):
        rest = [other for other in inputs if other is not node]
        if not _right_with(scene, rest) and not scene.trials.over():
            return Named(node, MADE[node.site.name], sure=True, reason="even-so")
    return None


def _all_there(scene: Scene, step: str, there: set[str]) -> bool:
    """Whether these are all that a step needs, but for what is made of them on the way."""
    wanted = scene.needs.get(step, frozenset()) - there
    return all(scene.needs.get(name) and scene.needs[name] <= there for name in wanted)


def _right_with(scene: Scene, nodes: list[Node]) -> bool:
    """Whether the result is right with all of these made right, in one layout or another."""
    return any(
        scene.trials.works([one for trial in some for one in trial.repair])
        for some in product(*(_made_right(scene, node) for node in nodes))
    )


def _made_right(scene: Scene, node: Node) -> list[Trial]:
    role = scene.role(MADE[node.site.name])
    if role is None:
        return []
    fits = list(fitting(node, role))
    if role.name == "exp":
        return fits
    flat = replace(role, value=role.value.squeeze(-1) if role.value.shape[-1:] == (1,) else role.value)
    return [*fits, native(node, role), native(node, flat)]
