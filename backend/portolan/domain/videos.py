"""Read the IDs of YouTube videos from URLs, and list the formats of uploaded videos."""

import re
from typing import Final
from urllib.parse import parse_qs, urlsplit

FILM_KINDS: Final = ("mp4", "webm")
"""Suffixes of videos that browsers play without a player."""

_ID: Final = re.compile(r"[A-Za-z0-9_-]{11}")
_HOSTS: Final = frozenset({"youtube.com", "www.youtube.com", "m.youtube.com", "music.youtube.com", "youtu.be",
                           "www.youtube-nocookie.com", "youtube-nocookie.com"})  # fmt: skip
_FOLDERS: Final = frozenset({"embed", "live", "shorts", "v"})


def find_video_id(text: str) -> str | None:
    """Return the YouTube ID in ``text``, which is an ID or a video's URL; None for other texts."""
    text = text.strip()
    if _ID.fullmatch(text):
        return text
    try:
        address = urlsplit(text if "//" in text else f"https://{text}")
    except ValueError:  # a bracket in the host
        return None
    if address.scheme not in ("http", "https") or address.hostname not in _HOSTS:
        return None
    parts = [part for part in address.path.split("/") if part]
    if address.hostname == "youtu.be":
        found = parts[0] if parts else ""
    elif len(parts) > 1 and parts[0] in _FOLDERS:
        found = parts[1]
    else:
        found = parse_qs(address.query).get("v", [""])[0]
    return found if _ID.fullmatch(found) else None
