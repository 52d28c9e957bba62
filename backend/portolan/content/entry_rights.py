"""Who may do what with entries and redirects, of which Wagtail knows only whether somebody may change any.

What an entry says for one site takes a right on that site. What all sites share of it takes one on every site that shows the
entry; so whoever writes for one country keeps entries that are that country's alone as they like, and of others their own
translation.
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
    """Keys of the sites that show the entry, or would: those with a translation, and their heirs. What is shown everywhere has
    ``ALL_SITES``."""
    if hasattr(instance, "site_id"):  # a redirect
        return frozenset({instance.site_id or ALL_SITES})
    if not getattr(instance, "is_on_chosen_sites", False):
        return frozenset({ALL_SITES})
    locales = {row.locale_id for row in instance.translations.all()}
    keys = {key for key, root in load_site_roots().items() if root.locale_id in locales}
    heirs = {key for key, site in settings.SITES_REGISTRY.sites.items() if site.inherits in keys}
    return frozenset(keys | heirs)


def may_change_all(user: Person, entry: Model, action: str = "change") -> bool:
    """Whether what sites share of the entry is this person's to change."""
    right = right_on(type(entry), action)
    found = find_sites_with(user, right)
    return ALL_SITES in found or (bool(found) and sites_showing(entry) <= sites_with(user, right))


def may_publish_some(user: Person, entry: Model) -> bool:
    """Whether this person may publish an entry's draft, or their own part of it. What is on no site yet has no part: published,
    it is on every site that it has a translation for."""
    if not isinstance(policy_registry.get_by_type(type(entry)), EntryPolicy) or getattr(entry, "live", True):
        return True
    return may_change_all(user, entry, "publish")


def locales_of(user: Person, model: type[Model], action: str = "change") -> frozenset[int] | None:
    """Of the sites for which somebody may write translations, or publish them; None for all."""
    right = right_on(model, action)
    if ALL_SITES in find_sites_with(user, right):
        return None
    own = sites_with(user, right)
    return frozenset(root.locale_id for key, root in load_site_roots().items() if key in own)


def keep_to_own_sites(form: Any, user: Person) -> None:
    """Takes from an entry's form what this person may not change: fields that all sites share, and translations of other
    sites, which stay as they are."""
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
    """Its questions without an instance ask whether there may be any."""

    def user_has_permission_for_instance(self, user: Person, action: str, instance: Any) -> bool:
        if not self.user_has_permission(user, action):
            return False
        if action == "view" or (action in ("change", "publish") and hasattr(instance, "translations")):
            return True  # the form offers one's own translations alone
        return may_change_all(user, instance, action)

    def user_has_any_permission_for_instance(self, user: Person, actions: Iterable[str], instance: Any) -> bool:
        return any(self.user_has_permission_for_instance(user, action, instance) for action in actions)
