"""``portolan studio``: serve the studio behind edges."""

from typing import Final

import click

from .behind_edges import serve_role
from .role_options import server_options

_PORT: Final = 8001


@click.command()
@server_options(str(_PORT))
def command(port: int | None, host: str | None, workers: int) -> None:
    """Serve the studio to edges."""
    serve_role("studio", host, port or _PORT, workers)
