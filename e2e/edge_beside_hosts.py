"""The product's edge over published builds, for which other hosts stand on the loopback: an application for `granian`.

The hosts it may connect to are a parameter in the code, without a setting: the product connects to the public internet only.
"""

import os
import ssl
from pathlib import Path

from starlette.types import Receive, Scope, Send

from portolan.edge.app import Edge
from portolan.edge.public_fetch import PublicFetcher
from portolan.edge.third_party import ThirdPartyScripts
from portolan.outgoing.network import PublicNetwork


async def _resolve(_host: str) -> list[str]:
    return ["127.0.0.1"]


async def _refuse(_scope: Scope, _receive: Receive, send: Send) -> None:
    """Stands for the API and the studio, which are not served here."""
    await send({"type": "http.response.start", "status": 404, "headers": []})
    await send({"type": "http.response.body", "body": b""})


_network = PublicNetwork(_resolve, "127.0.0.1".__eq__, int(os.environ["UPSTREAM_PORT"]))
_tls = ssl.create_default_context(cafile=os.environ["UPSTREAM_AUTHORITY"])
application = Edge(
    Path(os.environ["BUILDS"]),
    Path(os.environ["BUILDS"]).parent / "media",
    lambda: _refuse,
    third_party=ThirdPartyScripts(PublicFetcher(_network, _tls)),
)
