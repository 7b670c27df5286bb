"""Pages to read: a mistake explained, and hints."""

from collections.abc import Iterator, Mapping, Sequence

from grader.model import Text
from grader.show.terminal import layout
from grader.show.terminal.line import Line
from grader.show.terminal.view import HEADING, View

PARTS = ("what", "why", "look", "read")


def mistake(name: str, page: Mapping[str, Text], view: View) -> Iterator[Line]:
    """A mistake's page: its title, then each part beside its heading."""
    if not page:
        yield from view.wrapped(view.say("no-page", id=name))
        return
    if "title" in page:
        yield from view.wrapped(view.pick(page["title"]), style=HEADING)
    yield from view.lines([view.safe(name)], "dim")
    parts = [part for part in PARTS if part in page]
    headings = [view.say(f"page-{part}") for part in parts]
    indent = " " * (max(map(layout.measure, headings), default=0) + 2)
    for part, heading in zip(parts, headings, strict=True):
        yield Line()
        first, *rest = layout.prose(view.pick_raw(page[part]), view.width, indent) or [""]
        made = Line(view.clip(layout.pad(heading, len(indent)) + first[len(indent) :]))
        made.stylize(HEADING, 0, len(heading))
        yield made
        yield from view.lines(rest)


def hints(shown: Sequence[str], total: int, view: View) -> Iterator[Line]:
    """The hints opened so far, each with its number."""
    if not total:
        yield from view.wrapped(view.say("no-hints"))
    for at, hint in enumerate(shown, 1):
        if at > 1:
            yield Line()
        yield from view.lines([view.say("hint-line", number=at, total=total)], HEADING)
        yield from view.lines(layout.prose(view.paper.fit(hint), view.width, "  "))
