"""Clean SVG files. They can contain scripts and load files, so only drawing elements and attributes are kept.

Everything is an allow-list: elements, attributes and, in ``svg_styles``, CSS functions and rules. Limits of size apply
while the file is read.
"""

import re
from collections.abc import Iterator
from typing import Final, NamedTuple
from xml.etree import ElementTree

from defusedxml import DefusedXmlException
from defusedxml.ElementTree import XMLParser

from .picture_losses import Loss
from .svg_styles import clean_style, loads_nothing
from .words import Translate, mark

SVG: Final = "http://www.w3.org/2000/svg"
XLINK: Final = "http://www.w3.org/1999/xlink"

MOST_BYTES: Final = 5 << 20
MOST_ELEMENTS: Final = 20_000
MOST_ATTRIBUTES: Final = 100
"""Largest number of attributes of one element."""
DEEPEST: Final = 100
MOST_DRAWN: Final = 500_000
"""Largest number of drawn elements, counting repeats: a few lines of ``<use>`` can mean billions."""

ELEMENTS: Final = frozenset(
    """
    svg g defs symbol use title desc path rect circle ellipse line polyline polygon text tspan textPath image switch
    linearGradient radialGradient stop pattern clipPath mask marker filter style view feBlend feColorMatrix
    feComponentTransfer feComposite feConvolveMatrix feDiffuseLighting feDisplacementMap feDistantLight feDropShadow
    feFlood feFuncA feFuncB feFuncG feFuncR feGaussianBlur feMerge feMergeNode feMorphology feOffset fePointLight
    feSpecularLighting feSpotLight feTile feTurbulence
    """.split()
)
ATTRIBUTES: Final = frozenset(
    """
    alignment-baseline amplitude azimuth baseFrequency baseline-shift baseProfile bias class clip clip-path clip-rule
    clipPathUnits color color-interpolation color-interpolation-filters color-rendering cx cy d diffuseConstant
    direction display divisor dominant-baseline dx dy edgeMode elevation enable-background exponent fill fill-opacity
    fill-rule filter filterUnits flood-color flood-opacity focusable font font-family font-feature-settings
    font-kerning font-size font-size-adjust font-stretch font-style font-variant font-weight fr fx fy
    glyph-orientation-horizontal glyph-orientation-vertical gradientTransform gradientUnits height id
    image-rendering in in2 inline-size intercept isolation k1 k2 k3 k4 kernelMatrix kernelUnitLength kerning lang
    lengthAdjust letter-spacing lighting-color limitingConeAngle marker marker-end marker-mid marker-start
    markerHeight markerUnits markerWidth mask mask-type maskContentUnits maskUnits media method mix-blend-mode mode
    name numOctaves offset opacity operator order orient overflow paint-order path pathLength patternContentUnits
    patternTransform patternUnits pointer-events points pointsAtX pointsAtY pointsAtZ preserveAlpha
    preserveAspectRatio primitiveUnits r radius refX refY requiredExtensions requiredFeatures result role rotate rx ry
    scale seed shape-inside shape-rendering side slope spacing specularConstant specularExponent spreadMethod
    startOffset stdDeviation stitchTiles stop-color stop-opacity stroke stroke-dasharray stroke-dashoffset
    stroke-linecap stroke-linejoin stroke-miterlimit stroke-opacity stroke-width style surfaceScale systemLanguage
    tableValues targetX targetY text-align text-anchor text-decoration text-overflow text-rendering textLength
    transform transform-box transform-origin type unicode-bidi values vector-effect version viewBox viewTarget
    visibility white-space width word-spacing writing-mode x x1 x2 xChannelSelector y y1 y2 yChannelSelector z
    zoomAndPan
    """.split()
)
"""Allowed in addition to ``href`` and names that begin with ``aria-`` or ``data-``."""
_REFERENCE: Final = re.compile(r"""url\(\s*["']?#([^"')]*)""", re.IGNORECASE)
_EMBEDDED: Final = re.compile(r"data:image/(png|jpeg|webp|gif);base64,[A-Za-z0-9+/=\s]*")
_FONT: Final = re.compile(r"@font-face|@import", re.IGNORECASE)
_IMAGE: Final = f"{{{SVG}}}image"
_LINKS: Final = ("href", f"{{{XLINK}}}href")
_LOST_ELEMENTS: Final = {
    "foreignObject": Loss.HTML,
    **dict.fromkeys(("animate", "animateMotion", "animateTransform", "set"), Loss.MOTION),
}

_UNREADABLE: Final = mark("This SVG cannot be read ({error}). Save it again from the drawing program as plain SVG.")
_NO_DRAWING: Final = mark("This file is not an SVG drawing: its outermost element is not <svg>.")
_TOO_LARGE: Final = mark(
    "This SVG is too large for pages: it has more than {most} {what}. Simplify it in the drawing program, or save "
    "it as PNG."
)
_BYTES, _ELEMENTS = mark("bytes"), mark("elements")
_LEVELS, _ATTRIBUTES = mark("levels of elements"), mark("attributes in one element")
_DRAWN: Final = mark("elements to draw, counting repeats")


class UnsafeSvgError(ValueError):
    """The file is not a drawing that can be cleaned. The message is for the editor."""

    def __init__(self, text: str, **values: str) -> None:
        super().__init__(text.format(**values))
        self._text, self._values = text, values

    def say(self, translate: Translate) -> str:
        return translate(self._text).format(**{name: translate(value) for name, value in self._values.items()})


class CleanDrawing(NamedTuple):
    data: bytes
    losses: frozenset[Loss]
    """A part of the file that visitors do not see."""


def clean_svg(data: bytes) -> CleanDrawing:
    """Return the drawing without anything that runs, loads or links elsewhere. A second pass changes nothing.

    Raises UnsafeSvgError.
    """
    if len(data) > MOST_BYTES:
        raise _too_large(MOST_BYTES, _BYTES)
    tree = _CleanTree()
    parser = XMLParser(target=tree, forbid_dtd=False)
    try:
        parser.feed(data)
        root = parser.close()
    except UnsafeSvgError:
        raise
    except (ElementTree.ParseError, DefusedXmlException, ValueError, LookupError) as error:
        raise UnsafeSvgError(_UNREADABLE, error=str(error)) from error
    _check_drawn(root)
    ElementTree.register_namespace("", SVG)
    ElementTree.register_namespace("xlink", XLINK)
    return CleanDrawing(ElementTree.tostring(root, encoding="utf-8"), frozenset(tree.losses))


def _too_large(most: int, what: str) -> UnsafeSvgError:
    return UnsafeSvgError(_TOO_LARGE, most=f"{most:,}", what=what)


class _CleanTree:
    """Build the tree of the allowed elements while the parser reads. Comments and processing instructions are
    dropped."""

    def __init__(self) -> None:
        self._builder = ElementTree.TreeBuilder()
        self._depth = 0
        self._elements = 0
        self._dropped_at = 0
        """Depth of the element that is dropped with its contents; 0 if none is."""
        self.losses: set[Loss] = set()

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        self._depth += 1
        self._elements += 1
        for count, most, what in (
            (self._elements, MOST_ELEMENTS, _ELEMENTS),
            (self._depth, DEEPEST, _LEVELS),
            (len(attributes), MOST_ATTRIBUTES, _ATTRIBUTES),
        ):
            if count > most:
                raise _too_large(most, what)
        local = tag.removeprefix(f"{{{SVG}}}")
        if self._depth == 1 and local != "svg":
            raise UnsafeSvgError(_NO_DRAWING)
        if self._dropped_at:
            return
        if local not in ELEMENTS:
            self._dropped_at = self._depth
            if loss := _LOST_ELEMENTS.get(local):
                self.losses.add(loss)
            return
        self._builder.start(tag, dict(self._clean_attributes(tag, attributes)))

    def _clean_attributes(self, tag: str, attributes: dict[str, str]) -> Iterator[tuple[str, str]]:
        for name, value in attributes.items():
            if name == "style":
                if style := clean_style(value):
                    yield name, style
            elif _is_harmless(tag, name, value):
                yield name, value
            elif tag == _IMAGE and name in _LINKS:
                self.losses.add(Loss.LINKED)

    def end(self, tag: str) -> None:
        if not self._dropped_at:
            element = self._builder.end(tag)
            if tag.rpartition("}")[2] == "style":
                self._clean_style(element)
        elif self._dropped_at == self._depth:
            self._dropped_at = 0
        self._depth -= 1

    def _clean_style(self, element: ElementTree.Element) -> None:
        style = "".join(element.itertext())
        cleaned = clean_style(style)
        if cleaned != style:
            if _FONT.search(style):
                self.losses.add(Loss.FONTS)
            element[:] = []
            element.text = cleaned

    def data(self, text: str) -> None:
        if not self._dropped_at:
            self._builder.data(text)

    def close(self) -> ElementTree.Element:
        return self._builder.close()


def _is_harmless(tag: str, name: str, value: str) -> bool:
    if name in _LINKS:
        return value.strip().startswith("#") or (tag == _IMAGE and bool(_EMBEDDED.fullmatch(value.strip())))
    return (name in ATTRIBUTES or name.startswith(("aria-", "data-"))) and loads_nothing(value)


def _check_drawn(root: ElementTree.Element) -> None:
    """Refuse drawings whose references multiply. A reference to an element that contains it draws nothing."""
    named = {name: element for element in root.iter() if (name := element.get("id"))}
    drawn: dict[ElementTree.Element, int] = {}
    opened = {root}
    waiting = [(root, _parts(root, named))]
    while waiting:
        element, parts = waiting[-1]
        part = next((part for part in parts if part not in drawn and part not in opened), None)
        if part is not None:
            opened.add(part)
            waiting.append((part, _parts(part, named)))
            continue
        waiting.pop()
        opened.discard(element)
        drawn[element] = 1 + sum(drawn.get(part, 0) for part in _parts(element, named))
        if drawn[element] > MOST_DRAWN:
            raise _too_large(MOST_DRAWN, _DRAWN)


def _parts(element: ElementTree.Element, named: dict[str, ElementTree.Element]) -> Iterator[ElementTree.Element]:
    yield from element
    for name, value in element.items():
        links = [value.strip()[1:]] if name.endswith("href") else _REFERENCE.findall(value)
        yield from (named[link] for link in links if link in named)
