"""The command `grade`: wiring only. What a command does is in `commands/`, imported when it runs."""

import contextlib
import errno
import gc
import gettext
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from grader import __version__
from grader.commands.options import ASKED, ZH, Group, bank_folder, common, running, say
from grader.errors import BadInput, GradeError
from grader.sandbox.command import ONE_THREAD
from grader.show import command as typed
from grader.show import language

if TYPE_CHECKING:
    from grader.commands.session import Session

LOCALE = Path(__file__).parent / "locale"
if ZH:  # the words of click's own: "Usage:", "Missing argument", ...
    os.environ["LANGUAGE"] = "zh"
    gettext.bindtextdomain("messages", str(LOCALE))

UNREAD, USAGE, OURS, INTERRUPTED = 1, 2, 3, 130
MOST_SEED = 10**15 - 1  # `bank.seeds.MOST`, which is not imported, as help must not load NumPy
NOT_FOR_US = {errno.EACCES, errno.EPERM, errno.ENAMETOOLONG, errno.ELOOP, errno.ENOTDIR}
"""What the system says of a path that a person named, or that lies in a folder of theirs, and that cannot be used."""
SELDOM = 100_000
"""Objects that are made before garbage is looked for; looking took a tenth of the time of marking a set."""


class PathFirst(Group):
    """A group that takes `grade PATH` as `grade check PATH`, and knows the nearest command to a wrong one."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command of these arguments; a path is marked."""
        name = args[0]
        if name.startswith("-") or self.get_command(ctx, name) is not None:
            return super().resolve_command(ctx, args)
        if _exists(name) or not name.isidentifier() or _is_exercise(name):
            return "check", self.get_command(ctx, "check"), args
        import difflib  # noqa: PLC0415 -- help must not wait for it

        near = difflib.get_close_matches(name, self.list_commands(ctx), n=1)
        unknown = say("There is no command or file `{}`.", "没有名为 `{}` 的命令或文件。").format(name)
        hint = say(" Did you mean `{}`?", "你是想用 `{}` 吗？").format(near[0]) if near else ""
        raise click.UsageError(unknown + hint, ctx)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Options of `check` may stand before the path: `grade --json FILE` marks too."""
        own = {"--help", "-h", "--version", "--lang", "--plain"}
        first = args[0].split("=")[0] if args else ""
        if first.startswith("--") and first not in own and any(not one.startswith("-") for one in args):
            args = ["check", *args]
        return super().parse_args(ctx, args)


def _exists(name: str) -> bool:
    """Whether something is called so; also if we may not look, which is said where it is read."""
    try:
        return Path(name).exists()
    except OSError:
        return True


def _is_exercise(name: str) -> bool:
    """Whether an exercise here has this id."""
    from grader.commands.session import meant  # noqa: PLC0415 -- help must not load NumPy

    return meant(Path(name)) != Path(name)


def session(lang: str | None, *, plain: bool = False, bank: tuple[Path, ...] = ()) -> "Session":
    """The session of a command."""
    from grader.commands.session import Session  # noqa: PLC0415 -- help must not load NumPy

    context = click.get_current_context(silent=True)
    before = context is not None and context.find_root().params.get("plain", False)  # `grade --plain PATH`
    return Session(language.named(lang) or ASKED, plain or before, bank)


@click.group(
    cls=PathFirst,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 80},
    help=say(
        "Exercises on attention that grade themselves: `grade PATH` marks a file or a folder.",
        "能自动批改的注意力机制练习：`grade 路径` 批改一个文件或文件夹。",
    ),
)
@click.version_option(__version__, prog_name="attention-grader", help=say("Show the version.", "显示版本。"))
@common
@click.pass_context
def cli(ctx: click.Context, lang: str | None, *, plain: bool) -> int | None:
    """Without a command: where you are, and what is next."""
    if ctx.invoked_subcommand is not None:
        return None
    from grader.commands.check import overview  # noqa: PLC0415 -- help must not load NumPy

    return overview(session(lang, plain=plain))


@cli.command(help=say("Mark a file, a folder of exercises, or a class.", "批改一个文件、一个练习文件夹或一个班级。"))
@click.argument(
    "path",
    metavar=say("[PATH|N]", "[路径|编号]"),
    type=click.Path(path_type=Path, readable=False),  # what cannot be read is said where it is read
    required=False,
)
@click.option(
    "--exercise",
    metavar="ID|N",
    help=say("Mark a Python file against this exercise.", "按这道练习批改 Python 文件。"),
)
@click.option(
    "--only", metavar="N", multiple=True, help=say("Only this file: its number or id.", "只批改这个编号或题名的文件。")
)
@click.option("--json", "as_json", is_flag=True, help=say("Print one JSON object.", "输出一个 JSON 对象。"))
@click.option(
    "--reveal", is_flag=True, help=say("Show the expected numbers and the worked steps.", "显示答案和逐步解答。")
)
@click.option(
    "--csv",
    metavar="FILE",
    type=click.Path(dir_okay=False, path_type=Path),
    help=say("Write a class's marks here; `-` prints them.", "把班级成绩写入此文件；`-` 表示直接输出。"),
)
@click.option(
    "--lock",
    metavar="FILE",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help=say("The lock of a class set.", "班级习题的锁文件。"),
)
@click.option(
    "--secret",
    metavar="FILE",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help=say("The course's secret, to verify what was given out.", "课程密钥文件，用来核对发出的题目。"),
)
@click.option(
    "--class", "as_class", is_flag=True, help=say("Each sub-folder is a student.", "每个子文件夹是一名学生。")
)
@running
@bank_folder
@common
def check(
    path: Path | None, exercise: str | None, only: tuple[str, ...], *,
    as_json: bool, reveal: bool, csv: Path | None, lock: Path | None, secret: Path | None, as_class: bool,
    isolation: str, allow: tuple[str, ...], jobs: int | None, unsafe: bool,
    bank: tuple[Path, ...], lang: str | None, plain: bool,
) -> int:  # fmt: skip
    """Mark what is at a path; the exercises here without one."""
    from grader.sandbox import ahead  # noqa: PLC0415 -- help must not wait for it

    if path is not None and not as_class:
        ahead.start(path, allow)

    from grader.commands import check as command  # noqa: PLC0415 -- help must not load NumPy
    from grader.commands.session import here  # noqa: PLC0415 -- as above
    from grader.sandbox.run import Way  # noqa: PLC0415 -- as above

    way = Way(allow, per_case=isolation == "case")
    options = command.Options(exercise, only, as_json, reveal, csv, lock, secret, as_class, way, unsafe, jobs)
    return command.check(path or here(), options, session(lang, plain=plain, bank=bank))


@cli.command(help=say("Write a set of exercises into a new folder.", "把一套练习写入新文件夹。"))
@click.argument("folder", metavar=say("FOLDER", "文件夹"), type=click.Path(path_type=Path))
@click.option(
    "--set", "set_name", metavar="SET", default="self_study", show_default=True, help=say("Which set.", "哪一套题。")
)
@click.option(
    "--seed",
    metavar="N",
    default=0,
    show_default=True,
    type=click.IntRange(0, MOST_SEED),
    help=say("Which numbers.", "用哪一组数。"),
)
@bank_folder
@common
def start(
    folder: Path, set_name: str, seed: int, *, bank: tuple[Path, ...], lang: str | None, plain: bool
) -> int:  # fmt: skip
    """Start studying."""
    from grader.commands import study  # noqa: PLC0415 -- help must not load NumPy

    return study.start(folder, set_name, seed, session(lang, plain=plain, bank=bank))


@cli.command(
    help=say(
        "Write a set: one folder, or one for each student of a roster.", "生成一套题：一个文件夹，或按名单每人一份。"
    )
)
@click.argument("set_name", metavar=say("SET", "题集"))
@click.option(
    "--out",
    metavar="DIR",
    required=True,
    type=click.Path(file_okay=False, path_type=Path),
    help=say("Where to.", "写到哪里。"),
)
@click.option(
    "--seed",
    metavar="N",
    type=click.IntRange(0, MOST_SEED),
    help=say("Which numbers, without a roster.", "没有名单时用哪一组数。"),
)
@click.option(
    "--roster",
    metavar="FILE",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help=say("CSV with the columns id and name.", "带 id（学号）和 name（姓名）两列的 CSV。"),
)
@click.option(
    "--secret",
    metavar="FILE",
    type=click.Path(dir_okay=False, path_type=Path),
    help=say("The course's secret; made for a new course.", "课程密钥文件；新课程会自动生成。"),
)
@click.option(
    "--attempt",
    metavar="N",
    type=click.IntRange(1),
    help=say("New numbers for a class, for the N-th time.", "给班级换一组数（第 N 次）。"),
)
@bank_folder
@common
def make(
    set_name: str, out: Path, seed: int | None, roster: Path | None, secret: Path | None, *,
    attempt: int | None, bank: tuple[Path, ...], lang: str | None, plain: bool,
) -> int:  # fmt: skip
    """Give out a set."""
    from grader.commands import course  # noqa: PLC0415 -- help must not load NumPy

    if seed is not None and roster is not None:
        raise click.UsageError(say("--seed and --roster exclude each other.", "--seed 与 --roster 不能同时使用。"))
    if attempt is not None and roster is None:
        raise click.UsageError(say("--attempt goes with --roster.", "--attempt 要与 --roster 一起使用。"))
    asked = course.Making(set_name, out, seed, roster, secret, attempt or 1)
    return course.make(asked, session(lang, plain=plain, bank=bank))


def _study(name: str, en: str, zh: str) -> None:
    """One of the commands that take a file or its number."""

    @cli.command(name, help=say(en, zh))
    @click.argument("file", metavar=say("FILE|N", "文件|编号"))
    @bank_folder
    @common
    def command(file: str, *, bank: tuple[Path, ...], lang: str | None, plain: bool) -> int:
        from grader.commands import study  # noqa: PLC0415 -- help must not load NumPy

        run: Callable[[str, Session], int] = getattr(study, name)
        return run(file, session(lang, plain=plain, bank=bank))


_study("hint", "One hint more; the last one is the worked solution.", "多看一条提示；最后一条是完整解答。")
_study(
    "fresh", "New numbers for the same problem; a copy of the old file is kept.", "同一道题换一组数；旧文件会留副本。"
)
_study("reset", "Start a file over; a copy of the old one is kept.", "把文件恢复为空白；旧文件会留副本。")


@cli.command(help=say("The page of a mistake, by its code.", "按代码查看某个错误的说明。"))
@click.argument("code", metavar=say("CODE", "代码"))
@common
def explain(code: str, *, lang: str | None, plain: bool) -> int:
    """What a mistake is."""
    from grader.commands import bank as command  # noqa: PLC0415 -- help must not load NumPy

    return command.explain(code, session(lang, plain=plain))


@cli.command(help=say("Try out what holds other people's code here.", "试一试这台机器用什么关住他人的代码。"))
@common
def doctor(*, lang: str | None, plain: bool) -> int:
    """Whether the box holds."""
    from grader.commands import doctor as command  # noqa: PLC0415 -- help must not load NumPy

    return command.look(session(lang, plain=plain))


@cli.group(
    cls=Group,
    help=say("For authors: what the problem bank holds, and whether it is sound.", "供出题人使用：查看和检查题库。"),
    short_help=say("For authors: list and check the problems.", "供出题人使用：查看和检查题库。"),
)
@common
def bank(*, lang: str | None, plain: bool) -> None:
    """List and check the problems."""


@bank.command("list", help=say("Every problem, chapter by chapter.", "按章列出所有题目。"))
@bank_folder
@common
def bank_list(*, bank: tuple[Path, ...], lang: str | None, plain: bool) -> int:
    """What can be asked."""
    from grader.commands import bank as command  # noqa: PLC0415 -- help must not load NumPy

    return command.listing(session(lang, plain=plain, bank=bank))


@bank.command(
    "check",
    help=say(
        "Prove problems sound: their form, their words, and N draws each.", "检查题目：格式、文字，以及每题抽 N 次。"
    ),
)
@click.argument("problems", metavar=say("[PROBLEMS]...", "[题名]..."), nargs=-1)
@click.option(
    "--seeds",
    metavar="N",
    default=20,
    show_default=True,
    type=click.IntRange(1),
    help=say("Draws of each problem.", "每题抽多少次。"),
)
@click.option(
    "--lock",
    metavar="FILE",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help=say("Check that the bank still draws this class set.", "检查题库是否仍抽出这套班级习题。"),
)
@bank_folder
@common
def bank_check(
    problems: tuple[str, ...], seeds: int, lock: Path | None, *, bank: tuple[Path, ...], lang: str | None, plain: bool
) -> int:  # fmt: skip
    """Whether problems are fair and complete, or a class set is still what it was."""
    from grader.commands import bank as command  # noqa: PLC0415 -- help must not load NumPy

    if lock is not None:
        return command.check_lock(lock, session(lang, plain=plain, bank=bank))
    return command.checking(problems, seeds, session(lang, plain=plain, bank=bank))


def main() -> None:
    """Run the command line and leave with its exit code; nothing that is our fault is put on the learner."""
    _settle()
    code = _run()
    try:
        sys.stdout.flush()
    except OSError:  # nobody reads it, or the disk is full, which has been said
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    gc.freeze()  # Python's own end would look for garbage in all there is, before the kernel takes all there is
    sys.exit(code)


def _settle() -> None:
    """One thread for linear algebra, as matrices are small; garbage is seldom looked for, as a run is short."""
    _open_closed()
    for name in ONE_THREAD:
        os.environ.setdefault(name, "1")
    gc.set_threshold(SELDOM)


def _open_closed() -> None:
    """Give a stream that was closed (`>&-`) to nowhere: the next file that is opened would get its number."""
    for name in ("stdin", "stdout", "stderr"):
        if getattr(sys, name) is None:
            number = os.open(os.devnull, os.O_RDWR)
            setattr(sys, name, os.fdopen(number, "r" if name == "stdin" else "w", encoding="utf-8", closefd=False))


def _run() -> int:
    try:
        return cli.main(prog_name=typed.name(), standalone_mode=False) or 0
    except click.exceptions.Exit as leaving:
        return leaving.exit_code
    except click.ClickException as wrong:
        wrong.show()
        return USAGE
    except (KeyboardInterrupt, click.Abort):
        return INTERRUPTED
    except BrokenPipeError:  # whoever reads what is printed has seen enough
        return UNREAD
    except Exception as fault:  # noqa: BLE001 -- the last stop: what nobody expected is our own fault
        return _complain(fault)


def _of_the_machine(fault: OSError) -> Exception:
    """What is no fault of ours: a file or folder that we may not look at, or output that nowhere takes."""
    if fault.filename is not None and fault.errno in NOT_FOR_US:
        return BadInput("file-unreadable", file=Path(os.fsdecode(fault.filename)), reason=fault.strerror or "")
    if fault.filename is None and fault.errno in {errno.ENOSPC, errno.EIO}:
        return BadInput("output-unwritable", reason=fault.strerror or "")
    return fault


def _complain(fault: Exception) -> int:
    """Say what is wrong; with what helps to mend it, if it is ours."""
    code = OURS
    if isinstance(fault, OSError):
        fault = _of_the_machine(fault)
    if isinstance(fault, GradeError):
        code = fault.exit_code
    else:
        sys.excepthook(type(fault), fault, fault.__traceback__)
    with contextlib.suppress(Exception):  # where even the words cannot be read, the code still tells whose fault it is
        session(None).complain(fault)
    return code
