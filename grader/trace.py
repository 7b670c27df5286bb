"""Inputs (and mistakes) to a trace: the only door to `solutions`.

A pipeline's steps run in order. A step whose name is already given is not computed; a step whose needs are missing is
left out; a mistake computes its steps in its own way. So one pipeline serves a question that starts from X as well as
one that starts from the scores, a learner's own earlier values, and every catalogued mistake.
"""

from collections.abc import Container, Iterable, Mapping, Sequence
from functools import cache, lru_cache
from hashlib import sha256
from pathlib import Path

import numpy as np

from grader.model import Array, Mistake, Numbers, Pipeline, Step, Trace, Variant
from solutions import pipelines as _pipelines


@cache
def pipelines() -> Mapping[str, Pipeline]:
    """Every pipeline by name, in the model's words."""
    return {name: Pipeline(name, tuple(Step(*step) for step in steps)) for name, steps in _pipelines.PIPELINES.items()}


@cache
def _ways() -> tuple[Mistake, ...]:
    """Every way of making a catalogued mistake, in the model's words; most mistakes have one way."""
    from solutions import mistakes as _mistakes  # noqa: PLC0415 -- right answers are marked without

    return tuple(
        Mistake(spec.id, spec.step, spec.made, tuple(Step(*step) for step in spec.steps), spec.when)
        for spec in _mistakes.MISTAKES
    )


@cache
def catalogue() -> Mapping[str, Mistake]:
    """Every mistake that is recognised by its trace, by id: the first way of making it."""
    ways: dict[str, Mistake] = {}
    for mistake in _ways():
        ways.setdefault(mistake.id, mistake)
    return ways


@cache
def catalogue_hash() -> str:
    """A hash of all that computes: the source of the steps and of the mistakes."""
    digest = sha256()
    for file in sorted(Path(_pipelines.__file__).parent.rglob("*.py")):
        digest.update(file.read_bytes())
    return digest.hexdigest()


def made_with(mistake: Mistake, names: Container[str]) -> dict[str, Step]:
    """How a mistake computes each of its steps where these names are: the first form whose needs are all there."""
    forms: dict[str, Step] = {}
    for step in mistake.steps:
        if step.name not in forms and all(name in names for name in step.needs):
            forms[step.name] = step
    return forms


def to_array(numbers: Numbers) -> Array:
    """The array of some decimal strings: float64, int64 or bool, of the shape stated."""
    if numbers.kind == "boolean":
        return np.array([cell == "T" for cell in numbers.cells], dtype=bool).reshape(numbers.shape)
    if numbers.kind == "integer":
        return np.array([int(cell) for cell in numbers.cells], dtype=np.int64).reshape(numbers.shape)
    return np.array([float(cell) for cell in numbers.cells], dtype=np.float64).reshape(numbers.shape)


def to_arrays(inputs: Mapping[str, Numbers]) -> dict[str, Array]:
    """The arrays of all inputs, by name."""
    return {name: to_array(numbers) for name, numbers in inputs.items()}


def run(
    pipeline: Pipeline, inputs: Mapping[str, Array], mistakes: Iterable[Mistake] = (), until: str | None = None
) -> dict[str, Array]:
    """The trace of `inputs` through `pipeline`, each step of `mistakes` computed their way; `until` only what it needs.

    A mistake whose needs are absent here (a mask, say) computes the step rightly. NaN and overflow are results here,
    not warnings. Errors: whatever a step raises (a mistake may not fit the shapes).
    """
    trace = dict(inputs)
    with np.errstate(all="ignore"):
        for step in _course(pipeline, frozenset(inputs), tuple(mistakes), until):
            arguments = [trace[name] for name in step.needs] + [trace.get(name) for name in step.optional]
            trace[step.name] = np.asarray(step.run(*arguments))
    return trace


@lru_cache(maxsize=16384)
def _course(
    pipeline: Pipeline, given: frozenset[str], mistakes: tuple[Mistake, ...], until: str | None
) -> tuple[Step, ...]:
    """The steps that these inputs allow, in order, in the form that each is computed."""
    wrong = [step for mistake in mistakes for step in mistake.steps]
    there, course = set(given), []
    for right in pipeline.steps:
        forms = [form for form in (*wrong, right) if form.name == right.name]
        step = next((form for form in forms if there.issuperset(form.needs)), None)
        if right.name not in given and step is not None:
            there.add(step.name)
            course.append(step)
    return tuple(course) if until is None else _leading_to(until, course)


def _leading_to(until: str, course: Sequence[Step]) -> tuple[Step, ...]:
    """The steps of a course that one step is made of, itself included."""
    wanted, kept = {until}, []
    for step in reversed(course):
        if step.name in wanted:
            wanted.update(step.needs, step.optional)
            kept.append(step)
    return tuple(reversed(kept))


def solve(variant: Variant, mistakes: Iterable[Mistake] = ()) -> Trace:
    """The trace of a worksheet's variant, right or with mistakes."""
    return run(pipelines()[variant.template.pipeline], to_arrays(variant.inputs), mistakes)


def asked(variant: Variant) -> Trace:
    """The right trace of a worksheet as far as its blanks ask for it: what leads to an asked step, and no more."""
    pipeline, inputs = pipelines()[variant.template.pipeline], to_arrays(variant.inputs)
    found: dict[str, Array] = dict(inputs)
    wanted = {blank.step for blank in variant.blanks if blank.step is not None} - inputs.keys()
    for step in wanted:
        found |= run(pipeline, inputs, until=step)
    order = [*inputs, *(step.name for step in pipeline.steps)]
    return {name: found[name] for name in order if name in found}


def applicable(pipeline: Pipeline, inputs: Mapping[str, Array], right: Trace) -> tuple[Mistake, ...]:
    """The mistakes that can show on these inputs: each of their steps that is computed here can be computed their way.

    Steps that this pipeline does not have, or does not reach from these inputs, do not matter; one that is given does:
    a mistake that needs it cannot be made.
    """
    found = possible(pipeline, frozenset(inputs), frozenset(right))
    return tuple(mistake for mistake in found if mistake.when is None or mistake.when(right))


@lru_cache(maxsize=1024)
def possible(pipeline: Pipeline, given: frozenset[str], present: frozenset[str]) -> tuple[Mistake, ...]:
    """The mistakes that these names allow, whatever the numbers."""
    here = {step.name for step in pipeline.steps} & present
    found = []
    for mistake in _ways():
        touched = {step.name for step in mistake.steps} & here
        if touched and not touched & given and touched <= made_with(mistake, present).keys():
            found.append(mistake)
    return tuple(found)
