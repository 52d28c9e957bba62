"""The studio's texts in German are complete, with equal placeholders and a current compiled catalogue. Each reader gets
their language.
"""

import ast
import re
import subprocess
import sys
from datetime import timedelta
from string import Formatter

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext, override
from wagtail.admin.templatetags.wagtailadmin_tags import timesince_last_update, timesince_simple
from wagtail.users.models import UserProfile

from portolan.config.project import ROOT
from portolan.content.countries import list_countries
from portolan.content.models import Office
from portolan.content.viewsets.base import updated_column
from portolan.domain.change_sets import Standing, State, Step, why_not
from portolan.domain.problem_texts import say
from portolan.domain.problems import DeadLink, Problem, Subject
from portolan.studio.block_changes import name_fields, within_sentence
from portolan.studio.problem_names import StudioNames
from portolan_dev.texts import LANGUAGES, as_mo, as_po, find_faults, po_file, read_catalogue, renew

PASSED_ON = Problem(Subject("de", "page", "k", "Impressum", "/impressum"), DeadLink("/gone"))


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_text_is_translated_with_its_placeholders_and_compiled(language):
    catalogue = renew(language)
    assert find_faults(catalogue) == []
    assert po_file(language).read_bytes() == as_po(catalogue), "run `make texts`"
    assert po_file(language).with_suffix(".mo").read_bytes() == as_mo(catalogue), "run `make texts`"


def test_a_text_without_a_translation_and_a_lost_placeholder_are_found():
    catalogue = read_catalogue("de")
    catalogue.add("{count} birds", "ein paar Vögel")
    catalogue.add("%(name)s sings", "%(name)s singt")
    catalogue.add("A text that nobody has translated", "")
    catalogue.add(("{count} bird", "{count} birds sing"), ("{count} Vogel", "{zahl} Vögel"))
    assert [fault.partition(":")[0] for fault in find_faults(catalogue)] == [
        "other placeholders than '{count} birds'",
        "not translated",
        "other placeholders than '{count} bird'",
    ]


SAYS = {"gettext", "_", "ngettext", "pgettext", "npgettext", "translate", "self._translate"}
PACKAGE = ROOT / "backend" / "portolan"


def test_every_text_is_given_what_it_has_places_for():
    """Otherwise a rare message would fail when it is shown."""
    count = 0
    for file in sorted(PACKAGE.rglob("*.py")):
        for call in ast.walk(ast.parse(file.read_text())):
            if not (isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr == "format"):
                continue
            text = call.func.value
            if not (isinstance(text, ast.Call) and ast.unparse(text.func) in SAYS):
                continue
            if any(each.arg is None for each in call.keywords):  # `**values`
                continue
            said = [each.value for each in text.args if isinstance(each, ast.Constant) and isinstance(each.value, str)]
            given = {each.arg for each in call.keywords}
            for field in {name for each in said for _, name, _, _ in Formatter().parse(each) if name}:
                assert re.split(r"[.\[]", field)[0] in given, f"{file}:{call.lineno} lacks {field}"
            count += 1
    assert count > 200


def test_rules_that_know_no_catalogue_are_told_in_the_readers_language():
    with override("de"):
        assert say(PASSED_ON, StudioNames()) == (
            "Deutschland, „Impressum“ (/impressum): verlinkt /gone, und dort gibt es keine Seite, Besucher kämen also auf eine "
            "Fehlerseite. Wählen Sie ein anderes Ziel."
        )
        nobody = Standing(edits=False, publishes=False, is_author=False)
        assert (
            why_not(State.OPEN, Step.SEND, nobody, False, gettext)
            == "Sie haben kein Recht, etwas in diesem Änderungspaket zu bearbeiten."
        )
        assert (
            why_not(State.OPEN, Step.SEND, nobody, False)
            == "You do not have the right to edit anything in this change set."
        )


TELLS_WHO_IS_EARLY = """
import sys
from django.utils import translation

early = []

def watched(translate):
    def say(*said):
        file = sys._getframe(1).f_code.co_filename
        if "/portolan/" in file:
            early.append((file, said[0]))
        return translate(*said)
    return say

for name in ("gettext", "ngettext", "pgettext", "npgettext"):
    setattr(translation, name, watched(getattr(translation, name)))

from portolan.config.start_django import start_django
start_django()
from django.urls import get_resolver
from wagtail import hooks
get_resolver().url_patterns
hooks.search_for_hooks()
for line in early:
    print(*line)
"""


def test_no_text_is_translated_before_somebody_reads_it():
    """A text translated at the start would be English in every language."""
    said = subprocess.run([sys.executable, "-c", TELLS_WHO_IS_EARLY], capture_output=True, text=True, check=True)
    assert said.stdout == ""


@pytest.mark.django_db
def test_names_of_lists_and_countries_are_those_of_the_language(admin_client: Client, admin_user, homes):
    UserProfile.objects.update_or_create(user=admin_user, defaults={"preferred_language": "de"})
    listed = admin_client.get("/admin/snippets/content/office/").content.decode()
    assert "Standorte" in listed
    with override("de"):
        assert str(updated_column().label) == "Aktualisiert"
        names = [name for _, name in list_countries()]
    assert names[:3] == ["Afghanistan", "Ägypten", "Ålandinseln"], "in the order of the language"


def test_what_wagtail_translates_where_it_is_loaded_is_said_in_the_readers_language():
    with override("de"):
        widget = Office.snippet_viewset.chooser_viewset.widget_class
        assert (str(widget.choose_one_text), str(widget.link_to_chosen_text)) == ("Auswählen", "Bearbeiten")


@pytest.mark.parametrize(
    ("language", "named", "within"),
    [("en", ["Phone", "Items › title"], "phone"), ("de", ["Telefon", "Elemente › Titel"], "Telefon")],
)
def test_what_changed_is_named_as_its_form_names_it(language, named, within):
    before, after = ({"phone": said, "items": [{"id": "1", "title": said}]} for said in ("before", "after"))
    with override(language):
        fields = [name_fields({**before, name: after[name]}, before)[0] for name in before]
        assert fields == named
        assert within_sentence(fields[0]) == within


@pytest.mark.django_db
def test_account_says_what_is_so_for_who_has_chosen_nothing(admin_client: Client):
    page = admin_client.get(reverse("wagtailadmin_account"), headers={"Accept-Language": "de"}).content.decode()
    assert "Sprache und Zeitzone" in page
    assert "Wie im Browser, sonst Englisch" in page
    assert "Wie für die Firma eingestellt" in page


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("browser", "chosen", "read"),
    [
        ("de-AT,de;q=0.9,en;q=0.5", "", "de"),
        ("pl,de;q=0.5", "", "de"),  # the first that the studio has whole
        ("pl", "", "en"),
        ("", "", "en"),
        ("de", "en", "en"),
        ("en", "de", "de"),
    ],
)
def test_the_studio_speaks_as_somebody_has_chosen_else_as_their_browser(
    admin_client: Client, admin_user, browser, chosen, read
):
    if chosen:
        UserProfile.objects.update_or_create(user=admin_user, defaults={"preferred_language": chosen})
    page = admin_client.get(reverse("studio_change_sets"), headers={"Accept-Language": browser}).content.decode()
    assert ({"de": "Ein Änderungspaket fasst Entwürfe", "en": "A change set groups drafts"}[read]) in page


@pytest.mark.django_db
def test_names_of_fields_are_translated_too(admin_client: Client, admin_user, homes):
    UserProfile.objects.update_or_create(user=admin_user, defaults={"preferred_language": "de"})
    form = admin_client.get("/admin/snippets/content/office/add/").content.decode()
    for name in ("Stadt", "Öffnungszeiten", "Ländervorwahl"):
        assert name in form


@pytest.mark.django_db
def test_signing_in_speaks_the_browsers_language(client: Client):
    page = client.get(reverse("wagtailadmin_login"), headers={"Accept-Language": "de"}).content.decode()
    assert "Anmelden" in page
    assert 'lang="de"' in page


def test_what_has_passed_is_said_so_in_german():
    at = timezone.now() - timedelta(hours=2)
    with override("de"):
        assert timesince_simple(at) == "2\xa0Stunden her"
        assert str(timesince_last_update(at - timedelta(days=3), user_display_name="Anna")) == "3\xa0Tage her, von Anna"
