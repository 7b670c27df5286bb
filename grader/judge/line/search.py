"""Finds the place whose value, replaced by what it should be, makes the result right.

Places are tried in the order of running, in three rounds: values that the reference does not know; then values that
are what they would be without a mask; then without the scale. A value that is a step already is left alone: replacing
it by a later step could hide a mistake made further on.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from grader.judge.line.nodes import Node, several
from grader.judge.line.roles import FAMILIES, Role
from grader.judge.line.trials import Trial, Trials, filled, fitting, native, tuple_of
from grader.model import Array
from grader.sandbox.inside.rewrite import ARGUMENT, LOADED, PARAMETER, RETURNED, TURNED
from grader.sandbox.recorded import SCALAR, TUPLE, Recording, Replacement

HINTS = {"max": "maximum", "amax": "maximum", "sum": "sum", "where": "masked"}
LOGARITHMS = {"log_sum", "log_sum_exp", "log_weights"}
TURNS = {"transpose", "swapaxes", "moveaxis", "einsum", "reshape", "permute_dims", "rollaxis"}
EXPONENTIALS = {"exp", "exp_plain"}
EXPONENTIAL_NAMES = {"exp", "exp2", "expm1", "power"}
MOST_NATIVE = 10
FACTOR = 1.75


@dataclass(frozen=True, slots=True)
class Scene:
    """One probe on which the function gives a wrong result, with all that was seen."""

    recording: Recording
    nodes: Sequence[Node]
    roles: Sequence[Role]
    returns: tuple[str, ...]
    trials: Trials
    needs: Mapping[str, frozenset[str]]

    def main(self) -> list[Role]:
        """The steps, in their order."""
        return sorted((role for role in self.roles if role.main and not role.supposed), key=lambda role: role.rank)

    def role(self, name: str) -> Role | None:
        """The right role of a name."""
        return next((role for role in self.roles if role.name == name and not role.supposed), None)

    def offered(self) -> list[Role]:
        """What may be put in a place: steps first, then what is only met on the way; an inverted mask too."""
        logs = any(node.site.name.startswith("log") for node in self.nodes)
        rest = [role for role in self.roles if not role.main and not role.supposed and not role.given]
        rest = [role for role in rest if logs or role.name not in LOGARITHMS]
        masks = [role for role in self.roles if role.given and role.value.dtype == bool]
        return self.main() + rest + masks


def departed(scene: Scene) -> Trial | None:
    """The first value that is no step and whose repair makes the result right."""
    for trial in scene.trials.all(_departed_trials(scene)):
        if not hides(scene, trial):
            return trial
    return None


def _departed_trials(scene: Scene) -> Iterator[Trial]:
    offered, main, shared = scene.offered(), scene.main(), several(scene.nodes)
    done = set()
    for node in scene.nodes:
        if node.state not in {"foreign", "turned", "shifted"} or node.site.kind == PARAMETER:
            continue
        group = shared.get(node.number)
        if group is not None and node.number not in done:
            done.add(node.number)
            yield from _together(scene, [one for one in group if one.state in {"foreign", "turned"}])
        if node.state == "turned" and node.match is not None:
            if goes_on(scene, node):
                continue
            yield from (native(node, role) for role in node.also)
            if node.match.role.value.dtype == bool:
                yield from _foreign(scene, node, offered, main)
        elif node.state == "shifted":
            yield from _shifted(scene, node)
        elif node.value.kind == TUPLE:
            yield from _tuples(scene, node)
        else:
            yield from _foreign(scene, node, offered, main)


def goes_on(scene: Scene, node: Node) -> bool:
    """Whether what goes into a turned value is turned already: it was not turned here."""
    if node.site.kind == TURNED or node.site.name in TURNS:
        return False
    names, shape = node.site.reads.split(), node.views[0].shape
    return any(
        other.state == "turned" and other.order < node.order and other.views[0].shape == shape
        for other in scene.nodes
        if other.site.target in names
    )


def _shifted(scene: Scene, node: Node) -> Iterator[Trial]:
    for name in ("minus_max", "masked"):
        role = scene.role(name)
        if role is not None:
            yield from fitting(node, role, own=True)


def _foreign(scene: Scene, node: Node, offered: Sequence[Role], main: Sequence[Role]) -> Iterator[Trial]:
    exponential = node.site.name in EXPONENTIAL_NAMES
    truths = bool(node.views) and node.views[0].stack.dtype == bool
    tried = set()
    hint = HINTS.get(node.site.name, "")
    for role in sorted(offered, key=lambda one: one.name != hint):
        if exponential and role.name not in EXPONENTIALS:
            continue
        if truths and role.value.dtype != bool:
            continue  # any number is a truth, so exponentials would do where a mask is asked
        for trial in fitting(node, role):
            tried.add(role.name)
            yield trial
    single = node.value.kind == SCALAR and len(node.entries) == 1
    hinted = scene.role(hint)
    if single and hinted is not None:
        yield native(node, hinted)
    if exponential or single or not node.views or len(node.entries) > MOST_NATIVE:
        return
    if hinted is not None and hint not in tried:
        yield native(node, hinted)
    yield from _per_occurrence(scene, node)
    view = node.views[0]
    for role in main:
        if role.name not in tried and role.value.ndim >= 2 and _could_be(role, view.stack):  # noqa: PLR2004
            yield native(node, role)


def _could_be(role: Role, stack: Array) -> bool:
    """Another shape may stand for the role: as many axes, and as many kinds of number."""
    return (role.value.dtype == bool) == (stack.dtype == bool) and (
        abs(role.value.ndim - (stack.ndim - 1)) <= 1 or abs(role.value.ndim - stack.ndim) <= 1
    )


def _family(scene: Scene, count: int) -> Iterator[list[Role]]:
    for names in FAMILIES:
        roles = [role for name in names if (role := scene.role(name)) is not None and role.main]
        if len(roles) == 3:  # noqa: PLR2004
            if count == 3:  # noqa: PLR2004
                yield roles
            elif count == 2:  # noqa: PLR2004
                yield from ([roles[0], roles[1]], [roles[1], roles[2]], [roles[0], roles[2]])


def _per_occurrence(scene: Scene, node: Node) -> Iterator[Trial]:
    """One place that served queries, keys and values in turn."""
    for roles in _family(scene, len(node.entries)):
        replaced = tuple(
            Replacement(node.number, entry.occurrence, (role.value,))
            for entry, role in zip(node.entries, roles, strict=True)
        )
        yield Trial(node, roles[0], replaced)


def _together(scene: Scene, group: Sequence[Node]) -> Iterator[Trial]:
    """One place of a helper that was called for queries, keys and values: all repaired at once."""
    if any(len(node.entries) != 1 for node in group):
        return
    for roles in _family(scene, len(group)):
        replaced = tuple(
            Replacement(node.number, node.entries[0].occurrence, (role.value,))
            for node, role in zip(group, roles, strict=True)
        )
        yield Trial(group[0], roles[0], replaced)


def _tuples(scene: Scene, node: Node) -> Iterator[Trial]:
    for names in (scene.returns, ("output", "weights"), ("q", "k", "v"), ("q_heads", "k_heads", "v_heads")):
        roles = [role for name in names if (role := scene.role(name)) is not None]
        if len(roles) == len(names) == len(node.value.parts):
            yield tuple_of(node, roles)


def ends(scene: Scene) -> Iterator[Trial]:
    """What the function returns in the end, made right."""
    roles = [role for name in scene.returns if (role := scene.role(name)) is not None]
    for node in scene.nodes:
        if node.site.kind != RETURNED or len(roles) != len(scene.returns):
            continue
        if len(roles) > 1 and (not node.path or len(node.value.parts) == len(roles)):
            yield tuple_of(node, roles)
        elif not node.path:
            yield native(node, roles[0])


def hides(scene: Scene, trial: Trial) -> bool:
    """Whether a repair hides a mistake that comes later: shares that are made shares once more."""
    if trial.role.name not in {"weights", "one_over_sum", "sum", "sum_plain"} or trial.repair[0].several:
        return False
    louder = tuple(
        one._replace(values=tuple(value * FACTOR if isinstance(value, np.ndarray) else value for value in one.values))
        for one in trial.repair
    )
    return scene.trials.works(louder)


def supposed(scene: Scene, state: str) -> Trial | None:
    """The first value that is what it would be without mask or scale, and whose repair makes the result right."""
    return scene.trials.first(_supposed_trials(scene, state))


def _supposed_trials(scene: Scene, state: str) -> Iterator[Trial]:
    for node in scene.nodes:
        if node.state != state:
            continue
        if node.value.kind == TUPLE:
            yield from _tuples(scene, node)
        elif node.match is not None and (role := scene.role(node.match.role.name)) is not None:
            view = node.views[0]
            values = _as(role.value, node.match.order, view.stack.shape)
            if values is not None:
                yield Trial(node, role, filled(view, values, node.number))


def _as(value: Array, order: tuple[int, ...], shape: tuple[int, ...]) -> Array | None:
    """The value in another's order of axes, if that makes sense for it."""
    if value.size != int(np.prod(shape)) or value.ndim != len(order):
        return None
    return value.transpose(order).reshape(shape)


def raised(scene: Scene, low: str, high: str, *, before: int | None = None) -> list[Trial]:
    """The places that hold the step `low` and make the result right if they hold `high`, in the order of running."""
    role = scene.role(high)
    if role is None:
        return []
    return list(scene.trials.all(_raised_trials(scene, low, role, before)))


def _raised_trials(scene: Scene, low: str, role: Role, before: int | None) -> Iterator[Trial]:
    for node in scene.nodes:
        if before is not None and node.order > before:
            return
        fit = node.match is not None and node.state in {"legit", "turned", "unmasked", "unscaled"}
        if fit and node.match is not None and node.role == low and node.site.kind not in {ARGUMENT, PARAMETER, LOADED}:
            values = _as(role.value, node.match.order, node.views[0].stack.shape)
            if values is not None:
                yield Trial(node, role, filled(node.views[0], values, node.number))
