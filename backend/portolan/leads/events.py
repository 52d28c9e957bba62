"""Events of leads, without their content."""

from typing import Final

from ..observing.event import Event

LEAD_TAKEN: Final[Event[[str, str]]] = Event()
"""A lead was stored, now or before: its id, and ``stored`` or ``spooled``."""

DELIVERY_TRIED: Final[Event[[str, str, str]]] = Event()
"""A delivery was tried: the lead's id, the destination, and ``delivered``, ``put-off`` or ``given-up``."""
