"""Scripts and texts of the editable preview (``static/studio/on-page.js``)."""

from typing import Final

from django.templatetags.static import static
from django.utils.html import format_html, format_html_join, json_script
from django.utils.safestring import SafeString
from django.utils.translation import gettext

_SCRIPTS: Final = (
    "folded-blocks.js",
    "block-fields.js",
    "block-tools.js",
    "rich-text-line.js",
    "edit-in-place.js",
    "presence.js",
    "inheritance.js",
    "on-page.js",
)


def add_scripts() -> SafeString:
    scripts = format_html_join("", '<script src="{}"></script>', ((static(f"studio/{name}"),) for name in _SCRIPTS))
    return format_html("{}{}", json_script(_say(), "studio-on-page-words"), scripts)


def add_styles() -> SafeString:
    styles = ((static(f"studio/{name}"),) for name in ("on-page.css", "merging.css", "inheritance.css"))
    return format_html_join("", '<link rel="stylesheet" href="{}">', styles)


def _say() -> dict[str, object]:
    return {
        "style": static("studio/on-page-preview.css"),
        "toolbar": gettext("Tools of the selected block"),
        "choose": gettext("Select a block below"),
        "reach": gettext(
            "{block}. Enter opens its form, F2 edits its text here, Alt and an arrow key move it, Delete deletes it."
        ),
        "undo": gettext("Undo"),
        "backToPreview": gettext("Back to the preview"),
        "here": gettext("{who} is here"),
        "hereToo": gettext("{who} is here too"),
        "formatting": gettext("Tools of the text you are editing"),
        "inPlace": _say_in_place(),
        "moved": gettext("Moved to position {place} of {count}."),
        "copied": gettext("“{block}” is copied. Paste it on this or another page, on any site."),
        "notCopied": gettext(
            "Copying failed: the browser has no storage for the studio. Allow storage for this site, or free "
            "some space."
        ),
        "duplicated": gettext("“{block}” is duplicated."),
        "full": gettext("This page already has a “{block}” and allows only one. Delete that block first."),
        "nothingCopied": gettext("The clipboard is empty. Select a block here or on another page and copy it."),
        "notOffered": gettext("This page type does not allow “{block}”. Paste it on another page."),
        "pasted": gettext("“{block}” is pasted."),
        "notPasted": gettext(
            "“{block}” cannot be pasted: it was copied in another version of the studio. Copy it again."
        ),
        "deleted": gettext("“{block}” is deleted."),
        "isBack": gettext("“{block}” is restored."),
        "tools": {
            "open": gettext("Open form"),
            "up": gettext("Move up"),
            "down": gettext("Move down"),
            "before": gettext("Add block before"),
            "after": gettext("Add block after"),
            "duplicate": gettext("Duplicate"),
            "copy": gettext("Copy block"),
            "paste": gettext("Paste after"),
            "delete": gettext("Delete"),
            "bold": gettext("Bold (Ctrl+B)"),
            "italic": gettext("Italic (Ctrl+I)"),
            "link": gettext("Link the selected words in the form (Ctrl+K)"),
        },
    }


def _say_in_place() -> dict[str, str]:
    return {
        "richText": gettext(
            "You edit on the page, and the form follows. Tab goes to the next text, Enter starts a paragraph in "
            "the form, Escape undoes your edit."
        ),
        "undone": gettext("Your edit is undone."),
        "fromElsewhere": gettext(
            "You cannot edit this text here, because it is outside of the fields of this block. It may come from "
            "an entry or another page. The form of the block is open."
        ),
        "notAsOne": gettext(
            "You cannot edit this text here: its field has several lines. The field is open in the form."
        ),
        "noStyle": gettext("This field does not support that style."),
        "chooseWords": gettext("Select the words first."),
        "linkInForm": gettext("Add links in the form. Your words are selected there: press Ctrl+K."),
        "paragraphInForm": gettext("Paragraphs start in the form. The cursor is there, in the new paragraph."),
        "pastedInForm": gettext("You pasted several paragraphs. They are in the form, and so is the cursor."),
    }
