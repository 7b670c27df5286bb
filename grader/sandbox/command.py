"""How the process for submissions is started: which interpreter, which environment, what it can import."""

import os
import sys
from pathlib import Path

import numpy as np

SCRIPT = Path(__file__).with_name("child.py")
# One thread for linear algebra: many would be killed by the limits, and are slower on small matrices.
ONE_THREAD = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS")
# Without these some interpreters do not find their own libraries.
KEPT = ("LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "SYSTEMROOT")


def command(mode: str, *more: str) -> list[str]:
    """No site packages, nothing of the user's, no script folder on the path: only Python's own modules, and numpy."""
    return [sys.executable, "-s", "-S", "-P", "-X", "utf8", str(SCRIPT), mode, str(numpy_folder()), *more]


def numpy_folder() -> Path:
    """The folder that holds the numpy package of this interpreter."""
    return Path(np.__file__).parent.parent


def environment() -> dict[str, str]:
    """Nothing of the grader's environment but what the interpreter needs; the same hashes in every run."""
    kept = {name: os.environ[name] for name in KEPT if name in os.environ}
    return kept | dict.fromkeys(ONE_THREAD, "1") | {"PYTHONHASHSEED": "0", "LC_ALL": "C.UTF-8"}
