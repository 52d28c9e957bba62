"""Check disk space for a benchmark, which deletes its files only at the end."""

import shutil
import tempfile
from pathlib import Path
from typing import Final

import click

OURS_A_PAGE: Final = 150_000
"""Upper limit of bytes per page of a build, with page data and compressed copy."""
PEERS_A_PAGE: Final = 60_000
"""Upper limit of bytes per page of another generator."""


def require_room(needed: int) -> None:
    """Raise ClickException if the disk of temporary files has less space than ``needed`` bytes."""
    folder = Path(tempfile.gettempdir())
    free = shutil.disk_usage(folder).free
    if needed > free:
        raise click.ClickException(
            f"The benchmark needs about {needed / 1e9:,.0f} GB, but {folder} has {free / 1e9:,.0f} GB free. Nothing was "
            "measured. Use fewer pages or rounds, or set TMPDIR to a folder on a larger disk."
        )
