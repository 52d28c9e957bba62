"""Names within sentences that are put together of parts."""

from django.utils.translation import gettext


def quoted(name: object) -> str:
    """In the quotation marks of the reader's language."""
    return gettext("“{name}”").format(name=name)
