"""Colours of the charts: paper is the brand's navy, ink is light, and one signal is yellow."""

NAVY = "#020d1c"
LAND = "#0a1d35"
SHOAL = "#06172b"
INK = "#9fbbdf"
WHITE = "#f4f7fb"
SIGNAL = "#ffdb00"
MARK = "#62748c"
"""Clients' marks: one grey that stands on paper and on navy."""


def mix(ground: str, ink: str, part: float) -> str:
    """``ink`` laid over ``ground`` with the opacity ``part``, as a solid colour."""
    pairs = zip(bytes.fromhex(ground[1:]), bytes.fromhex(ink[1:]), strict=True)
    return "#" + bytes(round(g + (i - g) * part) for g, i in pairs).hex()
