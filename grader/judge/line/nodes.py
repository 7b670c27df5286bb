"""The values that were seen, place by place, and which step of the reference each of them is.

A `Node` is one place of the file reached in one way, with all that was seen there. Its state says what the numbers are:
a step (`legit`), a step with its axes in another order (`turned`), a step but for a constant a row (`shifted`), what
a step would be without mask or scale (`unmasked`, `unscaled`), or nothing that the reference knows (`foreign`).
"""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from math import isfinite
from typing import Literal, NamedTuple

import numpy as np

from grader.judge.line.layout import alike, is_own, laid, orders, shifted
from grader.judge.line.roles import Role
from grader.model import Array
from grader.sandbox.inside.rewrite import ARGUMENT, ASSIGNED, BINARY, CALL, CHOICE, GROWS, PLACE, TARGET
from grader.sandbox.recorded import ARRAY, SCALAR, TUPLE, Entry, Recording, Site, Value

State = Literal["legit", "turned", "shifted", "repeated", "unmasked", "unscaled", "foreign", "integer", "neutral"]
MAKERS = frozenset(
    {"zeros", "ones", "empty", "full", "zeros_like", "ones_like", "empty_like", "full_like", "eye", "arange"}
)
MANY_GROUPS = 64
MOST_NODES = 600
MOST_REPEATED = 2000


class View(NamedTuple):
    """Some of what was seen at a place, stacked: (count, *shape)."""

    entries: tuple[Entry, ...]
    stack: Array

    @property
    def times(self) -> int:
        """How many values there are."""
        return len(self.entries)

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of one of them."""
        return self.stack.shape[1:]


class Match(NamedTuple):
    """Which role a view is, in which order of its axes, and how exactly."""

    state: State
    role: Role
    order: tuple[int, ...]


@dataclass(slots=True, eq=False)
class Node:
    """One place of the file, reached in one way."""

    number: int
    site: Site
    path: tuple[int, ...]
    entries: list[Entry]
    views: list[View] = field(default_factory=list)
    state: State = "neutral"
    match: Match | None = None
    also: tuple[Role, ...] = ()

    @property
    def order(self) -> int:
        """When it was seen first."""
        return self.entries[0].order

    @property
    def line(self) -> int:
        """The line it begins on."""
        return self.site.line

    @property
    def role(self) -> str:
        """The name of the role that it is."""
        return self.match.role.name if self.match else ""

    @property
    def value(self) -> Value:
        """What was seen first."""
        return self.entries[0].value


class Scale:
    """Tells which role a view is; roles are looked up by how many numbers they hold."""

    def __init__(self, roles: Iterable[Role]) -> None:
        """Sort the roles by size; steps before what is only met on the way."""
        self.roles = list(roles)
        self.by_size: dict[int, list[Role]] = defaultdict(list)
        for role in sorted(self.roles, key=lambda one: (bool(one.supposed), not (one.main or one.given))):
            self.by_size[role.value.size].append(role)

    def match(self, view: View) -> Match | None:
        """The best match: a step as it is, then turned, then shifted, then what it is under a supposition."""
        best: Match | None = None
        for role in self.by_size.get(view.stack.size, ()):
            for order in orders(role.value.shape, view.times, view.shape):
                found = self._one(role, order, view)
                if found is not None and (best is None or RANK[found.state] < RANK[best.state]):
                    best = found
                if best is not None and best.state == "legit":
                    return best
        return best

    def turned(self, view: View) -> Iterator[Role]:
        """Every role that a view is with its axes in another order."""
        for role in self.by_size.get(view.stack.size, ()):
            for order in orders(role.value.shape, view.times, view.shape):
                found = self._one(role, order, view)
                if found is not None and found.state == "turned":
                    yield role
                    break

    @staticmethod
    def _one(role: Role, order: tuple[int, ...], view: View) -> Match | None:
        want = laid(role.value, order, view.times, view.shape)
        if alike(want, view.stack):
            if role.supposed:
                return Match(role.supposed, role, order)
            return Match("legit" if is_own(order, role.value.shape) else "turned", role, order)
        if role.name == "masked" and not role.supposed and is_own(order, role.value.shape):
            last = laid(role.value, order, view.times, view.shape)
            if last.shape[-1:] == role.value.shape[-1:] and shifted(last, view.stack):
                return Match("shifted", role, order)
        return None


RANK: dict[State, int] = {"legit": 0, "turned": 1, "shifted": 2, "unmasked": 3, "unscaled": 4, "foreign": 9}


def nodes(recording: Recording, scale: Scale, sound: set[int]) -> list[Node]:
    """Every node outside the calls in `sound` and what they call, in the order of running, with its state.

    None at all if there are too many to be looked at in the time there is (a function that calls itself, say).
    """
    silent = _inside(recording, sound)
    paths = _paths(recording)
    groups: dict[tuple[int, tuple[int, ...]], list[Entry]] = defaultdict(list)
    for entry in recording.entries:
        if entry.call not in silent:
            groups[entry.site, paths[entry.call]].append(entry)
    if len(groups) > MOST_NODES:
        return []
    found = [Node(site, recording.sites[site], path, entries) for (site, path), entries in groups.items()]
    found.sort(key=lambda node: node.order)
    for node in found:
        _judge(node, scale)
    return found


def _inside(recording: Recording, sound: set[int]) -> set[int]:
    inside = set(sound)
    for place, call in enumerate(recording.calls):
        if place and call.parent in inside:
            inside.add(place)
    return inside


def _paths(recording: Recording) -> list[tuple[int, ...]]:
    """For every call the sites that led to it, outermost first."""
    made: dict[int, list[Entry]] = defaultdict(list)
    for entry in recording.entries:
        if recording.sites[entry.site].kind == CALL:
            made[entry.call].append(entry)
    places = {call: [entry.order for entry in entries] for call, entries in made.items()}
    paths: list[tuple[int, ...]] = [()]
    for call in recording.calls[1:]:
        if not call.parent:
            paths.append(())
            continue
        at = bisect_left(places.get(call.parent, []), call.end)
        after = made[call.parent][at : at + 1]
        paths.append((*paths[call.parent], after[0].site if after else -1))
    return paths


def _judge(node: Node, scale: Scale) -> None:
    """Find out what a node's numbers are."""
    if node.value.kind == TUPLE:
        node.state = _of_tuple(node, scale)
        return
    node.views = _views(node)
    array = node.value.array
    if array is not None and array.ndim and array.dtype.kind == "f" and (not node.views or not array.size):
        node.state = "foreign" if node.value.kind == ARRAY else "neutral"  # of no shape that a step has
    elif node.views and node.value.kind == SCALAR and node.views[0].stack.dtype.kind in "iu":
        node.state = "neutral" if node.site.name in MAKERS else "integer"
    elif node.views and node.site.name not in MAKERS and _telling(node, node.views[0].stack):
        _compare(node, scale)


def _compare(node: Node, scale: Scale) -> None:
    """Look for the step that a node is."""
    stack = node.views[0].stack
    matches = [(found, view) for view in node.views if (found := scale.match(view)) is not None]
    if matches:
        node.match, view = min(matches, key=lambda each: RANK[each[0].state])
        node.state, node.views = node.match.state, [view]
        node.also = tuple(scale.turned(view)) if node.state == "turned" else ()
    elif (again := _repeated(node.views[0], scale)) is not None:
        node.match, node.state = again, "repeated"
    elif not _each(node, scale) and (stack.dtype.kind == "f" or _fits_mask(node, scale)):
        node.state = "foreign"


def _telling(node: Node, stack: Array) -> bool:
    """Whether numbers say anything: no zeros alone; of one number no truth, no infinity, and 0 or 1 only if named."""
    if stack.dtype.kind not in "biuf" or not stack.size:
        return False
    if stack.size > 1 and node.site.kind in {CHOICE, TARGET} and stack.dtype.kind == "f" and bool((stack == 1).all()):
        return False
    if stack.size > 1:
        return stack.dtype.kind != "f" or bool(stack.any()) or (node.value.kind == ARRAY and _computed(node.site))
    number = float(stack.reshape(()))
    if stack.dtype.kind != "f" or not isfinite(number):
        return False
    return number not in {0.0, 1.0, -1.0} or bool(node.site.flags & ASSIGNED and node.site.kind != TARGET)


def _computed(site: Site) -> bool:
    """Whether a value was computed here, and not made to be filled later."""
    changed = site.kind == TARGET and bool(site.flags & GROWS)
    return changed or (site.kind in {BINARY, CALL, PLACE} and site.name not in MAKERS)


def _fits_mask(node: Node, scale: Scale) -> bool:
    stack = node.views[0].stack
    if stack.dtype.kind in "iu" and (stack.max() > 1 or stack.min() < 0):
        return False
    return any(
        orders(role.value.shape, view.times, view.shape)
        for view in node.views
        for role in scale.by_size.get(view.stack.size, ())
        if role.step == "mask" or role.value.dtype == bool
    )


def _repeated(view: View, scale: Scale) -> Match | None:
    """What the values are if each counts once: a step gone through again and again."""
    if not 2 <= view.times <= MOST_REPEATED or view.stack.dtype.kind not in "fb":  # noqa: PLR2004
        return None
    first: dict[bytes, int] = {}
    for place in range(view.times):
        first.setdefault(view.stack[place].tobytes(), place)
    if len(first) == view.times or view.stack[0].size * len(first) < 2:  # noqa: PLR2004
        return None
    places = sorted(first.values())
    found = scale.match(View(tuple(view.entries[place] for place in places), view.stack[places]))
    return found if found is not None and found.state in {"legit", "turned"} else None


def _each(node: Node, scale: Scale) -> bool:
    """Whether every single value seen is a step of its own: one place that served several of them."""
    if not 2 <= len(node.entries) <= MANY_GROUPS // 8:  # noqa: PLR2004
        return False
    return all(
        (found := scale.match(View((entry,), np.asarray(entry.value.array)[None]))) is not None
        and found.state in {"legit", "turned"}
        for entry in node.entries
        if entry.value.array is not None
    )


def _of_tuple(node: Node, scale: Scale) -> State:
    states = []
    for place in range(len(node.value.parts)):
        arrays = [array for entry in node.entries if (array := _part(entry, place)) is not None]
        if len(arrays) != len(node.entries) or len({array.shape for array in arrays}) > 1:
            continue
        if arrays[0].dtype.kind not in "fb" or arrays[0].size * len(arrays) == 1:
            continue
        found = scale.match(View(tuple(node.entries), np.stack(arrays)))
        states.append(found.state if found else "foreign")
    if not states:
        return "neutral"
    return max(states, key=lambda state: RANK[state])


def _part(entry: Entry, place: int) -> Array | None:
    if place >= len(entry.value.parts):
        return None
    part = entry.value.parts[place]
    return part.array if isinstance(part, Value) else part


def _views(node: Node) -> list[View]:
    arrays = [entry.value.array for entry in node.entries]
    if any(array is None for array in arrays):
        return []
    shapes = {array.shape for array in arrays if array is not None}
    kinds = {array.dtype.kind for array in arrays if array is not None}
    if len(shapes) > 1 or ("b" in kinds and len(kinds) > 1):
        return _last_of_growing(node)
    views = [View(tuple(node.entries), np.stack([np.asarray(array) for array in arrays]))]
    if node.site.flags & GROWS or node.site.kind == PLACE:
        views += _every(views[0])
    return views


def _every(view: View) -> list[View]:
    """The last of every so many values: what a sum came to, and not what it was on the way."""
    count = view.times
    steps = [step for step in range(2, count + 1) if count % step == 0][:MANY_GROUPS]
    return [View(view.entries[step - 1 :: step], view.stack[step - 1 :: step]) for step in steps]


def _last_of_growing(node: Node) -> list[View]:
    """A list that grows: its last state."""
    entry = node.entries[-1]
    if node.site.kind in {PLACE, ARGUMENT} and entry.value.array is not None:
        return [View((entry,), np.asarray(entry.value.array)[None])]
    return []


def several(found: Sequence[Node]) -> dict[int, list[Node]]:
    """The nodes by site, where one site was reached in several ways."""
    by_site: dict[int, list[Node]] = defaultdict(list)
    for node in found:
        by_site[node.number].append(node)
    return {site: group for site, group in by_site.items() if len(group) > 1}
