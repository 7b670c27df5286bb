"""A file or a folder to a `Submission`, whatever is in it. One bad file never stops the others."""

import codecs
import io
import re
import stat
import tokenize
from difflib import get_close_matches
from fractions import Fraction
from pathlib import Path
from typing import Final, Literal

from grader.errors import BadInput
from grader.model import LANGS, Lang, RawAnswer, Submission, SubmittedFile
from grader.worksheet import read

MAX_BYTES: Final = 1024 * 1024
MAX_HEAD: Final = 1000
KINDS: Final = frozenset({".md", ".py"})
_NAMED: Final = re.compile(r"(?m)^(?:# ?)?(problem|variant|lang|points)[:：][ \t]*(\S+)")
_NUMBERED: Final = re.compile(r"(\d+)_(.+)")
_NO_TEXT: Final = {"punycode", "idna", "undefined"}  # codecs of names, slow on whole files
_BOMS: Final = ((b"\xef\xbb\xbf", "utf-8-sig"), (b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"))


def collect(path: Path) -> Submission:
    """The exercises in a file or a folder, in order of their names. Raises `BadInput` if there are none at all."""
    try:
        if path.is_dir():
            return _folder(path)
        found = path.exists()
    except OSError as error:
        raise BadInput("file-unreadable", file=path, reason=error.strerror or "") from None
    if not found:
        raise _missing("file-missing", path.name, _names(path.parent), path)
    _check_kind(path)
    return _submission([path])


def find_file(folder: Path, wanted: str) -> Path:
    """The exercise that `wanted` means: a file's name, its number or its id. Raises `BadInput`, with the nearest."""
    paths = _exercises(folder)
    found = next((path for path in paths if is_called(path, wanted)), None)
    if found is not None:
        return found
    numbers = [int(match[1]) for path in paths if (match := _NUMBERED.fullmatch(path.stem))]
    if not numbers:
        raise BadInput("folder-empty", file=folder)
    if wanted.isdecimal():
        raise BadInput("exercise-missing-number", file=folder, name=wanted, first=min(numbers), last=max(numbers))
    names = [name for path in paths for name in (path.name, path.stem, path.stem.lstrip("0123456789").lstrip("_"))]
    raise _missing("exercise-missing", wanted, names, folder)


def is_called(path: Path, wanted: str) -> bool:
    """Whether a file's name, its number or its id is what is wanted."""
    match = _NUMBERED.fullmatch(path.stem)
    if match and wanted.isdecimal():
        return int(match[1]) == int(wanted)
    return bool(wanted) and wanted in {path.name, path.stem, match[2] if match else ""}


def identify(path: Path) -> SubmittedFile:
    """Which problem and variant a file is about, however broken the rest of it is, by its first lines or its name."""
    _check_kind(path)
    text = _content(path)[:MAX_HEAD].decode("utf-8", "replace")
    named = dict(reversed(_NAMED.findall(text)))  # the first of each counts
    match = _NUMBERED.fullmatch(path.stem)
    kind: Literal["worksheet", "function"] = "function" if path.suffix.lower() == ".py" else "worksheet"
    problem = named.get("problem") or (match[2] if match else None)
    return SubmittedFile(path, kind, problem, named.get("variant"), "", (), _lang(named))


def everything(folder: Path) -> Submission:
    """All that is handed in below a folder, however deep: worksheets, functions, and what looks meant as one.

    Notes without front matter and modules that name no problem are left out, unless a number says that they belong.
    """
    found = _submission([path for path in _below(folder) if not _aside(path)])
    files = tuple(file for file in found.files if file.problem is not None or _NUMBERED.fullmatch(file.path.stem))
    faults = tuple(fault for fault in found.faults if not _is_note(fault))
    return Submission(files, faults)


def decode(content: bytes, path: Path) -> str:
    """Text whatever its encoding: by its mark, by a Python file's own word, UTF-8, or GB 18030. Raises `BadInput`."""
    encodings = [encoding for mark, encoding in _BOMS if content.startswith(mark)]
    if not encodings:
        if b"\x00" in content:
            raise BadInput("file-binary", file=path)
        encodings = [*_declared(content, path), "utf-8", "gb18030"]
    for encoding in encodings:
        try:
            return content.decode(encoding)
        except (UnicodeError, LookupError):
            continue
    raise BadInput("file-encoding", file=path)


# --- files -------------------------------------------------------------------------------------------------------


def _folder(folder: Path) -> Submission:
    submission = _submission([path for path in _exercises(folder) if _belongs(path)])
    if not submission.files and not submission.faults:
        raise BadInput("folder-empty", file=folder)
    return submission


def _exercises(folder: Path) -> list[Path]:
    """What could be an exercise in a folder, by name, in order."""
    return sorted(
        (path for path in folder.iterdir() if path.suffix.lower() in KINDS and not _aside(path)),
        key=lambda path: path.name,
    )


def _below(folder: Path) -> list[Path]:
    """The files below a folder, its own first; hidden folders and links to folders are left out."""
    found: list[Path] = []
    for path in sorted(folder.iterdir()):
        if path.is_dir():
            if not (path.name.startswith((".", "__")) or path.is_symlink()):
                found += _below(path)
        elif path.suffix.lower() in KINDS or _NUMBERED.fullmatch(path.stem):
            found.append(path)
    return sorted(found, key=lambda path: len(path.parts))


def _is_note(fault: Exception) -> bool:
    """Whether a file that cannot be used was no exercise in the first place."""
    if not isinstance(fault, BadInput) or fault.file is None:
        return False
    return fault.code == "worksheet-no-front-matter" and not _NUMBERED.fullmatch(fault.file.stem)


def _aside(path: Path) -> bool:
    """Whether a file is there for another reason."""
    return path.name.startswith((".", "_")) or path.name.lower().startswith("readme") or path.is_dir()


def _belongs(path: Path) -> bool:
    """Whether a file of a folder is meant as an exercise: by its number, or because it names its problem."""
    if _NUMBERED.fullmatch(path.stem):
        return True
    try:
        file = _file(path)
    except BadInput:
        return False
    return file.problem is not None


def _submission(paths: list[Path]) -> Submission:
    files: list[SubmittedFile] = []
    faults: list[BadInput] = []
    for path in paths:
        try:
            files.append(_file(path))
        except BadInput as fault:
            faults.append(fault)
    return Submission(tuple(files), tuple(faults))


def _file(path: Path) -> SubmittedFile:
    """One file, decoded and taken apart. Raises `BadInput`."""
    _check_kind(path)
    source = decode(_content(path), path)
    if path.suffix.lower() == ".py":
        named = read.header(source)
        return _submitted(path, "function", named, source)
    matter, answers = read.split(source, path)
    return _submitted(path, "worksheet", matter, source, answers)


def _submitted(
    path: Path,
    kind: Literal["worksheet", "function"],
    head: dict[str, str],
    source: str,
    answers: tuple[RawAnswer, ...] = (),
) -> SubmittedFile:
    named = head.get("problem"), head.get("variant")
    return SubmittedFile(path, kind, *named, source, answers, _lang(head), _points(head))


def _points(head: dict[str, str]) -> Fraction | None:
    """What the set makes a problem worth; what cannot be read counts as not said."""
    try:
        points = Fraction(head.get("points", ""))
    except (ValueError, ZeroDivisionError):
        return None
    return points if points > 0 else None


def _check_kind(path: Path) -> None:
    if path.suffix.lower() not in KINDS:
        raise BadInput("file-kind", file=path, suffix=path.suffix or path.name)


def _content(path: Path) -> bytes:
    """The bytes of a regular file of sensible size; nothing else is opened, so that nothing can block."""
    try:
        status = path.stat()
        if not stat.S_ISREG(status.st_mode):
            raise BadInput("file-not-regular", file=path)
        if status.st_size > MAX_BYTES:
            raise BadInput("file-too-large", file=path, size=status.st_size, limit=MAX_BYTES)
        return path.read_bytes()
    except OSError as error:
        raise BadInput("file-unreadable", file=path, reason=error.strerror or "") from None


def _declared(content: bytes, path: Path) -> list[str]:
    """The encoding that a Python file declares for itself, if it declares one."""
    if path.suffix.lower() != ".py":
        return []
    try:
        encoding, _ = tokenize.detect_encoding(io.BytesIO(content).readline)
    except SyntaxError:
        return []
    return [] if codecs.lookup(encoding).name in _NO_TEXT else [encoding]


def _lang(named: dict[str, str]) -> Lang | None:
    return next((lang for lang in LANGS if lang == named.get("lang")), None)


def _names(folder: Path) -> list[str]:
    """The names in a folder, for a suggestion."""
    try:
        return [path.name for path in folder.iterdir()]
    except OSError:
        return []


def _missing(code: str, wanted: str, names: list[str], path: Path) -> BadInput:
    """The error for what is not there, with the nearest that is."""
    near = get_close_matches(wanted, names, n=1)
    if near:
        return BadInput(f"{code}-near", file=path, name=wanted, near=near[0])
    return BadInput(code, file=path, name=wanted)
