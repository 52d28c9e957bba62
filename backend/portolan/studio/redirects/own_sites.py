"""Redirects of the sites that somebody may see, and the sites for which somebody may make them."""

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
    """Those of all sites concern everybody."""
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
    """Offers one's own sites, and all of them only to who looks after all."""

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
        """A draft may lack what a published redirect needs; a site it needs all the same, for none means all of them."""
        cleaned: dict[str, Any] | None = super().clean()
        if self.is_bound_to_own_sites and cleaned is not None and not cleaned.get("site") and "site" not in self.errors:
            self.add_error(
                "site", gettext("Choose the site. A redirect of all sites is for who looks after all of them.")
            )
        return cleaned
