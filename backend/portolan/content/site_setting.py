"""Define the base of menus, footers and rate cards: a site has its own, or shows that of the site it inherits from."""

from typing import Any, ClassVar, Self

from django.conf import settings
from django.utils.text import capfirst
from wagtail.contrib.settings.models import BaseSiteSetting

from .drafts import Drafted
from .site_records import load_site_roots
from .snapshot import TranslationKeys


class SiteSetting(Drafted, BaseSiteSetting):
    related: ClassVar[tuple[str, ...]] = ()
    """Relations that ``snapshot`` reads."""
    of_the_row = ("site_id",)
    begins_as_copy: ClassVar[bool] = True
    """Whether a site's own version begins with the content that it inherits."""

    class Meta:
        abstract = True

    def __str__(self) -> str:
        """Return a name such as “Menu, Germany”."""
        key = next((key for key, root in load_site_roots().items() if root.wagtail_site_id == self.site_id), None)
        return f"{capfirst(self._meta.verbose_name)}, {settings.SITES_REGISTRY.sites[key].name if key else self.site}"

    def over(self, inherited: Self | None) -> Self:
        """Return the version that the site shows. ``inherited``: the version of the site it inherits from."""
        return self

    def snapshot(self, pages: TranslationKeys) -> Any:
        """Return the body of the release item."""
        raise NotImplementedError

    def raw(self) -> list[Any]:
        """Return the raw stream data that contains IDs of linked pages."""
        raise NotImplementedError

    def is_filled(self) -> bool:
        """Return whether it has content. Viewing a form may leave an empty row."""
        return bool(self.raw())
