"""Whether it can be said what a place was meant to be, or only that it goes wrong there."""

from grader.judge.line.named import Named
from grader.judge.line.roles import plain
from grader.judge.line.search import Scene

NAMED = frozenset({"repaired", "returned", "part", "mixed-up", "ingredient", "even-so", "inner"})
"""Why a place is named, where the sentence then says that it should be the step."""


def without_guess(scene: Scene, named: Named) -> Named:
    """The same; without its step if a later step was there already and was right: something else was meant then.

    Exponentials taken of finished weights could be put right by scores in their place, but are not meant to be those.
    """
    if not named.sure or not named.step or named.reason not in NAMED or named.part >= 0:
        return named
    seen = {
        plain(node.role)
        for node in scene.nodes
        if node.order <= named.node.order and node.state in {"legit", "repeated"} and node.match is not None
        if node.match.role.main
    }
    later = any(named.step in _above(scene, role) for role in seen)
    return named._replace(step="", reason="alone") if later else named


def _above(scene: Scene, step: str) -> set[str]:
    """All the steps that a step comes from."""
    found: set[str] = set()
    waiting = set(scene.needs.get(step, ()))
    while waiting:
        name = waiting.pop()
        found.add(name)
        waiting |= scene.needs.get(name, frozenset()) - found
    return found
