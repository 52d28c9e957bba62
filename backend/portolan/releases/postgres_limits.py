"""Limit the waits of pages, the API, the publisher and commands for PostgreSQL. This module loads no driver."""

from collections.abc import Mapping
from typing import Any, Final

LONGEST_WAIT_S: Final = 2.5
"""Seconds to wait for a connection. A query has a result or an error within three seconds, even if the database is
down."""
LIMITS: Final[Mapping[str, Any]] = {
    "connect_timeout": 2,
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "tcp_user_timeout": 15_000,
}
"""TCP keepalive, to detect a machine that disappeared without closing its connections."""
TRIED_FOR_S: Final = 1
"""Seconds for which the pool reconnects by itself. After that, the next request tries. Without this limit, the pool's
pauses would grow longer and longer."""
