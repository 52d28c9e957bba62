"""Form of a site's interface words: all texts with their default, and a field for each form of a text."""

from collections.abc import Mapping
from typing import Any, ClassVar, Final, NamedTuple

from django import forms
from django.conf import settings
from django.core.exceptions import ValidationError
from django.utils.datastructures import MultiValueDict
from django.utils.translation import gettext, gettext_lazy, ngettext
from wagtail.admin.forms import WagtailAdminModelForm

from ...content.site_records import load_site_roots
from ...domain.inheritance import State
from ...domain.interface_words import (
    LONGEST,
    Fault,
    Refused,
    Text,
    find_faults,
    find_placeholders,
    forms_of,
    own_words,
    state_of,
)
from ...schemas.visible_text import trim
from .defaults import SiteDefaults, Texts, find_defaults, load_texts
from .places import PLACES, places_of

_KEEP: Final = "keep"


class Entered(NamedTuple):
    """Words as they were sent."""

    texts: dict[str, Text]
    kept: frozenset[str]
    """Keys of words whose changed default was accepted."""


class FormRow(NamedTuple):
    """The field of one form of a text."""

    name: str
    label: str
    """Plural category with an example; empty if the text has no forms."""
    value: str
    default: str


class WordRow(NamedTuple):
    key: str
    english: str
    default: str
    was: str
    """The default that the own word replaced, if it has changed since."""
    state: State
    forms: list[FormRow]
    placeholders: list[str]
    places: list[str]
    place: str
    keep: str
    """Name of the checkbox that accepts a changed default."""
    inherited: bool
    problems: list[str]

    @property
    def shown(self) -> str:
        """Return the text that visitors see."""
        own = " · ".join(form.value for form in self.forms if form.value)
        return own or self.default


class WordsWidget(forms.Widget):
    template_name = "studio/interface_words/widget.html"
    lang: str
    dir: str
    defaults: SiteDefaults
    texts: Texts
    stored: Mapping[str, Any]
    problems: Mapping[str, list[Refused]]

    class Media:
        css: ClassVar[dict[str, list[str]]] = {"all": ["studio/interface-words.css"]}
        js: ClassVar[list[str]] = ["studio/interface-words.js"]

    def use(self, site: str, stored: Mapping[str, Any], texts: Texts) -> None:
        self.defaults, self.texts = find_defaults(site, texts), texts
        rules = settings.SITES_REGISTRY.sites[site]
        self.lang, self.dir = rules.language, rules.dir
        self.stored, self.problems = stored, {}

    def categories(self, key: str) -> list[str]:
        """Return the plural categories of a text; one empty category if it has no forms."""
        return [""] if isinstance(self.texts.english[key], str) else list(self.defaults.examples)

    def value_from_datadict(self, data: Mapping[str, Any], files: MultiValueDict[str, Any], name: str) -> Entered:
        found: dict[str, Text] = {}
        for key in self.texts.english:
            values = {each: trim(str(data.get(_name(name, key, each), ""))) for each in self.categories(key)}
            if any(values.values()):
                found[key] = values.get("", values)
        return Entered(found, frozenset(key for key in found if data.get(_name(name, key, _KEEP))))

    def value_omitted_from_data(self, data: Any, files: Any, name: str) -> bool:
        return False

    def get_context(self, name: str, value: Any, attrs: dict[str, Any] | None) -> dict[str, Any]:
        context: dict[str, Any] = super().get_context(name, None, attrs)
        texts = (
            value.texts if isinstance(value, Entered) else {key: word["text"] for key, word in (value or {}).items()}
        )
        rows = [self._row(name, key, texts.get(key)) for key in self.texts.english]
        states = {State.OWN: gettext("Own words"), State.CHANGED: gettext("Default changed since")}
        context["widget"] |= {
            "rows": rows,
            "lang": self.lang,
            "dir": self.dir,
            "source": self.defaults.source,
            "longest": LONGEST,
            "states": states.items(),
            "places": [(key, name) for key, name in PLACES.items() if any(key in row.places for row in rows)],
        }
        return context

    def _row(self, name: str, key: str, own: Text | None) -> WordRow:
        default, english = self.defaults.texts[key], self.texts.english[key]
        values, defaults = forms_of(own or {}), forms_of(default)
        stored = self.stored.get(key)
        state = State.FOLLOWS if own is None else state_of(stored, default) if stored else State.OWN
        places = places_of(self.texts.places.get(key, ()))
        return WordRow(
            key,
            forms_of(english).get("other") or str(english),
            _say(default),
            _say(stored["base"]) if state is State.CHANGED and stored else "",
            state,
            [
                FormRow(
                    _name(name, key, category),
                    self._label(category),
                    values.get(category, ""),
                    defaults.get(category) or defaults.get("other", ""),
                )
                for category in self.categories(key)
            ],
            [f"{{{placeholder}}}" for placeholder in find_placeholders(english)],
            places,
            ", ".join(str(PLACES[place]) for place in places),
            _name(name, key, _KEEP),
            key in self.defaults.inherited,
            [say_refused(refused, self._label(refused.category)) for refused in self.problems.get(key, ())],
        )

    def _label(self, category: str) -> str:
        if not category:
            return ""
        return gettext("For numbers like {example}").format(example=f"{self.defaults.examples[category]:g}")


class WordsField(forms.Field):
    widget = WordsWidget

    def clean(self, value: Any) -> dict[str, Any]:
        if not isinstance(value, Entered):  # a field that cannot be edited returns its stored words
            return dict(value or {})
        widget: Any = self.widget
        defaults = widget.defaults.texts
        faults = {key: find_faults(text, defaults[key]) for key, text in value.texts.items()}
        # A word that is stored already may stay, although its default has changed since.
        unchanged = {key for key in faults if widget.stored.get(key, {}).get("text") == value.texts[key]}
        widget.problems = {key: found for key, found in faults.items() if found and key not in unchanged}
        if widget.problems:
            count = len(widget.problems)
            raise ValidationError(
                ngettext(
                    "{count} word cannot be saved. It is marked with the reason. Nothing you entered is lost.",
                    "{count} words cannot be saved. They are marked with the reasons. Nothing you entered is lost.",
                    count,
                ).format(count=count)
            )
        return own_words(value.texts, defaults, widget.stored, value.kept)

    def has_changed(self, initial: Any, data: Any) -> bool:
        try:
            return self.clean(data) != (initial or {})
        except ValidationError:
            return True


class WordsForm(WagtailAdminModelForm):
    words = WordsField(required=False, label=gettext_lazy("Words"))

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        texts = load_texts()
        site = next(
            (key for key, root in load_site_roots().items() if root.wagtail_site_id == self.instance.site_id), ""
        )
        if "words" not in self.fields:
            return
        if texts is None or site not in settings.SITES_REGISTRY.sites:
            del self.fields["words"]
            return
        widget: Any = self.fields["words"].widget
        widget.use(site, dict(self.instance.words), texts)


def say_refused(refused: Refused, form: str) -> str:
    """Return why a text cannot be saved. ``form``: label of its plural form, or an empty text."""
    names = ", ".join(f"{{{name}}}" for name in refused.names)
    match refused.fault:
        case Fault.LOST:
            said = gettext("{names} is missing. The site inserts a value there. Add it.").format(names=names)
        case Fault.UNKNOWN:
            said = gettext("{names} has no value here, so visitors would see the braces. Remove it.").format(
                names=names
            )
        case Fault.BRACE:
            said = gettext("A brace has no partner. Complete the placeholder or remove the brace.")
        case Fault.MARKUP:
            said = gettext("Words are plain text: visitors would see the HTML code. Remove it.")
        case Fault.EMPTY:
            said = gettext("This form is empty. Fill in all forms, or empty all to use the default.")
        case Fault.LONG:
            said = gettext("The text is longer than {count} characters. Shorten it.").format(count=LONGEST)
    return f"{form}: {said}" if form else said


def _name(field: str, key: str, part: str) -> str:
    return "-".join(filter(None, (field, key, part)))


def _say(text: Text) -> str:
    return " · ".join(forms_of(text).values())
