"""Values for the parameters of each URL, and the data that studio scripts send in addition to forms."""

from collections.abc import Iterator
from typing import Any, Final

from django.apps import apps
from django.contrib.auth import get_user_model
from django.contrib.auth.models import Group
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import NoReverseMatch, reverse
from wagtail.models import Collection, Page, Site

from portolan.content.change_sets.models import ChangeSet, ChangeSetItem
from portolan.content.models import Redirect, Review
from portolan.content.site_records import SiteRecord
from portolan.domain.change_sets import Step
from portolan.studio.changes.steps import mark_of
from portolan.studio.redirects.csv_file import plan_import

from .forms import OTHER_PICTURE
from .screens import Screen, every_api_action, every_bulk_action
from .world import PDF, World, type_of

_HEAD: Final = "site,from,to,answer,note\n"
_FILES: Final = tuple(
    _HEAD + "".join(f"{site},/former,https://example.com/1,,\n" for site in sites)
    for sites in (("de", "en"), ("de",), ("en",), ("all",))
)


class Sending:
    def __init__(self, world: World, user: Any) -> None:
        self._world, self._user = world, user

    def urls(self, screen: Screen) -> Iterator[str]:
        options: list[dict[str, Any]] = [{}]
        for name in screen.parameters:
            options = [{**known, name: value} for known in options for value in self._values(screen.name, name, known)]
        for values in options:
            try:
                url = reverse(screen.name, kwargs=values)
            except NoReverseMatch:
                continue
            yield from (f"{url}{query}" for query in self._queries(screen.name, values))

    def _values(self, screen: str, parameter: str, known: dict[str, Any]) -> list[Any]:
        world, pages = self._world, self._world.pages
        namespace, _, name = screen.rpartition(":")
        model = namespace.rpartition("content_")[2]
        if parameter == "pk" and model in world.rows:
            return world.rows[model]
        if parameter == "revision_id":
            return self._revisions(Page if "page_id" in known else apps.get_model("content", model), known)
        if name == "wagtail_bulk_action":
            at = [tuple(known.values()), every_bulk_action()]
            return sorted({each[len(at[0])] for each in at[1] if each[: len(at[0])] == at[0]})
        if parameter == "id" and "type_id" in known:
            things = {
                Page: [pages["de-open"], pages["en-open"]],
                Review: world.rows["review"],
                Redirect: world.rows["redirect"],
            }
            return [str(id) for id in {type_of(thing): ids for thing, ids in things.items()}[known["type_id"]]]
        special = {
            ("page_id", "convert_alias"): [pages["copy"]],
            ("page_id", "studio_toggle_hidden"): [pages["copy"], pages["hidden"]],
            ("page_id", "revisions_unschedule"): [pages["draft"]],
            ("page_to_move_id", "move_confirm"): [pages["de"], pages["en-edited"]],
            ("page_to_move_id", "studio_tree_place"): [pages["de"], pages["en-edited"]],
            ("site", "begin"): ["de", "uk"],
            ("pk", "action"): [pages["de"], pages["draft"], pages["en-edited"]],
        }
        if (parameter, name) in special:
            return special[parameter, name]
        return {
            "page_id": [pages["de"]],
            "page_to_move_id": [pages["de"]],
            "parent_page_id": [pages["de-home"]],
            "destination_id": [pages["de-folder"]],
            "parent_id": [pages["de-folder"]],
            "action_name": every_api_action(),
            "image_id": [world.picture],
            "document_id": [world.document],
            "doc_id": [world.document],
            "collection_id": [Collection.get_first_root_node().pk],
            "held_id": [world.trash],
            "number": [1, 2],
            "type_id": [type_of(Page), type_of(Review), type_of(Redirect)],
            "id": list(world.sets.values()),
            "item_id": list(ChangeSetItem.objects.filter(change_set=known.get("id")).values_list("pk", flat=True)),
            "step": [step.value for step in Step if step != Step.REVERT],  # has a URL and a screen of its own
            "content_type_app_name": ["content"],
            "app_label": ["content"],
            "app_name": ["content"],
            "content_type_model_name": ["servicepage"],
            "pk": self._keys(namespace),
        }.get(parameter, [])

    def _keys(self, namespace: str) -> list[int]:
        rows: Any = {
            "wagtailadmin_collections": Collection.objects.filter(depth=2),
            "wagtailsites": Site.objects.filter(record__key="de"),
            "wagtailusers_users": get_user_model().objects.filter(username="other"),
            "wagtailusers_groups": Group.objects.order_by("pk")[:1],
        }.get(namespace, ())
        return [row.pk for row in rows]

    def _revisions(self, model: Any, known: dict[str, Any]) -> list[int]:
        """Return the scheduled revision if there is one, else the first."""
        revisions = model._default_manager.get(pk=known.get("page_id", known.get("pk"))).revisions
        return list(revisions.order_by("approved_go_live_at", "pk").values_list("pk", flat=True)[:1])

    def _queries(self, screen: str, values: dict[str, Any]) -> list[str]:
        world, name = self._world, screen.rpartition(":")[2]
        if name == "wagtail_bulk_action":
            known = {"page": [world.pages["de-edited"]], "siteimage": [world.picture], "document": [world.document]}
            ids = known.get(values["model_name"]) or world.rows.get(values["model_name"], [])
            return [f"?{'&'.join(f'id={id}' for id in ids)}"]
        if name == "studio_restore_version":
            key = Page.objects.get(pk=world.pages["de-edited"]).translation_key
            kinds = ("redirect&key=/old", "menu&key=main", "footer&key=main", "rate_card&key=main", f"page&key={key}")
            return [*(f"?site=de&kind={kind}" for kind in kinds), "?kind=review&key=german2", "?kind=phone&key=main"]
        return {
            "reorder": ["?position=0", "?position=1"],
            "set_page_position": ["?position=0"],
            "studio_replace": ["?q=Company&sites=de&sites=en&find=Company&replacement=Firm"],
        }.get(name, [""])

    def by_hand(self, screen: str, url: str) -> Iterator[dict[str, Any]]:
        """Yield the data that studio scripts send, or a person who calls the URL directly."""
        pages, collection = self._world.pages, Collection.get_first_root_node().pk
        picture, document = f"image-{self._world.picture}", f"doc-{self._world.document}"
        if screen != "studio_change_set_step":
            yield {}
        match screen:
            case "studio_redirects_import":
                yield from ({"text": text, "mark": plan_import(text, self._user).mark} for text in _FILES)
            case "studio_change_set_step":
                row = ChangeSet.objects.get(pk=int(url.split("/")[-3]))
                yield {"seen": mark_of(row.items.all()), "at": "2030-01-01T10:00"}
            case "wagtailadmin_api:pages:action":
                locale = SiteRecord.objects.get(key="uk").locale.language_code
                below = {"destination_page_id": pages["de-folder"], "position": "last-child"}
                yield {**below, "slug": "fresh", "update_slug": "fresh", "keep_live": True, "recursive": False}
                yield {"locale": locale, "alias": True, "copy_parents": True, "recursive": False}
            case "wagtailadmin_pages:copy":
                copied = {"new_title": "Fresh", "new_slug": "fresh", "new_parent_page": pages["de-home"]}
                yield {**copied, "publish_copies": "on"}
                yield {**copied, "alias": "on"}
            case "studio_fallbacks":
                yield {"de:": "original"}
            case "studio_translations_original":
                key = Page.objects.get(pk=pages["en-edited"]).translation_key
                yield {"cell": f"{key}:de", "original": "original"}
            case "studio_tree_order":
                yield {"up": pages["de-open"]}
                yield {"page": pages["de-open"], "before": pages["de"]}
            case "wagtailimages:edit_multiple":
                file = SimpleUploadedFile("other.svg", OTHER_PICTURE)
                yield {f"{picture}-title": "Other", f"{picture}-collection": collection, f"{picture}-file": file}
            case "wagtaildocs:edit_multiple":
                file = SimpleUploadedFile("other.pdf", PDF + b" other")
                yield {f"{document}-title": "Other", f"{document}-collection": collection, f"{document}-file": file}
