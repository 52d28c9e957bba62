"""A form that sends the visitor back to its page."""

from bs4 import BeautifulSoup, Tag

from portolan.api.filled_page import fill_page

PAGE = """<!doctype html><html lang="de"><body><svg viewBox="0 0 8 8"></svg>
<div id="b1-lead-form" data-island="lead-form"><form data-form="contact" action="/__form?done=b1">
<input type="hidden" name="form" value="contact"/>
<div data-summary="" hidden="" tabindex="-1" data-failed-text="Nicht gesendet." data-refused-text="Nicht angenommen.">
<p>Bitte prüfen:</p><ul></ul></div>
<input id="n" type="text" name="contact[name]" value=""/><p data-error-of="contact[name]" data-error-text="Name fehlt."></p>
<input id="e" type="email" name="contact[email]" value=""/><p data-error-of="contact[email]" data-error-text="Keine Adresse."></p>
<textarea id="m" name="message"></textarea>
<input type="checkbox" name="services" value="a"/><input type="checkbox" name="services" value="b"/>
<select name="team[0][role]"><option value="">–</option><option value="qa">QA</option></select>
<input id="f" type="file" name="attachments"/><p data-error-of="attachments" data-error-text="Datei nicht angenommen."></p>
</form></div><script type="application/json">{"a": "</b>&"}</script></body></html>"""

TYPED = [
    ("form", "contact"),
    ("contact[name]", 'Head of "Operations" <b>'),
    ("contact[email]", "x"),
    ("message", "One\n</textarea><script>alert(1)</script>"),
    ("services", "b"),
    ("team[0][role]", "qa"),
    ("attachments", "x"),
]


def fill(*wrong: str, typed: list[tuple[str, str]] = TYPED) -> BeautifulSoup:
    html = fill_page(PAGE, "/kontakt", typed, wrong)
    assert html
    return BeautifulSoup(html, "html.parser")


def find(page: BeautifulSoup, selector: str) -> Tag:
    found = page.select_one(selector)
    assert found, selector
    return found


def test_what_was_typed_stands_in_the_fields_again() -> None:
    page = fill("contact[email]")
    assert find(page, "#n")["value"] == TYPED[1][1]
    assert find(page, "#m").string == TYPED[3][1]
    assert [box["value"] for box in page.select("[type=checkbox][checked]")] == ["b"]
    assert find(page, "option[selected]")["value"] == "qa"
    assert find(page, "[type=hidden]")["value"] == "contact"
    assert not find(page, "#f").get("value")


def test_nothing_typed_becomes_markup() -> None:
    html = fill_page(PAGE, "/kontakt", TYPED, [])
    assert html and "<script>alert" not in html and "<b>" not in html


def test_what_is_wrong_is_said_and_led_to_in_the_pages_words() -> None:
    page = fill("contact[email]", "attachments[3]")
    summary = find(page, "[data-summary]")
    assert not summary.has_attr("hidden")
    links = [(link["href"], link.string) for link in summary.select("a")]
    assert links == [("#e", "Keine Adresse."), ("#f", "Datei nicht angenommen.")]
    assert find(page, "[data-error-of='contact[email]']").string == "Keine Adresse."
    assert find(page, "#e")["aria-invalid"] == "true"
    assert not find(page, "#n").has_attr("aria-invalid")


def test_a_failure_of_ours_is_not_the_visitors() -> None:
    assert find(fill(), "[data-summary] p").string == "Nicht gesendet."
    assert find(fill("team[0][count]"), "[data-summary] p").string == "Nicht angenommen."


def test_the_form_does_not_wake_and_the_rest_of_the_page_is_as_it_was() -> None:
    page = fill()
    assert not page.select("[data-island]")
    assert find(page, "form")["action"] == "/__form?done=b1&page=%2Fkontakt"
    assert find(page, "script").string == '{"a": "</b>&"}'


def test_a_page_without_the_form_is_none() -> None:
    assert fill_page("<p>404</p>", "/", TYPED, []) is None
    assert fill_page(PAGE, "/", [("form", "estimate")], []) is None
