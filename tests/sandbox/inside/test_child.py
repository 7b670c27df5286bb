"""What the process of a submission is made of: it imports nothing of ours."""

import ast
import sys
from pathlib import Path

import pytest

import grader.sandbox

FOLDER = Path(grader.sandbox.__file__).parent
FILES = [FOLDER / "child.py", *sorted((FOLDER / "inside").glob("*.py"))]


def imported(file):
    """The modules a file imports: full names, or relative ones with their dots."""
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        if isinstance(node, ast.ImportFrom):
            yield "." * node.level + (node.module or "")


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_only_python_numpy_and_its_own_folder(file):
    """Every import is of Python's own modules, of numpy, or of a neighbour in `inside`."""
    for name in imported(file):
        top = name.partition(".")[0]
        assert top in sys.stdlib_module_names or top == "numpy" or (name[0] == "." and name[:2] != ".."), name


def test_a_submission_does_not_find_our_modules(ending):
    """Neither by import nor among the loaded modules, and `__main__` is empty."""
    outcome = ending("""
        import sys, __main__
        def f(x):
            ours = [name for name in sys.modules if name.partition(".")[0] in ("inside", "grader", "solutions")]
            return [len(ours), hasattr(__main__, "Finder"), len(sys.argv[0])]
    """)
    assert list(outcome.values[0]) == [0, 0, 0]


def test_a_submission_is_a_module_of_its_own(ending):
    """Its name is not `__main__`: a block for running the file by hand is not run."""
    outcome = ending("""
        from __future__ import annotations
        import typing
        class A(typing.NamedTuple):
            x: list[A]
        seen = 0
        if __name__ == "__main__":
            seen = 1
        def f(x):
            return [seen, len(typing.get_type_hints(A)), len(__file__)]
    """)
    assert list(outcome.values[0]) == [0, 1, len("01_f.py")]
