"""A file, a folder or an archive to a `Submission`, whatever is in it. One bad file never stops the others.

How a file is read, and which are not, is in `files.py` and `archives.py`; here is which of them are exercises.
"""

import codecs
import io
import re
import tokenize
from difflib import get_close_matches
from fractions import Fraction
from pathlib import Path
from typing import Final, Literal

from grader.errors import BadInput
from grader.model import LANGS, Lang, RawAnswer, Submission, SubmittedFile
from grader.worksheet import points, read
from grader.worksheet.files import TOP, Entry, content, entry, is_archive, is_packed, refused
from grader.worksheet.unreadable import short

MAX_DEPTH: Final = 8  # folders inside each other
LONGEST_NAME: Final = 255  # characters of a file's name
KINDS: Final = frozenset({".md", ".py"})
DOCUMENTS: Final = frozenset({
    ".docx", ".doc", ".odt", ".rtf", ".pages", ".wps", ".txt", ".tex", ".pdf", ".html", ".htm", ".ipynb", ".pptx",
    ".xlsx", ".xls", ".ods", ".numbers", ".png", ".jpg", ".jpeg", ".heic", ".webp", ".tif", ".tiff", ".bmp",
})  # fmt: skip
"""Kinds of files in which people hand in answers that no program can mark."""
_NAMED: Final = re.compile(r"(?m)^(?:# ?)?(problem|variant|lang|points)[:：][ \t]*(\S+)")
_HEAD: Final = re.compile(r"(?m)^(?:# ?)?(?:problem|variant)[:：]")
_SPARE: Final = (".bak", ".old", ".orig", ".rej", ".swp", ".tmp", "~")
"""What editors and other programs leave beside a file: the same file again, some time ago."""
_NUMBERED: Final = re.compile(r"(\d+)_(.+)")
_NO_TEXT: Final = {"punycode", "idna", "undefined"}  # codecs of names, slow on whole files
_BOMS: Final = ((b"\xef\xbb\xbf", "utf-8-sig"), (b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"))


def collect(path: Path) -> Submission:
    """The exercises in a file or a folder, in order of their names. Raises `BadInput` if there are none at all."""
    try:
        if path.is_dir():
            return _folder(path, _exercises(path))
        found = path.exists()
    except OSError as error:
        raise BadInput("file-unreadable", file=path, reason=error.strerror or "") from None
    if not found:
        raise _missing("file-missing", path.name, _names(path.parent), path)
    if is_archive(path):
        return _folder(path, [one for one in _unpacked(path) if not _aside(one.path)])
    _check_kind(path)
    return _submission([entry(path)])


def find_file(folder: Path, wanted: str) -> Path:
    """The exercise that `wanted` means: a file's name, its number or its id. Raises `BadInput`, with the nearest."""
    paths = [one.path for one in _exercises(folder)]
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
    if match and wanted.isdecimal() and len(wanted) <= LONGEST_NAME:
        return int(match[1]) == int(wanted)
    return bool(wanted) and wanted in {path.name, path.stem, match[2] if match else ""}


def loose(folder: Path) -> list[Path]:
    """The exercises that lie in a folder itself, not in one below it. Links are left out."""
    return [one.path for one in _exercises(folder) if not one.path.is_symlink() and _belongs(one)]


def identify(path: Path) -> SubmittedFile:
    """Which problem and variant a file is about, however broken the rest of it is, by its first lines or its name."""
    _check_kind(path)
    text = content(path)[:TOP].decode("utf-8", "replace")
    named = dict(reversed(_NAMED.findall(text)))  # the first of each counts
    match = _NUMBERED.fullmatch(path.stem)
    kind: Literal["worksheet", "function"] = "function" if path.suffix.lower() == ".py" else "worksheet"
    problem = named.get("problem") or (match[2] if match else None)
    return SubmittedFile(path, kind, problem, named.get("variant"), "", (), _lang(named))


def everything(folder: Path) -> Submission:
    """All that is handed in below a folder or in an archive: worksheets, functions, and what looks meant as one.

    It may be a stranger's: no link to elsewhere is followed.

    Notes without front matter and modules that name no problem are left out, unless a number says that they belong.
    What may hold answers and cannot be read (a document, a picture, another archive) is a fault of its own.
    """
    if folder.is_symlink():
        there = [refused(_link(folder))]
    else:
        there = _below(folder) if folder.is_dir() else _handed_in(folder)
    found = _submission([one for one in there if not _aside(one.path)])
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


def _folder(folder: Path, there: list[Entry]) -> Submission:
    submission = _submission([one for one in there if _belongs(one)])
    if not submission.files and not submission.faults:
        raise BadInput("folder-empty", file=folder)
    return submission


def _exercises(folder: Path) -> list[Entry]:
    """What could be an exercise in a folder, by name, in order: by its kind, or by its head."""
    paths = [path for path in folder.iterdir() if not (_aside(path) or path.is_dir())]
    there = [entry(path, "inside") for path in sorted(paths, key=lambda path: path.name)]
    return [one for one in there if one.path.suffix.lower() in KINDS or _belongs(one)]


def _below(folder: Path, depth: int = 0) -> list[Entry]:
    """The files below a folder, its own first, with what archives hold; hidden folders and links are left out."""
    found: list[Entry] = []
    for path in sorted(folder.iterdir()):
        if path.is_dir():
            if not path.name.startswith((".", "__")):
                found += _deeper(path, depth + 1)
        elif is_archive(path) and not _aside(path):
            found += _handed_in(path)
        elif _could_be(one := entry(path, "refused")):
            found.append(one)
    return sorted(found, key=lambda one: len(one.path.parts))


def _deeper(folder: Path, depth: int) -> list[Entry]:
    if folder.is_symlink():
        return [refused(_link(folder))]
    if depth > MAX_DEPTH:
        return [refused(BadInput("folder-too-deep", file=folder, limit=MAX_DEPTH))]
    return _below(folder, depth)


def _link(path: Path) -> BadInput:
    """The fault of a link that is not followed."""
    return BadInput("folder-link" if path.is_dir() else "file-link", file=path)


def _handed_in(archive: Path) -> list[Entry]:
    """What an archive holds that could be an exercise; what is wrong with the whole of it shows when it is read."""
    if not is_archive(archive):
        return [entry(archive, "refused")]
    try:
        inner = _unpacked(archive)
    except BadInput as fault:
        return [refused(fault)]
    hidden = [one for one in inner if any(part.startswith((".", "__")) for part in _inside(one.path, archive).parts)]
    return [one for one in inner if _could_be(one) and one not in hidden]


def _unpacked(archive: Path) -> list[Entry]:
    from grader.worksheet import archives  # noqa: PLC0415 -- few files are one

    return archives.entries(archive, archives.read(archive))


def _inside(path: Path, archive: Path) -> Path:
    return path.relative_to(archive) if path != archive else Path(path.name)


def _could_be(one: Entry) -> bool:
    """Whether a file that was handed in may hold answers: by its name, or by its head."""
    path = one.path
    is_named = path.suffix.lower() in KINDS | DOCUMENTS or is_packed(path) or bool(_NUMBERED.fullmatch(path.stem))
    return is_named or (not _aside(path) and _has_head(one, unknown=True))


def _has_head(one: Entry, *, unknown: bool = False) -> bool:
    """Whether a file of any kind begins as an exercise does, in whatever encoding; `unknown` if it cannot be opened."""
    try:
        top = one.top()
    except BadInput:
        return unknown
    text = top.replace(b"\x00", b"").decode("utf-8", "replace").lstrip("\ufeff\ufffd\r\n\t ")
    return text.startswith(("---", "#")) and _HEAD.search(text) is not None


def _is_note(fault: Exception) -> bool:
    """Whether a file that cannot be used was no exercise in the first place."""
    if not isinstance(fault, BadInput) or fault.file is None:
        return False
    is_bare = fault.code == "worksheet-no-front-matter" and not fault.numbers["has_answers"]
    return is_bare and not _NUMBERED.fullmatch(fault.file.stem)


def _aside(path: Path) -> bool:
    """Whether a file is there for another reason."""
    return path.name.startswith((".", "_")) or path.name.lower().startswith("readme")


def _belongs(one: Entry) -> bool:
    """Whether a file of a folder is meant as an exercise: by its number or its head, or because that cannot be told."""
    if one.path.suffix.lower() not in KINDS:
        return not _is_spare(one.path) and _has_head(one)
    if _NUMBERED.fullmatch(one.path.stem):
        return True
    try:
        file = _file(one)
    except BadInput as fault:
        has_answers = fault.code == "worksheet-no-front-matter" and fault.numbers["has_answers"]
        return has_answers or _has_head(one, unknown=True)
    return file.problem is not None


def _submission(entries: list[Entry]) -> Submission:
    files: list[SubmittedFile] = []
    faults: list[BadInput] = []
    for one in entries:
        try:
            files.append(_file(one))
        except BadInput as fault:
            faults.append(fault)
    return Submission(tuple(files), tuple(faults))


def _file(one: Entry) -> SubmittedFile:
    """One file, decoded and taken apart. Raises `BadInput`."""
    path = one.path
    if not is_archive(path):
        if path.suffix.lower() not in KINDS and not is_packed(path):
            one.top()  # that a file cannot be opened says more than that it is of another kind
        _check_kind(path)
    source = decode(one.read(), path)
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
    try:
        worth = _points(head)
    except ValueError:
        at, said = read.line_of_head(source, "points"), short(head["points"])
        raise BadInput("points-unreadable", file=path, line=at, read=said, limit=points.LARGEST) from None
    return SubmittedFile(path, kind, *named, source, answers, _lang(head), worth)


def _points(head: dict[str, str]) -> Fraction | None:
    """What the set makes a problem worth; nothing, or 0, counts as not said. Raises `ValueError`."""
    said = head.get("points")
    return points.read(said) or None if said else None


def _is_spare(path: Path) -> bool:
    return path.name.lower().endswith(_SPARE)


def _check_kind(path: Path) -> None:
    if is_packed(path):
        raise BadInput("archive-kind", file=path, suffix=path.suffix)
    if path.suffix.lower() not in KINDS:
        raise BadInput("file-kind", file=path, suffix=path.suffix or path.name)


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
