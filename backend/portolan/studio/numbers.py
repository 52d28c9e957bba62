"""How the studio writes a number: grouped as the reader's language groups it, ``2,325`` or ``2.325``."""

from django.utils.formats import number_format


def say_number(number: int) -> str:
    return number_format(number, use_l10n=True, force_grouping=True)
