"""What is known of every place of a file before it is rewritten, found in one walk."""

import ast

MAX_READS = 12
NO_VARIABLES = {"np", "numpy", "self"}
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)


class Marks:
    """The variables that each node reads, which functions yield or declare names of another scope, the file's own."""

    def __init__(self, tree: ast.Module) -> None:
        """Walk the tree."""
        self.names: list[str] = []
        self.spans: dict[int, tuple[int, int]] = {}
        self.yielding: set[int] = set()
        self.declared: dict[int, set[str]] = {}
        self.own: set[str] = set()
        self._walk(tree, 0)

    def _walk(self, node: ast.AST, scope: int) -> None:
        first = len(self.names)
        self._note(node, scope)
        inner = id(node) if isinstance(node, (*FUNCTIONS, ast.ClassDef)) else scope
        for field in node._fields:
            value = getattr(node, field, None)
            if isinstance(value, ast.AST):
                self._walk(value, inner)
            elif isinstance(value, list):
                for each in value:
                    if isinstance(each, ast.AST):
                        self._walk(each, inner)
        self.spans[id(node)] = first, len(self.names)

    def _note(self, node: ast.AST, scope: int) -> None:
        if isinstance(node, (ast.Name, ast.Attribute)) and isinstance(node.ctx, ast.Load) and (name := full_name(node)):
            self.names.append(name)
        elif isinstance(node, (ast.Yield, ast.YieldFrom)):
            self.yielding.add(scope)
        elif isinstance(node, (ast.Global, ast.Nonlocal)):
            self.declared.setdefault(scope, set()).update(node.names)
        elif isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            self.own.add(node.name)
        elif isinstance(node, ast.Assign) and isinstance(node.value, ast.Lambda):
            self.own |= {target.id for target in node.targets if isinstance(target, ast.Name)}

    def reads(self, node: ast.AST) -> list[str]:
        """The variables that a node reads, each once."""
        first, last = self.spans.get(id(node), (0, 0))
        return [name for name in dict.fromkeys(self.names[first:last]) if name not in NO_VARIABLES][:MAX_READS]


def full_name(node: ast.AST) -> str:
    """The name of a variable or of an object's own: `s`, `self.scale`; nothing for anything else."""
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "self":
        return f"self.{node.attr}"
    return node.id if isinstance(node, ast.Name) else ""
