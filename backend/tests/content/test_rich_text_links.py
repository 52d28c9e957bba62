import pytest
from wagtail.admin.rich_text.converters.contentstate import ContentstateConverter
from wagtail.models import Page

from portolan.content.rich_text import FEATURES, snapshot_html


@pytest.mark.parametrize("anchor", ["", ' anchor="offices"'])
def test_the_editor_keeps_a_links_anchor(db: None, anchor: str) -> None:
    page = Page.objects.first()
    stored = f'<p data-block-key="a"><a{anchor} id="{page.pk}" linktype="page">there</a></p>'
    converter = ContentstateConverter(features=list(FEATURES))
    saved = converter.to_database_format(converter.from_database_format(stored))
    assert snapshot_html(saved, {page.pk: "key"}) == snapshot_html(stored, {page.pk: "key"})
    assert ("data-anchor" in snapshot_html(saved, {page.pk: "key"})) is bool(anchor)


@pytest.mark.parametrize("href", ["https://a.example/?x=1&amp;y=2", "mailto:a@b.example", "tel:+1", "#here"])
def test_the_editor_keeps_addresses(href: str) -> None:
    converter = ContentstateConverter(features=list(FEATURES))
    stored = f'<p data-block-key="a"><a href="{href}">there</a></p>'
    saved = converter.to_database_format(converter.from_database_format(stored))
    assert snapshot_html(saved, {}) == snapshot_html(stored, {}) != "<p>there</p>"


def test_everything_the_toolbar_offers_survives_editing_and_freezing() -> None:
    stored = (
        "<h2>a</h2><h3>b</h3><h4>c</h4><p><b>d</b> <i>e</i> <code>f</code></p><ol><li>g</li></ol>"
        "<ul><li>h</li></ul><hr/><blockquote>i</blockquote><p>j<br/>k</p>"
    )
    converter = ContentstateConverter(features=list(FEATURES))
    saved = converter.to_database_format(converter.from_database_format(stored))
    assert snapshot_html(saved, {}) == snapshot_html(stored, {})
