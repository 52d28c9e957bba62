"""``portolan api``: serve the content API and accept leads, behind edges."""

from typing import Final

import click

from .behind_edges import serve_role
from .role_options import server_options

_PORT: Final = 8002


@click.command()
@server_options(str(_PORT))
def command(port: int | None, host: str | None, workers: int) -> None:
    """Serve the API: content, leads, forms, consent, captcha."""
    serve_role("api", host, port or _PORT, workers)
