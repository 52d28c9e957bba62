"""Add states of real installations that the demo's content lacks: drafts, schedules, pending edits, rows of visitors.

Only uses Wagtail's calls and plain rows, so that later versions can add their states the same way.
"""

from datetime import UTC, datetime
from typing import Any, Final

from django.apps import apps
from wagtail.models import Page

LATER: Final = datetime(2099, 1, 1, 9, tzinfo=UTC)
"""Later than any test runs."""
DRAFT: Final = "Not published yet: "
SCHEDULED: Final = "Not published before 2099: "


def add_history() -> None:
    """Add an edit with a second release, so that some items of the first are outdated."""
    page = _page("/company/insights")
    page.title = f"{page.title}, edited once"
    page.save_revision().publish()


def add_states() -> None:
    """Add pages with a draft, a schedule, or never published, unpublished or deleted; a pending edit; visitors' rows."""
    drafted = _page("/about-us")
    drafted.title = DRAFT + drafted.title
    drafted.save_revision()
    scheduled = _page("/project-cases/alder-grid")
    scheduled.title = SCHEDULED + scheduled.title
    scheduled.go_live_at = LATER
    scheduled.save_revision(approved_go_live_at=LATER)
    policy = _page("/cookies-policy")
    policy.copy(update_attrs={"slug": "never-published", "title": f"{DRAFT}a policy"}, keep_live=False)
    for slug in ("taken-down", "deleted"):
        policy.copy(update_attrs={"slug": slug, "title": slug.capitalize()})
        _page(f"/{slug}").unpublish()
    _delete(_page("/deleted"))
    pending = _page("/")
    pending.search_description = f"{pending.search_description} Edited last."
    pending.save_revision().publish()
    _model("article_views", "ArticleView").objects.create(
        article=str(_page("/company/insights/a-backup-in-the-same-region").translation_key), views=12
    )
    _model("consent_records", "ConsentRecord").objects.create(
        site="en",
        policy_version="1",
        text_hash="0" * 32,
        ad_storage=True,
        analytics_storage=False,
        method="settings",
    )


def _delete(page: Any) -> None:
    from django.contrib.auth import get_user_model

    from portolan.studio.deleting import delete_page

    delete_page(page, get_user_model().objects.get())


def _page(path: str) -> Any:
    """Return a page of the default site."""
    root = _model("content", "SiteRecord").objects.get(key="en").wagtail_site.root_page
    return Page.objects.get(url_path=f"{root.url_path.rstrip('/')}{path.rstrip('/')}/").specific


def _model(app: str, name: str) -> Any:
    return apps.get_model(app, name)
