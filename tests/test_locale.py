"""Click's own words in Chinese: complete, compiled, and spoken only in Chinese."""

import io
from pathlib import Path

import click
from babel.messages import mofile, pofile
from babel.messages.extract import extract_from_dir

from grader.cli import LOCALE

CATALOG = LOCALE / "zh" / "LC_MESSAGES" / "messages.po"


def catalog():
    """The Chinese catalogue as it is edited."""
    with CATALOG.open("rb") as file:
        return pofile.read_po(file, locale="zh")


def test_the_compiled_catalogue_is_that_of_the_text():
    """`pybabel compile` was not forgotten."""
    with CATALOG.with_suffix(".mo").open("rb") as file:
        compiled = mofile.read_mo(file)

    made = io.BytesIO()
    mofile.write_mo(made, catalog())
    made.seek(0)
    assert [(one.id, one.string) for one in compiled] == [(one.id, one.string) for one in mofile.read_mo(made)]


def test_everything_that_click_says_is_translated():
    """Each message of the click that is installed stands in the catalogue."""
    keywords = {"_": None, "gettext": None, "ngettext": (1, 2)}
    found = {message for _, _, message, _, _ in extract_from_dir(Path(click.__file__).parent, keywords=keywords)}
    known = catalog()

    assert found
    missing = [one for one in found if one not in known or not known[one].string]
    assert not missing


def test_placeholders_are_the_same_in_both_languages():
    """No translation can break a message."""
    wrong = [(one.id, one.string) for one in catalog() if one.id and list(one.check())]

    assert not wrong


def test_usage_and_errors_are_in_chinese(grade):
    """By option or by locale; what the program was called stays."""
    shown = grade("make", "--help", "--lang", "zh").out
    wrong = grade("make", "--nonsense", LC_ALL="zh_CN.UTF-8").err
    missing = grade("explain", "--lang=zh").err

    assert "用法" in shown
    assert "[必填]" in shown
    assert "显示本说明后退出" in shown
    assert "Usage" not in shown + wrong + missing
    assert "错误：没有选项 '--nonsense'" in wrong
    assert "缺少参数" in missing


def test_english_stays_english_under_a_chinese_locale(grade):
    """What was asked for comes before the machine's language."""
    run = grade("make", "--nonsense", "--lang", "en", LC_ALL="zh_CN.UTF-8", LANGUAGE="zh_CN:zh")

    assert "Error: No such option '--nonsense'." in run.err
    assert run.code == 2
