"""The walls around a submission: which of them this machine has, and in what order they go up.

    server    choose()     what works here, tried in a process that is thrown away; namespaces are entered at once
              finish()     after all is imported: an empty disk, no privileges, nothing to import from
    fork      confine()    after its limits, before the first line of the submission: Landlock, then seccomp

Seccomp is the wall that counts; without it there are no others and the work is done under limits alone.
"""

import contextlib
from collections.abc import Collection
from pathlib import Path
from typing import NamedTuple

from . import kernel, landlock, modules, namespaces
from .seccomp import Filter

MORE_LIKELY_KILLED = "800"  # of 1000, when the whole machine is short of memory


class Walls(NamedTuple):
    """What stands: seccomp, the version of Landlock (0: none), whether the namespaces are our own, an empty disk."""

    seccomp: Filter | None = None
    landlock: int = 0
    namespaces: bool = False
    empty: bool = False

    @property
    def closed(self) -> bool:
        """Whether a submission is to find no files at all."""
        return bool(self.seccomp or self.landlock or self.empty)

    @property
    def label(self) -> str:
        """The word for the report."""
        standing = (("seccomp", self.seccomp), ("landlock", self.landlock), ("namespaces", self.namespaces))
        return "+".join(name for name, stands in standing if stands) or "limits"


def choose(wanted: Collection[str]) -> Walls:
    """The walls that are wanted and work. In namespaces of its own the caller goes on as their first process."""
    with contextlib.suppress(OSError):
        Path("/proc/self/oom_score_adj").write_text(MORE_LIKELY_KILLED, encoding="ascii")
    if not wanted:
        return Walls()
    filtering = Filter() if "seccomp" in wanted and kernel.ARCHITECTURE is not None else None
    if "seccomp" in wanted and not (filtering and namespaces.works(lambda: _rehearse(filtering))):
        return Walls()
    own = "namespaces" in wanted and namespaces.enter()
    return Walls(filtering, landlock.version() if "landlock" in wanted else 0, own)


def _rehearse(filtering: Filter) -> None:
    kernel.prctl(kernel.PR_SET_NO_NEW_PRIVS, 1)
    filtering.install()


def finish(walls: Walls) -> Walls:
    """Take away from the server itself what no submission is to have."""
    if walls.namespaces:
        walls = walls._replace(empty=namespaces.empty_disk())
    if walls.closed:
        modules.close()
        namespaces.become_nobody()
    return walls


def confine(walls: Walls) -> None:
    """Close what is left open, in the fork itself. Errors: `OSError`; nothing may be run then."""
    if walls.landlock:
        landlock.restrict(walls.landlock)
    if walls.seccomp:
        walls.seccomp.install()
