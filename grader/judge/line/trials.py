"""Runs a submission again with some of its values replaced, within bounds."""

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import islice
from typing import NamedTuple

import numpy as np

from grader.judge.line.layout import laid, orders
from grader.judge.line.nodes import Node, View
from grader.judge.line.roles import Role
from grader.model import Array
from grader.sandbox.recorded import Entry, Repair, Replacement, Tape

MOST = 400
BATCHES = 4, 16  # the first few are the likeliest


class Trial(NamedTuple):
    """One repair to be tried: of which node, as which role, and what it replaces; for a tuple as which roles.

    `reason`: why the place would be named, where that is known beforehand.
    """

    node: Node
    role: Role
    repair: tuple[Replacement, ...]
    parts: tuple[Role, ...] = ()
    reason: str = ""


class Trials:
    """Counts what was tried; after too much, nothing succeeds any more."""

    def __init__(self, tape: Tape, is_right: Callable[[tuple[Array, ...]], bool], returns: int, until: float) -> None:
        """Try until then, by the monotonic clock."""
        self.tape, self.is_right, self.returns = tape, is_right, returns
        self.left, self.until = MOST, until

    def over(self) -> bool:
        """Whether nothing may be tried any more."""
        return self.left <= 0 or time.monotonic() > self.until or not self.tape.alive

    def works(self, repair: Repair) -> bool:
        """Whether one repair makes the result right."""
        return bool(self._run([repair])[0])

    def first(self, trials: Iterable[Trial]) -> Trial | None:
        """The first trial, in their order, that makes the result right."""
        return next(self.all(trials), None)

    def all(self, trials: Iterable[Trial]) -> Iterator[Trial]:
        """Every trial that makes the result right, in their order; the next are run only when asked for."""
        waiting, size = iter(trials), BATCHES[0]
        while batch := list(islice(waiting, size)):
            size = min(2 * size, BATCHES[1])
            for trial, works in zip(batch, self._run([trial.repair for trial in batch]), strict=True):
                if works:
                    yield trial

    def _run(self, repairs: Sequence[Repair]) -> list[bool]:
        if self.over():
            return [False] * len(repairs)
        self.left -= len(repairs)
        return [result is not None and self.is_right(result) for result in self.tape.repair(repairs, self.returns)]


def filled(view: View, values: Array, site: int) -> tuple[Replacement, ...]:
    """A replacement for every occurrence of a view: `values` is (count, *shape)."""
    return tuple(Replacement(site, entry.occurrence, (values[place],)) for place, entry in enumerate(view.entries))


def fitting(node: Node, role: Role, *, own: bool = False) -> Iterator[Trial]:
    """The role put in a node's place, in every order of its axes that fits; or in its own order alone."""
    for view in node.views:
        for order in orders(role.value.shape, view.times, view.shape):
            if own and list(order) != sorted(order):
                continue
            yield Trial(node, role, filled(view, laid(role.value, order, view.times, view.shape), node.number))


def native(node: Node, role: Role) -> Trial:
    """The role put there in its own shape, whatever shape was there; a slice for each occurrence if it has so many."""
    entries = node.entries
    if len(entries) == 1:
        return Trial(node, role, (_whole(node, entries[0], role.value),))
    if role.value.ndim and role.value.shape[0] == len(entries):
        return Trial(node, role, tuple(_whole(node, entry, role.value[i]) for i, entry in enumerate(entries)))
    return Trial(node, role, tuple(_whole(node, entry, role.value) for entry in entries))


def likewise(node: Node, role: Role) -> Trial:
    """Another role put there, its axes in the order of the role that is there now."""
    order = node.match.order if node.match else ()
    if node.state == "repeated" and node.match is not None:
        return _again(node, role)
    if len(order) == role.value.ndim and node.state == "turned":
        return native(node, replace(role, value=role.value.transpose(order)))
    return native(node, role)


def _again(node: Node, role: Role) -> Trial:
    """Another role's parts put there, each wherever the same part of the old role was."""
    view, order = node.views[0], node.match.order if node.match else ()
    keys = [part.tobytes() for part in view.stack]
    places = {key: place for place, key in enumerate(dict.fromkeys(keys))}
    turned = role.value.transpose(order) if role.value.ndim == len(order) else role.value
    rest = turned.shape[role.value.ndim - len(view.shape) :] if role.value.ndim >= len(view.shape) else ()
    parts = turned.reshape(-1, *rest) if len(places) > 1 else turned[None]
    parts = parts if len(parts) >= len(places) else np.zeros((len(places), 1))  # it cannot be: fails when run
    return Trial(node, role, filled(view, np.stack([parts[places[key]] for key in keys]), node.number))


def tuple_of(node: Node, roles: Sequence[Role]) -> Trial:
    """Several roles put in the place of a tuple."""
    count = len(node.entries)
    split = count > 1 and all(role.value.ndim and role.value.shape[0] == count for role in roles)
    replaced = tuple(
        Replacement(
            node.number,
            entry.occurrence,
            tuple(role.value[place] if split else role.value for role in roles),
            several=True,
        )
        for place, entry in enumerate(node.entries)
    )
    return Trial(node, roles[0], replaced, tuple(roles))


def _whole(node: Node, entry: Entry, value: Array) -> Replacement:
    return Replacement(node.number, entry.occurrence, (value,))
