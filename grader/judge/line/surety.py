"""Whether a place can be blamed: what goes into it is known to be right, or nothing before it is unknown."""

import builtins
from collections.abc import Iterator

import numpy as np

from grader.judge.line.nodes import MAKERS, Node
from grader.judge.line.search import Scene
from grader.sandbox.inside.rewrite import ASSIGNED, CALL, GROWS, LOADED, LOOP, PLACE, TARGET
from grader.sandbox.recorded import NONE, SCALAR, TUPLE, Value

KNOWN = frozenset({"legit", "turned", "shifted", "repeated"})


def sure(scene: Scene, named: Node, *, strictly: bool = False) -> bool:
    """Whether a place can be blamed: what goes into it is known to be right, or nothing before it is unknown."""
    known = [_stands(scene, node) for node in inputs_of(scene, named)]
    known += [None] if _calls_unsound(scene, named) else []
    if (None not in known and all(known)) or strictly:
        return None not in known and all(known)
    return False not in known and _unexplained(scene, named) is None


def _calls_unsound(scene: Scene, named: Node) -> bool:
    """Whether a function of the file goes into it that is not known to have done what it should."""
    reads = set(named.site.reads.split())
    names = reads & {scene.recording.functions[node.site.function] for node in scene.nodes if node.site.function}
    well = {
        node.site.name
        for node in scene.nodes
        if node.site.kind == CALL and node.site.name in names and node.line == named.line and node.state in KNOWN
    }
    return bool(names - well)


def _stands(scene: Scene, node: Node | None) -> bool | None:
    """The same where more can be told from elsewhere: what was cut out with the same slice, which shapes there are."""
    if node is None:
        return None
    array = node.value.array
    counted = (
        node.state == "integer" and node.site.flags & LOOP and node.site.flags & ASSIGNED and node.site.kind != TARGET
    )
    if node.site.name == "slice" or counted:
        name = node.site.target
        return any(
            one.state in KNOWN and one.match is not None and name in one.site.reads.split() for one in scene.nodes
        )
    if node.site.name in MAKERS and array is not None and array.ndim > 1:
        return any(role.value.shape == array.shape for role in scene.roles)
    return _known(node)


def inputs_of(scene: Scene, named: Node) -> Iterator[Node | None]:
    """For every name that a place reads, where it was set last."""
    call, first = named.entries[0].call, named.entries[0].order
    for name in named.site.reads.split():
        if name in scene.recording.functions or hasattr(builtins, name):
            continue
        setters = [
            node
            for node in scene.nodes
            if node.site.target == name or (node.site.kind == PLACE and node.site.name == name)
            if any(
                (entry.call in {call, 0} or name.startswith("self.")) and entry.order < first for entry in node.entries
            )
        ]
        inside = [node for node in scene.nodes if node.site.kind == LOADED and node.site.target == name]
        inside = [node for node in inside if named.order - 50 < node.order < named.entries[-1].order]
        yield setters[-1] if setters else inside[0] if inside else None


def _known(node: Node | None) -> bool | None:
    """Whether a value is known to be right; `False` if it may well be wrong, nothing if that cannot be told."""
    if node is None:
        return None
    if node.state in KNOWN or node.state == "integer" or node.site.name in MAKERS:
        return True
    if node.state == "unscaled":
        return False
    if node.state == "foreign" and node.value.kind == SCALAR and (len(node.entries) == 1 or node.site.flags & GROWS):
        return False
    return _neutral(node) if node.state == "neutral" else None


def _neutral(node: Node) -> bool | None:
    """The same for what is no step: indices may be wrong, sizes and truths are looked at elsewhere."""
    array = node.value.array
    if node.site.kind == PLACE:
        return None
    if node.value.kind == TUPLE:
        return all(isinstance(part, Value) and part.kind == SCALAR for part in node.value.parts)
    if array is not None and array.ndim and array.dtype.kind == "b":
        return False
    if array is not None and array.ndim and array.dtype.kind in "iu":
        arrays = [np.asarray(entry.value.array) for entry in node.entries if entry.value.array is not None]
        return all(np.array_equal(one.ravel(), np.arange(one.size)) for one in arrays)
    return True if node.value.kind in {NONE, SCALAR} or node.views else None


def _unexplained(scene: Scene, named: Node) -> Node | None:
    """A value on an earlier line that the reference does not know and that nothing accounts for."""
    for node in scene.nodes:
        if node.order >= named.order:
            return None
        if node.state == "foreign" and node.line != named.line and node.value.kind != SCALAR:
            return node
    return None
