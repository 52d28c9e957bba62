"""Rich text: headings, paragraphs, lists and links."""

from typing import Literal

from django.utils.translation import gettext_lazy as _

from ...schemas.base import BlockData
from .base import HtmlBlock, SiteBlock


class RichTextData(BlockData):
    type: Literal["rich_text"] = "rich_text"
    html: str
    """Clean HTML: h2-h4, p, ul, ol, li, a, strong, em, br, blockquote, code, hr."""


class RichTextBlock(SiteBlock):
    Data = RichTextData
    EXAMPLES = {
        "default": {
            "html": "<h2>How we work</h2><p>Every project begins with two weeks of <b>listening</b>. You get a chart of "
            'the route before the first line of code, and you may <a linktype="page" id="1">ask for one</a> at no '
            "cost.</p><ul><li>One team from first sketch to on-call duty</li><li>A working build every Friday</li>"
            "<li>The source is yours from the first day</li></ul><h3>What it costs</h3><p>Rates are fixed for a year. "
            'See the <a href="https://standards.example/estimation">estimation standard</a> we follow.</p>'
            "<blockquote>“They told us in week one what we did not need.”</blockquote>",
        },
        "legal": {
            "anchor": "data-we-keep",
            "html": "<h2>1. What we keep</h2><p>{company} keeps what you send us through a form, for <i>three years</i>, "
            "and nothing else.</p><ol><li>Your name and e-mail address</li><li>The page you wrote from</li></ol><hr/>"
            '<p>Write to <a href="mailto:privacy@brightmoor.example">privacy@brightmoor.example</a>. '
            "The cookie is called <code>consent_status</code>.</p>",
        },
    }

    html = HtmlBlock(label=_("Text"))

    class Meta:
        icon = "pilcrow"
        label = _("Text")
        group = _("Texts")
