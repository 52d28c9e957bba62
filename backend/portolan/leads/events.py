"""What happens to leads, for who watches: never what is in one."""

from typing import Final

from ..observing.event import Event

LEAD_TAKEN: Final[Event[[str, str]]] = Event()
"""A lead is on the disk, or was before: its id, and ``stored`` or ``spooled``."""

DELIVERY_TRIED: Final[Event[[str, str, str]]] = Event()
"""One try: the lead's id, the destination, and ``delivered``, ``put-off`` or ``given-up``."""
