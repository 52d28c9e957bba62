"""What menus, footers and rate cards have in common: a site has one of its own, or shows that of the site it inherits from."""

from typing import Any, ClassVar

from django.conf import settings
from django.utils.text import capfirst
from wagtail.contrib.settings.models import BaseSiteSetting

from .drafts import Drafted
from .freeze import TranslationKeys
from .site_records import load_site_roots


class SiteSetting(Drafted, BaseSiteSetting):
    related: ClassVar[tuple[str, ...]] = ()
    """Relations ``freeze`` reads."""
    of_the_row = ("site_id",)

    class Meta:
        abstract = True

    def __str__(self) -> str:
        """E.g. “Menu, Germany”."""
        key = next((key for key, root in load_site_roots().items() if root.wagtail_site_id == self.site_id), None)
        return f"{capfirst(self._meta.verbose_name)}, {settings.SITES_REGISTRY.sites[key].name if key else self.site}"

    def freeze(self, pages: TranslationKeys) -> Any:
        """The body of the frozen item."""
        raise NotImplementedError

    def raw(self) -> list[Any]:
        """Raw stream data in which ids of linked pages are found."""
        raise NotImplementedError

    def is_filled(self) -> bool:
        """Whether there is anything in it. An empty row may be left of a form that somebody only looked at."""
        return bool(self.raw())
