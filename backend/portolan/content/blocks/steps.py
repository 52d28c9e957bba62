"""Steps: a process in numbered steps, each optionally with its duration."""

from typing import Literal

from django.utils.translation import gettext_lazy as _
from wagtail import blocks

from ...schemas.base import BlockData, Schema
from .base import LineBlock, ParagraphBlock, SiteBlock


class ProcessStep(Schema):
    title: str
    text: str
    duration: str = ""
    """Formatted duration, e.g. ``3 weeks``."""


class StepsData(BlockData):
    type: Literal["steps"] = "steps"
    title: str
    text: str = ""
    steps: list[ProcessStep]
    """2..8, in order. The page numbers them."""


class ProcessStepBlock(blocks.StructBlock):
    title = LineBlock(max_length=80)
    text = ParagraphBlock(max_length=400)
    duration = LineBlock(required=False, max_length=40, help_text=_("Duration, e.g. 3 weeks."))

    class Meta:
        label = _("Step")
        label_format = "{title}"


class StepsBlock(SiteBlock):
    Data = StepsData
    EXAMPLES = {
        "default": {
            "title": "From first call to first release",
            "text": "Every leg of the route has a length and an end you can see.",
            "steps": [
                {
                    "title": "Listen",
                    "text": "Two engineers spend ten days with the people who will use it, and write down what they do.",
                    "duration": "2 weeks",
                },
                {
                    "title": "Chart",
                    "text": "You get the plan, the price and the three risks we would lose sleep over.",
                    "duration": "1 week",
                },
                {
                    "title": "Build",
                    "text": "A working build every Friday, on a machine of yours, open to everybody you name.",
                    "duration": "10 to 14 weeks",
                },
                {
                    "title": "Hand over",
                    "text": "Your people deploy twice while ours watch. Then the pager is yours, or stays with us.",
                    "duration": "2 weeks",
                },
            ],
        },
        "plain": {
            "tone": "navy",
            "title": "When something breaks at night",
            "steps": [
                {"title": "The alarm", "text": "A person reads it within five minutes, in the office that is awake."},
                {"title": "The cause", "text": "You hear what it is before you have to ask."},
            ],
        },
        "long-words": {
            "tone": "ink",
            "title": "Qualitätssicherungsmaßnahmen in der Softwareentwicklung",
            "steps": [
                {
                    "title": "Anforderungsdokumentation",
                    "text": "Benutzerfreundlichkeitsuntersuchungen, bevor eine Zeile geschrieben wird.",
                    "duration": "voraussichtlich drei bis vier Wochen",
                },
                {
                    "title": "Datenschutzfolgenabschätzung",
                    "text": "Zusammen mit Ihrer Datenschutzbeauftragten.",
                    "duration": "eine Woche",
                },
                {"title": "Abnahmeprüfprotokoll", "text": "Ein Blatt, zwei Unterschriften."},
                {"title": "Inbetriebnahme", "text": "An einem Dienstag.", "duration": "ein Tag"},
                {"title": "Gewährleistung", "text": "Wir bleiben erreichbar.", "duration": "zwölf Monate"},
            ],
        },
    }

    title = LineBlock(max_length=120)
    text = ParagraphBlock(required=False, max_length=400)
    steps = blocks.ListBlock(ProcessStepBlock(), min_num=2, max_num=8)

    class Meta:
        icon = "list-ol"
        label = _("Steps")
        group = _("Texts")
