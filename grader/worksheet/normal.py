"""Other ways of typing the same characters, brought to one plain form.

`punctuation` touches what tells cells apart (brackets, commas, dashes, spaces) and keeps the rest as typed, so that
a cell's raw text stays recognisable; `normalise` then brings one cell to the plain ASCII that the grammar knows.
Superscripts and vulgar fractions go before NFKC, which would turn 10² into 102 and 1½ into 11/2.
"""

import re
import unicodedata

_DASHES = "‐‑‒–—―⁃−⸺⸻﹘﹣－➖˗﹣"
_SPACES = "\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000"
_INVISIBLE = re.compile(
    "[\u00ad\u034f\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufe00-\ufe0f\ufeff]"
)
_FULL_WIDTH = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)}
_LOOKALIKES = str.maketrans("、。｡【】〔〕〖〗；，", ",..[][][];,")
_PUNCTUATION: dict[int, int | str | None] = {
    **_FULL_WIDTH,
    **_LOOKALIKES,
    **dict.fromkeys(map(ord, _DASHES), "-"),
    **dict.fromkeys(map(ord, _SPACES), " "),
}
# a digit group such as "1 000" set with a thin, narrow or no-break space: never a separator of cells
_DIGIT_GROUP = re.compile("(?<=[0-9])[\u00a0\u2009\u202f](?=[0-9]{3}(?![0-9]))")

_EMPHASIS = re.compile(r"(?<![\w.)*])(\*{2,3})(?![\s*])((?:(?!\1).)+)(?<![\s*])\1(?![\w.(*])", re.DOTALL)
_WHOLE_EMPHASIS = re.compile(r"\A\s*(\*)(?![\s*])([^*]+)(?<!\s)\1\s*\Z")

_SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻", "0123456789+-")
_SUPERSCRIPT = re.compile("[⁺⁻]?[⁰¹²³⁴⁵⁶⁷⁸⁹]+")
_MIXED = re.compile("(?<![0-9.,])([0-9]+)([¼-¾⅐-⅞])")
_VULGAR = re.compile("[¼-¾⅐-⅞↉]")

_SIGNS = str.maketrans(dict.fromkeys("×·⋅∙•✕✖∗﹡", "*") | dict.fromkeys("÷∕⁄➗", "/") | {"√": " sqrt ", "∞": " inf "})
_MODULE = re.compile(r"\b(?:np|numpy|math|torch|jnp|jax|cmath)\.(?=[A-Za-z])")
_FRACTION_CALL = re.compile(r"\bFraction\(\s*([+-]?\d+)\s*,\s*(\d+)\s*\)")
_LATEX_FRACTION = re.compile(r"\\[dt]?frac\s*\{([^{}]*)\}\s*\{([^{}]*)\}")
_LATEX_BRACES = re.compile(r"(sqrt\s*|\^\s*)\{([^{}]*)\}")
_LATEX_WORDS = {
    r"\\(?:left|right|displaystyle|mathrm|text|bigl?|bigr|Bigl?|Bigr)(?![A-Za-z])": "",
    r"\\(?:cdot|times)(?![A-Za-z])": "*",
    r"\\infty(?![A-Za-z])": " inf ",
    r"\\(sqrt|exp|pi)(?![A-Za-z])": r" \1 ",
    r"\\[,;:! ]|\\quad(?![A-Za-z])|~": " ",
}


def punctuation(text: str) -> str:
    """`text` with plain brackets, commas, dashes, digits and spaces; everything else as typed."""
    return _INVISIBLE.sub("", _DIGIT_GROUP.sub("", text)).translate(_PUNCTUATION)


def unemphasised(text: str) -> str:
    """`text` without Markdown's stars for emphasis: `**2**` is 2, and `2**3` stays a power."""
    return _WHOLE_EMPHASIS.sub(r"\2", _EMPHASIS.sub(r"\2", text))


def normalise(text: str) -> str:
    """One cell in the plain ASCII of the grammar: `−1½` to `-(1+(1/2))`, `6.02×10²³` to `6.02*10^(23)`."""
    text = _SUPERSCRIPT.sub(lambda match: f"^({match.group().translate(_SUPERSCRIPTS)})", text)
    text = _MIXED.sub(lambda match: f"({match[1]}+{_vulgar(match[2])})", text)
    text = _VULGAR.sub(lambda match: _vulgar(match.group()), text)
    text = unicodedata.normalize("NFKC", punctuation(text).translate(_SIGNS)).translate(_SIGNS)
    text = "".join(str(unicodedata.decimal(char)) if char.isdecimal() else char for char in text)
    return _words(text).replace("**", "^").strip()


def _vulgar(char: str) -> str:
    """`½` as `(1/2)`."""
    return f"({unicodedata.normalize('NFKC', char).replace(chr(0x2044), '/')})"


def _words(text: str) -> str:
    """Python's and LaTeX's own spellings, without their prefixes and braces."""
    text = _FRACTION_CALL.sub(r"(\1/\2)", _MODULE.sub("", text))
    if "\\" in text:
        for pattern, plain in _LATEX_WORDS.items():
            text = re.sub(pattern, plain, text)
        # from the inside out: the patterns match only braces that hold no others
        while (once := _LATEX_FRACTION.sub(r"((\1)/(\2))", _LATEX_BRACES.sub(r"\1(\2)", text))) != text:
            text = once
    return text.replace("{", "(").replace("}", ")")
