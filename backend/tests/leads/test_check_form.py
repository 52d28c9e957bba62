import pytest

from portolan.leads.check_form import check_fields
from portolan.leads.refusals import LeadRefused
from portolan.schemas.lead import LeadForm

from .conftest import FORM


def check(**changes: str | None) -> LeadForm:
    """Check the valid form with ``changes``. ``__`` means brackets: ``contact__name``."""
    given = {_key(name): value for name, value in changes.items()}
    return check_fields((name, value) for name, value in {**FORM, **given}.items() if value is not None)


def _key(name: str) -> str:
    first, *others = name.split("__")
    return first + "".join(f"[{step}]" for step in others)


def test_every_field_has_its_type() -> None:
    form = check(
        form="estimate",
        contact__phone="+49 30 901820",
        services__0="web-development",
        team__0__role="Python developer",
        team__0__seniority="senior",
        team__0__count="2",
        months="6",
        step="4",
        price__from="52000",
        price__to="68000.50",
        price__currency="EUR",
        firstVisitUrl="https://brightmoor.example/?gclid=1",
        adClick__type="gclid",
        adClick__value="abc",
        country="DE",
    )
    assert form.form == "estimate"
    assert form.services == ["web-development"]
    assert (form.team[0].role, form.team[0].count) == ("Python developer", 2)
    assert form.price and (form.price.lowest, form.price.highest) == (52000, 68000.5)
    assert form.ad_click and form.ad_click.type == "gclid"
    assert (form.months, form.step, form.country) == (6, 4, "de")


@pytest.mark.parametrize("field", ["contact__name", "contact__email", "pageUrl", "privacyAccepted", "captchaToken"])
@pytest.mark.parametrize(
    "value",
    [None, "", "  ", "\u200b", "\u3164", "\u2800 \u2800", "\ufeff\u200d", "\u00a0\u00ad", "\u202a\u202c", "\ufe0f"],
)
def test_what_is_required_is_missed(field: str, value: str | None) -> None:
    with pytest.raises(LeadRefused) as refused:
        check(**{field: value})
    assert [error.field for error in refused.value.errors] == [_key(field)]


def test_what_shows_nothing_is_cut_off_and_what_is_optional_is_left_out() -> None:
    form = check(
        contact__name="\u200b Ada\u00a0\ufeff",
        contact__email="\u200eada@person.example\u200b",
        contact__company="\u3164",
        message="\u202bمی\u200cخواهم\u202c \n",
    )
    assert (form.contact.name, form.contact.email) == ("Ada", "ada@person.example")
    assert (form.contact.company, form.message) == (None, "می\u200cخواهم")


def test_a_form_without_anything_names_all_that_is_missing() -> None:
    with pytest.raises(LeadRefused) as refused:
        check_fields([])
    assert {error.field for error in refused.value.errors} == {"contact", "pageUrl", "privacyAccepted", "captchaToken"}


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("form", "newsletter"),
        ("contact__name", "a\nb"),
        ("contact__name", "x" * 201),
        ("contact__email", "no address"),
        ("contact__email", "a@b"),
        ("contact__email", "a@b.example\r\nBcc: c@d.example"),
        ("message", "a\x07b"),
        ("services__0", "Web Development"),
        ("services__0", "../etc"),
        ("team__0__count", "0"),
        ("team__0__count", "many"),
        ("months", "121"),
        ("months", "1.5"),
        ("step", "-1"),
        ("pageUrl", "localhost"),
        ("pageUrl", "javascript:alert(1)"),
        ("pageUrl", "https://"),
        ("pageUrl", "https://["),
        ("pageUrl", "https://a:b/"),
        ("pageUrl", "https://a*/"),
        ("pageUrl", "https://a/ b"),
        ("country", "deu"),
        ("country", "d1"),
        ("privacyAccepted", "false"),
        ("privacyAccepted", "perhaps"),
        ("captchaToken", "a\u2028b"),
    ],
)
def test_a_value_that_does_not_fit_is_named(field: str, value: str) -> None:
    with pytest.raises(LeadRefused) as refused:
        if field == "team__0__count":
            check(team__0__role="a", team__0__count=value)
        else:
            check(**{field: value})
    assert refused.value.code == "invalid-value"
    assert [error.field for error in refused.value.errors] == [_key(field)]
    assert refused.value.__context__ is None  # it would contain the value


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        ("\u202a+49 30 901820\u202c", "+49 30 901820"),
        ("+٩٧١ ٥٠ ١٢٣ ٤٥٦٧", "+971 50 123 4567"),
        ("030–901820 ext. 7", "030-901820 ext. 7"),
        ("call me after six", "call me after six"),
        ("call me\r\nafter six", "call me after six"),
        ("x" * 201, "x" * 201),
        ("12", "12"),
        ("\u200e", None),
        (" ", None),
    ],
)
def test_a_phone_number_is_never_refused(typed: str, kept: str | None) -> None:
    assert check(contact__phone=typed).contact.phone == kept


@pytest.mark.parametrize(("typed", "count"), [("٣", 3), ("۱۲", 12), ("\u200e３\u200f", 3), ("\u00a03 ", 3)])
def test_counts_are_taken_in_any_digits(typed: str, count: int) -> None:
    form = check(months=typed, team__0__count=typed)
    assert (form.months, form.team[0].count) == (count, count)


def test_groups_that_are_begun_have_to_be_whole() -> None:
    with pytest.raises(LeadRefused) as refused:
        check(price__from="nan", price__currency="eur", adClick__type="fbclid")
    assert [error.field for error in refused.value.errors] == [
        "price[from]",
        "price[to]",
        "price[currency]",
        "adClick[type]",
        "adClick[value]",
    ]


@pytest.mark.parametrize("field", ["contact", "services", "months__a", "message__0"])
def test_a_value_where_a_group_is_meant_is_refused(field: str) -> None:
    changes: dict[str, str | None] = {field: "a"}
    if field == "contact":
        changes |= {"contact__name": None, "contact__email": None}
    if field == "message__0":
        changes |= {"message": None}
    with pytest.raises(LeadRefused) as refused:
        check(**changes)
    assert [error.field for error in refused.value.errors] == [field.partition("__")[0]]


def test_what_nobody_knows_is_kept() -> None:
    unknown = {"start": "January", "budget[0][year]": "2027", "contact[title]": "Dr", "__proto__": "1", "page_url": "b"}
    form = check_fields({**FORM, **unknown}.items())
    fields = form.model_dump(by_alias=True)
    assert fields["start"] == "January"
    assert fields["budget"] == [{"year": "2027"}]
    assert fields["contact"]["title"] == "Dr"
    assert form.page_url == FORM["pageUrl"]


def test_empty_fields_are_none_at_all() -> None:
    form = check(message="", months=" ", services__0="", services__1="devops", team__0__role="", budget="")
    assert form.message is None
    assert form.months is None
    assert form.services == ["devops"]
    assert form.team == []
    assert "budget" not in form.model_dump(by_alias=True)


def test_a_name_in_any_alphabet_is_a_name() -> None:
    for name in ("رئيسة العمليات", "Начальник отдела", "Kierowniczka Łódź", "O’Brien-Müller, Dr."):
        assert check(contact__name=f" {name} ").contact.name == name


def test_a_form_tells_nobody_what_is_in_it() -> None:
    form = check(contact__name="CANARY", message="CANARY", other="CANARY")
    assert "CANARY" not in f"{form}{form!r}{form.contact}{form.contact!r}{[form]}"
