"""Code: a listing, exactly as typed."""

from typing import Literal

from django.utils.translation import gettext_lazy as _

from ...schemas.base import BlockData
from .base import LineBlock, ParagraphBlock, SiteBlock, VerbatimBlock


class CodeData(BlockData):
    type: Literal["code"] = "code"
    title: str = ""
    text: str = ""
    code: str
    """Verbatim: braces are literal. Always left to right."""
    language: str
    """Name of the language as it is shown and as highlighters need it, e.g. ``python``."""
    caption: str = ""


class CodeBlock(SiteBlock):
    Data = CodeData
    EXAMPLES = {
        "default": {
            "title": "The rule, in eleven lines",
            "text": "A berth is free when no ship is in it and none will be before the next one has left.",
            "code": "def is_free(berth: Berth, call: PortCall, calls: list[PortCall]) -> bool:\n"
            '    """Whether `call` can have `berth`, with an hour between two ships."""\n'
            "    margin = timedelta(hours=1)\n"
            "    return all(\n"
            "        other.departure + margin <= call.arrival or call.departure + margin <= other.arrival\n"
            "        for other in calls\n"
            "        if other.berth == berth and other is not call\n"
            "    )\n"
            "\n"
            "\n"
            'print(f"{company} has {sum(is_free(b, call, calls) for b in berths)} berths for {call.ship}")',
            "language": "python",
            "caption": "From the berth planner, with the names of the tables left out.",
        },
        "markup": {
            "tone": "navy",
            "code": '<script type="application/json" id="berths">{"free": 3 & 4}</script>\n<p>{year} &copy;</p>',
            "language": "html",
        },
        "long-words": {
            "tone": "ink",
            "title": "Eine Zeile",
            "code": "SELECT hafenverwaltungszustaendigkeit, schiffsabfertigungszeitpunkt FROM hafenbetriebsdaten "
            "WHERE schiffsabfertigungszeitpunkt > now() - interval '1 day' ORDER BY schiffsabfertigungszeitpunkt;",
            "language": "sql",
        },
    }

    title = LineBlock(required=False, max_length=120)
    text = ParagraphBlock(required=False, max_length=400)
    code = VerbatimBlock(max_length=4000, rows=12)
    language = LineBlock(max_length=20, help_text=_("The language of the code, e.g. python."))
    caption = LineBlock(required=False, max_length=160)

    class Meta:
        icon = "code"
        label = _("Code")
        group = _("Texts")
