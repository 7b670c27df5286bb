"""The words of the project: frozen dataclasses between the stages, with no logic.

A `Template` and a `Seed` are drawn into a `Variant`; solving it gives a `Trace`; a learner's `Submission` holds
`Answer`s (worksheet) or gives `Outcome`s (code); comparing gives `Difference`s, diagnosing `Finding`s, scoring a
`Report`. Sentences live in `Words` and are looked up by language at the very end.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any, Literal

from numpy.typing import NDArray

Array = NDArray[Any]
Trace = Mapping[str, Array]
"""Step name -> array, in order. One type for the reference, the learner and a catalogued mistake."""

Lang = Literal["en", "zh"]
LANGS: tuple[Lang, ...] = ("en", "zh")

WEIGHTS: frozenset[str] = frozenset({"wq", "wk", "wv", "wo"})
"""The inputs that are weight matrices: stored [in, out], unless a variant's conventions say [out, in]."""


@dataclass(frozen=True, slots=True)
class Text:
    """One text in both languages."""

    en: str
    zh: str


# --- what can be asked -------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Step:
    """One named step: `run(*needs, *optional)` -> array; an optional name that is absent is handed on as `None`."""

    name: str
    needs: tuple[str, ...]
    run: Callable[..., Any]
    optional: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Pipeline:
    """The steps of one computation in order. A step whose name is given as an input is not computed.

    One pipeline is one object, compared by identity, as it keys what is remembered about it.
    """

    name: str
    steps: tuple[Step, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Mistake:
    """One catalogued mistake: the steps it computes in its own way, by the same names.

    `step` is where it lives, `made` where people make it. `when` tells from the right trace whether the mistake can
    show at all (softmax over the whole matrix is no mistake on one row).
    """

    id: str
    step: str
    made: Literal["hand", "code", "both"]
    steps: tuple[Step, ...]
    when: Callable[[Trace], bool] | None = None


BlankKind = Literal["numbers", "shape", "mask", "choice", "choices", "truth"]


@dataclass(frozen=True, slots=True)
class Option:
    """One option of a choice, as a template states it.

    `truth` is for several choices: `True`, `False`, a key of the drawn case, or `{"same": [a, b]}` (two steps that
    are equal). `mistake` computes the option's number that way; `feedback` says what choosing it wrongly meant.
    """

    key: str
    text: Text
    feedback: Text | None = None
    mistake: str | None = None
    truth: bool | str | Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class Ask:
    """One blank as a template states it; `take` selects cells by fixed or drawn indices, `right` names the option."""

    name: str
    kind: BlankKind
    step: str | None
    take: tuple[int | str, ...]
    decimals: int
    points: Fraction
    note: Text
    options: tuple[Option, ...] = ()
    right: str | None = None
    shuffle: bool = True
    feedback: Text | None = None


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter of a function exercise: its name in the stub, the pipeline's input, its shape in words."""

    name: str
    input: str
    shape: str
    default: str | None = None


@dataclass(frozen=True, slots=True)
class Returned:
    """One value that a function exercise returns: its name, the step it is, its shape in words, its points."""

    name: str
    step: str
    shape: str
    points: Fraction
    dtype: Literal["float", "bool"] = "float"


@dataclass(frozen=True, slots=True)
class CaseSpec:
    """One case of a function exercise: sizes and draws that go over the template's own."""

    name: str
    sizes: Mapping[str, Any]
    draw: Mapping[str, Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class FunctionSpec:
    """What a function exercise asks for. `conventions` maps a convention to the settings a variant may draw."""

    name: str
    parameters: tuple[Parameter, ...]
    returns: tuple[Returned, ...]
    cases: tuple[CaseSpec, ...]
    conventions: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Fairness:
    """What a draw must keep to, beside being right against every mistake (design: fairness rules)."""

    spread: float = 3.9
    differ: tuple[tuple[str, str], ...] = ()
    unseen: tuple[str, ...] = ()
    bound: float = 200.0


@dataclass(frozen=True, slots=True)
class Template:
    """One YAML file: what can be asked, which pipeline, what is drawn, what is asked, how it is helped."""

    id: str
    chapter: str
    title: Text
    statement: Text
    skill: str
    difficulty: int
    minutes: int
    pipeline: str
    sizes: Mapping[str, Any]
    draw: Mapping[str, Mapping[str, Any]]
    cases: tuple[Mapping[str, Any], ...]
    pins: Mapping[str, Mapping[str, Any]]
    ask: tuple[Ask, ...]
    function: FunctionSpec | None
    hints: tuple[Text, ...]
    about: tuple[str, ...]
    fair: Fairness
    drawing_hash: str
    file: Path


# --- one variant -------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Seed:
    """What a variant is drawn from: a plain number (self-study), a derived key (a class), or a pin's name."""

    text: str
    pin: str | None = None


@dataclass(frozen=True, slots=True)
class Numbers:
    """Input values kept as decimal strings, row by row, so that a variant is the same on every machine."""

    shape: tuple[int, ...]
    cells: tuple[str, ...]
    kind: Literal["decimal", "integer", "boolean"] = "decimal"


@dataclass(frozen=True, slots=True)
class Choice:
    """One option as drawn: its letter, its key, whether it is right, its mistake, and its number if it has one."""

    letter: str
    key: str
    text: Text
    right: bool
    mistake: str | None = None
    feedback: Text | None = None
    value: Array | None = None


@dataclass(frozen=True, slots=True)
class Blank:
    """One blank of a variant. `cells` selects from the step's array; `shape` is that of the answer typed."""

    name: str
    kind: BlankKind
    step: str | None
    cells: tuple[int, ...]
    shape: tuple[int, ...]
    decimals: int
    points: Fraction
    note: Text
    choices: tuple[Choice, ...] = ()
    truth: bool | None = None
    feedback: Text | None = None


@dataclass(frozen=True, slots=True)
class Case:
    """One case of a function exercise: its name and the pipeline's inputs."""

    name: str
    inputs: Mapping[str, Numbers]


@dataclass(frozen=True, slots=True)
class Gap:
    """How far the nearest mistake is from the right answer of one blank, in tolerances (`inf`: another shape)."""

    blank: str
    mistake: str
    tolerances: float


@dataclass(frozen=True, slots=True)
class Tolerance:
    """How far an answer may be off, derived from what is asked: a decimal string, `0` where all cells are exact.

    For a returned value of a function it is relative to one more than the value's size.
    """

    blank: str
    size: str


@dataclass(frozen=True, slots=True)
class Certificate:
    """What drawing proved: mistakes that apply, the nearest one per blank, and what cannot be told apart.

    Mistakes of `alike` give the same answers here; pairs of `chance` would not on other numbers of these sizes.
    """

    applied: tuple[str, ...]
    gaps: tuple[Gap, ...]
    alike: tuple[tuple[str, ...], ...]
    hidden: tuple[str, ...]
    tolerances: tuple[Tolerance, ...] = ()
    chance: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Variant:
    """A template made concrete. `chosen` holds what was drawn beside numbers (the case, conventions, words)."""

    template: Template
    seed: Seed
    redraw: int
    inputs: Mapping[str, Numbers]
    chosen: Mapping[str, Any]
    blanks: tuple[Blank, ...]
    cases: tuple[Case, ...]
    certificate: Certificate | None = None


# --- what a learner handed in ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Cell:
    """One number as it was read: exact where it is a fraction, otherwise a float; digits after the point if typed so.

    `value` is `Fraction`, `float` (irrational, or infinite), or `None` for an empty cell `_`.
    """

    raw: str
    value: Fraction | float | None
    decimals: int | None = None


@dataclass(frozen=True, slots=True)
class Answer:
    """The raw text of one blank, how it was read, or why it could not be read."""

    blank: str
    line: int
    raw: str
    state: Literal["read", "blank", "unreadable"]
    shape: tuple[int, ...] = ()
    cells: tuple[Cell, ...] = ()
    letters: tuple[str, ...] = ()
    truth: bool | None = None
    read_as: str = ""
    notices: tuple["Finding", ...] = ()
    reason: "Finding | None" = None


@dataclass(frozen=True, slots=True)
class RawAnswer:
    """One entry of an answers block before it is read: the name, the text and the line it starts on."""

    name: str
    text: str
    line: int


@dataclass(frozen=True, slots=True)
class SubmittedFile:
    """One file handed in: the problem and variant token it names, and its text or raw answers.

    `points` is what the set makes the problem worth, as the file says; a class's lock has the last word.
    """

    path: Path
    kind: Literal["worksheet", "function"]
    problem: str | None
    token: str | None
    source: str
    answers: tuple[RawAnswer, ...] = ()
    lang: Lang | None = None
    points: Fraction | None = None


@dataclass(frozen=True, slots=True)
class Submission:
    """The files of one learner, read safely, in order, and the faults of those that could not be read."""

    files: tuple[SubmittedFile, ...]
    faults: tuple[Exception, ...] = ()


# --- what running code gave --------------------------------------------------------------------------------------

Ending = Literal[
    "returned",
    "not-written",
    "syntax-error",
    "import-error",
    "missing-function",
    "exception",
    "wrong-return",
    "timeout",
    "memory",
    "exit",
    "signal",
    "output-limit",
]


@dataclass(frozen=True, slots=True)
class Limits:
    """What one submission may use: seconds a case, processor seconds in all, MiB of memory, bytes of output."""

    wall: float = 5.0
    cpu: float = 20.0
    memory: int = 512
    output: int = 64 * 1024
    result: int = 16 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Frame:
    """One of the learner's own lines in a traceback."""

    line: int
    function: str
    source: str


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one case gave: the arrays returned, or how it ended. Text comes from the child and is never trusted."""

    ending: Ending
    values: tuple[Array, ...] = ()
    line: int | None = None
    frames: tuple[Frame, ...] = ()
    error: str = ""
    message: str = ""
    near: str | None = None
    inputs_changed: tuple[int, ...] = ()
    output: str = ""
    limit: float | None = None
    allowed: tuple[str, ...] = ()
    unsteady: Literal["", "depends-on-earlier-calls", "not-deterministic"] = ""


AskAgain = Callable[[Sequence[Mapping[str, Array]]], Sequence[Outcome]]
"""Runs the submission on more inputs, by the pipeline's names; outcomes come back in the template's own convention."""


# --- what judging says -------------------------------------------------------------------------------------------

DifferenceKind = Literal[
    "missing", "unreadable", "shape", "dtype", "not-finite", "value", "crash", "timeout", "imprecise"
]


@dataclass(frozen=True, slots=True)
class Difference:
    """One step that differs: how, and at which cells (`()` for all of it)."""

    step: str
    kind: DifferenceKind
    cells: tuple[tuple[int, ...], ...] = ()
    expected_shape: tuple[int, ...] = ()
    actual_shape: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Finding:
    """A stable code, numbers to put into its sentence, the mistakes that explain it. Never a sentence."""

    code: str
    numbers: Mapping[str, Any] = field(default_factory=dict)
    mistakes: tuple[str, ...] = ()
    alternatives: tuple[tuple[str, ...], ...] = ()
    line: int | None = None


Status = Literal["right", "wrong", "carried", "imprecise", "blank", "unreadable", "not-written", "crashed", "stopped"]


@dataclass(frozen=True, slots=True)
class StepReport:
    """One blank or returned value, marked. `cells` holds the indices that differ; `read_as` the echo."""

    step: str
    status: Status
    points: Fraction
    max_points: Fraction
    findings: tuple[Finding, ...] = ()
    cells: tuple[tuple[int, ...], ...] = ()
    read_as: str = ""
    yours: Array | None = None
    expected: Array | None = None


@dataclass(frozen=True, slots=True)
class FailingCase:
    """The smallest failing case of a function, in full: inputs by name, the learner's value and the expected one."""

    name: str
    returned: str
    inputs: Mapping[str, Array | None]
    yours: Array | None
    expected: Array


ProblemStatus = Literal["right", "wrong", "blank", "unreadable", "refused", "crashed", "stopped"]


@dataclass(frozen=True, slots=True)
class Report:
    """One problem marked. `reason` refines a status (`timeout`); `fault` holds why a file could not be read."""

    problem: str
    file: Path | None
    variant: str | None
    title: Text
    status: ProblemStatus
    points: Fraction
    max_points: Fraction
    steps: tuple[StepReport, ...] = ()
    findings: tuple[Finding, ...] = ()
    reason: str | None = None
    isolation: str = "none"
    failing: FailingCase | None = None
    output: str = ""
    fault: Exception | None = None
    difficulty: int = 0


@dataclass(frozen=True, slots=True)
class Batch:
    """The reports of one run over one learner's files, and what is to be known of how they came. Notes cost nothing."""

    reports: tuple[Report, ...]
    student: str | None = None
    notes: tuple[Exception, ...] = ()


@dataclass(frozen=True, slots=True)
class Words:
    """The sentences by code, the mistakes' pages by id, and the titles, in both languages."""

    sentences: Mapping[str, Text]
    pages: Mapping[str, Mapping[str, Text]]
