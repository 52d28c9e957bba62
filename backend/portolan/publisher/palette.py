"""A brand's palette: the product's own in two other colours, as readable."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, Final

from ..domain.contrast import SHAPES, TEXT, contrast
from ..sites.brand import Colours

if TYPE_CHECKING:
    from coloraide import Color

_ACCENTS: Final = frozenset({"--signal", "--signal-hover", "--on-signal"})
_KEPT: Final = frozenset({"--wrong"})
LEAST: Final[Mapping[str, float]] = {"--strong": 7, "--text": 7, "--muted": TEXT, "--wrong": TEXT, "--focus": SHAPES}
"""Least contrast of colours on the background and on raised surfaces (`tokens/colour.test.ts` checks the product's
own)."""
_UNDER: Final = ("--ground", "--raised")
_DARK: Final = 0.5
"""OKLCH lightness below which a background counts as dark."""
_STEP: Final = 0.01
_MOST_CHROMA: Final = 1.6
"""Largest chroma, relative to the product's own greys."""


def build_palette(grounds: list[dict[str, Any]], wanted: Colours, own: Colours) -> list[dict[str, Any]]:
    """Return ``grounds`` with the wanted colours instead of ``own``.

    See `Ground` in ``web/src/document/assets.ts``.
    """
    if wanted == own:
        return grounds
    turn = _Turn(wanted, own)
    return [{**ground, "colours": turn.colours(ground["colours"])} for ground in grounds]


class _Turn:
    def __init__(self, wanted: Colours, own: Colours) -> None:
        self._wanted = wanted
        self._own_ground = own.ground
        self._light, chroma, self._hue = _split(wanted.ground)
        self._own_light, own_chroma, _ = _split(own.ground)
        self._chroma = min(chroma / own_chroma, _MOST_CHROMA)

    def colours(self, given: Mapping[str, str]) -> dict[str, str]:
        dark = _split(given.get("--ground", "#000000"))[0] < _DARK
        found = {name: self._colour(name, value, dark) for name, value in given.items()}
        for name, under in self._pairs(found):
            found[name] = _move_away(found[name], under, LEAST[name], lighter=dark)
        return found

    def _pairs(self, colours: Mapping[str, str]) -> Iterator[tuple[str, list[str]]]:
        under = [colours[name] for name in _UNDER if name in colours]
        yield from ((name, under) for name in LEAST if name in colours)

    def _colour(self, name: str, value: str, dark: bool) -> str:
        if name in _ACCENTS:
            return self._accent(name)
        if name in _KEPT:
            return value
        if name == "--focus":
            return self._wanted.accent if dark else self._wanted.ground
        if name == "--navy" or value == self._own_ground or (name == "--strong" and not dark):
            return self._wanted.ground
        light, chroma, _ = _split(value)
        if dark:  # interpolate from white, which stays, to the background, which becomes the wanted one
            light += (self._light - self._own_light) * (1 - light) / (1 - self._own_light)
        return _join(light, chroma * self._chroma, self._hue)

    def _accent(self, name: str) -> str:
        accent = self._wanted.accent
        on = max((self._wanted.ground, "#ffffff", "#000000"), key=lambda colour: self._fitness(colour, accent))
        if name == "--signal":
            return accent
        if name == "--on-signal":
            return on
        light, chroma, hue = _split(accent)
        lighter = contrast(on, "#000000") < contrast(on, "#ffffff")
        return _join(min(light + 0.035, 1) if lighter else light - 0.035, chroma, hue)

    def _fitness(self, colour: str, accent: str) -> float:
        """Rank a text colour: the company's background if readable, else by contrast."""
        found = contrast(colour, accent)
        return 100 if colour == self._wanted.ground and found >= TEXT else found


def _move_away(colour: str, grounds: list[str], least: float, lighter: bool) -> str:
    light, chroma, hue = _split(colour)
    while min((contrast(colour, ground) for ground in grounds), default=least) < least and 0 < light < 1:
        light += _STEP if lighter else -_STEP
        colour = _join(light, chroma, hue)
    return colour


def _split(colour: str) -> tuple[float, float, float]:
    light, chroma, hue = _color()(colour).convert("oklch").coords(nans=False)
    return light, chroma, hue


def _join(light: float, chroma: float, hue: float) -> str:
    joined: str = (
        _color()("oklch", [min(max(light, 0), 1), chroma, hue])
        .convert("srgb")
        .fit(method="oklch-chroma")
        .to_string(hex=True)
    )
    return joined


def _color() -> "type[Color]":
    from coloraide import Color  # takes a third of a second, and only new brands need it

    return Color
