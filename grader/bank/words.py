"""The sentences and pages of the bank, in both languages, read when first looked up.

Marking a right answer needs few sentences and no page, so nothing is read before it is asked for: the files of
`words/` with the first sentence, a mistake's page or a template's feedback with its own key.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

from grader.bank import load as _load
from grader.errors import BadInput
from grader.model import LANGS, Template, Text, Words

T = TypeVar("T")


def load(roots: Sequence[Path] = ()) -> Words:
    """The words of our bank, with the feedback of the templates of `roots` as well."""
    return Words(_Lazy(_codes, lambda key: _sentence(key, tuple(roots))), _Lazy(_page_ids, page))


class _Lazy(Mapping[str, T]):
    """A mapping that finds each value when it is asked for, and knows its keys when they are."""

    def __init__(self, keys: Callable[[], Sequence[str]], find: Callable[[str], T]) -> None:
        self._keys = keys
        self._find = cache(find)

    def __getitem__(self, key: str) -> T:
        return self._find(key)

    def __iter__(self) -> Iterator[str]:
        return iter(self._keys())

    def __len__(self) -> int:
        return len(self._keys())


def _text(raw: Mapping[str, str]) -> Text:
    return Text(raw["en"], raw["zh"])


# --- sentences ---------------------------------------------------------------------------------------------------


@cache
def sentences() -> Mapping[str, Text]:
    """Every sentence of `words/*.yaml` by its code."""
    found: dict[str, Text] = {}
    for path in sorted((_load.root() / "words").glob("*.yaml")):
        found |= {code: _text(raw) for code, raw in (_load.read(path) or {}).items()}
    return found


def _codes() -> Sequence[str]:
    return tuple(sentences())


def _sentence(key: str, roots: tuple[Path, ...]) -> Text:
    """A sentence by its code, or a template's own by `id/blank/option`; `KeyError` if there is none."""
    if "/" not in key:
        return sentences()[key]
    template_id, _, rest = key.partition("/")
    try:
        return feedback(_load.find(template_id, roots))[rest]
    except BadInput as error:
        raise KeyError(key) from error


def _escaped(text: Text) -> Text:
    """Feedback as a sentence: its braces are its own, not places for numbers."""
    return Text(*(one.replace("{", "{{").replace("}", "}}") for one in (text.en, text.zh)))


def feedback(template: Template) -> Mapping[str, Text]:
    """A template's own sentences: `blank/option` for a wrong option, `blank/truth` for a wrong true or false."""
    found = {}
    for ask in template.ask:
        if ask.feedback is not None:
            found[f"{ask.name}/truth"] = _escaped(ask.feedback)
        found |= {f"{ask.name}/{one.key}": _escaped(one.feedback) for one in ask.options if one.feedback is not None}
    return found


# --- pages of the mistakes ---------------------------------------------------------------------------------------


def _page_ids() -> Sequence[str]:
    return _stems(_load.root() / "mistakes", ".yaml")


@cache
def _stems(folder: Path, ending: str) -> Sequence[str]:
    """The names of a folder's files of one kind, without their ending."""
    return tuple(path.name.removesuffix(ending) for path in sorted(folder.glob(f"*{ending}")))


@cache
def page(mistake: str) -> Mapping[str, Text]:
    """One mistake's page: title, what, why, look, and in `read` the title of its note; `KeyError` if there is none."""
    raw = _page(mistake)
    found = {key: _text(value) for key, value in raw.items() if _load.is_text(value)}
    if isinstance(raw.get("read"), str):
        found["read"] = _heading(note(raw["read"]))
    return found


@cache
def _page(mistake: str) -> Mapping[str, Any]:
    if mistake not in _page_ids():
        raise KeyError(mistake)
    raw: Mapping[str, Any] = _load.read(_load.root() / "mistakes" / f"{mistake}.yaml")
    return raw


# --- notes -------------------------------------------------------------------------------------------------------


def notes() -> Sequence[str]:
    """The names of the notes there are to read."""
    return _stems(_load.root() / "notes", ".en.md")


@cache
def note(name: str) -> Text:
    """One note, Markdown, in both languages; `KeyError` if there is none."""
    if name not in notes():
        raise KeyError(name)
    paths = (_load.root() / "notes" / f"{name}.{lang}.md" for lang in LANGS)
    return Text(*(path.read_text(encoding="utf-8") for path in paths))


def note_of(mistake: str) -> str | None:
    """The name of the note that a mistake's page points to."""
    read = _page(mistake).get("read")
    return read if isinstance(read, str) else None


def _heading(text: Text) -> Text:
    return Text(*(one.partition("\n")[0].lstrip("# ").strip() for one in (text.en, text.zh)))
