"""Wagtail's tasks after each save (search index, usage counts) are skipped, unless a test sets ``TASKS``."""

from typing import Any

from django_tasks.backends.base import BaseTaskBackend


class SkippedTasks(BaseTaskBackend):
    supports_defer = True

    def enqueue(self, task: Any, args: Any, kwargs: Any) -> None:  # type: ignore[override]
        """Do nothing. A dummy backend would check and copy each task, which is 6 % of publishing a page."""
