"""Error pages: for missing pages, server errors and visitors who are offline."""

from typing import ClassVar

from django.core.exceptions import ValidationError
from django.db import models
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from wagtail.admin.panels import FieldPanel, Panel

from ...domain.routes import OFFLINE_PAGE
from .base import SitePage, TreePage


class ErrorPage(SitePage):
    """Published as ``/404.html``, ``/500.html`` or ``/offline.html``. One of each on a site."""

    page_type = "error"
    is_creatable = True
    max_count_per_parent = 3
    parent_page_types = ["content.HomePage"]
    subpage_types: list[str] = []

    class Code(models.IntegerChoices):
        NOT_FOUND = 404, _("404: page not found")
        FAILED = 500, _("500: server error")
        OFFLINE = 0, _("offline: the visitor has no connection")

    code = models.PositiveSmallIntegerField(_("shown when"), choices=Code.choices, default=Code.NOT_FOUND)

    content_panels: ClassVar[list[Panel]] = [*TreePage.content_panels, FieldPanel("code"), FieldPanel("body")]

    class Meta:
        verbose_name = _("error page")

    def clean(self) -> None:
        super().clean()
        parent = self.get_parent() if self.path else None
        if parent and (ErrorPage.objects.child_of(parent).filter(code=self.code).exclude(pk=self.pk).exists()):
            name = self.Code(self.code).label.partition(":")[0]
            raise ValidationError(
                {"code": gettext("This site already has an error page for {name}. Edit that page.").format(name=name)}
            )

    def path_in_site(self, root_url_path: str) -> str:
        return OFFLINE_PAGE if self.code == self.Code.OFFLINE else f"/{self.code}.html"
