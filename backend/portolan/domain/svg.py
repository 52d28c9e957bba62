"""Cleans SVG files: they can contain scripts, so only drawing elements are kept."""

import re
from typing import Final
from xml.etree import ElementTree

from defusedxml import DefusedXmlException
from defusedxml.ElementTree import fromstring

SVG: Final = "http://www.w3.org/2000/svg"
XLINK: Final = "http://www.w3.org/1999/xlink"

ELEMENTS: Final = frozenset(
    [
        "svg",
        "g",
        "defs",
        "symbol",
        "use",
        "title",
        "desc",
        "path",
        "rect",
        "circle",
        "ellipse",
        "line",
        "polyline",
        "polygon",
        "text",
        "tspan",
        "textPath",
        "image",
        "switch",
        "linearGradient",
        "radialGradient",
        "stop",
        "pattern",
        "clipPath",
        "mask",
        "marker",
        "filter",
        "style",
        "view",
        "feBlend",
        "feColorMatrix",
        "feComponentTransfer",
        "feComposite",
        "feConvolveMatrix",
        "feDiffuseLighting",
        "feDisplacementMap",
        "feDistantLight",
        "feDropShadow",
        "feFlood",
        "feFuncA",
        "feFuncB",
        "feFuncG",
        "feFuncR",
        "feGaussianBlur",
        "feMerge",
        "feMergeNode",
        "feMorphology",
        "feOffset",
        "fePointLight",
        "feSpecularLighting",
        "feSpotLight",
        "feTile",
        "feTurbulence",
    ]
)
_EMBEDDED: Final = re.compile(r"^data:image/(png|jpeg|webp|gif);base64,[A-Za-z0-9+/=\s]*$")
_CSS_REACHING_OUT: Final = re.compile(
    r"""url\(\s*["']?(?!\s*#)|@import|expression\s*\(|javascript:|\\""", re.IGNORECASE
)


class UnsafeSvgError(ValueError):
    """The file is not a drawing that can be cleaned. The message is for the editor."""


def clean_svg(data: bytes) -> bytes:
    """``data`` with nothing left that runs, loads or leads anywhere. The same drawing cleaned twice gives the same bytes."""
    try:
        root = fromstring(data, forbid_dtd=False)
    except (ElementTree.ParseError, DefusedXmlException, ValueError) as error:
        raise UnsafeSvgError(
            f"This SVG cannot be read ({error}). Save it again from the drawing program as plain SVG."
        ) from error
    if root.tag not in (f"{{{SVG}}}svg", "svg"):
        raise UnsafeSvgError("This file is not an SVG drawing: its outermost element is not <svg>.")
    _clean(root)
    ElementTree.register_namespace("", SVG)
    ElementTree.register_namespace("xlink", XLINK)
    cleaned: bytes = ElementTree.tostring(root, encoding="utf-8")
    return cleaned


def _clean(element: ElementTree.Element) -> None:
    for name, value in list(element.attrib.items()):
        if not _is_harmless(element.tag, name, value):
            del element.attrib[name]
    for child in list(element):
        local = child.tag.removeprefix(f"{{{SVG}}}") if isinstance(child.tag, str) else ""
        if local not in ELEMENTS or (local == "style" and _CSS_REACHING_OUT.search("".join(child.itertext()))):
            element.remove(child)
        else:
            _clean(child)


def _is_harmless(tag: str, name: str, value: str) -> bool:
    local = name.rpartition("}")[2].lower()
    if local.startswith("on"):
        return False
    if local in ("href", "src"):
        return value.strip().startswith("#") or (tag == f"{{{SVG}}}image" and bool(_EMBEDDED.match(value.strip())))
    return not _CSS_REACHING_OUT.search(value)
