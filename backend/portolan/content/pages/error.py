"""Error pages: what visitors see where a page is missing or the server fails."""

from typing import ClassVar

from django.core.exceptions import ValidationError
from django.db import models
from wagtail.admin.panels import FieldPanel, Panel

from .base import SitePage, TreePage


class ErrorPage(SitePage):
    """Published as ``/404.html`` or ``/500.html``. One of each on a site."""

    family = "error"
    is_creatable = True
    max_count_per_parent = 2
    parent_page_types = ["content.HomePage"]
    subpage_types: list[str] = []

    class Code(models.IntegerChoices):
        NOT_FOUND = 404, "404: there is no such page"
        FAILED = 500, "500: the server failed"

    code = models.PositiveSmallIntegerField("shown when", choices=Code.choices, default=Code.NOT_FOUND)

    content_panels: ClassVar[list[Panel]] = [*TreePage.content_panels, FieldPanel("code"), FieldPanel("body")]

    class Meta:
        verbose_name = "error page"

    def clean(self) -> None:
        super().clean()
        parent = self.get_parent() if self.path else None
        if parent and (ErrorPage.objects.child_of(parent).filter(code=self.code).exclude(pk=self.pk).exists()):
            raise ValidationError({"code": f"This site has a page for {self.code} already. Edit that one."})

    def path_in_site(self, root_url_path: str) -> str:
        return f"/{self.code}.html"
