"""Each value in a lead has a readable label."""

from typing import get_args

from portolan.leads import flags
from portolan.schemas.lead import AdClick, LeadForm
from portolan.studio.leads import labels


def test_every_flag_has_a_label() -> None:
    codes = {value for name, value in vars(flags).items() if name.isupper() and isinstance(value, str)}
    assert codes == set(labels.FLAGS)


def test_every_field_of_the_form_has_a_label() -> None:
    not_shown = {
        ("captchaToken",),
        ("submissionId",),
        ("begun",),
        ("contact",),
    }  # leads.accept keeps the first three out
    known = {(field.alias or name,) for name, field in LeadForm.model_fields.items()}
    contact = LeadForm.model_fields["contact"].annotation
    known |= {("contact", field.alias or name) for name, field in contact.model_fields.items()}
    assert {place for place in known if place not in labels.LABELS} == not_shown


def test_every_kind_of_form_and_of_ad_click_has_a_label() -> None:
    assert set(get_args(LeadForm.model_fields["form"].annotation)) == set(labels.FORMS)
    assert set(get_args(AdClick.model_fields["type"].annotation)) == set(labels.AD_CLICKS)


def test_an_unknown_field_cannot_have_one_of_our_labels() -> None:
    lines = labels.unknown_lines({"Name": "a", "Hidden field": "b", "contact": {"name": "c", "Name": "d"}})
    assert [line.label for line in lines] == [
        "Field “Name”",
        "Field “Hidden field”",
        "Field “contact[Name]”",
    ]


def test_a_start_is_told_as_the_form_asks_for_it() -> None:
    assert labels.text_at({"start": "quarter"}, ("start",)) == "Within three months"
    assert labels.text_at({"start": "In May"}, ("start",)) == "In May"
