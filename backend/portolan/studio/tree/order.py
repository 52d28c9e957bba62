"""Reorder sibling pages. Only the pages between old and new place move.

Treebeard moves all later siblings one by one, which takes seconds for thousands of pages.
"""

from typing import Any

from django.db import transaction
from django.db.models import F, Value
from django.db.models.functions import Concat, Substr
from wagtail.models import Page


@transaction.atomic
def put_beside(page: Page, target: Page, is_before: bool) -> bool:
    """Move ``page`` right before or after its sibling ``target``. Return False if it is already there."""
    parent = page.get_parent()
    if parent.pk != target.get_parent().pk:
        raise ValueError(f"Page {target.pk} is not a sibling of page {page.pk}.")
    goes_up = target.path < page.path
    first, last = sorted((page.path, target.path))
    places = list(parent.get_children().filter(path__gte=first, path__lte=last).values_list("path", flat=True))
    if goes_up != is_before:
        places.remove(target.path)
    if len(places) < 2:
        return False
    if goes_up:
        places.reverse()
    aside = _next(parent.get_last_child().path)
    _carry(page.path, aside)
    for taken, free in zip(places[1:], places, strict=False):
        _carry(taken, free)
    _carry(aside, places[-1])
    page.refresh_from_db()
    return True


def _carry(before: str, after: str) -> None:
    """Move a page and all pages below it to another path."""
    below: Any = Page.objects.filter(path__gte=before, path__lt=_next(before))
    below.order_by().update(path=Concat(Value(after), Substr(F("path"), len(before) + 1)))


def _next(path: str) -> str:
    """Return the next path."""
    return str(Page(path=path)._inc_path())
