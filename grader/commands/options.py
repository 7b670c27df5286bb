"""What commands share on the command line: the language of help pages, the kind of command, common options."""

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from grader.show import command as typed
from grader.show import language

ASKED = language.asked(sys.argv[1:], os.environ)
ZH = language.choose(ASKED, os.environ) == "zh"

F = TypeVar("F", bound=Callable[..., Any])


def say(en: str, zh: str) -> str:
    """The text of a help page in the language of this run."""
    return typed.adapt(zh if ZH else en)


OPTIONS, COMMANDS = say("[OPTIONS]", "[选项]"), say("COMMAND [ARGS]...", "命令 [参数]...")


class Command(click.Command):
    """A command whose usage line is in the language of this run."""

    def __init__(self, *parts: Any, **named: Any) -> None:
        """Click's own, but for one word."""
        super().__init__(*parts, **{"options_metavar": OPTIONS, **named})


class Group(click.Group):
    """A group likewise."""

    command_class = Command

    def __init__(self, *parts: Any, **named: Any) -> None:
        """Click's own, but for two words."""
        super().__init__(*parts, **{"options_metavar": OPTIONS, "subcommand_metavar": COMMANDS, **named})


def common(command: F) -> F:
    """The options that every command has."""
    command = click.option(
        "--lang", type=click.Choice(["en", "zh"]), help=say("The language to speak.", "使用的语言。")
    )(command)
    return click.option(
        "--plain", is_flag=True, help=say("No colour; words instead of signs.", "不用颜色，用文字代替符号。")
    )(command)


def bank_folder(command: F) -> F:
    """The option that adds a course's own bank."""
    return click.option(
        "--bank", "bank", metavar="DIR", type=click.Path(exists=True, file_okay=False, path_type=Path), multiple=True,
        help=say("A folder of templates of your own, besides ours.", "除自带题库外，另加一个模板文件夹。"),
    )(command)  # fmt: skip


def running(command: F) -> F:
    """The options on how code is run."""
    for option in (
        click.option(
            "--isolation", type=click.Choice(["submission", "case"]), default="submission", show_default=True,
            help=say("A process for each file, or for each of its cases.", "按文件或按例子分开进程。"),
        ),
        click.option(
            "--allow", metavar="MODULE", multiple=True,
            help=say("A module that code may import beside NumPy.", "除 NumPy 外，允许代码导入的模块。"),
        ),
        click.option(
            "--jobs", metavar="N", type=click.IntRange(1),
            help=say("Processes that mark a class; one for each processor.", "批改班级的进程数；默认每个处理器一个。"),
        ),
        click.option(
            "--unsafe", is_flag=True,
            help=say("Run a class's code even where nothing holds it.", "没有隔离也运行班级提交的代码。"),
        ),
    ):  # fmt: skip
        command = option(command)
    return command
