"""Scripts and words of the preview that one works in (``static/studio/on-page.js``)."""

from typing import Final

from django.templatetags.static import static
from django.utils.html import format_html, format_html_join, json_script
from django.utils.safestring import SafeString
from django.utils.translation import gettext

_SCRIPTS: Final = ("folded-blocks.js", "block-fields.js", "block-tools.js", "edit-in-place.js", "on-page.js")


def add_scripts() -> SafeString:
    scripts = format_html_join("", '<script src="{}"></script>', ((static(f"studio/{name}"),) for name in _SCRIPTS))
    return format_html("{}{}", json_script(_say(), "studio-on-page-words"), scripts)


def add_styles() -> SafeString:
    styles = ((static(f"studio/{name}"),) for name in ("on-page.css", "merging.css"))
    return format_html_join("", '<link rel="stylesheet" href="{}">', styles)


def _say() -> dict[str, object]:
    return {
        "style": static("studio/on-page-preview.css"),
        "toolbar": gettext("Tools of the chosen block"),
        "choose": gettext("Choose a block below"),
        "reach": gettext(
            "{block}. Enter opens its form, F2 writes its heading here, Alt and an arrow move it, Delete deletes it."
        ),
        "undo": gettext("Undo"),
        "moved": gettext("It is block {place} of {count} now."),
        "copied": gettext("“{block}” is copied. Paste it on this page or on another, of any site."),
        "notCopied": gettext(
            "It is not copied: the browser keeps nothing for the studio, or has no room. Allow it to."
        ),
        "duplicated": gettext("“{block}” stands there twice."),
        "full": gettext("The page has a “{block}” already, and cannot hold another. Delete that one first."),
        "nothingCopied": gettext("Nothing is copied yet. Choose a block, here or on another page, and copy it."),
        "notOffered": gettext("A page of this family cannot hold “{block}”. Paste it on another page."),
        "pasted": gettext("“{block}” is pasted."),
        "notPasted": gettext(
            "“{block}” cannot be pasted: it was copied in another version of the studio. Copy it again."
        ),
        "deleted": gettext("“{block}” is deleted."),
        "isBack": gettext("“{block}” is back."),
        "tools": {
            "open": gettext("Open its form"),
            "up": gettext("Move up"),
            "down": gettext("Move down"),
            "before": gettext("Add a block before it"),
            "after": gettext("Add a block after it"),
            "duplicate": gettext("Duplicate"),
            "copy": gettext("Copy, to paste elsewhere"),
            "paste": gettext("Paste after it"),
            "delete": gettext("Delete"),
        },
    }
