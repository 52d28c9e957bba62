"""The sheet of each of the demo's smaller images: covers of case studies, articles and videos, and views of the work.

They are many and quick to draw, so they stay out of the repository. A name is the seed of its image: another number
makes another coast.
"""

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from itertools import chain
from typing import Final

from .instruments import coastal_view, compass_card, globe, stars, tides
from .palette import BLUEPRINT, DEEP, DUSK, NIGHT, PAPER, SLATE, Inks
from .screens import desk, phones, wall
from .sheet import Sheet
from .vector import Drawing
from .waters import (
    atoll,
    currents,
    docks,
    hills,
    isles,
    landfall,
    lights,
    lines_of_soundings,
    river,
    strait,
    weather,
)

Kind = Callable[[Sheet], None]

_CASES: Final[Mapping[str, tuple[Kind, Inks]]] = {
    "al-sari-free-zone": (coastal_view, DEEP),
    "alder-grid": (weather, NIGHT),
    "ambergate-games": (compass_card, DUSK),
    "cinemas-maraca": (coastal_view, NIGHT),
    "corvane-charging": (isles, BLUEPRINT),
    "fenwick-mobile": (lights, DEEP),
    "fonderia-argine": (river, NIGHT),
    "gilavar-marine": (currents, DEEP),
    "harrowgate-bank": (tides, NIGHT),
    "ironbark-telecare": (stars, DEEP),
    "kestrel-freight": (docks, DEEP),
    "lantana-telecom": (lights, NIGHT),
    "lantern-lotteries": (lights, DUSK),
    "lotwerk-maschinenbau": (lines_of_soundings, SLATE),
    "mavi-kiyi-hotels": (coastal_view, DUSK),
    "merlane-shipping": (globe, NIGHT),
    "oriel-foods": (isles, NIGHT),
    "piedra-blanca": (strait, BLUEPRINT),
    "quill-press": (stars, DUSK),
    "saltmarsh-homes": (hills, DEEP),
    "sandhollow-credit-union": (atoll, DUSK),
    "second-shelf": (isles, DUSK),
    "skerry-line": (landfall, NIGHT),
    "tessel-rail": (strait, SLATE),
    "tidewright-stores": (tides, PAPER),
    "wellspring-water-trust": (lines_of_soundings, NIGHT),
    "wierzbowa-mleczarnia": (river, PAPER),
    "zhelken-bank": (compass_card, NIGHT),
}

_VIEWS: Final[Mapping[str, tuple[tuple[Kind, Inks], ...]]] = {
    "northwind": ((wall, NIGHT), (desk, SLATE)),
    "lumen": ((phones, DEEP), (desk, PAPER)),
    "harrowgate-bank": ((desk, NIGHT), (desk, PAPER)),
    "tessel-rail": ((wall, SLATE), (desk, NIGHT)),
    "oriel-foods": ((phones, NIGHT), (desk, PAPER)),
    "kestrel-freight": ((phones, DEEP), (desk, SLATE), (landfall, DEEP)),
    "alder-grid": ((wall, NIGHT), (phones, DUSK)),
    "quill-press": ((desk, DUSK), (phones, PAPER)),
    "zhelken-bank": ((phones, NIGHT), (desk, DUSK)),
    "gilavar-marine": ((phones, DEEP), (weather, DEEP)),
    "merlane-shipping": ((desk, NIGHT), (currents, NIGHT)),
    "skerry-line": ((phones, NIGHT), (wall, DUSK)),
    "wellspring-water-trust": ((phones, SLATE), (hills, NIGHT)),
    "piedra-blanca": ((desk, BLUEPRINT), (hills, BLUEPRINT)),
}

_NEWS: Final = (
    (globe, NIGHT), (coastal_view, DEEP), (lights, SLATE), (hills, PAPER), (stars, NIGHT), (docks, NIGHT),
    (weather, DUSK), (river, DEEP), (compass_card, SLATE), (isles, PAPER), (tides, DUSK), (landfall, DEEP),
)  # fmt: skip
_EVENTS: Final = (
    (landfall, DUSK), (globe, DEEP), (docks, BLUEPRINT), (coastal_view, SLATE), (lights, NIGHT), (stars, SLATE),
)  # fmt: skip
_BLUEPRINTS: Final = tuple(
    (kind, BLUEPRINT)
    for kind in (docks, tides, strait, compass_card, river, lines_of_soundings, globe, hills, currents, atoll)
)
_VIDEOS: Final = (
    (stars, NIGHT), (docks, SLATE), (isles, DEEP), (atoll, NIGHT), (wall, DUSK), (coastal_view, SLATE),
    (currents, NIGHT), (compass_card, DEEP), (tides, NIGHT), (hills, DUSK), (weather, SLATE), (landfall, NIGHT),
)  # fmt: skip
_SHORTS: Final = (
    (stars, DUSK), (coastal_view, NIGHT), (river, BLUEPRINT), (compass_card, NIGHT), (atoll, DEEP), (tides, SLATE),
    (hills, NIGHT), (globe, DEEP), (landfall, DUSK), (docks, NIGHT), (isles, SLATE), (coastal_view, DUSK),
)  # fmt: skip


def _draw(name: str, kind: Kind, inks: Inks, width: int, height: int) -> Drawing:
    sheet = Sheet(name, width, height, inks)
    kind(sheet)
    sheet.frame()
    return sheet.drawing


def _series(prefix: str, kinds: tuple[tuple[Kind, Inks], ...]) -> Iterator[tuple[str, Kind, Inks]]:
    return ((f"{prefix}-{number}", kind, inks) for number, (kind, inks) in enumerate(kinds, start=1))


def _pictures() -> Iterator[tuple[str, Callable[[], Drawing]]]:
    wide = chain(
        ((f"cover-case-{slug}", *sheet) for slug, sheet in _CASES.items()),
        *(_series(f"view-{slug}", views) for slug, views in _VIEWS.items()),
        _series("cover-news", _NEWS),
        _series("cover-event", _EVENTS),
        _series("cover-blueprint", _BLUEPRINTS),
        _series("cover-video", _VIDEOS),
    )
    for name, kind, inks in wide:
        yield f"{name}.svg", partial(_draw, name, kind, inks, 960, 540)
    for name, kind, inks in _series("cover-short", _SHORTS):
        yield f"{name}.svg", partial(_draw, name, kind, inks, 540, 960)


PICTURES: Final[Mapping[str, Callable[[], Drawing]]] = dict(_pictures())
