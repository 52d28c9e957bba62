"""How long anybody waits for PostgreSQL: pages and API, publisher, commands. Loads no driver."""

from collections.abc import Mapping
from typing import Any, Final

LONGEST_WAIT_S: Final = 2.5
"""For a connection. Whoever asks has an answer within three seconds, also from a database that is down."""
LIMITS: Final[Mapping[str, Any]] = {
    "connect_timeout": 2,
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "tcp_user_timeout": 15_000,
}
"""So that a machine that vanished without a word is noticed too."""
TRIED_FOR_S: Final = 1
"""How long the pool goes on by itself: then the next request tries anew. Left to itself, it would pause for ever longer."""
