"""What the studio shows of the collections."""

from wagtail import hooks
from wagtail.snippets.models import register_snippet
from wagtail.snippets.views.snippets import SnippetViewSet, SnippetViewSetGroup

from .collections.offices import Office, OfficeCategory
from .rich_text_links import register_page_links


class OfficeViewSet(SnippetViewSet):
    model = Office
    icon = "site"
    list_display = ("city", "country", "phone", "category", "key")
    list_filter = ("category", "country")
    list_per_page = 50
    sort_order_field = "sort_order"
    inspect_view_enabled = True


class OfficeCategoryViewSet(SnippetViewSet):
    model = OfficeCategory
    icon = "tag"
    list_display = ("name", "icon", "key")


class CompanyViewSetGroup(SnippetViewSetGroup):
    menu_label = "Company"
    menu_icon = "site"
    menu_order = 250
    items = (OfficeViewSet, OfficeCategoryViewSet)


register_snippet(CompanyViewSetGroup)
hooks.register("register_rich_text_features", register_page_links, order=100)
