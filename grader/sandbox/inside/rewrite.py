"""Rewrites a submission so that every value on the way is handed to a recorder.

`s = q @ k.T` becomes `s = value(7, q @ value(6, k.T))`: an expression is wrapped where it stands and gives what it
gave before. After a statement that changes something in its place, the thing changed is shown to the recorder. A
function tells that it was entered, with its arguments, and that it was left.

A `Site` is one place in the file where a value is seen.
"""

import ast
from typing import Any, NamedTuple, cast

from .marks import Marks, full_name
from .tree import at, base_of, callee, leaves, load_of, names_of, parameters, with_default

MAX_SITES = 6000

BINARY, CALL, SUBSCRIPT, COMPARE, UNARY, CHOICE, LISTED, TURNED, BOOLEAN = range(1, 10)
TARGET, PLACE, RETURNED, ARGUMENT, YIELDED, PARAMETER, LOADED, OPERAND, JUMP, ADDED = range(10, 20)
DEAD, GROWS, ASSIGNED, MODULE, LOOP, DEFAULT, LIMIT, OPENS = (1 << place for place in range(8))
"""Of a site: `LIMIT`: what something is compared with in a condition; `OPENS`: a whole condition without an `else`."""

VALUE, MODULE_VALUE, QUIET, PLACED, ENTER, LEAVE, RESULT = (
    f"_recorder_{name}_" for name in ("value", "module_value", "quiet", "placed", "enter", "leave", "result")
)
ORDERED = (ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.Eq, ast.NotEq)
KINDS: dict[type[ast.AST], int] = {
    ast.BinOp: BINARY,
    ast.Call: CALL,
    ast.Subscript: SUBSCRIPT,
    ast.Compare: COMPARE,
    ast.UnaryOp: UNARY,
    ast.IfExp: CHOICE,
    ast.ListComp: LISTED,
    ast.BoolOp: BOOLEAN,
}
COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


class Site(NamedTuple):
    """One place: what kind, in which function, inside which other site, where, and the names that matter there."""

    kind: int
    flags: int
    function: int
    parent: int
    line: int
    column: int
    end_line: int
    end_column: int
    name: str = ""
    target: str = ""
    reads: str = ""


class Rewriter(ast.NodeTransformer):
    """Rewrites one module; `sites` and `functions` tell what the numbers in it mean."""

    def __init__(self, tree: ast.Module) -> None:
        """Look up what must be known before anything is changed."""
        self.sites: list[Site] = []
        self.functions = ["<module>"]
        self.marks = Marks(tree)
        self.function, self.parent, self.loops = 0, -1, 0
        self.bound: frozenset[str] = frozenset()
        self.drawn: dict[str, str] = {}
        self.special: dict[int, int] = {}

    # --- places ---------------------------------------------------------------------------------------------------

    def place(self, node: Any, kind: int, flags: int = 0, name: str = "", target: str = "") -> int:
        """A new site."""
        if len(self.sites) >= MAX_SITES:
            raise OverflowError
        flags |= (0 if self.function else MODULE) | (LOOP if self.loops else 0)
        where = (node.lineno, node.col_offset, node.end_lineno, node.end_col_offset)
        self.sites.append(
            Site(kind, flags, self.function, self.parent, *where, name, target, " ".join(self.marks.reads(node)))
        )
        return len(self.sites) - 1

    def hook(self, name: str, site: int, value: Any, like: Any) -> Any:
        """The call of a hook around a value."""
        if name == VALUE and not self.function:
            name = MODULE_VALUE
        return at(ast.Call(at(load_of(name), like), [at(ast.Constant(site), like), value], []), like)

    def wrapped(self, node: Any, kind: int, name: str = "") -> Any:
        """An expression with what is inside it, recorded."""
        site, outer = self.place(node, kind, self.special.get(id(node), 0), name), self.parent
        self.parent = site
        if isinstance(node, ast.Call) and name in self.marks.own:
            node.args = [self.argument(each) for each in node.args]
            for keyword in node.keywords:
                keyword.value = self.argument(keyword.value)
        quiet = self._limit(node)
        inner: Any = super().generic_visit(node)
        if quiet >= 0:
            inner.comparators = [self.hook(QUIET, quiet, inner.comparators[0], inner.comparators[0])]
        self.parent = outer
        return self.hook(VALUE, site, inner, node)

    def _limit(self, node: Any) -> int:
        """A site for what a condition compares with, if that is a plain name or a whole number; else -1."""
        limit = node.comparators[0] if isinstance(node, ast.Compare) else None
        plain = isinstance(limit, ast.Name) or (isinstance(limit, ast.Constant) and type(limit.value) is int)
        here = plain and self.special.get(id(limit), 0)
        return self.place(limit, OPERAND, LIMIT) if here else -1

    def visit(self, node: ast.AST) -> Any:
        """Wrap what has a value worth seeing; go on inside everything else."""
        if isinstance(node, COMPREHENSIONS):
            return self.comprehension(node)
        kind = KINDS.get(type(node))
        if kind is None or _is_plain(node):
            return super().visit(node)
        return self.wrapped(node, kind, callee(node) if isinstance(node, ast.Call) else "")

    def comprehension(self, node: Any) -> Any:
        """The variables of a comprehension are recorded where they are read."""
        outer = self.bound
        names = [leaf.id for each in node.generators for leaf in leaves(each.target) if isinstance(leaf, ast.Name)]
        self.bound = outer | set(names)
        for each in node.generators:
            reads = " ".join(self.marks.reads(each.iter))
            self.drawn |= {leaf.id: reads for leaf in leaves(each.target) if isinstance(leaf, ast.Name)}
        kind = KINDS.get(type(node))
        node = self.wrapped(node, kind) if kind else super().generic_visit(node)
        self.bound = outer
        return node

    def visit_Name(self, node: ast.Name) -> Any:
        """Only those of a comprehension or a lambda."""
        if node.id not in self.bound or not isinstance(node.ctx, ast.Load):
            return node
        site = self.place(node, LOADED, 0, "", node.id)
        self.sites[site] = self.sites[site]._replace(reads=self.drawn.get(node.id, ""))
        return self.hook(VALUE, site, node, node)

    def argument(self, node: Any) -> Any:
        """A plain name, or a number, that is handed to a function of the file."""
        inner = node.operand if isinstance(node, ast.UnaryOp) else node
        if not isinstance(node, ast.Name) and not (isinstance(inner, ast.Constant) and type(inner.value) is int):
            return node
        name = node.id if isinstance(node, ast.Name) else ""
        return self.hook(VALUE, self.place(node, ARGUMENT, 0, name), node, node)

    def visit_Attribute(self, node: ast.Attribute) -> Any:
        """Record a transpose; anything else is only passed through."""
        if node.attr in {"T", "mT"} and isinstance(node.ctx, ast.Load):
            return self.wrapped(node, TURNED)
        return super().generic_visit(node)

    # --- what is left alone ---------------------------------------------------------------------------------------

    def visit_JoinedStr(self, node: ast.JoinedStr) -> Any:  # noqa: D102
        return node

    def visit_Delete(self, node: ast.Delete) -> Any:  # noqa: D102
        return node

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> Any:  # noqa: D102
        return node

    def visit_Match(self, node: Any) -> Any:
        """Patterns are no expressions; their bodies are visited."""
        node.subject = self.visit(node.subject)
        for case in node.cases:
            case.body = [one for each in case.body for one in _many(self.visit(each))]
        return node

    # --- functions ------------------------------------------------------------------------------------------------

    def visit_FunctionDef(self, node: ast.FunctionDef) -> Any:
        """The body tells when it is entered and left."""
        self.functions.append(node.name)
        outer = self.function, self.parent, self.loops
        self.function, self.parent, self.loops = len(self.functions) - 1, -1, 0
        number, declared = self.function, self.marks.declared.get(id(node), set())
        own = [each for each in parameters(node.args) if each.arg not in declared | {"self"}]
        usual = set(with_default(node.args))
        body: list[Any] = [self.again(each, each.arg, PARAMETER, DEFAULT if each.arg in usual else 0) for each in own]
        body += [one for each in node.body for one in _many(self.visit(each))]
        self.function, self.parent, self.loops = outer
        if id(node) not in self.marks.yielding:
            first = node.body[0]
            enter = at(ast.Expr(self.hook(ENTER, number, names_of(node.args, first), first)), first)
            leave = at(ast.Expr(self.hook(LEAVE, number, at(ast.Constant(None), first), first)), first)
            body = [enter, at(ast.Try(body, [], [], [leave]), first)]
        node.body = body
        return node

    def visit_Lambda(self, node: ast.Lambda) -> Any:
        """A function of one expression."""
        self.functions.append("<lambda>")
        outer = self.function, self.parent, self.bound
        self.function, self.parent = len(self.functions) - 1, -1
        self.bound |= {each.arg for each in parameters(node.args)}
        number, site = self.function, self.place(node.body, RETURNED)
        inner, names = node.body, names_of(node.args, node.body)
        value = self.hook(VALUE, site, self.visit(inner), inner)
        steps = [self.hook(ENTER, number, names, inner), self.hook(RESULT, number, value, inner)]
        self.function, self.parent, self.bound = outer
        both = at(ast.Tuple(cast("Any", steps), ast.Load()), inner)
        node.body = at(ast.Subscript(both, at(ast.Constant(1), inner), ast.Load()), inner)
        return node

    def visit_Return(self, node: ast.Return) -> Any:
        """Record what is returned."""
        if node.value is None:
            return node
        site = self.place(node.value, RETURNED)
        node.value = self.hook(VALUE, site, self.visit(node.value), node.value)
        return node

    def visit_Yield(self, node: ast.Yield) -> Any:
        """Record what is yielded."""
        if node.value is not None:
            site = self.place(node.value, YIELDED)
            node.value = self.hook(VALUE, site, self.visit(node.value), node.value)
        return node

    def again(self, node: Any, name: str, kind: int, flags: int = 0) -> ast.Assign:
        """A statement that records a variable as it is now."""
        value = self.hook(VALUE, self.place(node, kind, flags, "", name), at(load_of(name), node), node)
        return cast("ast.Assign", at(ast.Assign([at(ast.Name(name, ast.Store()), node)], value), node))

    # --- statements -----------------------------------------------------------------------------------------------

    def visit_For(self, node: Any) -> Any:
        """What is inside runs more than once, each time with other values of its variables."""
        names = [leaf.id for leaf in leaves(node.target) if isinstance(leaf, ast.Name)]
        reads = " ".join(self.marks.reads(node.iter))
        node = self._loop(node)
        self.loops += 1
        first = len(self.sites)
        node.body = [*(self.again(node.target, name, TARGET, ASSIGNED) for name in names), *node.body]
        self.sites[first:] = [site._replace(reads=reads, name="for") for site in self.sites[first:]]
        self.loops -= 1
        return node

    def visit_While(self, node: Any) -> Any:
        """What is inside runs more than once."""
        self._condition(node.test)
        return self._loop(node)

    def visit_If(self, node: Any) -> Any:
        """The condition can be told from other values; without an `else` it only lets through or not."""
        self._condition(node.test)
        self.special[id(node.test)] = 0 if node.orelse else OPENS
        return super().generic_visit(node)

    def _condition(self, test: ast.expr) -> None:
        """Mark what is compared with in a condition."""
        for each in ast.walk(test):
            if isinstance(each, ast.Compare) and len(each.ops) == 1 and isinstance(each.ops[0], ORDERED):
                self.special[id(each.comparators[0])] = LIMIT

    def visit_Break(self, node: ast.Break) -> Any:
        """A jump that can be left out."""
        return self._jump(node, "break")

    def visit_Continue(self, node: ast.Continue) -> Any:
        """Likewise."""
        return self._jump(node, "continue")

    def _jump(self, node: Any, name: str) -> Any:
        test = self.hook(QUIET, self.place(node, JUMP, 0, name), at(ast.Constant(1), node), node)
        return at(ast.If(test, [node], []), node)

    def _loop(self, node: Any) -> Any:
        self.loops += 1
        node = super().generic_visit(node)
        self.loops -= 1
        return node

    def visit_Assign(self, node: ast.Assign) -> Any:
        """Record what is assigned; names that are not a whole expression's are recorded after it."""
        return self._assigned(node, node.targets)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> Any:
        """Likewise; the annotation is left alone."""
        return node if node.value is None else self._assigned(node, [node.target])

    def _assigned(self, node: Any, targets: list[Any]) -> Any:
        first = len(self.sites)
        seen = type(node.value) in KINDS and not _is_plain(node.value)
        seen = seen or (isinstance(node.value, ast.Attribute) and node.value.attr in {"T", "mT"})
        reads = self.marks.reads(node.value)
        node.value = self.visit(node.value)
        if seen:
            self._named(first, targets, reads)
        after = []
        for target in targets:
            for each in leaves(target):
                after += self._after(node, each, seen=seen and each is targets[0])
        for target in targets:
            self._indices(target)
        return [node, *after]

    def _named(self, site: int, targets: list[Any], reads: list[str]) -> None:
        names = [name for target in targets if (name := full_name(target))]
        if names:
            grows = GROWS if names[0] in reads else 0
            old = self.sites[site]
            self.sites[site] = old._replace(flags=old.flags | ASSIGNED | grows, target=names[0])

    def _after(self, node: Any, target: Any, *, seen: bool) -> list[Any]:
        if isinstance(target, ast.Name) and not seen:
            return [self.again(node, target.id, TARGET, ASSIGNED)]
        if isinstance(target, ast.Attribute) and not seen and isinstance(target.value, ast.Name):
            site = self.place(node, TARGET, ASSIGNED, "", full_name(target))
            owner = at(load_of(target.value.id), node)
            value = self.hook(VALUE, site, at(ast.Attribute(owner, target.attr, ast.Load()), node), node)
            again = at(ast.Attribute(at(load_of(target.value.id), node), target.attr, ast.Store()), node)
            return [at(ast.Assign([again], value), node)]
        if isinstance(target, ast.Subscript):
            return self._placed(node, [base_of(target)])
        return []

    def _placed(self, node: Any, bases: list[str]) -> list[Any]:
        return [
            at(ast.Expr(self.hook(PLACED, self.place(node, PLACE, 0, name), at(load_of(name), node), node)), node)
            for name in dict.fromkeys(bases)
            if name
        ]

    def _indices(self, target: Any) -> None:
        for each in ast.walk(target):
            if isinstance(each, ast.Subscript):
                each.slice = self.visit(each.slice)
                return

    def visit_AugAssign(self, node: ast.AugAssign) -> Any:
        """Record the whole of what was changed."""
        node.value = self.visit(node.value)
        if isinstance(node.target, ast.Name):
            return [node, self.again(node, node.target.id, TARGET, GROWS | ASSIGNED)]
        after = self._placed(node, [base_of(node.target)])
        self._indices(node.target)
        return [node, *after]

    def visit_Expr(self, node: ast.Expr) -> Any:
        """A call for its effect: record every name that it may have changed. Its own value is thrown away."""
        if isinstance(node.value, ast.Constant):
            return node
        first, call = len(self.sites), node.value
        names = []
        if isinstance(call, ast.Call):
            owner = call.func.value if isinstance(call.func, ast.Attribute) else None
            handed = [*call.args, *(each.value for each in call.keywords), owner]
            names = [base_of(each) for each in handed if isinstance(each, (ast.Name, ast.Subscript))]
            names = [name for name in names if name not in {"np", "numpy", "math", "self"}]
        node.value = self.visit(node.value)
        if len(self.sites) > first:
            self.sites[first] = self.sites[first]._replace(flags=self.sites[first].flags | DEAD)
        self._added(call)
        return [node, *self._placed(node, names)]

    def _added(self, call: Any) -> None:
        """A variable that is put into a list as it is."""
        if isinstance(call, ast.Call) and callee(call) == "append" and [type(each) for each in call.args] == [ast.Name]:
            call.args = [self.hook(QUIET, self.place(call, ADDED), call.args[0], call)]

    def visit_ClassDef(self, node: ast.ClassDef) -> Any:
        """Only the body."""
        node.body = [one for each in node.body for one in _many(self.visit(each))]
        return node


def rewritten(tree: ast.Module) -> Rewriter:
    """Rewrite a module in its place."""
    rewriter = Rewriter(tree)
    tree.body = [one for each in tree.body for one in _many(rewriter.visit(each))]
    return rewriter


def _many(node: Any) -> list[Any]:
    return node if isinstance(node, list) else [node] if node is not None else []


def _is_plain(node: Any) -> bool:
    """Not worth recording: a sign before a constant, a place written to, a call that must not be touched."""
    if isinstance(node, ast.UnaryOp):
        return isinstance(node.operand, (ast.Constant, ast.Attribute)) and not isinstance(node.op, ast.Invert)
    if isinstance(node, ast.Subscript):
        return not isinstance(node.ctx, ast.Load)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        return node.func.id == "super" or node.func.id.startswith("_recorder_")
    return False
