"""The plugin's blocks."""

from .opening_hours import OpeningHoursBlock

BLOCKS = (OpeningHoursBlock,)
