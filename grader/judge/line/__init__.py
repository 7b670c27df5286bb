"""Names the line where a wrong function goes wrong, without having seen its mistake before.

A submission is run once more, after its marks are fixed, with every value on the way recorded (`sandbox/recorded.py`).
Then one value after the other is replaced by what it should be: the first replacement that makes the result right is
where it went wrong. What is found is advice. Nothing here touches a mark.
"""

import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Literal

import numpy as np

from grader.judge.conventions import arguments, canonical
from grader.judge.line.layout import close
from grader.judge.line.meaning import without_guess
from grader.judge.line.named import Named
from grader.judge.line.nodes import Scale, nodes
from grader.judge.line.probes import probes
from grader.judge.line.resolve import part_of, resolved, text_of
from grader.judge.line.roles import needs, roles
from grader.judge.line.search import Scene
from grader.judge.line.sound import CONTRACTS, Masks, keeps, returned, sound, wanted_of
from grader.judge.line.trials import Trials
from grader.model import Array, FunctionSpec, Outcome, Variant
from grader.sandbox.recorded import NONE, SCALAR, Entry, Recording, Replacement, Tape, Value
from grader.trace import pipelines, run

__all__ = ["Found", "Record", "changes", "find"]

Record = Callable[[str, str, int], AbstractContextManager[Tape]]
"""Opens a recording of a source: the function's name, and how many values it returns."""


SECONDS = 0.3
"""After so long nothing more is tried."""


@dataclass(frozen=True, slots=True)
class Found:
    """Where a function goes wrong: the line, the expression there, and the step it was meant to be.

    Of low confidence only the step should be said. The step is empty where it is not sure what was meant.
    """

    line: int
    expression: str
    step: str
    confidence: Literal["high", "low"]
    reason: str = ""


def find(variant: Variant, source: str, record: Record) -> Found | None:
    """The line of a wrong function, if one is found; nothing for a right one, or one that always crashes."""
    spec = variant.template.function
    if spec is None:
        return None
    with record(source, spec.name, len(spec.returns)) as tape:
        until = time.monotonic() + SECONDS
        for inputs in probes(variant):
            probe = _Probe(variant, spec, inputs, until)
            outcome = tape.plain(probe.arguments)
            if not tape.alive or time.monotonic() > until:
                return None
            if outcome is None or probe.is_right(outcome.values):
                continue
            recording = tape.run(probe.arguments)
            if recording is None or not _same(outcome, recording.result):
                return None
            named = _in_helper(probe, tape, recording)
            if named is None or named.reason == "axis":  # which may be the call's
                again = tape.run(probe.arguments) if tape.recorded else recording
                named = (again and _in_whole(probe, tape, again)) or named
            return None if named is None else _found(source, named)
    return None


def changes(variant: Variant, source: str, record: Record) -> int | None:
    """The line after which an argument is no longer what was handed over, if the function changes one."""
    spec = variant.template.function
    if spec is None:
        return None
    with record(source, spec.name, len(spec.returns)) as tape:
        until = time.monotonic() + SECONDS
        for inputs in probes(variant):
            handed = _Probe(variant, spec, inputs, until).arguments
            outcome = tape.plain(handed)
            if not tape.alive or time.monotonic() > until:
                return None
            if outcome is not None and outcome.inputs_changed:
                recording = tape.run(handed, watches=True)
                if recording is None or not _same(outcome, recording.result) or recording.changed_at < 0:
                    return None
                return recording.sites[recording.changed_at].line
    return None


class _Probe:
    """One probe: what is handed over and what should come back."""

    def __init__(self, variant: Variant, spec: FunctionSpec, inputs: Mapping[str, Array], until: float) -> None:
        self.spec, self.inputs, self.until = spec, inputs, until
        self.settings = variant.chosen.get("conventions", {})
        self.pipeline = pipelines()[variant.template.pipeline]
        self.trace = run(self.pipeline, inputs)
        self.steps = tuple(one.step for one in spec.returns)
        self.arguments = arguments(spec, self.settings, inputs)
        places = [place for place, parameter in enumerate(spec.parameters) if parameter.input == "mask"]
        handed = self.arguments[places[0]] if places else None
        self.masks: Masks = (handed, inputs["mask"]) if isinstance(handed, np.ndarray) else ()

    def is_right(self, values: tuple[Array, ...]) -> bool:
        """Whether a result is the reference's."""
        turned = canonical(self.spec, self.settings, values)
        return all(close(self.trace[step], value) for step, value in zip(self.steps, turned, strict=True))


def _same(plain: Outcome, recorded: Outcome) -> bool:
    """Whether the recorded run gave the very same as the plain one."""
    return len(plain.values) == len(recorded.values) and all(
        one.shape == other.shape and one.dtype == other.dtype and one.tobytes() == other.tobytes()
        for one, other in zip(plain.values, recorded.values, strict=True)
    )


def _in_whole(probe: _Probe, tape: Tape, recording: Recording) -> Named | None:
    known = roles(probe.pipeline, probe.inputs, probe.trace)
    seen = nodes(recording, Scale(known), sound(recording, probe.spec.name, probe.masks))
    trials = Trials(tape, probe.is_right, len(probe.steps), probe.until)
    scene = Scene(recording, seen, known, probe.steps, trials, needs(probe.pipeline))
    named = resolved(scene)
    return None if named is None else without_guess(scene, named)


def _in_helper(probe: _Probe, tape: Tape, recording: Recording) -> Named | None:
    """In the smallest function of the file that breaks its contract, if keeping it would make the result right."""
    results = returned(recording)
    broken = [
        place
        for place, call in enumerate(recording.calls)
        if place > 1
        and place in results
        and (name := recording.functions[call.function]) in CONTRACTS
        and name != probe.spec.name
        and not keeps(name, call.arguments, results[place].value, probe.masks)
    ]
    trials = Trials(tape, probe.is_right, len(probe.steps), probe.until)
    for name in dict.fromkeys(recording.functions[recording.calls[place].function] for place in reversed(broken)):
        places = [place for place in broken if recording.functions[recording.calls[place].function] == name]
        repair = _kept(name, recording, results, places)
        if repair and trials.works(repair):
            return _of_helper(name, probe.until, tape, recording, places)
    return None


def _kept(
    name: str, recording: Recording, results: Mapping[int, Entry], places: Sequence[int]
) -> list[Replacement] | None:
    """What the calls would have returned by their contract."""
    repair = []
    for place in places:
        wanted = wanted_of(name, [value.array for value in recording.calls[place].arguments])
        if wanted is None:
            return None
        entry = results[place]
        repair.append(Replacement(entry.site, entry.occurrence, wanted, several=len(wanted) > 1))
    return repair


def _of_helper(name: str, until: float, tape: Tape, recording: Recording, places: Sequence[int]) -> Named | None:
    contract = CONTRACTS[name]
    for place in places:
        values = recording.calls[place].arguments[: len(contract.takes)]
        given = [value.array for value in values]
        inputs = {key: value for key, value in zip(contract.takes, given, strict=False) if value is not None}
        inner = tape.run(tuple(map(_argument, values)), name, len(contract.returns))
        if inner is None:
            continue
        pipeline = pipelines()[contract.pipeline]
        trace = run(pipeline, inputs)
        known = roles(pipeline, inputs, trace)

        def is_right(result: tuple[Array, ...], trace: Mapping[str, Array] = trace) -> bool:
            return all(close(trace[step], value) for step, value in zip(contract.returns, result, strict=True))

        seen = nodes(inner, Scale(known), sound(inner, name))
        trials = Trials(tape, is_right, len(contract.returns), until)
        scene = Scene(inner, seen, known, contract.returns, trials, needs(pipeline))
        named = resolved(scene)
        return None if named is None else without_guess(scene, named)
    return None


def _argument(value: Value) -> Array | int | None:
    if value.kind == NONE or value.array is None:
        return None
    if value.kind == SCALAR and value.array.dtype.kind in "iu":
        return int(value.array)
    return np.asarray(value.array)


def _found(source: str, named: Named) -> Found:
    confidence: Literal["high", "low"] = "high" if named.sure else "low"
    site, reason = named.node.site, named.reason
    if named.part >= 0:
        part = part_of(source, site, named.part)
        reason = "part-of" if part == site else reason
        site = part
    return Found(site.line, text_of(source, site), named.step, confidence, reason)
