"""Comparison: a table of two to four options, row by row."""

from typing import Any, Literal

from django.core.exceptions import ValidationError
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from wagtail import blocks
from wagtail.blocks.list_block import ListBlockValidationError
from wagtail.blocks.struct_block import StructBlockValidationError

from ...schemas.base import BlockData, Schema
from .base import LineBlock, ParagraphBlock, SiteBlock


class ComparisonRow(Schema):
    label: str
    """Header of the row."""
    cells: list[str]
    """One for each column."""


class ComparisonData(BlockData):
    type: Literal["comparison"] = "comparison"
    title: str
    text: str = ""
    columns: list[str]
    """2..4 headers."""
    rows: list[ComparisonRow]
    """2..16."""
    note: str = ""


class ComparisonRowBlock(blocks.StructBlock):
    label = LineBlock(max_length=80, help_text=_("The criterion, e.g. Time to start."))
    cells = blocks.ListBlock(
        LineBlock(max_length=160),
        min_num=2,
        max_num=4,
        help_text=_("One for each column, in the order of the columns."),
    )

    class Meta:
        label = _("Row")
        label_format = "{label}"


class ComparisonBlock(SiteBlock):
    Data = ComparisonData
    EXAMPLES = {
        "default": {
            "title": "Three ways to work with us",
            "text": "None is better than the others. Each fits a different kind of unknown.",
            "columns": ["Project", "Dedicated team", "Staff augmentation"],
            "rows": [
                {
                    "label": "You know",
                    "cells": ["What it has to do", "Where it has to go", "Who is missing"],
                },
                {
                    "label": "You pay",
                    "cells": ["A fixed price a milestone", "A monthly rate a person", "A monthly rate a person"],
                },
                {"label": "Who leads", "cells": ["We do", "You and our delivery lead", "You do"]},
                {"label": "Time to start", "cells": ["4 weeks", "3 weeks", "10 working days"]},
                {"label": "Notice", "cells": ["At a milestone", "60 days", "30 days"]},
            ],
            "note": "Rates are fixed for a year and the same in every way of working.",
        },
        "two": {
            "tone": "navy",
            "title": "Native or one code base",
            "columns": ["Native", "Cross-platform"],
            "rows": [
                {"label": "Cost of the first release", "cells": ["100 %", "60 to 70 %"]},
                {"label": "Bluetooth, NFC, background work", "cells": ["All of it", "With native modules"]},
            ],
        },
        "long-words": {
            "tone": "ink",
            "title": "Zusammenarbeitsmodelle",
            "columns": ["Festpreis", "Arbeitnehmerüberlassung", "Dienstleistungsvertrag", "Entwicklungspartnerschaft"],
            "rows": [
                {
                    "label": "Verantwortlichkeiten",
                    "cells": [
                        "Bei uns, vertraglich festgeschrieben bis zur Abnahme",
                        "Weisungsbefugnis bei Ihnen",
                        "Geteilt",
                        "Gemeinsame Produktverantwortung",
                    ],
                },
                {
                    "label": "Kündigungsfrist",
                    "cells": ["Keine", "14 Tage", "30 Tage zum Monatsende", "Drei Monate zum Quartalsende"],
                },
            ],
        },
    }

    title = LineBlock(max_length=120)
    text = ParagraphBlock(required=False, max_length=400)
    columns = blocks.ListBlock(LineBlock(max_length=60), min_num=2, max_num=4, help_text=_("The options to compare."))
    rows = blocks.ListBlock(ComparisonRowBlock(), min_num=2, max_num=16)
    note = LineBlock(required=False, max_length=200, help_text=_("Shown below the table."))

    class Meta:
        icon = "table"
        label = _("Comparison")
        group = _("Texts")

    def clean(self, value: Any) -> Any:
        cleaned = super().clean(value)
        columns = len(cleaned["columns"])
        uneven = {
            index: StructBlockValidationError(
                block_errors={"cells": ValidationError(_explain(len(row["cells"]), columns))}
            )
            for index, row in enumerate(cleaned["rows"])
            if len(row["cells"]) != columns
        }
        if uneven:
            raise StructBlockValidationError(block_errors={"rows": ListBlockValidationError(block_errors=uneven)})
        return cleaned


def _explain(cells: int, columns: int) -> str:
    return gettext(
        "This row has {cells} cells, but there are {columns} columns. Enter one cell for each column."
    ).format(columns=columns, cells=cells)
