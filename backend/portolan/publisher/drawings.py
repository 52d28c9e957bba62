"""Prepare the brand's drawings for pages and icons."""

import re
from typing import Final
from xml.etree import ElementTree

from defusedxml.ElementTree import fromstring

from ..domain.svg import ATTRIBUTES, SVG, UnsafeSvgError, clean_svg
from ..sites.brand import BrandFile
from .problem import UsageError

LOGO_ID: Final = "logo-"
"""Prefix of ids in the logo. A page has the logo twice, so `ui/brand` makes the ids of each unique."""
_BETWEEN_TAGS: Final = re.compile(r">\s+<")
_PREFIX: Final = f"{{{SVG}}}"


def build_logo(file: BrandFile) -> str:
    """Return the logo as SVG for HTML under the pages' policy, which forbids styles.

    Raise UsageError with the remedy.
    """
    root = _read(file)
    _use_attributes(root, file)
    _rename_ids(root)
    for name in ("width", "height", "class", "id"):
        root.attrib.pop(name, None)
    root.set("aria-hidden", "true")
    text = _write(root)
    return _BETWEEN_TAGS.sub("><", text.replace(f' xmlns="{SVG}"', "")).strip()


def build_square(file: BrandFile, ground: str, accent: str, corner: float, share: float) -> bytes:
    """Return the drawing in the middle of a square of 32 units.

    ``share``: the drawing's part of the side. ``corner``: the square's corner radius.
    """
    root = _read(file)
    at = f"{16 * (1 - share):g}"
    for name, value in (("x", at), ("y", at), ("width", f"{32 * share:g}"), ("height", f"{32 * share:g}")):
        root.set(name, value)
    return (
        f'<svg xmlns="{SVG}" viewBox="0 0 32 32" color="{accent}">'
        f'<rect width="32" height="32" rx="{corner:g}" fill="{ground}"/>{_write(root)}</svg>\n'
    ).encode()


def build_disc(ground: str, accent: str, corner: float, share: float) -> bytes:
    """Return an icon for a company without a drawing."""
    return (
        f'<svg xmlns="{SVG}" viewBox="0 0 32 32"><rect width="32" height="32" rx="{corner:g}" fill="{ground}"/>'
        f'<circle cx="16" cy="16" r="{10 * share:g}" fill="{accent}"/></svg>\n'
    ).encode()


def _read(file: BrandFile) -> ElementTree.Element:
    try:
        root: ElementTree.Element = fromstring(clean_svg(file.data).data)
    except UnsafeSvgError as error:
        raise UsageError(
            f"{file.name} of brand.toml cannot be used in pages, so the publish stopped: {error}"
        ) from error
    if "viewBox" not in root.attrib:
        size = [root.get(name, "").removesuffix("px") for name in ("width", "height")]
        if not all(re.fullmatch(r"\d+(\.\d+)?", side) for side in size):
            raise UsageError(
                f"{file.name} of brand.toml has no size, so the publish stopped. Give its <svg> a viewBox."
            )
        root.set("viewBox", f"0 0 {' '.join(size)}")
    return root


def _use_attributes(root: ElementTree.Element, file: BrandFile) -> None:
    for element in root.iter():
        if element.tag == f"{_PREFIX}style":
            raise UsageError(
                f"{file.name} of brand.toml has a <style>, which pages forbid, so the publish stopped. Save it from "
                "the drawing program with presentation attributes."
            )
        for declaration in element.attrib.pop("style", "").split(";"):
            name, _, value = declaration.partition(":")
            if value and (name := name.strip()) in ATTRIBUTES:
                element.set(name, value.strip())


def _rename_ids(root: ElementTree.Element) -> None:
    names = {
        name: f"{LOGO_ID}{index}" for index, name in enumerate(e.get("id", "") for e in root.iter() if e.get("id"))
    }
    for element in root.iter():
        for attribute, value in list(element.attrib.items()):
            if attribute == "id":
                element.set("id", names.get(value, ""))
            elif attribute.rpartition("}")[2] == "href":
                element.set(attribute, f"#{names.get(value[1:], value[1:])}")
            else:
                element.set(attribute, _REFERENCE.sub(lambda found: f"url(#{names.get(found[1], found[1])})", value))


_REFERENCE: Final = re.compile(r"url\(\s*[\"']?#([^\"')]+)[\"']?\s*\)")


def _write(root: ElementTree.Element) -> str:
    ElementTree.register_namespace("", SVG)
    return ElementTree.tostring(root, encoding="unicode").replace(" />", "/>")
