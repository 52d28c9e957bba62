"""What an uploaded picture has and its published files do not. Editors read it before the picture is live."""

from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import Final

from .words import Translate, mark


class Loss(StrEnum):
    MOTION = "motion"
    COLOURS = "colours"
    """A CMYK file without a profile does not say which inks are meant."""
    FONTS = "fonts"
    HTML = "html"
    LINKED = "linked"


_TEXTS: Final[Mapping[Loss, str]] = {
    Loss.MOTION: mark("Pages show only the first frame: the picture does not move. For motion, use a film."),
    Loss.COLOURS: mark(
        "The file is in CMYK without a colour profile, so its colours on pages may differ from print. For exact colours, "
        "save it as sRGB."
    ),
    Loss.FONTS: mark(
        "The drawing loads fonts, and pages leave them out. If its letters must look the same, convert its text to paths."
    ),
    Loss.HTML: mark("The drawing contains parts of web pages, and pages leave them out. Save it without foreignObject."),
    Loss.LINKED: mark("The drawing shows a picture from another file, and pages leave it out. Embed that picture."),
}


def describe_losses(losses: Iterable[str], translate: Translate) -> list[str]:
    """Return a sentence or two for each loss, in a fixed order. A loss that a newer version has stored is left out."""
    found = set(losses)
    return [translate(text) for loss, text in _TEXTS.items() if loss in found]
