"""The main button of a page's form: it publishes if the editor has the right to. Saving a draft is the exception."""

from typing import Any

from django.http import HttpRequest


def put_publishing_first(items: list[Any], request: HttpRequest, context: dict[str, Any]) -> None:
    items.sort(key=lambda item: item.name != "action-publish")  # stable: the others keep their order
