"""`portolan leads deliver`, for whom every other company's server stands on the loopback.

``python -m e2e.security.crm_delivery PORT AUTHORITY SHARE``: the CRM's port, its certificate authority, and the share of each
pause to wait.
"""

import ssl
import sys
from functools import partial
from unittest.mock import patch

from portolan.commands.main import main
from portolan.leads import schedule
from portolan.leads.destinations import open as opening
from portolan.leads.destinations.base import SEND_S
from portolan.leads.destinations.webhook import WebhookDestination
from portolan.outgoing.network import PublicNetwork
from portolan.outgoing.post import Poster

SHORTEST_SEND_S = 2
"""A receiver that is well and a machine that is busy: an answer that comes later is a lead that is sent twice."""


async def on_loopback(_host: str) -> list[str]:
    return ["127.0.0.1"]


def deliver(port: int, authority: str, share: float) -> None:
    """As long as the command stays."""
    network = PublicNetwork(on_loopback, bool, port)
    poster = partial(Poster, network, ssl.create_default_context(cafile=authority))
    webhook = partial(WebhookDestination, send_s=max(SEND_S * share, SHORTEST_SEND_S))
    pauses_s = tuple(pause * share for pause in schedule.PAUSES_S)
    sys.argv = ["portolan", "leads", "deliver"]
    with (
        patch.multiple(opening, Poster=poster, WebhookDestination=webhook),
        patch.object(schedule, "PAUSES_S", pauses_s),
    ):
        main()


if __name__ == "__main__":
    deliver(int(sys.argv[1]), sys.argv[2], float(sys.argv[3]))
