"""Find the redirects that a user may see, and the sites for which a user may create redirects."""

from typing import Any

from django.db.models import Q, QuerySet
from django.utils.translation import gettext
from wagtail.admin.forms import WagtailAdminModelForm

from ...content.may import sites_with
from ...content.redirects import Redirect
from ...content.site_records import SiteRecord
from ...rights.held import Person, has_everywhere, right_on
from ..site_names import site_name


def seen_redirects(user: Person) -> QuerySet[Redirect]:
    """Return the redirects of the user's sites, and redirects for all sites."""
    right = right_on(Redirect, "view")
    found = Redirect.objects.all()
    return found if has_everywhere(user, right) else found.filter(Q(site=None) | Q(site__in=sites_with(user, right)))


def sites_offered(user: Person, action: str = "view") -> QuerySet[SiteRecord]:
    right = right_on(Redirect, action)
    found = SiteRecord.objects.all()
    return found if has_everywhere(user, right) else found.filter(key__in=sites_with(user, right))


def name_record(record: SiteRecord) -> str:
    return site_name(record.key)


class RedirectForm(WagtailAdminModelForm):
    """Form that offers the user's own sites. "All sites" needs the right on all sites."""

    is_bound_to_own_sites = False

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["site"].label_from_instance = name_record
        self.fields["site"].empty_label = gettext("All sites")
        if self.for_user is None or has_everywhere(self.for_user, right_on(Redirect, "change")):
            return
        field = self.fields["site"]
        field.queryset = sites_offered(self.for_user, "change")
        field.required = True
        field.empty_label = "---------"
        field.help_text = ""
        self.is_bound_to_own_sites = True
        if len(field.queryset) == 1 and not self.instance.pk:
            field.initial = self.initial["site"] = field.queryset[0].pk

    def clean(self) -> dict[str, Any] | None:
        """Require a site even for drafts, because an empty site means all sites."""
        cleaned: dict[str, Any] | None = super().clean()
        if self.is_bound_to_own_sites and cleaned is not None and not cleaned.get("site") and "site" not in self.errors:
            self.add_error("site", gettext("Choose a site. You may not create redirects for all sites."))
        return cleaned
