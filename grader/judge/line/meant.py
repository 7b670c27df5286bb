"""Whether a variable holds what it is called: the reader's own word for what it was meant to be."""

from grader.judge.line.nodes import Node
from grader.judge.line.roles import plain

KINDS = frozenset("qkv")
MEANT = KINDS | {"wq", "wk", "wv", "wo", "x", "x_q", "x_kv", "mask"}


def means(node: Node) -> bool:
    """Whether a variable is called after the input, or the one of queries, keys and values, that it holds."""
    name, role = node.site.target.lower().removeprefix("self."), plain(node.role)
    if role in KINDS:
        return {word[:1] for word in name.split("_")} & KINDS == {role}
    return bool(role) and name.removesuffix("s") == role


def misnamed(node: Node) -> bool:
    """Whether a variable is called after one of queries, keys and values, and holds another of them."""
    named = {word[:1] for word in node.site.target.lower().removeprefix("self.").split("_")} & KINDS
    return plain(node.role) in KINDS and len(named) == 1 and plain(node.role) not in named
