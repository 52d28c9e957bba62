"""Show the moves of originals to the editors of their translations."""

from collections.abc import Collection
from typing import Any, NamedTuple

from django.urls import reverse
from wagtail.models import Page

from ...content.may import sites_where
from ...domain.roles import Action
from ...translations.moves import find_offers
from ..site_names import site_name


class ShownMove(NamedTuple):
    title: str
    site: str
    parent: str
    cell: str
    """Value of the form that keeps the place."""
    edit_url: str
    move_url: str
    """The screen of Wagtail that confirms the move; empty if the site lacks the new parent."""


def list_moves(user: Any, sites: Collection[str], page: Page | None = None) -> list[ShownMove]:
    """Return the moves that the person may decide on."""
    own = sites_where(user, Action.EDIT) & set(sites)
    return [
        ShownMove(
            title=offer.page.draft_title or offer.page.title,
            site=site_name(offer.site),
            parent=offer.parent_title,
            cell=f"{offer.page.translation_key}:{offer.site}",
            edit_url=reverse("wagtailadmin_pages:edit", args=[offer.page.pk]),
            move_url=reverse("wagtailadmin_pages:move_confirm", args=[offer.page.pk, offer.target.pk])
            if offer.target
            else "",
        )
        for offer in find_offers(own, page)
    ]
