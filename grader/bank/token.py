"""The variant's token: one word that says which variant a file holds, `causal_attention.9f3ac21e.0.2`.

Template id (with `@pin` if its numbers are a lesson's own), drawing hash, seed, redraw; a class set's token carries a
signature as a fifth part.
"""

import hashlib
import hmac
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from grader.bank import draw, load, seeds
from grader.errors import BadInput
from grader.model import Seed, Template, Variant

_WORD = re.compile(
    r"(?P<id>[a-z][a-z0-9_]*)(?:@(?P<pin>[a-z][a-z0-9_]*))?"
    r"\.(?P<hash>[0-9a-f]{8})\.(?P<seed>[a-z0-9]{1,64})\.(?P<redraw>[0-9]{1,3})(?:\.(?P<signature>[0-9a-f]{16}))?"
)


@dataclass(frozen=True, slots=True)
class Token:
    """The parts of a token."""

    template_id: str
    drawing_hash: str
    seed: Seed
    redraw: int
    signature: str | None = None

    def __str__(self) -> str:
        """The word as it stands in a file."""
        pin = f"@{self.seed.pin}" if self.seed.pin else ""
        parts = [f"{self.template_id}{pin}", self.drawing_hash, self.seed.text, str(self.redraw)]
        return ".".join([*parts, self.signature] if self.signature else parts)


def of(variant: Variant) -> Token:
    """The token of a variant, not signed."""
    return Token(variant.template.id, variant.template.drawing_hash, variant.seed, variant.redraw)


def format(variant: Variant) -> str:  # noqa: A001 (read as `token.format`)
    """The token of a variant as a word, not signed."""
    return str(of(variant))


def parse(text: str) -> Token:
    """The parts of a word; `BadInput` with what was read if it is no token."""
    word = text.strip().strip("`\"'")
    match = _WORD.fullmatch(word)
    if match is None:
        raise BadInput("bad-token", read=word[:80])
    seed = Seed(match["seed"], match["pin"])
    return Token(match["id"], match["hash"], seed, int(match["redraw"]), match["signature"])


def template(token: Token, roots: Sequence[Path] = ()) -> Template:
    """The template that a token names; `BadInput` if the bank has none of this id, or one that draws otherwise."""
    found = load.find(token.template_id, roots)
    if found.drawing_hash != token.drawing_hash:
        raise BadInput("other-version", template=found.id, read=token.drawing_hash, ours=found.drawing_hash)
    return found


def variant(text: str, roots: Sequence[Path] = ()) -> Variant:
    """The variant of a token, rebuilt."""
    token = parse(text)
    return draw.rebuild(template(token, roots), token.seed, token.redraw)


def is_given_out(text: str | None) -> bool:
    """Whether a token belongs to a course's set, whose answers are not for its students.

    The seed tells as well as the signature: without the one the numbers are others, without the other they are not.
    """
    try:
        named = parse(text or "")
    except BadInput:
        return False
    return named.signature is not None or seeds.is_derived(named.seed)


# --- signatures --------------------------------------------------------------------------------------------------


def _signature(token: Token, secret: bytes) -> str:
    unsigned = str(replace(token, signature=None))
    return hmac.new(secret, unsigned.encode(), hashlib.sha256).hexdigest()[:16]


def sign(token: Token, secret: bytes) -> Token:
    """The token with the signature that only the holder of the secret can make."""
    return replace(token, signature=_signature(token, secret))


def verify(token: Token, secret: bytes) -> bool:
    """Whether the token carries the signature that this secret makes."""
    return token.signature is not None and hmac.compare_digest(token.signature, _signature(token, secret))
