"""Name the parts of an uploaded image that its published files lack. Editors read them before the image is live."""

from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import Final

from .words import Translate, mark


class Loss(StrEnum):
    MOTION = "motion"
    COLOURS = "colours"
    """A CMYK file without a profile does not specify its inks."""
    FONTS = "fonts"
    HTML = "html"
    LINKED = "linked"


_TEXTS: Final[Mapping[Loss, str]] = {
    Loss.MOTION: mark("Pages show only the first frame: the image does not move. For motion, use a video."),
    Loss.COLOURS: mark(
        "The file is in CMYK without a colour profile, so its colours may differ from print. For exact colours, save it "
        "as sRGB."
    ),
    Loss.FONTS: mark(
        "Pages leave out the fonts that the drawing loads. If its letters must look the same, convert its text to paths."
    ),
    Loss.HTML: mark("Pages leave out the parts of the drawing that are HTML. Save it without foreignObject."),
    Loss.LINKED: mark("Pages leave out the images that the drawing loads from other files. Embed them in the drawing."),
}


def describe_losses(losses: Iterable[str], translate: Translate) -> str:
    """Return the sentences for each loss, in a fixed order. Losses that only a newer version knows are left out."""
    found = set(losses)
    return " ".join(translate(text) for loss, text in _TEXTS.items() if loss in found)
