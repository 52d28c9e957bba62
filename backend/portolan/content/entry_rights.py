"""Check rights on entries and redirects. Wagtail itself checks only the right to change any of them.

Changing a translation needs a right on its site. Changing shared fields needs a right on every site that shows the
entry. So a person with rights on one country can edit that country's own entries freely, and their own translation of
all others.
"""

from collections.abc import Iterable
from typing import Any

from django import forms
from django.conf import settings
from django.db.models import Model
from wagtail.permission_policies import ModelPermissionPolicy
from wagtail.permissions import policy_registry

from ..domain.roles import ALL_SITES
from ..rights.held import Person, find_sites_with, right_on
from .may import sites_with
from .site_records import load_site_roots


def sites_showing(instance: Any) -> frozenset[str]:
    """Return the keys of sites that show the entry, or would: those with a translation, and sites that inherit from
    them.

    ``ALL_SITES`` for entries that every site shows.
    """
    if hasattr(instance, "site_id"):  # a redirect
        return frozenset({instance.site_id or ALL_SITES})
    if not getattr(instance, "is_on_chosen_sites", False):
        return frozenset({ALL_SITES})
    locales = {row.locale_id for row in instance.translations.all()}
    keys = {key for key, root in load_site_roots().items() if root.locale_id in locales}
    heirs = {key for key, site in settings.SITES_REGISTRY.sites.items() if site.inherits in keys}
    return frozenset(keys | heirs)


def may_change_all(user: Person, entry: Model, action: str = "change") -> bool:
    """Return whether the person may change the fields that sites share."""
    right = right_on(type(entry), action)
    found = find_sites_with(user, right)
    return ALL_SITES in found or (bool(found) and sites_showing(entry) <= sites_with(user, right))


def may_publish_some(user: Person, entry: Model) -> bool:
    """Return whether the person may publish an entry's draft, or their own part of it.

    Publishing a draft of a new entry affects every site for which it has a translation.
    """
    if not isinstance(policy_registry.get_by_type(type(entry)), EntryPolicy) or getattr(entry, "live", True):
        return True
    return may_change_all(user, entry, "publish")


def locales_of(user: Person, model: type[Model], action: str = "change") -> frozenset[int] | None:
    """Return the locales of sites for which the person may write or publish translations; None for all."""
    right = right_on(model, action)
    if ALL_SITES in find_sites_with(user, right):
        return None
    own = sites_with(user, right)
    return frozenset(root.locale_id for key, root in load_site_roots().items() if key in own)


def keep_to_own_sites(form: Any, user: Person) -> None:
    """Remove fields that the person may not change from an entry's form: shared fields and translations of other
    sites."""
    own = locales_of(user, type(form.instance))
    if own is None:
        return
    if form.instance.pk and not may_change_all(user, form.instance):
        form.kept = [name for name in form.fields if name in {field.name for field in form.instance._meta.fields}]
        for name in list(form.fields):
            del form.fields[name]
        for name, formset in form.formsets.items():
            if name != "translations":
                formset.form = _locked(formset.form)
                formset.max_num = formset.initial_form_count()
    formset = form.formsets.get("translations")
    if formset is not None:
        formset.queryset = formset.queryset.filter(locale_id__in=list(own))
        formset.form = _of_own_sites(formset.form, own)
        if form.instance.pk:
            formset.min_num = 0


def _of_own_sites(row_form: type[forms.ModelForm[Any]], own: frozenset[int]) -> type[forms.ModelForm[Any]]:
    class OwnRow(row_form):  # type: ignore[valid-type,misc]
        def __init__(self, *args: Any, **kwargs: Any) -> None:
            super().__init__(*args, **kwargs)
            self.fields["locale"].queryset = self.fields["locale"].queryset.filter(pk__in=own)

    return OwnRow


def _locked(row_form: type[forms.ModelForm[Any]]) -> type[forms.ModelForm[Any]]:
    class LockedRow(row_form):  # type: ignore[valid-type,misc]
        def __init__(self, *args: Any, **kwargs: Any) -> None:
            super().__init__(*args, **kwargs)
            for field in self.fields.values():
                field.disabled = True

    return LockedRow


class EntryPolicy(ModelPermissionPolicy):
    """Check permissions by site. Questions without an instance ask whether the person may change any entry."""

    def user_has_permission_for_instance(self, user: Person, action: str, instance: Any) -> bool:
        if not self.user_has_permission(user, action):
            return False
        if action == "view" or (action in ("change", "publish") and hasattr(instance, "translations")):
            return True  # the form offers only the person's own translations
        return may_change_all(user, instance, action)

    def user_has_any_permission_for_instance(self, user: Person, actions: Iterable[str], instance: Any) -> bool:
        return any(self.user_has_permission_for_instance(user, action, instance) for action in actions)
