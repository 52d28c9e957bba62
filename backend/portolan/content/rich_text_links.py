"""Keep the anchor of a page link in the rich text editor (``<a linktype="page" id="3" anchor="offices">``)."""

from typing import Any

from draftjs_exporter.dom import DOM
from wagtail.admin.rich_text.converters.contentstate import link_entity
from wagtail.admin.rich_text.converters.html_to_contentstate import ExternalLinkElementHandler, PageLinkElementHandler
from wagtail.rich_text.feature_registry import FeatureRegistry


class AnchoredPageLinkHandler(PageLinkElementHandler):
    def get_attribute_data(self, attrs: dict[str, str]) -> dict[str, Any]:
        data: dict[str, Any] = super().get_attribute_data(attrs)
        return {**data, "anchor": attrs["anchor"]} if attrs.get("anchor") else data


def anchored_link_entity(props: dict[str, Any]) -> Any:
    if props.get("id") is None or not props.get("anchor"):
        return link_entity(props)
    return DOM.create_element(
        "a", {"linktype": "page", "id": props["id"], "anchor": props["anchor"]}, props["children"]
    )


def register_page_links(features: FeatureRegistry) -> None:
    features.register_converter_rule(
        "contentstate",
        "link",
        {
            "from_database_format": {
                "a[href]": ExternalLinkElementHandler("LINK"),
                'a[linktype="page"]': AnchoredPageLinkHandler("LINK"),
            },
            "to_database_format": {"entity_decorators": {"LINK": anchored_link_entity}},
        },
    )
