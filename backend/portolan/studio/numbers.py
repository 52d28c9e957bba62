"""Format numbers in the reader's language: ``2,325`` or ``2.325``."""

from django.utils.formats import number_format


def say_number(number: int) -> str:
    return number_format(number, use_l10n=True, force_grouping=True)


def say_duration(seconds: float) -> str:
    """Format a duration: ``0.84 s``, ``32 s``, ``2 min 5 s``, ``2 h 22 min``, ``75 h``."""
    if seconds < 10:
        return f"{number_format(seconds, 2, use_l10n=True)} s"
    minutes, rest = divmod(round(seconds), 60)
    if not minutes:
        return f"{rest} s"
    if minutes < 60:
        return f"{minutes} min {rest} s" if rest else f"{minutes} min"
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes} min" if minutes and hours < 48 else f"{say_number(hours)} h"
