"""Header menus and footers from ``<site>/menu.toml`` and ``<site>/footer.toml``."""

from collections.abc import Mapping
from typing import Any, Final

from django.core.exceptions import ValidationError
from django.db import transaction
from wagtail.models import Site

from portolan.content.navigation.footer import FooterSettings
from portolan.content.navigation.menu import MenuSettings

from .fixtures import Fixture
from .problems import FixtureProblem, flatten
from .report import Outcome, SeedReport, was_edited_by_a_person
from .streams import StreamBuilder, Targets, clean_stream, plain_stream

_STREAMS: Final[Mapping[type[Any], Mapping[str, str]]] = {
    MenuSettings: {"items": "item", "contact": "link"},
    FooterSettings: {"groups": "group", "legal_links": "link", "offices_link": "link", "personal_data": "link"},
}
"""Stream fields of each setting, and the one kind of block in them."""


def load_navigation(
    model: type[Any],
    site: Site,
    fixture: Fixture,
    targets: Targets,
    report: SeedReport,
    problems: list[FixtureProblem],
) -> None:
    kind = str(model._meta.verbose_name) + "s"
    report.begin(kind, fixture.file.as_posix())
    before = len(problems)

    def complain(field: str, message: str) -> None:
        problems.append(FixtureProblem(fixture.file, field, message))

    for key in fixture.data.keys() - _STREAMS[model].keys():
        complain(key, f"is not a known key; there are {', '.join(_STREAMS[model])}")
    builder = StreamBuilder(targets, fixture.file.as_posix(), complain)
    instance = model.objects.filter(site=site).first()
    is_new = instance is None
    instance = instance or model(site=site)
    same = not is_new
    for name, block_type in _STREAMS[model].items():
        stream_block = model._meta.get_field(name).stream_block
        given = fixture.data.get(name, [])
        entries = [{"type": block_type, **entry} for entry in (given if isinstance(given, list) else [given])]
        value = stream_block.to_python(builder.stream(stream_block, entries, name))
        same = same and plain_stream(value) == plain_stream(getattr(instance, name))
        setattr(instance, name, value)
    if len(problems) > before:
        return
    if same:
        report.note(kind, Outcome.UNCHANGED)
    elif not is_new and was_edited_by_a_person(instance):
        report.note(kind, Outcome.KEPT)
    else:
        try:
            instance.full_clean()
            for name in _STREAMS[model]:
                clean_stream(name, getattr(instance, name))
            with transaction.atomic():
                instance.save()
            report.note(kind, Outcome.CREATED if is_new else Outcome.CHANGED)
        except ValidationError as error:
            for field, text in flatten(error):
                complain(field, text)
