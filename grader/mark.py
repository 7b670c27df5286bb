"""Mark one submission, from files to reports: find the template, redraw the variant, read or run, judge, score."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Protocol, Self

from grader.bank import draw, load, token
from grader.bank.seeds import DEFAULT
from grader.errors import BadInput
from grader.judge import alone as calls
from grader.judge import conventions, function, habits, score, worksheet
from grader.model import (
    Array,
    AskAgain,
    Finding,
    Limits,
    Outcome,
    Report,
    SubmittedFile,
    Template,
    Text,
    Variant,
)
from grader.sandbox.recorded import Tape
from grader.sandbox.run import Refused, Runner, Setting, Way
from grader.trace import to_arrays
from grader.worksheet import answers, read

NAMED_AT = {
    "unknown-problem": "problem", "unknown-problem-none": "problem", "other-problem": "problem",
    "other-variant": "variant", "bad-token": "variant",
    "other-version": "variant", "never-drawn": "variant", "unknown-pin": "variant", "unknown-pin-none": "variant",
}  # fmt: skip
"""Which line of a file's head an error is about."""

Find = Callable[[SubmittedFile], Variant]
"""How a file's variant is found; a class looks into its lock instead of the token alone."""


class Asking(Protocol):
    """Asks a submission what it gives; `alone`, each time in a fresh process."""

    def __call__(self, inputs: Sequence[Mapping[str, Array]], /, *, alone: bool = False) -> Sequence[Outcome]:
        """One outcome for each of some inputs."""
        ...


@dataclass
class Marker:
    """Marks files one after the other; the server that runs code is started when the first file needs it."""

    roots: Sequence[Path] = ()
    limits: Limits = field(default_factory=Limits)
    way: Way = field(default_factory=Way)
    _runner: Runner | None = None

    def __enter__(self) -> Self:
        """Nothing is started yet."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Stop the server, whatever happened."""
        if self._runner is not None:
            self._runner.close()
            self._runner = None

    def prepare(self, files: Iterable[SubmittedFile]) -> None:
        """Start the server now if code is to be run, so that it is up once the worksheets before it are read."""
        if any(file.kind == "function" for file in files):
            self.runner()

    def file(self, file: SubmittedFile, *, find: Find | None = None, exercise: str | None = None) -> Report:
        """The report of one file. `exercise` marks a Python file against that exercise's default contract."""
        try:
            variant = self._by_id(file, exercise) if exercise else (find or self.variant)(file)
            if exercise and file.problem != exercise:  # what the head says of points and numbers is of another one
                file = replace(file, token=None, points=None)
            report = self.marked(file, variant)
            return score.scaled(report, file.points) if file.points is not None else report
        except BadInput as fault:
            fault.file = fault.file or file.path
            at = NAMED_AT.get(fault.code)
            fault.line = fault.line or (read.line_of_head(file.source, at) if at else None)
            return broken(fault, file)
        except Refused:  # strangers' code, and no box: nothing is marked at all
            raise
        except Exception as fault:  # noqa: BLE001 -- whatever it is, it is ours: the other files go on, none is charged
            return broken(fault, file)

    def marked(self, file: SubmittedFile, variant: Variant) -> Report:
        """The report of one file against a variant that is known."""
        if (variant.template.function is not None) != (file.kind == "function"):
            raise BadInput("other-kind", problem=variant.template.id)
        if variant.template.function is not None:
            return self._function(file, variant)
        read.check_names(file.answers, [blank.name for blank in variant.blanks], file.path)
        raw = {answer.name: answer for answer in file.answers}
        typed = {blank.name: answers.read(blank, raw.get(blank.name)) for blank in variant.blanks}
        report = score.worksheet(variant, worksheet.judge(variant, typed))
        return replace(report, file=file.path, variant=file.token)

    def variant(self, file: SubmittedFile) -> Variant:
        """The variant that a file's token names, drawn again."""
        if file.problem is None:
            raise BadInput("no-problem-named")
        template = load.find(file.problem, self.roots)
        if file.token is None:
            return self._tokenless(template)
        named = token.parse(file.token)
        if named.template_id != template.id:
            raise BadInput("other-variant", problem=template.id, named=named.template_id)
        return draw.rebuild(token.template(named, self.roots), named.seed, named.redraw)

    def runner(self) -> Runner:
        """The running server; started on first use."""
        if self._runner is None:
            self._runner = Runner(Setting(modules=self.way.modules), strangers=self.way.strangers)
            self._runner.start()
        return self._runner

    def _by_id(self, file: SubmittedFile, exercise: str) -> Variant:
        template = load.find(exercise, self.roots)
        if template.function is None:
            if file.kind == "function":
                raise BadInput("other-kind", problem=exercise)
            if file.problem not in {exercise, None}:
                raise BadInput("other-problem", problem=exercise, named=file.problem)
            return self.variant(file)
        if file.problem == exercise and file.token is not None:
            return self.variant(file)
        return draw.rebuild(template, DEFAULT, 0)

    @staticmethod
    def _tokenless(template: Template) -> Variant:
        if template.function is None:
            raise BadInput("no-variant", problem=template.id)
        return draw.rebuild(template, DEFAULT, 0)

    def _function(self, file: SubmittedFile, variant: Variant) -> Report:
        found: Sequence[Finding] = ()
        with self._asking(file, variant) as ask:
            outcomes = ask([to_arrays(case.inputs) for case in variant.cases])
            judged = function.judge(variant, outcomes)
            wrong = any(step.status != "right" for step in judged.steps)
            if wrong:
                alone = None if self.way.per_case else partial(ask, alone=True)
                judged = self._explained(variant, judged, outcomes, ask, alone)
            elif not self.way.per_case:
                found = habits.found(variant, judged, ask)
        if all(habits.gives_one_value(outcome) for outcome in outcomes):
            judged = self._alone(file, variant, judged)
        elif wrong and not calls.told(judged.steps):
            judged = self._located(file, variant, judged, outcomes)
        elif any(outcome.inputs_changed for outcome in outcomes):
            judged = self._changing(file, variant, judged)
        report = score.function(variant, judged)
        printed = next((outcome.output for outcome in outcomes if outcome.output), "")
        unsteady = () if calls.told(judged.steps) else _unsteady(outcomes, variant)
        report = replace(report, findings=(*report.findings, *unsteady, *found))
        return replace(report, file=file.path, variant=file.token, isolation=self.runner().isolation, output=printed)

    @staticmethod
    def _explained(
        variant: Variant,
        judged: function.Judged,
        outcomes: Sequence[Outcome],
        ask: AskAgain,
        alone: AskAgain | None,
    ) -> function.Judged:
        """The same marks with what explains them: mistakes, a broken law, the smallest failing case."""
        from grader.bank import indexes  # noqa: PLC0415 -- right functions do without
        from grader.judge import diagnose  # noqa: PLC0415 -- as above

        return diagnose.function(variant, judged, outcomes, ask, indexes.index, alone)

    def _alone(self, file: SubmittedFile, variant: Variant, judged: function.Judged) -> function.Judged:
        """The same of a function that gave back one value of several: whether it is the right one."""
        from grader.judge import diagnose  # noqa: PLC0415 -- right functions do without

        with self._asking(file, variant, returns=1) as ask:
            return diagnose.alone(variant, judged, ask)

    def _located(
        self, file: SubmittedFile, variant: Variant, judged: function.Judged, outcomes: Sequence[Outcome]
    ) -> function.Judged:
        """The same with the line, found in a box of its own: one at a time."""
        from grader.judge.line import said  # noqa: PLC0415 -- right functions do without

        return said.located(variant, judged, outcomes, file.source, partial(self._record, file))

    def _changing(self, file: SubmittedFile, variant: Variant, judged: function.Judged) -> function.Judged:
        """The same with the line that changes what a right function was given."""
        from grader.judge.line import said  # noqa: PLC0415 -- most right functions do without

        return said.changed(variant, judged, file.source, partial(self._record, file))

    def _record(self, file: SubmittedFile, source: str, function: str, returns: int) -> AbstractContextManager[Tape]:
        """A box of its own in which the file's function runs with every value on the way recorded."""
        return self.runner().record(source, file.path, function, returns)

    @contextmanager
    def _asking(self, file: SubmittedFile, variant: Variant, returns: int | None = None) -> Iterator[Asking]:
        """Runs the file's function on inputs: conventions are turned on the way in and on the way back.

        `returns` is how many values it is to give back, if not all that the exercise asks for.
        """
        spec = variant.template.function
        assert spec is not None  # noqa: S101 -- checked by the caller
        settings = variant.chosen.get("conventions", {})
        many = len(spec.returns) if returns is None else returns
        way = {"per_case": self.way.per_case}

        with self.runner().hold(file.source, file.path, spec.name, many, self.limits, **way) as run:

            def ask(inputs: Sequence[Mapping[str, Array]], /, *, alone: bool = False) -> Sequence[Outcome]:
                outcomes = run([conventions.arguments(spec, settings, one) for one in inputs], alone=alone)
                return [
                    replace(outcome, values=conventions.canonical(spec, settings, outcome.values))
                    if outcome.ending == "returned" and returns is None
                    else outcome
                    for outcome in outcomes
                ]

            yield ask


def _unsteady(outcomes: Sequence[Outcome], variant: Variant) -> list[Finding]:
    """A finding if the same call gave two results; the first outcome says so."""
    name = variant.template.function.name if variant.template.function else ""
    return [Finding(outcome.unsteady, {"function": name}) for outcome in outcomes[:1] if outcome.unsteady]


def broken(fault: Exception, file: SubmittedFile | None = None) -> Report:
    """The report of a file that could not be used: nothing is lost, and nothing else stops."""
    path = file.path if file else getattr(fault, "file", None)
    name = (file.problem if file else None) or (path.name if path else "")
    title = Text(name, name)
    return Report(name, path, file.token if file else None, title, "unreadable", Fraction(0), Fraction(0), fault=fault)
