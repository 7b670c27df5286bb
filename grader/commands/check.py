"""Mark files: one in full, a folder in a table. A class is marked by `commands.course`."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from grader.bank import token
from grader.commands.session import Session, exit_code, here, meant, one_file
from grader.course import lock_in
from grader.errors import BadInput
from grader.judge.carry import carried
from grader.mark import Marker, broken
from grader.model import Batch, Finding, Lang, Report, Submission, SubmittedFile, Variant
from grader.sandbox.run import Way
from grader.show import json
from grader.show.terminal import progress, show
from grader.worksheet.collect import collect, is_called


@dataclass(frozen=True, slots=True)
class Options:
    """What `grade check` was asked."""

    exercise: str | None = None
    only: tuple[str, ...] = ()
    json: bool = False
    reveal: bool = False
    csv: Path | None = None
    lock: Path | None = None
    secret: Path | None = None
    as_class: bool = False
    way: Way = field(default_factory=Way)
    unsafe: bool = False
    jobs: int | None = None


def check(path: Path, options: Options, session: Session) -> int:
    """Mark a file, a folder or a class, show it, and return the exit code."""
    path = meant(path)
    wants_class = [name for name, given in _of_a_class(options).items() if given]
    if wants_class or lock_in(path) is not None:
        return _class(path, options, wants_class, session)
    submission = _collected(path)
    files = [file for file in submission.files if _wanted(file.path, file.problem, options.only)]
    faults = [fault for fault in submission.faults if _wanted(getattr(fault, "file", None), None, options.only)]
    if not files and not faults:
        raise BadInput("nothing-selected", file=path, read=", ".join(options.only))
    given_out = next((file for file in files if options.reveal and token.is_given_out(file.token)), None)
    if given_out is not None:
        raise BadInput("answers-of-a-course", file=given_out.path)
    exercise = _exercise(options.exercise)
    marked = zip(files, _marked(files, exercise, options.way, session), strict=True)
    reports = carried(_withheld(report) if token.is_given_out(file.token) else report for file, report in marked)
    reports += map(broken, faults)
    lang = session.spoken(files)
    if options.json:
        session.answer(json.dumps(Batch(tuple(reports)), session.words))
    else:
        show(Batch(tuple(reports)), session.words, lang, reveal=options.reveal, paper=session.paper)
        if options.reveal:
            _work(files, reports, session, lang)
    if options.exercise is None:
        _say_copies(files, session, lang)
    session.say_without_box(reports)
    session.own_faults(reports)
    return exit_code(reports)


def overview(session: Session) -> int:
    """Where you are and what is next: the folder of exercises here, marked."""
    folder = here()
    if any(folder.glob("[0-9]*_*.*")):
        check(folder, Options(), session)
    else:
        session.answer(session.sentence("no-exercises-here"))
    return 0


def _collected(path: Path) -> Submission:
    """What is at a path. A folder of folders is told apart from one with nothing in it."""
    try:
        return collect(path)
    except BadInput as fault:
        if fault.code == "folder-empty" and any(path.glob("*/[0-9]*_*.*")):
            raise BadInput("folder-of-folders", file=path) from None
        raise


def _wanted(path: Path | None, problem: str | None, only: Sequence[str]) -> bool:
    return not only or any((path is not None and is_called(path, name)) or name == problem for name in only)


def _exercise(named: str | None) -> str | None:
    """The exercise that is meant by its id, or by the number that it has here."""
    if named is None or not named.isdecimal():
        return named
    return one_file(named).problem


def _marked(files: Sequence[SubmittedFile], exercise: str | None, way: Way, session: Session) -> list[Report]:
    """The reports, in the files' order. Worksheets are marked first: meanwhile the server that runs code gets up."""
    reports: dict[int, Report] = {}
    with Marker(session.roots, way=way) as marker, progress(len(files)) as advance:
        marker.prepare(files)
        for at, file in sorted(enumerate(files), key=lambda one: one[1].kind == "function"):
            reports[at] = marker.file(file, exercise=exercise)
            advance()
    return [reports[at] for at in range(len(files))]


def _say_copies(files: Sequence[SubmittedFile], session: Session, lang: Lang) -> None:
    """Which files are the same exercise: in a learner's own folder each is marked for itself."""
    alike: dict[tuple[str, str | None], list[str]] = {}
    for file in files:
        if file.problem is not None:
            alike.setdefault((file.problem, file.token), []).append(file.path.name)
    for names in alike.values():
        if len(names) > 1:
            session.remark(session.sentence("same-exercise", lang, files=", ".join(names)))


def _withheld(report: Report) -> Report:
    """A report of a course's problem without the case in which a function fails: no expected number is shown."""
    if report.failing is None:
        return report
    return replace(report, failing=None, findings=(*report.findings, Finding("case-withheld")))


def _work(files: Sequence[SubmittedFile], reports: Sequence[Report], session: Session, lang: Lang) -> None:
    """The worked steps of every worksheet that is shown."""
    for file, report in zip(files, reports, strict=False):
        if file.kind == "worksheet" and file.token is not None and report.fault is None:
            session.answer(session.sentence("worked-heading", lang, problem=report.problem))
            session.answer(worked_steps(token.variant(file.token, session.roots), lang))


def worked_steps(variant: Variant, lang: Lang) -> str:
    """The worked steps of a worksheet, and what belongs in its blanks."""
    from grader.show.solution import solution  # noqa: PLC0415 -- marking does without
    from grader.trace import asked  # noqa: PLC0415 -- as above

    return solution(variant, asked(variant), lang)


# --- a class -----------------------------------------------------------------------------------------------------


def _of_a_class(options: Options) -> dict[str, object]:
    return {
        "--class": options.as_class,
        "--csv": options.csv,
        "--lock": options.lock,
        "--secret": options.secret,
    }


def _class(path: Path, options: Options, wants_class: Sequence[str], session: Session) -> int:
    """A class; what is for one learner's files alone is refused rather than passed over."""
    from grader.commands import course  # noqa: PLC0415 -- a learner's own files are marked without

    others = {"--exercise": options.exercise, "--only": options.only, "--reveal": options.reveal}
    unfit = next((name for name, given in others.items() if given), None)
    if unfit is not None:
        raise BadInput("class-not-with", option=unfit)
    if not path.exists():
        collect(path)  # which says that it is missing, and what is near
    if not path.is_dir():
        raise BadInput("class-wants-folder", file=path, option=wants_class[0])
    way = options.way._replace(strangers=not options.unsafe)
    asked = course.Marking(path, options.csv, options.lock, options.secret, options.json, way, options.jobs)
    return course.mark(asked, session)
