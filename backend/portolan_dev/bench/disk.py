"""Room for what a benchmark writes: nothing of it is deleted before the end."""

import shutil
import tempfile
from pathlib import Path
from typing import Final

import click

OURS_A_PAGE: Final = 150_000
"""Bytes on disk of one page in one build of ours, with page data and the compressed copy, from above."""
PEERS_A_PAGE: Final = 60_000
"""The same of one of the peers."""


def require_room(needed: int) -> None:
    """Raises ClickException where the disk of temporary files has less than that many bytes."""
    folder = Path(tempfile.gettempdir())
    free = shutil.disk_usage(folder).free
    if needed > free:
        raise click.ClickException(
            f"About {needed / 1e9:,.0f} GB would be written to {folder}, which has {free / 1e9:,.0f} GB left, so nothing was "
            "measured. Ask for fewer pages or fewer builds of each, or let TMPDIR name a folder on a larger disk."
        )
