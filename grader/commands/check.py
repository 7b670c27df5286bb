"""Mark files: one in full, a folder in a table, a class as a class."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from grader.bank import token
from grader.commands.session import Session, here
from grader.course import lock as locks
from grader.course import run as course
from grader.errors import BadInput, GradeError
from grader.mark import Marker, broken
from grader.model import Batch, Lang, Report, SubmittedFile
from grader.show import json, text, worked
from grader.show.terminal import class_table, progress, show
from grader.study.edit import number_of
from grader.trace import solve
from grader.worksheet.collect import collect

RIGHT, NOT_YET, UNUSABLE, OURS = 0, 1, 2, 3


@dataclass(frozen=True, slots=True)
class Options:
    """What `grade check` was asked."""

    exercise: str | None = None
    only: tuple[str, ...] = ()
    json: bool = False
    reveal: bool = False
    csv: Path | None = None
    lock: Path | None = None
    as_class: bool = False


def check(path: Path, options: Options, session: Session) -> int:
    """Mark a file, a folder or a class, show it, and return the exit code."""
    if path.is_dir() and (options.as_class or options.lock or options.csv or course.is_class(path)):
        return _check_class(path, options, session)
    submission = collect(path)
    files = [file for file in submission.files if _wanted(file, options.only)]
    if options.only and not files:
        raise BadInput("nothing-selected", file=path, read=", ".join(options.only))
    lang = session.lang(files)
    with Marker(session.roots) as marker, progress(len(files)) as advance:
        marker.prepare(files)
        reports = []
        for file in files:
            reports.append(_marked(marker, file, options.exercise))
            advance()
    faults = () if options.only else submission.faults
    reports += [broken(fault) for fault in faults]
    batch = Batch(tuple(reports))
    if options.json:
        session.answer(json.dumps(batch, session.words))
    else:
        show(batch, session.words, lang, reveal=options.reveal, paper=session.paper)
        if options.reveal:
            _work(files, reports, session, lang)
    return exit_code(reports)


def overview(session: Session) -> int:
    """Where you are and what is next: the folder of exercises here, marked."""
    folder = here()
    if not any(folder.glob("[0-9]*_*.*")):
        session.answer(session.sentence("no-exercises-here"))
        return RIGHT
    check(folder, Options(), session)
    return RIGHT


def exit_code(reports: Iterable[Report]) -> int:
    """0 all right, 1 something is not, 2 a file cannot be used, 3 our own fault; the highest that applies."""
    return max((_code(report) for report in reports), default=RIGHT)


def _code(report: Report) -> int:
    if report.fault is not None:
        return report.fault.exit_code if isinstance(report.fault, GradeError) else OURS
    return RIGHT if report.status == "right" else NOT_YET


def _wanted(file: SubmittedFile, only: Sequence[str]) -> bool:
    return not only or any(
        name in {file.path.name, file.path.stem, file.problem, str(number_of(file.path))} for name in only
    )


def _marked(marker: Marker, file: SubmittedFile, exercise: str | None) -> Report:
    return marker.file(file, exercise=exercise)


def _work(files: Sequence[SubmittedFile], reports: Sequence[Report], session: Session, lang: Lang) -> None:
    """The worked steps of every worksheet that is shown."""
    for file, report in zip(files, reports, strict=False):
        if file.kind == "worksheet" and file.token is not None and report.fault is None:
            variant = token.variant(file.token, session.roots)
            decimals = max((blank.decimals for blank in variant.blanks), default=4) or 4
            session.answer(session.sentence("worked-heading", lang, problem=report.problem))
            session.answer(worked.worked(solve(variant), set(variant.inputs), decimals, lang))


def _check_class(path: Path, options: Options, session: Session) -> int:
    lang = session.lang()
    found = options.lock or course.find_lock(path)
    lock = locks.read(found) if found else None
    students = len(lock.students) if lock else len(list(path.iterdir()))
    with Marker(session.roots) as marker, progress(students) as advance:
        marked = []
        for one in course.run(path, lock, marker):
            marked.append(one)
            advance()
    batches = [_with_fault(one) for one in marked]
    if options.json:
        session.answer(json.dumps(batches, session.words))
    else:
        class_table(batches, session.words, lang, paper=session.paper)
    if options.csv is not None:
        written = course.table(marked, lambda fault: text.error(fault, session.words, lang))
        options.csv.write_text(written, encoding="utf-8-sig", newline="")
        session.remark(session.sentence("csv-written", lang, file=str(options.csv)))
    return exit_code(report for batch in batches for report in batch.reports)


def _with_fault(one: course.Marked) -> Batch:
    """A student's batch under the name shown, with the fault of the whole folder as a report of its own."""
    student = f"{one.id} {one.name}".strip()
    if one.fault is None:
        return replace(one.batch, student=student)
    return Batch((*one.batch.reports, broken(one.fault)), student)
