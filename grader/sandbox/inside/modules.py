"""What a submission can import. All of it is imported before the first submission: afterwards there is no disk."""

import contextlib
import importlib
import importlib.machinery
import os
import sys
import warnings
from collections.abc import Iterable, Iterator
from typing import Any, Final

NUMPY: Final = """
    numpy.linalg numpy.random numpy.ma numpy.fft numpy.polynomial numpy.strings numpy.char numpy.rec numpy.typing
    numpy.exceptions numpy.dtypes numpy.ctypeslib numpy.testing numpy.lib.recfunctions numpy.lib.stride_tricks
    numpy.lib.scimath numpy.lib.format numpy.lib.mixins numpy.lib.introspect numpy._core.einsumfunc
"""
PYTHON: Final = """
    abc array bisect cmath collections contextlib copy csv dataclasses datetime decimal doctest enum fractions functools
    hashlib heapq inspect io itertools json logging math numbers operator os pathlib pprint queue random re statistics
    string struct sys textwrap time timeit traceback types typing unittest warnings
"""
QUIETLY: Final = """
    __future__ _strptime argparse ast base64 calendar collections.abc concurrent.futures contextvars copyreg ctypes
    difflib encodings.ascii encodings.cp1252 encodings.gb18030 encodings.gbk encodings.hex_codec encodings.latin_1
    encodings.unicode_escape encodings.utf_16 encodings.utf_16_le encodings.utf_32 encodings.utf_8_sig errno gc glob
    graphlib html importlib.machinery importlib.util keyword linecache mmap os.path pickle platform reprlib resource
    secrets select shutil signal socket stringprep subprocess tempfile threading tokenize tracemalloc unicodedata uuid
    weakref zlib
"""
"""Imported too, as code may name them or need them for what the others do, but not worth listing."""


def allowed(more: Iterable[str] = ()) -> tuple[str, ...]:
    """The names that a message lists: NumPy, what the course adds, and what is useful of Python's own."""
    return ("numpy", *more, *PYTHON.split())


@contextlib.contextmanager
def untold_of_forks() -> Iterator[None]:
    """Let no module that is imported meanwhile ask to be told of forks.

    What they would do in every fork is to renew locks that other threads may have held, and to draw another seed. The
    server has one thread, and every case is seeded.
    """
    register = vars(os).get("register_at_fork")
    if register is not None:
        vars(os)["register_at_fork"] = lambda **_: None
    yield
    if register is not None:
        vars(os)["register_at_fork"] = register


def preload(more: Iterable[str]) -> None:
    """Import all of it; what this Python or this NumPy does not have is left out."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with untold_of_forks():
            _import(f"{NUMPY} {PYTHON} {QUIETLY}".split())
        _import(more)


def _import(names: Iterable[str]) -> None:
    for name in names:
        with contextlib.suppress(ImportError):
            importlib.import_module(name)


def close() -> None:
    """From now on only what is loaded, or compiled into Python, can be imported.

    NumPy lists modules that it would load on demand; `from numpy import *` asks for every name on that list.
    """
    numpy = sys.modules["numpy"]
    vars(numpy)["__all__"] = [name for name in numpy.__all__ if name in vars(numpy)]
    kept: list[Any] = [importlib.machinery.BuiltinImporter, importlib.machinery.FrozenImporter]
    sys.meta_path[:] = kept
    sys.path_hooks.clear()
    sys.path.clear()
    sys.path_importer_cache.clear()
