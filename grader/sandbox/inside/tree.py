"""Small helpers for Python's syntax trees."""

import ast
from typing import Any


def at(node: Any, like: Any) -> Any:
    """A new node with the place of another."""
    node.lineno, node.col_offset = like.lineno, like.col_offset
    node.end_lineno, node.end_col_offset = like.end_lineno, like.end_col_offset
    return node


def load_of(name: str) -> ast.Name:
    """A variable that is read."""
    return ast.Name(name, ast.Load())


def names_of(arguments: ast.arguments, like: Any) -> Any:
    """The parameters of a function as a tuple."""
    names = [at(load_of(each.arg), like) for each in parameters(arguments)]
    return at(ast.Tuple(names, ast.Load()), like)


def parameters(arguments: ast.arguments) -> list[ast.arg]:
    """All parameters of a function that have a name each."""
    return [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]


def with_default(arguments: ast.arguments) -> list[str]:
    """The names of the parameters that need not be given."""
    placed = [*arguments.posonlyargs, *arguments.args]
    named = zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
    usual = placed[len(placed) - len(arguments.defaults) :]
    return [each.arg for each in usual] + [each.arg for each, default in named if default is not None]


def leaves(target: Any) -> list[Any]:
    """The single targets of an assignment."""
    if isinstance(target, (ast.Tuple, ast.List)):
        return [leaf for each in target.elts for leaf in leaves(each)]
    return leaves(target.value) if isinstance(target, ast.Starred) else [target]


def base_of(target: Any) -> str:
    """The variable at the bottom of a target: `s` of `s[0].x`."""
    while isinstance(target, (ast.Subscript, ast.Attribute)):
        target = target.value
    return target.id if isinstance(target, ast.Name) else ""


def callee(node: ast.Call) -> str:
    """The name that is called, without what it belongs to."""
    if isinstance(node.func, ast.Attribute):
        return node.func.attr
    return node.func.id if isinstance(node.func, ast.Name) else ""
