"""shown-media.json: which open files (pictures) visitors may have, because a release that is live, or that a kept build was made
of, shows them. Files lie in folders named by their content, and all files of one picture are equally public."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

import orjson

from ..domain.media_addresses import folder_of
from .disk import make_folder, write_whole
from .manifest import BuildError


class ShownMedia(NamedTuple):
    folders: frozenset[str]
    """Below ``/media/``: ``pictures/0123456789abcdef``."""
    covers: Mapping[str, str] = {}
    """Releases of which they are: number and mark (``ReleaseReader.mark``)."""


def folders_of(names: Iterable[str]) -> frozenset[str]:
    return frozenset(map(folder_of, names))


def shown_media_file(root: Path) -> Path:
    return root / "shown-media.json"


def read_shown_media(root: Path) -> ShownMedia | None:
    """None where no publisher has written it here: then nobody knows. Raises BuildError where it is damaged."""
    try:
        document = orjson.loads(shown_media_file(root).read_bytes())
        return ShownMedia(frozenset(document["folders"]), dict(document["covers"]))
    except FileNotFoundError:
        return None
    except (ValueError, KeyError, TypeError) as error:
        raise BuildError(
            f"{shown_media_file(root)} is damaged ({error}), so nobody can tell which pictures are live. Those known so far "
            "are served; the next publish writes it anew."
        ) from error


def write_shown_media(root: Path, shown: ShownMedia) -> None:
    """Durably: a switch follows, and pages with these pictures."""
    document = {"covers": dict(shown.covers), "folders": sorted(shown.folders)}
    make_folder(root)
    write_whole(str(shown_media_file(root)), orjson.dumps(document) + b"\n", 0o644, durable=True)
