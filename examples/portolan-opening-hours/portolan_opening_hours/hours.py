"""Hours of a week, and days off, shared by the block and the pages."""

import datetime
from typing import Annotated, Any, Literal
from zoneinfo import available_timezones

from django.core.exceptions import ValidationError
from pydantic import StringConstraints
from wagtail import blocks
from wagtail.blocks.struct_block import StructBlockValidationError

from portolan.content.blocks.base import LineBlock
from portolan.schemas.base import Schema

Weekday = Literal["mon", "tue", "wed", "thu", "fri", "sat", "sun"]
Clock = Annotated[str, StringConstraints(pattern=r"^\d\d:\d\d$")]


class Hours(Schema):
    days: list[Weekday]
    opens: Clock
    closes: Clock
    """Later than it opens: what goes on past midnight is two rows."""


class ClosedDay(Schema):
    date: datetime.date
    note: str


class HoursBlock(blocks.StructBlock):
    """One row: the same hours on some days. A lunch break is a second row for the same days."""

    days = blocks.MultipleChoiceBlock(
        choices=[
            ("mon", "Monday"),
            ("tue", "Tuesday"),
            ("wed", "Wednesday"),
            ("thu", "Thursday"),
            ("fri", "Friday"),
            ("sat", "Saturday"),
            ("sun", "Sunday"),
        ]
    )
    opens = blocks.TimeBlock()
    closes = blocks.TimeBlock()

    class Meta:
        label = "Hours"
        label_format = "{opens} – {closes}"

    def clean(self, value: Any) -> Any:
        cleaned = super().clean(value)
        if cleaned["closes"] <= cleaned["opens"]:
            late = ValidationError("This is not later than the time above. Write hours past midnight as a second row.")
            raise StructBlockValidationError(block_errors={"closes": late})
        return cleaned


class ClosedDayBlock(blocks.StructBlock):
    date = blocks.DateBlock()
    note = LineBlock(required=False, max_length=60, help_text="Why, e.g. Boxing Day.")

    class Meta:
        label = "Day"
        label_format = "{date} {note}"


def check_time_zone(name: str) -> None:
    if name not in available_timezones():
        raise ValidationError("There is no such time zone. Write it as in Europe/Berlin or Asia/Dubai.")
