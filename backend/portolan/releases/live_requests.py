"""What the studio asks the publisher for, and its answers."""

from django.db import transaction
from django.utils import timezone

from .models import LiveRequest
from .waking import wake_publisher


def ask(release: int | None, by: str) -> LiveRequest:
    """Ask to show a release and hold it, or with None to follow the newest one again. Wakes the publisher."""
    with transaction.atomic():
        request = LiveRequest.objects.create(release=release, by=by)
        transaction.on_commit(wake_publisher, robust=True)
    return request


def waiting_request() -> LiveRequest | None:
    """The last one that is not answered yet."""
    return LiveRequest.objects.filter(done_at=None).order_by("-pk").first()


def settle(id: int, problem: str) -> None:
    """Answer a request; ``problem`` says why it could not be done."""
    LiveRequest.objects.filter(pk=id).update(done_at=timezone.now(), problem=problem)
