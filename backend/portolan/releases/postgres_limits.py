"""How long pages, the API, the publisher and commands wait for PostgreSQL. This module loads no driver."""

from collections.abc import Mapping
from typing import Any, Final

LONGEST_WAIT_S: Final = 2.5
"""For a connection. A query has an answer or an error within three seconds, even if the database is down."""
LIMITS: Final[Mapping[str, Any]] = {
    "connect_timeout": 2,
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "tcp_user_timeout": 15_000,
}
"""TCP keepalive, to notice a machine that is gone without having closed its connections."""
TRIED_FOR_S: Final = 1
"""How long the pool tries to reconnect by itself. After that the next request tries. Without this limit the pool's
pauses would grow longer and longer."""
