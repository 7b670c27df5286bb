"""One number as people write it: tokens, a small tree, a value.

    sum      = product {("+" | "-") product}
    product  = unary {("*" | "/" | nothing) unary}      nothing: 2√3, but never after "/", where it has two readings
    unary    = ("+" | "-") unary | power
    power    = atom ["^" unary]
    atom     = number | "(" sum ")" | name | function atom

Length and depth are bounded, and nothing is ever handed to Python to evaluate.
"""

import re
from fractions import Fraction
from typing import Final

from grader.model import Finding
from grader.worksheet.tree import CONSTANTS, Binary, Constant, Literal, Node, Unary
from grader.worksheet.unreadable import Unreadable, short

MAX_LENGTH: Final = 240
MAX_DEPTH: Final = 24
MAX_EXPONENT: Final = 400
GROUP: Final = 3
"""Digits between the commas of a large number."""


_TOKEN = re.compile(
    r"\s*(?:(?P<number>(?:[0-9]*(?:[.,][0-9]+)+\.?|[0-9]+\.?)(?:\s*[eE]\s*[+-]?\s*[0-9]+(?![0-9.,]))?)"
    r"|(?P<name>sqrt|exp(?![a-z])|[^\W\d_]\w*)|(?P<sign>[-+*/^()])|(?P<other>\S))"
)
_WRAPPERS: Final = re.compile(r"(?:float|int|uint|bool|double|longdouble|single|decimal|tensor|array)[0-9]*_?")
_NOT_A_NUMBER: Final = {"nan", "nat", "null"}


def parse(text: str) -> Node:
    """The tree of a normalised text. Raises `Unreadable`."""
    if len(text) > MAX_LENGTH:
        raise Unreadable("too-long", text=short(text), limit=MAX_LENGTH)
    return _Parser(text).whole()


# --- parser ------------------------------------------------------------------------------------------------------


class _Parser:
    """Recursive descent over the tokens of one text."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens = [(match.lastgroup or "", match[match.lastgroup or 0]) for match in _TOKEN.finditer(text)]
        self.place = 0
        self.depth = 0

    def whole(self) -> Node:
        """All of the text as one number."""
        node = self.sum()
        kind, word = self.peek()
        if kind == "number":
            raise Unreadable("two-numbers", text=short(self.text))
        if word == ")":
            raise Unreadable("unbalanced", text=short(self.text), bracket=")")
        if word:
            raise self.strange(kind, word)
        return node

    def peek(self) -> tuple[str, str]:
        """Kind and text of the next token; empty at the end."""
        return self.tokens[self.place] if self.place < len(self.tokens) else ("", "")

    def take(self, *signs: str) -> str:
        """The next token if it is one of `signs`, else an empty string."""
        kind, word = self.peek()
        if kind != "sign" or word not in signs:
            return ""
        self.place += 1
        return word

    def sum(self) -> Node:
        """Products added and subtracted."""
        node = self.product()
        while sign := self.take("+", "-"):
            node = Binary(sign, node, self.product())
        return node

    def product(self) -> Node:
        """Powers multiplied and divided; a product without a sign is read only where it has one reading."""
        node = self.unary()
        divided = False
        while True:
            if sign := self.take("*", "/"):
                divided = divided or sign == "/"
                node = Binary(sign, node, self.unary())
            elif self.peek()[0] == "name" or self.peek()[1] == "(":
                if divided:
                    raise Unreadable("ambiguous-product", text=short(self.text))
                node = Binary("*", node, self.power())
            else:
                return node

    def unary(self) -> Node:
        """A power with its signs."""
        self.deeper()
        sign = self.take("+", "-")
        node: Node = Unary(sign, self.unary()) if sign else self.power()
        self.depth -= 1
        return node

    def power(self) -> Node:
        """An atom to a power; the exponent reaches as far right as it can."""
        node = self.atom()
        return Binary("^", node, self.unary()) if self.take("^") else node

    def atom(self) -> Node:
        """A number, a bracket, a name, or a function of an atom."""
        if self.take("("):
            return self.bracket()
        kind, word = self.peek()
        self.place += 1
        if kind == "number":
            return read_literal(word)
        if kind == "name":
            return self.named(word)
        if not word:
            raise Unreadable("incomplete", text=short(self.text))
        raise self.strange(kind, word)

    def bracket(self) -> Node:
        """The rest of a bracket that has been opened."""
        self.deeper()
        node = self.sum()
        if not self.take(")"):
            kind, word = self.peek()
            if kind == "number":
                raise Unreadable("two-numbers", text=short(self.text))
            if kind == "other":
                raise self.strange(kind, word)
            raise Unreadable("unbalanced", text=short(self.text), bracket="(")
        self.depth -= 1
        return node

    def named(self, word: str) -> Node:
        """A constant, a function, or a conversion such as `float64( )` that changes nothing."""
        name = word.lower()
        if name in _NOT_A_NUMBER:
            raise Unreadable("nan", text=short(self.text))
        if name in CONSTANTS:
            return Constant(name)
        self.deeper()
        if name in {"sqrt", "exp"}:
            node: Node = Unary(name, self.atom())
        elif _WRAPPERS.fullmatch(name) and self.take("("):
            node = self.bracket()
        else:
            raise Unreadable("name", text=short(self.text), name=short(word))
        self.depth -= 1
        return node

    def deeper(self) -> None:
        """One level down, and no further than anyone would write."""
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise Unreadable("nested", text=short(self.text))

    def strange(self, kind: str, word: str) -> Unreadable:
        """The reason for a word that cannot stand where it stands."""
        if word == "%":
            return Unreadable("percent", text=short(self.text))
        if kind == "sign":
            return Unreadable("incomplete", text=short(self.text))
        return Unreadable("character", text=short(self.text), character=word[:1])


# --- numbers -----------------------------------------------------------------------------------------------------

_THOUSANDS = re.compile(r"[1-9][0-9]{0,2}(?:,[0-9]{3})+")
_DOT_THOUSANDS = re.compile(r"[1-9][0-9]{0,2}(?:\.[0-9]{3})+,[0-9]+")


def read_literal(text: str) -> Literal:
    """A number with its comma read by rule: `0,67` a decimal, `1,234.5` a thousand, `1,000` asked back."""
    compact = "".join(text.split())
    mantissa, _, exponent = compact.lower().partition("e")
    plain, code = _plain(mantissa, compact)
    shift = int(exponent or 0) if len(exponent) <= 6 else MAX_EXPONENT + 1  # noqa: PLR2004 - only bounds the work
    if abs(shift) > MAX_EXPONENT:
        raise Unreadable("too-large")
    digits = len(plain.partition(".")[2])
    value = Fraction(plain) * Fraction(10) ** shift
    notice = Finding(code, {"text": compact, "value": plain + (f"e{exponent}" if exponent else "")}) if code else None
    return Literal(value, max(0, digits - shift), notice)


def _plain(mantissa: str, text: str) -> tuple[str, str]:
    """The number with a decimal point only, and the code of the notice that this needs."""
    whole, comma, rest = mantissa.partition(",")
    if len(mantissa) == GROUP and mantissa.isdecimal() and mantissa[0] == "0":
        raise Unreadable("leading-zeros", text=text)  # the rest of 1,000 taken apart
    if not comma:
        if mantissa.count(".") > 1:
            raise Unreadable("two-points", text=text)
        return mantissa, ""
    if "." not in mantissa and "," not in rest:
        if whole.lstrip("0") and len(rest) == GROUP:
            raise Unreadable("ambiguous-comma", text=text, small=f"{whole}.{rest}", large=whole + rest)
        return f"{whole}.{rest}", "notice-decimal-comma"
    if _THOUSANDS.fullmatch(mantissa.partition(".")[0]) and mantissa.count(".") <= 1:
        return mantissa.replace(",", ""), "notice-thousands"
    if _DOT_THOUSANDS.fullmatch(mantissa):
        return mantissa.replace(".", "").replace(",", "."), "notice-decimal-comma"
    raise Unreadable("commas", text=text)
