"""Quote names in sentences."""

from django.utils.translation import gettext


def quoted(name: object) -> str:
    """Return the name in the quotation marks of the reader's language."""
    return gettext("“{name}”").format(name=name)
