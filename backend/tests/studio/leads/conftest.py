"""Leads of three openly fictional companies, and people with and without rights."""

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import Permission, User
from django.core.cache import cache
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from portolan.leads.models import Delivery, Lead
from portolan.studio.permissions import sync_editors_group

from ...shared_content import ensure, shared

STUDIO = "studio.localhost"
ALL_RIGHTS = ("view_lead", "change_lead", "export_lead", "erase_lead")


@pytest.fixture(autouse=True)
def leads_dir(settings: Settings, tmp_path: Path) -> Path:
    settings.LEADS_DIR = tmp_path / "leads"
    settings.LEADS_SOCKET = tmp_path / "leads.sock"
    cache.clear()
    return tmp_path / "leads"


@pytest.fixture
def sign_in(client: Client, sites: Any) -> Callable[..., Client]:
    """Return a function that signs in an editor of the sites with more rights: ``sign_in("view_lead")``."""
    client.defaults["HTTP_HOST"] = STUDIO
    editors = ensure("sign_in")

    def sign_in(*codenames: str, name: str = "sales") -> Client:
        user, _ = User.objects.get_or_create(username=name)
        user.groups.add(editors)
        user.user_permissions.set(Permission.objects.filter(codename__in=codenames))
        client.force_login(user)
        return client

    return sign_in


@shared("sign_in", on="sites")
def make_editors_group(media: Path) -> int:
    return sync_editors_group().pk


@pytest.fixture
def sales(sign_in: Callable[..., Client]) -> Client:
    """Return the client of a user with all rights."""
    return sign_in(*ALL_RIGHTS)


def make_lead(
    name: str = "Head of Operations",
    company: str = "Northwind Port Authority",
    email: str = "operations@northwind.example",
    message: str = "We move containers.",
    at: datetime | None = None,
    deliveries: dict[str, str] | None = None,
    more: dict[str, Any] | None = None,
    **values: Any,
) -> Lead:
    fields = {
        "form": values.get("form", "contact"),
        "contact": {"name": name, "company": company, "email": email},
        "message": message,
        **(more or {}),
    }
    lead = Lead.objects.create(
        **{
            "site": "en",
            "form": "contact",
            "fields": fields,
            "created_at": at or timezone.now(),
            "captcha_token": "no-token",
            **values,
        }
    )
    for destination, state in (deliveries or {}).items():
        attempts = 0 if state in ("held", "pending") else 2
        Delivery.objects.create(
            lead=lead,
            destination=destination,
            state="pending" if state == "failed" else state,
            attempts=attempts,
            next_at=timezone.now(),
            reason="503 Service Unavailable" if state in ("failed", "dead") else "",
            delivered_at=timezone.now() if state == "delivered" else None,
        )
    return lead


def at(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)
