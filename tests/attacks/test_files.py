"""Files and archives that attack whoever reads them: nothing is opened, unpacked or followed that should not be."""

import gzip
import io
import os
import socket
import stat
import tarfile
import tracemalloc
import zipfile
from pathlib import Path

import pytest

from grader.errors import BadInput
from grader.worksheet import archives
from grader.worksheet.collect import collect, everything
from grader.worksheet.files import MAX_BYTES, content
from tests.patience import no_hang

SHEET = b"---\nproblem: dot_score\nvariant: x\n---\n\n```answers\nscore: 1\n```\n"
SECRET = "the answer of another"


@pytest.fixture
def folder(tmp_path):
    """A student's folder with one good exercise, and a secret beside it."""
    (tmp_path / "secret.py").write_text(f"# problem: dot_score\n# {SECRET}\n")
    (tmp_path / "ann").mkdir()
    (tmp_path / "ann" / "01_dot_score.md").write_bytes(SHEET)
    return tmp_path / "ann"


def made(folder, kind):
    """Put something that is no ordinary file into a folder, as `02_x.py`."""
    path, secret = folder / "02_x.py", folder.parent / "secret.py"
    make = {
        "link": lambda: path.symlink_to(secret),
        "link to a link": lambda: ((folder / "other").symlink_to(secret), path.symlink_to("other")),
        "link to the system": lambda: path.symlink_to("/etc/passwd"),
        "loop": lambda: path.symlink_to(path),
        "hard link": lambda: os.link(secret, path),
        "pipe": lambda: os.mkfifo(path),
        "socket": lambda: bound(path),
        "endless device": lambda: device(path),
        "giant with a hole": lambda: (path.touch(), os.truncate(path, 1 << 40)),
        "giant": lambda: path.write_bytes(b"#" * (MAX_BYTES + 1)),
    }
    make[kind]()
    return path


def bound(path):
    """A socket with a name; the whole path may be too long for one."""
    here = Path.cwd()
    os.chdir(path.parent)
    try:
        with socket.socket(socket.AF_UNIX) as server:
            server.bind(path.name)
    finally:
        os.chdir(here)


def device(path):
    """A device that gives zeros for ever."""
    try:
        os.mknod(path, stat.S_IFCHR | 0o666, os.makedev(1, 5))
    except PermissionError:
        pytest.skip("only root makes devices")


KINDS = {
    "link": "file-link",
    "link to a link": "file-link",
    "link to the system": "file-link",
    "loop": "file-link",
    "hard link": "file-hard-link",
    "pipe": "file-not-regular",
    "socket": "file-not-regular",
    "endless device": "file-not-regular",
    "giant with a hole": "file-too-large",
    "giant": "file-too-large",
}


@pytest.mark.parametrize("kind", KINDS)
def test_nothing_but_ordinary_files_is_read(folder, kind):
    """A student's folder gives its ordinary files at once; everything else is a fault of its own, and stays closed."""
    made(folder, kind)
    with no_hang():
        found = everything(folder)
    assert [file.path.name for file in found.files] == ["01_dot_score.md"]
    assert {fault.code for fault in found.faults} == {KINDS[kind]}
    assert not any(SECRET in file.source for file in found.files)


@pytest.mark.parametrize("kind", ["link", "link to a link", "link to the system"])
def test_a_link_in_ones_own_folder_stays_in_it(folder, kind):
    """Also where the folder is one's own a link that leads out of it is not followed: the folder may be a download."""
    made(folder, kind)
    assert [fault.code for fault in collect(folder).faults] == ["file-link"]


def test_a_link_inside_ones_own_folder_is_followed(folder):
    """A link to a neighbour is a way to work; a class does not have it."""
    (folder / "02_again.md").symlink_to("01_dot_score.md")
    assert len(collect(folder).files) == 2
    assert [fault.code for fault in everything(folder).faults] == ["file-link"]


@pytest.mark.parametrize("kind", ["link", "hard link", "link to the system"])
def test_the_links_are_real(folder, kind):
    """Whoever simply reads a link has what it leads to."""
    assert made(folder, kind).read_text()


def test_a_file_that_changes_while_it_is_read(folder, monkeypatch):
    """What is checked is the file that was opened, not the one that stood there before."""
    path = folder / "01_dot_score.md"
    real = os.open

    def swap(name, *more):
        path.unlink()
        os.mkfifo(path)
        return real(name, *more)

    monkeypatch.setattr(os, "open", swap)
    with pytest.raises(BadInput) as caught:
        content(path, "refused")
    assert caught.value.code == "file-not-regular"


def test_folders_without_end(folder):
    """Folders inside folders are entered to a bounded depth."""
    deep = folder
    for _ in range(60):
        deep /= "x"
    deep.mkdir(parents=True)
    (deep / "02_dot_score.md").write_bytes(SHEET)
    (folder / "up").symlink_to("..")
    assert [file.path.name for file in everything(folder).files] == ["01_dot_score.md"]


# --- archives ----------------------------------------------------------------------------------------------------


def zipped(path, members, compression=zipfile.ZIP_DEFLATED):
    """A zip of names and bytes."""
    with zipfile.ZipFile(path, "w", compression) as archive:
        for name, data in members:
            archive.writestr(name, data)
    return path


def tarred(path, members):
    """A tar of names, or of ready-made heads, and bytes."""
    with tarfile.open(path, "w:gz" if path.name.lower().endswith("gz") else "w") as archive:
        for name, data in members:
            head = name if isinstance(name, tarfile.TarInfo) else tarfile.TarInfo(name)
            head.size = len(data) if head.isreg() else 0
            archive.addfile(head, io.BytesIO(data) if head.isreg() else None)
    return path


PACKERS = pytest.mark.parametrize(("name", "pack"), [("a.zip", zipped), ("a.tar.gz", tarred), ("a.TGZ", tarred)])
GOOD = ("set/01_dot_score.md", SHEET)


@PACKERS
def test_an_archive_is_read_like_a_folder(tmp_path, name, pack):
    """Its exercises are found, by both ways of collecting, and nothing is written."""
    archive = pack(tmp_path / name, [GOOD, ("set/notes.log", b"x"), ("__MACOSX/._01_dot_score.md", b"\0")])
    before = sorted(tmp_path.rglob("*"))
    for found in (collect(archive), everything(archive), everything(tmp_path)):
        assert [file.problem for file in found.files] == ["dot_score"]
        assert found.faults == ()
        assert found.files[0].path == archive / "set/01_dot_score.md"
    assert sorted(tmp_path.rglob("*")) == before


OUTSIDE = ["../../02_a.md", "/etc/02_a.md", "C:\\windows\\02_a.md", "..\\02_a.md", "a/../../02_a.md", "./02_a.md"]


@PACKERS
@pytest.mark.parametrize("evil", OUTSIDE)
def test_no_name_leads_out_of_an_archive(tmp_path, name, pack, evil):
    """Names that would be written elsewhere are names inside, and nothing is written at all."""
    archive = pack(tmp_path / name, [(evil, SHEET)])
    (file,) = everything(archive).files
    assert file.path.is_relative_to(archive)
    assert ".." not in file.path.parts


@PACKERS
def test_an_archive_of_too_many_members(tmp_path, name, pack):
    """Thousands of members are refused as a whole."""
    archive = pack(tmp_path / name, [(f"{place}.md", b"") for place in range(archives.MAX_MEMBERS + 1)])
    assert [fault.code for fault in everything(archive).faults] == ["archive-too-many"]


@PACKERS
def test_a_member_that_unpacks_to_too_much(tmp_path, name, pack):
    """A bomb is a fault of its member; it is not unpacked to the end, and the others are read."""
    bomb = b"\0" * (8 * MAX_BYTES)
    archive = pack(tmp_path / name, [GOOD, ("02_bomb.md", bomb)])
    assert archive.stat().st_size < MAX_BYTES  # it is one
    found = everything(archive)
    assert [file.path.name for file in found.files] == ["01_dot_score.md"]
    (fault,) = found.faults
    assert (fault.code, fault.numbers["size"], fault.numbers["limit"]) == ("file-too-large", "8", "1")


@PACKERS
def test_many_members_that_unpack_to_too_much(tmp_path, name, pack):
    """What all members unpack to is bounded too, and so is the memory it takes."""
    part = b"#" * (MAX_BYTES - 1)
    archive = pack(tmp_path / name, [(f"{place:02}_bomb.md", part) for place in range(60)])
    tracemalloc.start()
    faults = everything(archive).faults
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert [fault.code for fault in faults] == ["archive-too-large"]
    assert peak < 3 * archives.MAX_UNPACKED


def test_a_stream_without_end(tmp_path):
    """A compressed stream that skips gigabytes before its first member stops at the bound."""
    head = tarfile.TarInfo("0.bin")
    head.size = 1 << 32
    archive = tmp_path / "a.tar.gz"
    with gzip.open(archive, "wb", 1) as stream:
        stream.write(head.tobuf())
        for _ in range(40):
            stream.write(bytes(MAX_BYTES))
    with no_hang():
        assert [fault.code for fault in everything(archive).faults] == ["archive-too-large"]


def test_a_head_that_claims_gigabytes(tmp_path):
    """A long name of four gigabytes is not believed."""
    head = tarfile.TarInfo("././@LongLink")
    head.type, head.size = tarfile.GNUTYPE_LONGNAME, 1 << 32
    (tmp_path / "a.tar").write_bytes(head.tobuf(tarfile.GNU_FORMAT) + bytes(2048))
    tracemalloc.start()
    (fault,) = everything(tmp_path / "a.tar").faults
    assert tracemalloc.get_traced_memory()[1] < archives.MAX_UNPACKED * 2
    tracemalloc.stop()
    assert fault.code in {"archive-too-large", "archive-unreadable"}


@pytest.mark.parametrize("kind", ["SYMTYPE", "LNKTYPE", "CHRTYPE", "FIFOTYPE", "BLKTYPE", "GNUTYPE_SPARSE", "CONTTYPE"])
def test_a_tar_member_that_is_no_file(tmp_path, kind):
    """Links, devices, pipes and files with holes are faults; a file of any old kind of file is read."""
    head = tarfile.TarInfo("02_x.py")
    head.type, head.linkname = getattr(tarfile, kind), "/etc/passwd"
    archive = tarred(tmp_path / "a.tar", [GOOD, (head, b"")])
    found = everything(archive)
    assert len(found.files) == 1 + (kind == "CONTTYPE")
    said = "file-link" if kind in {"SYMTYPE", "LNKTYPE"} else "file-not-regular"
    assert kind == "CONTTYPE" or found.faults[0].code in {said, "archive-unreadable"}


def test_a_zip_member_that_is_a_link(tmp_path):
    """A link in a zip is a fault: its text is not taken for the file."""
    link = zipfile.ZipInfo("02_x.py")
    link.external_attr = (stat.S_IFLNK | 0o777) << 16
    found = everything(zipped(tmp_path / "a.zip", [GOOD, (link, "/etc/passwd")]))
    assert (len(found.files), [fault.code for fault in found.faults]) == (1, ["file-link"])


@pytest.mark.parametrize("compression", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_rare_compressions_are_not_unpacked(tmp_path, compression):
    """Compressions whose memory cannot be bounded are refused."""
    found = everything(zipped(tmp_path / "a.zip", [GOOD], compression))
    assert [fault.code for fault in found.faults] == ["file-packed"]


def test_an_encrypted_zip(tmp_path):
    """What cannot be read is a fault."""
    data = bytearray(zipped(tmp_path / "a.zip", [GOOD]).read_bytes())
    data[6] |= 1
    data[data.rindex(b"PK\1\2") + 8] |= 1
    (tmp_path / "a.zip").write_bytes(bytes(data))
    assert [fault.code for fault in everything(tmp_path / "a.zip").faults] == ["file-encrypted"]


@pytest.mark.parametrize("name", ["a.zip", "a.tar.gz", "a.tgz", "a.tar"])
@pytest.mark.parametrize("data", [b"", b"PK\3\4", b"\x1f\x8b\x08\0", b"no archive" * 1000, SHEET, bytes(10240)])
def test_what_is_no_archive(tmp_path, name, data):
    """Any bytes under such a name are a fault or an empty archive, never a crash."""
    (tmp_path / name).write_bytes(data)
    assert {fault.code for fault in everything(tmp_path / name).faults} <= {"archive-unreadable", "archive-damaged"}


@PACKERS
def test_a_damaged_archive(tmp_path, name, pack):
    """Cut off anywhere, or with any byte changed, it is read as far as it goes, or a fault."""
    whole = pack(tmp_path / name, [GOOD, ("02_two.md", SHEET * 20)]).read_bytes()
    for place in range(0, len(whole), 7):
        for data in (whole[:place], whole[:place] + bytes([whole[place] ^ 0x55]) + whole[place + 1 :]):
            (tmp_path / name).write_bytes(data)
            found = everything(tmp_path / name)
            assert all(isinstance(fault, BadInput) for fault in found.faults)


def test_an_archive_in_an_archive_stays_packed(tmp_path):
    """One level is enough for a submission, and too little for a bomb."""
    inner = zipped(tmp_path / "inner.zip", [GOOD]).read_bytes()
    for pack, name in ((zipped, "a.zip"), (tarred, "a.tar")):
        found = everything(pack(tmp_path / name, [("inner.zip", inner), ("other.7z", inner)]))
        assert found.files == ()
        assert [(fault.code, fault.file.name) for fault in found.faults] == [
            ("archive-nested", "inner.zip"),
            ("archive-kind", "other.7z"),
        ]


def test_an_archive_that_is_a_link_or_a_giant(tmp_path):
    """The archive itself must be an ordinary file of a sensible size."""
    (tmp_path / "link.zip").symlink_to(zipped(tmp_path / "real.zip", [GOOD]))
    with (tmp_path / "giant.zip").open("wb") as file:
        file.truncate(1 << 40)
    assert everything(tmp_path / "link.zip").faults[0].code == "file-link"
    assert everything(tmp_path / "giant.zip").faults[0].code == "archive-too-large"
