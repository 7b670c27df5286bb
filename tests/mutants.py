"""One-edit mutants of a right file: every way in which one small slip could have been made in it.

Each mutant keeps the lines where they were and knows the lines that may be named for it: where the edit is; for a
removed statement also where its variable was last set and where it is used next.
"""

import ast
import re
from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

OTHER = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.MatMult: ast.Mult,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.Sub: ast.Add,
    ast.Add: ast.Sub,
}
NAMES = {
    "tril": "triu",
    "triu": "tril",
    "max": "min",
    "amax": "amin",
    "maximum": "minimum",
    "sum": "mean",
    "zeros": "ones",
    "triu_indices": "tril_indices",
    "matmul": "multiply",
    "divide": "multiply",
    "subtract": "add",
    "hstack": "vstack",
    "concatenate": "stack",
    "exp": "exp2",
}
DROPPED = {"exp", "sqrt", "log2", "transpose", "swapaxes", "reshape", "logical_not"}
FAMILIES = (
    {"Q", "K", "V", "q", "k", "v"},
    {"Wq", "Wk", "Wv", "Wo"},
    {"X_q", "X_kv"},
    {"query", "key", "keys", "values"},
    {"weights", "logits", "powers", "scores", "s", "e", "w", "p", "shares"},
    {"n", "m", "d", "d_k", "d_model", "d_head", "n_heads", "width"},
    {"i", "j", "c", "h"},
    {"a", "b"},
    {"total", "top", "new_top", "fade", "power"},
)
MODULES = {"np", "math", "numpy"}
SWAPPED = {"matmul", "dot", "divide", "subtract", "less", "greater_equal"}
NEAREST = 2
"""So many variables are taken for another one that belongs to no family."""


class Mutant(NamedTuple):
    """A source with one edit, what kind of edit, and the lines that may be named for it."""

    source: str
    kind: str
    lines: frozenset[int]
    near: frozenset[int] = frozenset()


def mutants(source: str) -> Iterator[Mutant]:
    """All mutants of a source, in the order of the file."""
    tree = ast.parse(source)
    for function in ast.walk(tree):
        if isinstance(function, ast.FunctionDef):
            names = {node.id for node in ast.walk(function) if isinstance(node, ast.Name)}
            names |= {argument.arg for argument in function.args.args}
            for node in ast.walk(function):
                for mutant in (*_of_node(source, node, names), *_other_names(source, tree, function, node)):
                    yield _nothing_left(mutant, function)._replace(near=_turns(function, node))
            yield from _removed(source, function)
            yield from _repeated(source, function)
            yield from _exchanged(source, function)


def both(source: str, one: Mutant, other: Mutant) -> Mutant | None:
    """A mutant with the edits of two; nothing if they change the same line."""
    rows = [each.split("\n") for each in (source, one.source, other.source)]
    changed = [{at for at, (old, new) in enumerate(zip(rows[0], row, strict=True)) if old != new} for row in rows[1:]]
    if changed[0] & changed[1]:
        return None
    joined = [two if at in changed[1] else first for at, (first, two) in enumerate(zip(*rows[1:], strict=True))]
    kind = f"{one.kind} + {other.kind}"
    return Mutant("\n".join(joined), kind, one.lines | other.lines, one.near | other.near)


def _of_node(source: str, node: ast.AST, names: set[str]) -> Iterator[Mutant]:
    if not isinstance(node, ast.expr) or not hasattr(node, "lineno"):
        return
    for kind, new in _edits(node, names):
        yield Mutant(_spliced(source, node, new), kind, frozenset(range(node.lineno, node.end_lineno + 1)))


def _turns(function: ast.FunctionDef, edited: ast.AST) -> frozenset[int]:
    """Where the edit is in the head of a loop, the lines that run too often or too rarely."""
    for loop in ast.walk(function):
        if isinstance(loop, ast.For) and any(node is edited for node in ast.walk(loop.iter)):
            inside = [node for each in loop.body for node in ast.walk(each) if isinstance(node, ast.stmt)]
            return frozenset(node.lineno for node in inside)
    return frozenset()


def _nothing_left(mutant: Mutant, function: ast.FunctionDef) -> Mutant:
    """A mutant whose line only hands a variable on is one with a statement removed."""
    (line, *rest) = sorted(mutant.lines)
    tree = ast.parse(mutant.source)
    for node in ast.walk(tree):
        whole = isinstance(node, (ast.Assign, ast.Return, ast.Expr)) and node.lineno == line and not rest
        if whole and isinstance(node.value, ast.Name):
            name, target = node.value.id, getattr(getattr(node, "targets", [None])[0], "id", node.value.id)
            may = {line, _set_before(function, name, line), _next_use(function, target, line)}
            return mutant._replace(lines=frozenset(may))
    return mutant


def _spliced(source: str, node: ast.expr, new: str) -> str:
    lines = source.splitlines(keepends=True)
    line = lines[node.lineno - 1]
    assert node.end_lineno == node.lineno
    lines[node.lineno - 1] = line[: node.col_offset] + new + line[node.end_col_offset :]
    return "".join(lines)


def _text(node: ast.AST) -> str:
    text = ast.unparse(node)
    return f"({text})" if isinstance(node, (ast.BinOp, ast.UnaryOp, ast.Compare, ast.IfExp)) else text


def _edits(node: ast.expr, names: set[str]) -> Iterator[tuple[str, str]]:
    if _is_fill(node):
        yield from (("fill", other) for other in ("0", "np.inf", "-1"))
    elif (of_kind := EDITS.get(type(node))) is not None:
        yield from of_kind(node)
    elif isinstance(node, ast.Compare) and type(node.ops[0]) in OTHER:
        other = ast.Compare(node.left, [OTHER[type(node.ops[0])]()], node.comparators)
        yield "comparison", _text(other)
        yield "comparison turned", _text(ast.Compare(node.comparators[0], node.ops, [node.left]))
    elif isinstance(node, ast.Attribute) and node.attr == "T":
        yield "transpose dropped", _text(node.value)
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Invert):
        yield "negation dropped", _text(node.operand)
    elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
        for family in FAMILIES:
            if node.id in family:
                yield from (("wrong variable", other) for other in sorted(family & names - {node.id}))


def _of_operation(node: ast.BinOp) -> Iterator[tuple[str, str]]:
    if type(node.op) in OTHER:
        yield "operator", _text(ast.BinOp(node.left, OTHER[type(node.op)](), node.right))
    if not isinstance(node.op, (ast.Add, ast.Mult)):
        yield "operands swapped", _text(ast.BinOp(node.right, node.op, node.left))
    yield "operand dropped", _text(node.left)
    if isinstance(node.op, ast.Div):
        yield "operator", _text(ast.BinOp(node.left, ast.FloorDiv(), node.right))
    if isinstance(node.op, ast.Pow) and isinstance(node.right, ast.Constant) and node.right.value == 0.5:
        yield "precedence", f"({_text(node.left)} ** 1 / 2)"


def _of_tuple(node: ast.Tuple) -> Iterator[tuple[str, str]]:
    if (
        isinstance(node.ctx, ast.Load)
        and len(node.elts) > 1
        and not any(isinstance(one, ast.Slice) for one in node.elts)
    ):
        yield "values exchanged", f"({', '.join(map(ast.unparse, (node.elts[1], node.elts[0], *node.elts[2:])))})"


def _is_fill(node: ast.expr) -> bool:
    """Whether this is what blocked scores are filled with."""
    text = ast.unparse(node)
    return text in {"-np.inf", "-math.inf", "float('-inf')"} or bool(re.fullmatch(r"-1e\+?[0-9]+", text))


def _of_constant(node: ast.Constant) -> Iterator[tuple[str, str]]:
    value = node.value
    if isinstance(value, bool):
        yield "constant", str(not value)
    elif isinstance(value, (int, float)):
        yield from (("constant", str(other)) for other in (value + 1, value / 2 if value % 2 else value + 2, 0))
    elif isinstance(value, str) and "->" in value:
        inputs, output = value.split("->")
        yield "einsum", repr(f"{inputs}->{output[::-1]}")
        first, *rest = inputs.split(",")
        yield "einsum", repr(",".join([first[::-1], *rest]) + "->" + output)


def _of_call(node: ast.Call) -> Iterator[tuple[str, str]]:
    name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
    plain = isinstance(node.func, ast.Name) or (
        isinstance(node.func, ast.Attribute) and getattr(node.func.value, "id", "") in {"np", "math"}
    )
    if name in NAMES and isinstance(node.func, ast.Attribute):
        other = ast.Call(ast.Attribute(node.func.value, NAMES[name], ast.Load()), node.args, node.keywords)
        yield "function", _text(other)
    if name in DROPPED:
        yield "call dropped", _text(node.args[0] if plain else node.func.value)
    if name == "where" and len(node.args) == 3:
        yield "branches swapped", _text(ast.Call(node.func, [node.args[0], node.args[2], node.args[1]], []))
    if len(node.args) > 1 and isinstance(node.args[-1], ast.Name) and node.args[-1].id == "mask":
        yield "mask not handed on", _text(ast.Call(node.func, node.args[:-1], node.keywords))
    yield from _of_arguments(node, name)
    for place, keyword in enumerate(node.keywords):
        if keyword.arg in {"axis", "keepdims", "k"}:
            rest = [one for other, one in enumerate(node.keywords) if other != place]
            yield f"{keyword.arg} dropped", _text(ast.Call(node.func, node.args, rest))


EDITS = {ast.BinOp: _of_operation, ast.Tuple: _of_tuple, ast.Constant: _of_constant, ast.Call: _of_call}


def _of_arguments(node: ast.Call, name: str) -> Iterator[tuple[str, str]]:
    """Two arguments in each other's places; the mask the other way round."""
    own = isinstance(node.func, ast.Name) and name not in {"range", "zip", "isinstance", "max", "slice"}
    for place in range(len(node.args) - 1 if own else 1 if name in SWAPPED else 0):
        if len(node.args) > place + 1:
            turned = [*node.args[:place], node.args[place + 1], node.args[place], *node.args[place + 2 :]]
            yield "arguments swapped", _text(ast.Call(node.func, turned, node.keywords))
    if name == "where" and isinstance(node.args[0], (ast.Name, ast.Subscript)):
        yield (
            "negation added",
            _text(ast.Call(node.func, [ast.UnaryOp(ast.Invert(), node.args[0]), *node.args[1:]], [])),
        )


def _other_names(source: str, tree: ast.Module, function: ast.FunctionDef, node: ast.AST) -> Iterator[Mutant]:
    """Another variable in the place of one: those that were set last before."""
    if not isinstance(node, ast.Name) or not isinstance(node.ctx, ast.Load) or any(node.id in one for one in FAMILIES):
        return
    set_at = {argument.arg: 0 for argument in function.args.args if argument.arg != "self"}
    for one in ast.walk(function):
        if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store) and one.lineno < node.lineno:
            set_at[one.id] = max(one.lineno, set_at.get(one.id, 0))
    if node.id not in set_at or node.id in MODULES | _functions(tree):
        return
    for other in sorted(set_at.keys() - {node.id}, key=lambda name: (-set_at[name], name))[:NEAREST]:
        lines = frozenset(range(node.lineno, node.end_lineno + 1))
        yield Mutant(_spliced(source, node, other), "wrong variable", lines)


def _functions(tree: ast.Module) -> set[str]:
    return {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}


def _repeated(source: str, function: ast.FunctionDef) -> Iterator[Mutant]:
    """A statement that changes a variable, made twice: on the same line."""
    for node in ast.walk(function):
        again = isinstance(node, ast.AugAssign) or (
            isinstance(node, ast.Assign)
            and any(isinstance(one, ast.Name) and one.id == _changed(node) for one in ast.walk(node.value))
        )
        if again and node.lineno == node.end_lineno:
            text = ast.unparse(node)
            lines = source.splitlines(keepends=True)
            lines[node.lineno - 1] = f"{lines[node.lineno - 1][: node.col_offset]}{text}; {text}\n"
            yield Mutant("".join(lines), "statement repeated", frozenset({node.lineno}))


def _exchanged(source: str, function: ast.FunctionDef) -> Iterator[Mutant]:
    """Two neighbouring statements in each other's places: scaled too late, masked too late."""
    for block in ast.walk(function):
        body = getattr(block, "body", None)
        for first, second in pairwise(body if isinstance(body, list) else []):
            kinds = (ast.Assign, ast.AugAssign, ast.If)
            if not isinstance(first, kinds) or not isinstance(second, kinds):
                continue
            lines = source.splitlines(keepends=True)
            one = lines[first.lineno - 1 : first.end_lineno]
            other = lines[second.lineno - 1 : second.end_lineno]
            between = lines[first.end_lineno : second.lineno - 1]
            lines[first.lineno - 1 : second.end_lineno] = [*other, *between, *one]
            may = {*range(first.lineno, second.end_lineno + 1)}
            may |= {_set_before(function, _changed(one), first.lineno) for one in (first, second) if _changed(one)}
            yield Mutant("".join(lines), "statements exchanged", frozenset(may))


def _removed(source: str, function: ast.FunctionDef) -> Iterator[Mutant]:
    for block in ast.walk(function):
        body = getattr(block, "body", None)
        if not isinstance(body, list):
            continue
        for node in body:
            if isinstance(node, (ast.Assign, ast.AugAssign, ast.Expr)) and node.lineno == node.end_lineno:
                name = _changed(node)
                before = _set_before(function, name, node.lineno)
                if name and before:
                    lines = source.splitlines(keepends=True)
                    lines[node.lineno - 1] = lines[node.lineno - 1][: node.col_offset] + "pass\n"
                    may = {before, node.lineno, _next_use(function, name, node.lineno)}
                    may |= _set_always(function, name, node.lineno)
                    yield Mutant("".join(lines), "statement removed", frozenset(may))


def _changed(node: ast.stmt) -> str:
    """The variable that a statement sets or changes."""
    if isinstance(node, ast.Expr):
        if not isinstance(node.value, ast.Call):
            return ""
        named = [one.value for one in node.value.keywords if one.arg == "out"] or node.value.args[:1]
        return getattr(named[0], "id", "") if named else ""
    if isinstance(node, ast.If):
        return _changed(node.body[0]) if isinstance(node.body[0], (ast.Assign, ast.AugAssign)) else ""
    target = node.targets[0] if isinstance(node, ast.Assign) else node.target
    while isinstance(target, ast.Subscript):
        target = target.value
    return getattr(target, "id", "")


def _set_before(function: ast.FunctionDef, name: str, line: int) -> int:
    lines = [
        node.lineno
        for node in ast.walk(function)
        if isinstance(node, (ast.Assign, ast.AugAssign, ast.Expr)) and node.lineno < line and _changed(node) == name
    ]
    return max(lines, default=0)


def _set_always(function: ast.FunctionDef, name: str, line: int) -> set[int]:
    """Where a variable was last set before, that of a branch left aside, which need not run."""
    branches = [node for node in ast.walk(function) if isinstance(node, ast.If) and node.lineno < line]
    inside = {each.lineno for branch in branches for each in ast.walk(branch) if isinstance(each, ast.stmt)}
    lines = [
        node.lineno
        for node in ast.walk(function)
        if isinstance(node, (ast.Assign, ast.AugAssign)) and node.lineno < line and _changed(node) == name
    ]
    return {max((one for one in lines if one not in inside), default=0)}


def _next_use(function: ast.FunctionDef, name: str, line: int) -> int:
    lines = [
        node.lineno
        for node in ast.walk(function)
        if isinstance(node, ast.Name) and node.id == name and node.lineno > line
    ]
    return min(lines, default=0)
