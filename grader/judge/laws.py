"""Laws for what nobody catalogued: what every right function keeps to, whatever the numbers.

All laws that an exercise has are asked at once; the first that is broken is told, the most telling first. A law counts
as broken only if the reference keeps it on the very same inputs, so none can be held against a right function.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from grader.judge import law_chance, law_mixing, law_parts, law_reading, law_results, law_size
from grader.judge.law import Broken, Experiment, Law
from grader.judge.law_scene import Inputs, Scene, Values, scenes
from grader.model import AskAgain, Finding, Outcome, Variant

LAWS: tuple[Law, ...] = tuple(
    law for module in (law_chance, law_results, law_parts, law_reading, law_mixing, law_size) for law in module.LAWS
)
"""All laws, the most telling first."""
STOPPED = frozenset({"timeout", "memory", "output-limit"})
"""Endings after which nothing more is asked: each would take as long again."""


def broken(variant: Variant, ask: AskAgain) -> Finding | None:
    """The first law that a submission breaks, with the tokens concerned; `None` if it keeps them all.

    At most two rounds of asking: on the exercise's rectangular shapes, then on shapes of another form.
    """
    for scene in scenes(variant):
        found, stopped = _first_broken(scene, ask)
        if found is not None or stopped:
            return found
    return None


@dataclass
class _Trial:
    """One law under way: its experiment, the inputs it wants."""

    law: Law
    experiment: Experiment
    wanted: Sequence[Inputs]


def _first_broken(scene: Scene, ask: AskAgain) -> tuple[Finding | None, bool]:
    """The first broken law in one scene, and whether there is no use in asking on."""
    trials = [trial for law in LAWS if law.holds_for(scene) and (trial := _trial(law, scene)) is not None]
    inputs = list({id(one): one for trial in trials for one in trial.wanted}.values())
    if not inputs:
        return None, False
    outcomes = ask(inputs)
    if any(outcome.ending in STOPPED for outcome in outcomes):
        return None, True
    values = {id(one): scene.values(one, outcome) for one, outcome in zip(inputs, outcomes, strict=True)}
    for trial in trials:
        numbers = _outcome(trial, [values[id(one)] for one in trial.wanted])
        if numbers is not None and _kept_by_the_reference(trial.law, scene):
            return Finding(trial.law.code, numbers, (trial.law.mistake,) if trial.law.mistake else ()), False
    return _changed(scene, outcomes), False


def _trial(law: Law, scene: Scene) -> _Trial | None:
    """A law's experiment up to its question; nothing if it has none here, or the exercise's shapes do not bear it."""
    experiment = law.experiment(scene)
    try:
        wanted = next(experiment, None)
    except (ValueError, IndexError, KeyError):
        return None
    return _Trial(law, experiment, wanted) if wanted else None


def _outcome(trial: _Trial, got: Sequence[Values | None]) -> Broken:
    """The numbers of a broken law; nothing if it is kept, or cannot be judged by what came back."""
    values = [one for one in got if one is not None]
    if len(values) < len(got):
        return None
    if trial.law.finite and not all(np.all(np.isfinite(array)) for one in values for array in one.values()):
        return None
    with np.errstate(all="ignore"):
        try:
            trial.experiment.send(values)
        except StopIteration as end:
            numbers: Broken = end.value
            return numbers
    raise RuntimeError(trial.law.code)


def _kept_by_the_reference(law: Law, scene: Scene) -> bool:
    trial = _trial(law, scene)
    return trial is not None and _outcome(trial, [scene.right(one) for one in trial.wanted]) is None


def _changed(scene: Scene, outcomes: Sequence[Outcome]) -> Finding | None:
    """Inputs that were written to: the last law, as it may leave every value right."""
    for outcome in outcomes:
        if outcome.ending == "returned" and outcome.inputs_changed:
            names = [scene.spec.parameters[place].name for place in outcome.inputs_changed]
            return Finding("law-inputs-changed", {"names": names, "function": scene.spec.name}, ("mutates_input",))
    return None
