"""Make publishing the main button of a page's form, if the editor may publish."""

from typing import Any

from django.http import HttpRequest


def put_publishing_first(items: list[Any], request: HttpRequest, context: dict[str, Any]) -> None:
    items.sort(key=lambda item: item.name != "action-publish")  # stable: the others keep their order
