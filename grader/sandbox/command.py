"""How the process for submissions is started: which interpreter, which environment, what it can import."""

import importlib.util
import os
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from grader.errors import BadInput

SCRIPT = Path(__file__).with_name("child.py")
# One thread for linear algebra: many would be killed by the limits, and are slower on small matrices.
ONE_THREAD = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS")
# Without these some interpreters do not find their own libraries.
KEPT = ("LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "SYSTEMROOT")

WALLS = ("seccomp", "landlock", "namespaces")
"""All there are; those that a machine does not have are left out."""


class Setting(NamedTuple):
    """What the process for submissions is to be: the walls wanted, and modules that a course allows beside NumPy."""

    walls: tuple[str, ...] = WALLS
    modules: tuple[str, ...] = ()


def command(mode: str, *more: str) -> list[str]:
    """No site packages, nothing of the user's, no script folder on the path: only Python's own modules, and numpy."""
    return [sys.executable, "-s", "-S", "-P", "-X", "utf8", str(SCRIPT), mode, str(numpy_folder()), *more]


def server_command(setting: Setting, descriptor: int) -> list[str]:
    """The server's own."""
    return command("server", str(descriptor), ",".join(setting.walls), *folders(setting.modules))


def folders(modules: Iterable[str]) -> list[str]:
    """Each module with the folder that holds its package. Errors: `BadInput` for one that is not installed."""
    return [f"{name}={_folder(name)}" for name in modules]


def _folder(name: str) -> Path:
    top = name.partition(".")[0]
    try:
        found = importlib.util.find_spec(top) if name.replace(".", "a").isidentifier() else None
    except (ImportError, ValueError):
        found = None
    if found is None or not found.origin:
        raise BadInput("module-not-installed", module=name)
    return Path(found.origin).parent.parent if found.submodule_search_locations else Path(found.origin).parent


def numpy_folder() -> Path:
    """The folder that holds the numpy package of this interpreter."""
    return _folder("numpy")  # looked up, not imported: this comes before NumPy is loaded here


def environment() -> dict[str, str]:
    """Nothing of the grader's environment but what the interpreter needs; the same hashes in every run."""
    kept = {name: os.environ[name] for name in KEPT if name in os.environ}
    return kept | dict.fromkeys(ONE_THREAD, "1") | {"PYTHONHASHSEED": "0", "LC_ALL": "C.UTF-8"}
