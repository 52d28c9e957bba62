"""Contact page (``/contact-us``)."""

from django.utils.translation import gettext_lazy as _

from .base import SitePage


class ContactPage(SitePage):
    page_type = "contact"
    begins_with = ("hero", "contact_form")
    is_creatable = True
    max_count_per_parent = 1
    parent_page_types = ["content.HomePage"]
    subpage_types: list[str] = []

    class Meta:
        verbose_name = _("contact page")
