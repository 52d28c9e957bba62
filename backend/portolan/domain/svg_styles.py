"""Clean the styles of SVG files. Only CSS functions and rules that are known to load nothing are kept."""

import re
from collections.abc import Iterator
from typing import Final

FUNCTIONS: Final = frozenset(
    """
    rgb rgba hsl hsla hwb lab lch oklab oklch color color-mix light-dark var env calc min max clamp round abs sqrt
    matrix matrix3d translate translatex translatey translate3d translatez scale scalex scaley scale3d scalez rotate
    rotatex rotatey rotatez rotate3d skew skewx skewy perspective cubic-bezier steps linear blur brightness contrast
    drop-shadow grayscale hue-rotate invert opacity saturate sepia circle ellipse inset polygon path rect xywh counter
    not is where has nth-child nth-last-child nth-of-type nth-last-of-type lang dir supports selector
    """.split()
)
"""CSS functions that load nothing, and selectors; ``url(#…)`` is allowed too."""
RULES: Final = frozenset(("media", "supports", "keyframes", "-webkit-keyframes", "layer"))
DEEPEST: Final = 8
"""Largest number of rules inside one another that are cleaned part by part."""

_FUNCTION: Final = re.compile(r"([\w-]+)\(")
_RULE: Final = re.compile(r"@([\w-]*)")
_OWN_URL: Final = re.compile(r"""url\(\s*(["']?)#[^"'()]*\1\s*\)""", re.IGNORECASE)
_COMMENT: Final = re.compile(r"/\*.*?(?:\*/|\Z)", re.DOTALL)
_TOKEN: Final = re.compile(
    r"""[{};] | "[^"\n]*+"? | '[^'\n]*+'? | url\(\s*+(?!["'])[^)"']*+\)? | [^{};"'u]++ | u""",
    re.VERBOSE | re.IGNORECASE,
)


def loads_nothing(css: str) -> bool:
    """Return True if every function and rule of a style or an attribute is known to load nothing."""
    rest = _OWN_URL.sub(" ", css)
    return (
        "\\" not in css
        and all(name.lower() in FUNCTIONS for name in _FUNCTION.findall(rest))
        and all(name.lower() in RULES for name in _RULE.findall(rest))
    )


def clean_style(css: str) -> str:
    """Return a style sheet or a list of declarations without the parts that may load something.

    A style sheet that loads nothing is returned unchanged. If browsers could read the remaining parts together in
    another way, nothing is kept.
    """
    if loads_nothing(css):
        return css
    cleaned = _clean(_COMMENT.sub(" ", css), 1)
    return cleaned if loads_nothing(cleaned) else ""


def _clean(css: str, depth: int) -> str:
    return "".join(_clean_part(part, depth) for part in _split(css))


def _clean_part(part: str, depth: int) -> str:
    if loads_nothing(part):
        return part
    head, opened, body = part.partition("{")
    if not opened or depth == DEEPEST or not loads_nothing(head):
        return ""
    cleaned = _clean(body.removesuffix("}"), depth + 1)
    return f"{head}{{{cleaned}}}" if cleaned.strip() else ""


def _split(css: str) -> Iterator[str]:
    """Yield each rule with its block, and each declaration with its semicolon."""
    begin, depth = 0, 0
    for token in _TOKEN.finditer(css):
        depth += {"{": 1, "}": -1}.get(token[0], 0)
        if token[0] in (";", "}") and depth <= 0:
            yield css[begin : token.end()]
            begin, depth = token.end(), 0
    if begin < len(css):
        yield css[begin:]
