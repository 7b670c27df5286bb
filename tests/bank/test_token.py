"""A token is one word that names a variant, and reads back as it was written."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.bank import draw, token
from grader.bank.seeds import self_study
from grader.bank.token import Token
from grader.errors import BadInput
from grader.model import Seed

names = st.from_regex(r"[a-z][a-z0-9_]{0,20}", fullmatch=True)
tokens = st.builds(
    Token,
    names,
    st.from_regex(r"[0-9a-f]{8}", fullmatch=True),
    st.builds(Seed, st.from_regex(r"[a-z0-9]{1,16}", fullmatch=True), st.none() | names),
    st.integers(0, 499),
    st.none() | st.from_regex(r"[0-9a-f]{16}", fullmatch=True),
)


def test_a_token_is_one_plain_word():
    """Template, version, seed and redraw stand in it for anybody to read."""
    assert str(Token("causal_attention", "9f3ac21e", Seed("0"), 2)) == "causal_attention.9f3ac21e.0.2"
    assert str(Token("head", "9f3ac21e", Seed("0", "lesson"), 0)) == "head@lesson.9f3ac21e.0.0"


@given(tokens)
def test_a_token_reads_back_as_it_was_written(one):
    """Writing and reading are inverse, whatever pin or signature there is."""
    assert token.parse(str(one)) == one


@pytest.mark.parametrize("text", [" head.9f3ac21e.0.2\n", "`head.9f3ac21e.0.2`", '"head.9f3ac21e.0.2"'])
def test_quotes_and_spaces_around_a_token_do_not_matter(text):
    """Editors put quotes and spaces around words."""
    assert str(token.parse(text)) == "head.9f3ac21e.0.2"


@pytest.mark.parametrize(
    "text",
    ["", "head", "head.9f3ac21e.0", "head.9f3ac21.0.2", "Head.9f3ac21e.0.2", "../x.9f3ac21e.0.2", "head.9f3ac21e.0.-1"],
)
def test_what_is_no_token_is_bad_input(text):
    """Anything else is said back, shortened, and never used as a path."""
    with pytest.raises(BadInput) as caught:
        token.parse(text)
    assert (caught.value.code, caught.value.numbers["read"]) == ("bad-token", text)


def test_a_variant_comes_back_from_its_token(make, folder):
    """The token alone is enough to make the same numbers again."""
    variant = draw.draw(make("head"), self_study(4))
    again = token.variant(token.format(variant), (folder,))
    assert (again.inputs, again.blanks, again.redraw) == (variant.inputs, variant.blanks, variant.redraw)


def test_another_version_of_a_template_is_refused(make, folder):
    """Numbers of an older version cannot be made again, and that is said instead of marking against new ones."""
    with pytest.raises(BadInput) as caught:
        token.variant("head.00000000.0.0", (folder,))
    assert caught.value.code == "other-version"
    assert caught.value.numbers["ours"] == make("head").drawing_hash


def test_only_the_secret_makes_a_signature():
    """A signed token is verified with its secret only, and only as it was signed."""
    signed = token.sign(Token("head", "9f3ac21e", Seed("ab12"), 2), b"secret")
    assert token.verify(token.parse(str(signed)), b"secret")
    assert not token.verify(signed, b"another")
    assert not token.verify(token.parse(str(signed).replace(".2.", ".3.")), b"secret")
    assert not token.verify(Token("head", "9f3ac21e", Seed("ab12"), 2), b"secret")
    assert token.sign(signed, b"secret") == signed
