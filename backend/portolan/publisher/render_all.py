"""Reasons for rendering every page of a site, even with unchanged content."""

from collections.abc import Collection
from typing import Final

from ..builds.store import ContentStore
from .reasons import Cause, Reason, Reasons, compare_shared
from .shared_data import SHARED_PREFIX, SharedFile
from .site_build import LiveBuild

_OF_OWN_PARTS: Final = frozenset({"captcha", "headquarters", "site", "words"})
"""Fields of the shared data that a page's own parts depend on (``surroundings`` in `web/src/document/page.tsx`)."""


def are_spliced(reasons: Reasons) -> bool:
    """Return True if the reasons affect only the frame, not a page's own parts."""
    return bool(reasons) and all(
        reason.cause == Cause.FRAME and reason.parts and _OF_OWN_PARTS.isdisjoint(reason.parts) for reason in reasons
    )


def reasons_to_render_all(
    previous: LiveBuild | None,
    web: str,
    shared: SharedFile,
    store: ContentStore,
    full: bool = False,
    frame_texts: Collection[str] = (),
) -> Reasons:
    """Return why all pages must be rendered; empty if they can be compared.

    ``previous``: the live build. ``web``: hash of the web build that would render.
    ``frame_texts``: keys of interface texts that only the frame shows.
    """
    if previous is None:
        return (Reason(Cause.FIRST),)
    if full:
        return (Reason(Cause.FULL),)
    inputs = previous.inputs
    if inputs is None:
        return (Reason(Cause.INPUTS),)
    found = [Reason(Cause.WEB)] if inputs.web != web else []
    if inputs.shared != shared.hash:
        file = previous.manifest.file(f"{SHARED_PREFIX}{inputs.shared}.json")
        before = store.read(file.digest) if file else None
        found.append(Reason(Cause.FRAME, None, compare_shared(before, shared.data, frame_texts)))
    return tuple(found)
