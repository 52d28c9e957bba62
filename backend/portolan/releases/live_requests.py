"""Store the studio's requests to the publisher, and the replies."""

from django.db import transaction
from django.utils import timezone

from .models import LiveRequest
from .waking import wake_publisher


def ask(release: int | None, by: str) -> LiveRequest:
    """Request to show and pin a release, or with None to follow the newest one again. Wakes the publisher."""
    with transaction.atomic():
        request = LiveRequest.objects.create(release=release, by=by)
        transaction.on_commit(wake_publisher, robust=True)
    return request


def waiting_request() -> LiveRequest | None:
    """Return the latest request without a reply."""
    return LiveRequest.objects.filter(done_at=None).order_by("-pk").first()


def settle(id: int, problem: str) -> None:
    """Store the reply to a request; ``problem`` is the reason for a failure."""
    LiveRequest.objects.filter(pk=id).update(done_at=timezone.now(), problem=problem)
