"""Connect the studio to Wagtail's admin."""

from typing import Any

from django.http import HttpRequest
from django.templatetags.static import static
from django.urls import URLPattern, path, reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from wagtail import hooks
from wagtail.snippets.models import register_snippet

from . import (
    delivery_status,
    entry_publishing,
    history,
    moved_urls,
    originals,
    published,
    releases,
    scheduled_report,
    taken_down,
    version_history,
)
from .action_menu import put_publishing_first
from .changes import calendar, screens
from .changes import hooks as change_set_hooks
from .checks import address as checks
from .checks.anchors import list_anchors
from .consent_report import ConsentReport, ConsentReportItem, list_permissions
from .content_policy import current_nonce
from .countries import screens as countries
from .deleted_pages import (
    DeletedPagesItem,
    delete_instead,
    delete_many_instead,
    empty,
    leave_deleted_out,
    leave_holders_out,
    restore,
    send_to_deleted,
    show_deleted,
)
from .explorer import pages_view_set
from .files import descriptions
from .handbook import screens as handbook
from .hiding import toggle_hidden
from .home import screen as home
from .interface_words.viewset import WordsViewSet
from .leads import menu as leads_menu
from .leads import rights as leads_rights
from .leads.decisions import name_actions
from .local_versions import forecast
from .local_versions import screens as local_versions
from .on_page import scripts
from .people.bulk import refuse_others
from .people.giving import name_action
from .previews import hooks as preview_hooks
from .previews import links as preview_links
from .previews import screen as preview_screen
from .private_files import check_reader
from .publish_status import show_publish_status
from .publishing import PublishTicked, say_published
from .redirects.files import export_redirects, import_redirects
from .redirects.former import show_former
from .redirects.viewset import AddressesViewSetGroup, send_from_former_address
from .rendering import show_rendering
from .replace import screen as replace
from .search import screen as search
from .signing_in import address_and_password, confirming, elsewhere, others, own, report, still_here
from .site_settings.viewset import NavigationViewSetGroup, RateCardViewSet, leave_settings_out, send_to_own_screen
from .translations import changing, details, side_by_side
from .translations import screen as translations
from .tree import screen as tree
from .what_follows import show_address

register_snippet(AddressesViewSetGroup)
for viewset in (NavigationViewSetGroup, RateCardViewSet, WordsViewSet):
    register_snippet(viewset)
hooks.register("construct_settings_menu", leave_settings_out)
hooks.register("before_edit_setting", send_to_own_screen)
change_set_hooks.register()
preview_hooks.register()
hooks.register("construct_page_action_menu", put_publishing_first)
hooks.register("before_serve_document", check_reader, order=-1)


@hooks.register("register_admin_urls")
def add_urls() -> list[URLPattern]:
    return [
        path("publish-status/", show_publish_status, name="publish_status"),
        path("pages/<int:page_id>/address/", show_address, name="studio_page_address"),
        *descriptions.urls(),
        path("anchors/", list_anchors, name="studio_anchors"),
        path("pages/<int:page_id>/rendering/", show_rendering, name="studio_rendering"),
        path("pages/<int:page_id>/hidden/", toggle_hidden, name="studio_toggle_hidden"),
        path("reports/consent/", ConsentReport.as_view(), name="studio_consent"),
        path("reports/consent/results/", ConsentReport.as_view(results_only=True), name="studio_consent_results"),
        path("snippets/content/redirect/", send_from_former_address),
        path("snippets/content/redirect/<path:rest>", send_from_former_address),
        path("redirects/former/", show_former, name="studio_former_addresses"),
        path("redirects/download/", export_redirects, name="studio_redirects_export"),
        path("redirects/upload/", import_redirects, name="studio_redirects_import"),
        path("taken-down/", taken_down.show_taken_down, name="studio_taken_down"),
        path("taken-down/follow/", taken_down.follow, name="studio_taken_down_follow"),
        path("reports/deleted-pages/", show_deleted, name="studio_deleted_pages"),
        path("reports/deleted-pages/empty/", empty, name="studio_empty_deleted_pages"),
        path("reports/deleted-pages/<int:held_id>/restore/", restore, name="studio_restore_page"),
        *moved_urls.URLS,
        *checks.list_urls(),
        *home.URLS,
        *handbook.URLS,
        *search.URLS,
        *delivery_status.URLS,
        *published.URLS,
        *version_history.URLS,
        *originals.URLS,
        *local_versions.URLS,
        *forecast.URLS,
        *releases.URLS,
        *history.URLS,
        *scheduled_report.URLS,
        *screens.URLS,
        *calendar.URLS,
        *replace.URLS,
        *tree.URLS,
        *details.URLS,
        *countries.URLS,
        *preview_screen.URLS,
        *preview_links.URLS,
        *leads_menu.URLS,
        *own.URLS,
        *confirming.URLS,
        *address_and_password.URLS,
        *elsewhere.OWN_URLS,
        *others.URLS,
        *report.URLS,
        *still_here.URLS,
    ]


@hooks.register("construct_admin_api")
def remove_page_actions(router: Any) -> None:
    """Remove page actions of Wagtail's API. They are unused, and would bypass the trash, planned moves and our checks."""
    from wagtail.admin.api.views import (
        PagesAdminAPIViewSet,
    )  # loads REST framework, which the release worker does not need

    PagesAdminAPIViewSet.actions = {}


@hooks.register("insert_global_admin_css")
def add_brand() -> SafeString:
    return format_html('<link rel="stylesheet" href="{}">', static("studio/studio.css"))


@hooks.register("insert_admin_js_first")  # of our own admin_base.html
def keep_to_policy() -> SafeString:
    return format_html(
        '<script src="{}" nonce="{}"></script><script src="{}"></script>',
        static("studio/nonce-of-styles.js"),
        current_nonce(),
        static("studio/start-widgets.js"),
    )


@hooks.register("insert_global_admin_js")
def add_state() -> SafeString:
    return format_html(
        '<script src="{}" data-url="{}" data-blocked-label="{}" data-more-label="{}" data-delivery-label="{}"></script><script src="{}"></script>',
        static("studio/publish-status.js"),
        reverse("publish_status"),
        gettext("Show problems"),
        gettext("Show more"),
        gettext("Delivery status"),
        static("studio/delivery-status.js"),
    )


hooks.register("insert_global_admin_js", still_here.add_script, order=-1)


@hooks.register("register_icons")
def add_icons(icons: list[str]) -> list[str]:
    """Add an icon for ``info`` messages, which Wagtail does not have."""
    return [*icons, "studio/icons/info.svg"]


@hooks.register("insert_global_admin_css")
def add_size_of_targets() -> SafeString:
    return format_html('<link rel="stylesheet" href="{}">', static("studio/small-targets.css"))


@hooks.register("insert_editor_js")
def add_what_follows() -> SafeString:
    return format_html('<script src="{}"></script>', static("studio/page-address.js"))


@hooks.register("insert_global_admin_css")
def add_style_of_checks() -> SafeString:
    return format_html('<link rel="stylesheet" href="{}">', static("studio/checks.css"))


@hooks.register("insert_global_admin_css")
def add_style_of_finding() -> SafeString:
    return format_html('<link rel="stylesheet" href="{}">', static("studio/finding.css"))


@hooks.register("insert_global_admin_css")
def add_style_of_translations() -> SafeString:
    return format_html('<link rel="stylesheet" href="{}">', static("studio/translations.css"))


@hooks.register("insert_editor_js")
def add_checks() -> SafeString:
    return format_html(
        '<script src="{}"></script><script src="{}"></script><script src="{}" data-failed="{}" data-away="{}" data-close="{}"></script><script src="{}"></script>'
        '<script src="{}" data-help="{}" data-help-text="{}" data-warning="{}"></script><script src="{}" data-url="{}"></script>',
        static("studio/pasted-text.js"),
        static("studio/form-places.js"),
        static("studio/publish-in-form.js"),
        gettext("Publishing failed: the studio had an error. Your text is still here. Publish again."),
        gettext(
            "Publishing failed: the studio does not answer. Your text is still here. Check your connection, then "
            "publish again."
        ),
        gettext("Close"),
        static("studio/one-save-at-a-time.js"),
        static("studio/checks.js"),
        reverse("studio_handbook_page", args=["checks"]),
        gettext("How this works"),
        gettext("Warning"),
        static("studio/anchors.js"),
        reverse("studio_anchors"),
    )


hooks.register("insert_editor_js", descriptions.add_script)
hooks.register("insert_editor_js", scripts.add_scripts, order=1)


@hooks.register("insert_editor_js")
def add_content_language() -> SafeString:
    return format_html('<script src="{}"></script>', static("studio/content-language.js"))


hooks.register("insert_global_admin_css", scripts.add_styles)


@hooks.register("construct_homepage_panels")
def add_panels(request: HttpRequest, panels: list[Any]) -> None:
    panels.insert(0, home.HomePanel())


@hooks.register("register_reports_menu_item")
def add_consent_report() -> ConsentReportItem:
    return ConsentReportItem()


hooks.register("register_admin_viewset", pages_view_set, order=1)  # after Wagtail's own, which it replaces
hooks.register("register_help_menu_item", handbook.HandbookItem)
hooks.register("construct_help_menu", handbook.leave_others_out)
hooks.register("register_admin_search_area", search.EverythingArea)
hooks.register("register_reports_menu_item", scheduled_report.ScheduledItem)
hooks.register("register_admin_menu_item", releases.ReleasesItem)
hooks.register("register_reports_menu_item", history.HistoryItem)
hooks.register("register_reports_menu_item", DeletedPagesItem)
hooks.register("register_reports_menu_item", report.SignInsItem)
hooks.register("register_user_listing_buttons", others.list_buttons)
hooks.register("register_account_menu_item", own.describe_for_menu)
hooks.register("register_page_header_buttons", tree.header_button)
hooks.register("register_page_header_buttons", version_history.list_page_buttons)
hooks.register("register_page_header_buttons", originals.list_buttons)
hooks.register("register_page_header_buttons", forecast.list_buttons)
hooks.register("register_page_header_buttons", side_by_side.list_buttons)
hooks.register("register_entry_header_buttons", version_history.list_entry_buttons)
hooks.register("before_delete_page", delete_instead)
hooks.register("before_bulk_action", delete_many_instead)
hooks.register("before_bulk_action", taken_down.remember_ticked, order=100)
hooks.register("after_bulk_action", taken_down.say_ticked)
hooks.register("before_unpublish_page", taken_down.remember_unpublishing, order=100)
hooks.register("after_unpublish_page", taken_down.say_unpublished, order=100)
hooks.register("before_bulk_action", refuse_others, order=-1)
hooks.register("before_edit_page", send_to_deleted)
hooks.register("construct_explorer_page_queryset", leave_holders_out)
hooks.register("construct_page_chooser_queryset", leave_deleted_out)
hooks.register("register_admin_menu_item", leads_menu.LeadsItem)
hooks.register("register_admin_menu_item", translations.TranslationsItem)
hooks.register("register_settings_menu_item", countries.CountriesItem)
hooks.register("register_log_actions", name_actions)
hooks.register("register_log_actions", name_action)
hooks.register("register_log_actions", replace.name_action)
hooks.register("register_log_actions", changing.name_actions)
hooks.register("register_permissions", list_permissions)
hooks.register("register_permissions", leads_rights.list_permissions)


hooks.register("after_publish_page", say_published, order=100)
hooks.register("register_bulk_action", PublishTicked, order=100)


hooks.register("construct_snippet_action_menu", entry_publishing.put_publishing_first)
hooks.register("before_unpublish", entry_publishing.refuse_unpublishing)
hooks.register("after_publish", entry_publishing.say_entry_published)
