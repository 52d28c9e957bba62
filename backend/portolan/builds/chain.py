"""Choose when a document is written as a difference, and when whole.

Reading a document costs at most twice as much as reading it whole. A whole document is small next to the differences
written since the last whole one.
"""

from typing import Final, NamedTuple

_FILE_COST: Final = 4_000
"""Opening a file and checking its digest costs about as much as reading this many bytes of JSON."""
MOST_DIFFERENCES: Final = 256
"""Each difference is a file that is kept for later ones, with every file that it names."""


class Chain(NamedTuple):
    """The cost of reading one document."""

    depth: int
    """Number of differences on top of the whole document."""
    whole: int
    """Bytes of the whole document."""
    above: int
    """Cost of reading the differences, in bytes."""

    def longer(self, size: int) -> "Chain | None":
        """Return the chain with a further difference, or None if a whole document is due.

        ``size``: bytes of the difference.
        """
        above = self.above + size + _FILE_COST
        if self.depth >= MOST_DIFFERENCES or above > self.whole + _FILE_COST:
            return None
        return Chain(self.depth + 1, self.whole, above)
