"""When a document is written as the difference from the one before it, and when whole again: before reading the
differences costs more than reading the whole one they are based on. So both are bounded, at any size: reading costs at most
twice what one whole document costs, and what is written whole is small next to the differences since.
"""

from typing import Final, NamedTuple

_FILE_COST: Final = 4_000
"""Opening a file and checking its digest costs about as much as reading so many bytes of JSON."""
MOST_DIFFERENCES: Final = 256
"""Each is a file that is kept for the sake of later ones, with everything that it mentions."""


class Chain(NamedTuple):
    """What has to be read for one document."""

    depth: int
    """Differences on top of the whole one."""
    whole: int
    """Bytes of the whole one."""
    above: int
    """What reading the differences costs, in bytes."""

    def longer(self, size: int) -> "Chain | None":
        """With one more difference of ``size`` bytes; none where it is time for a whole one."""
        above = self.above + size + _FILE_COST
        if self.depth >= MOST_DIFFERENCES or above > self.whole + _FILE_COST:
            return None
        return Chain(self.depth + 1, self.whole, above)
