"""shown-media.json: public images, which live or kept releases show.

Files are in folders named by their content, and all files of one image are equally public.
"""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

import orjson

from ..domain.media_addresses import folder_of
from .disk import make_folder, write_whole
from .manifest import BuildError


class ShownMedia(NamedTuple):
    folders: frozenset[str]
    """Paths below ``/media/``: ``pictures/0123456789abcdef``."""
    covers: Mapping[str, str] = {}
    """Releases that show them: number and mark (``ReleaseReader.mark``)."""


def folders_of(names: Iterable[str]) -> frozenset[str]:
    return frozenset(map(folder_of, names))


def shown_media_file(root: Path) -> Path:
    return root / "shown-media.json"


def read_shown_media(root: Path) -> ShownMedia | None:
    """Return the public images, or None before the first publish here.

    Raise BuildError if it is damaged.
    """
    try:
        document = orjson.loads(shown_media_file(root).read_bytes())
        return ShownMedia(frozenset(document["folders"]), dict(document["covers"]))
    except FileNotFoundError:
        return None
    except (ValueError, KeyError, TypeError) as error:
        raise BuildError(
            f"{shown_media_file(root)} is damaged ({error}), so new images cannot be served. Known images are still "
            "served. The next publish writes the file again."
        ) from error


def write_shown_media(root: Path, shown: ShownMedia) -> None:
    """Write the file durably, because a switch to pages with these images follows."""
    document = {"covers": dict(shown.covers), "folders": sorted(shown.folders)}
    make_folder(root)
    write_whole(str(shown_media_file(root)), orjson.dumps(document) + b"\n", 0o644, durable=True)
