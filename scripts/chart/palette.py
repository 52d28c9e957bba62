"""Colours of the charts: paper is the brand's navy, ink is light, and one signal is yellow."""

from typing import NamedTuple

NAVY = "#020d1c"
LAND = "#0a1d35"
SHOAL = "#06172b"
INK = "#9fbbdf"
WHITE = "#f4f7fb"
SIGNAL = "#ffdb00"
MARK = "#62748c"
"""Clients' marks: one grey that is legible on paper and on navy."""


class Inks(NamedTuple):
    """The inks of one sheet."""

    ground: str
    """The paper: the deep sea."""
    shoal: str
    """The tint of shallow water; the depths between are mixed."""
    land: str
    line: str
    strong: str
    """For the few main lines of the image."""
    rim: str = SIGNAL
    """Around the signal: yellow alone is too weak on paper."""


NIGHT = Inks(NAVY, "#0d2a49", "#12304f", INK, WHITE)
DEEP = Inks("#03141b", "#0d3a44", "#123f48", "#8fc6cc", "#eef9f8")
DUSK = Inks("#0b0e26", "#232a5c", "#2a3268", "#aab4ea", "#f5f6ff")
SLATE = Inks("#0b1016", "#25303d", "#2c3844", "#a8b4c2", "#f7f8fa")
PAPER = Inks("#e9eef1", "#cddae2", "#f6f1e2", "#4c647f", NAVY, NAVY)
BLUEPRINT = Inks("#0a3263", "#134680", "#1b5290", "#a9cbf0", "#ffffff")


def mix(ground: str, ink: str, part: float) -> str:
    """``ink`` laid over ``ground`` with the opacity ``part``, as a solid colour."""
    pairs = zip(bytes.fromhex(ground[1:]), bytes.fromhex(ink[1:]), strict=True)
    return "#" + bytes(round(g + (i - g) * part) for g, i in pairs).hex()
