"""Scripts and words of the preview that one works in (``static/studio/on-page.js``)."""

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
    "on-page.js",
)


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
            "{block}. Enter opens its form, F2 writes its texts here, Alt and an arrow move it, Delete deletes it."
        ),
        "undo": gettext("Undo"),
        "backToPreview": gettext("Back to the preview"),
        "here": gettext("{who} is here"),
        "hereToo": gettext("{who} is here too"),
        "formatting": gettext("Tools of the text that is written here"),
        "inPlace": _say_in_place(),
        "moved": gettext("It is block {place} of {count} now."),
        "copied": gettext("“{block}” is copied. Paste it on this page or on another, of any site."),
        "notCopied": gettext(
            "It is not copied: the browser keeps nothing for the studio, or has no room. Allow it to."
        ),
        "duplicated": gettext("“{block}” stands there twice."),
        "full": gettext("The page has a “{block}” already, and cannot hold another. Delete that one first."),
        "nothingCopied": gettext("Nothing is copied yet. Choose a block, here or on another page, and copy it."),
        "notOffered": gettext("A page of this type cannot hold “{block}”. Paste it on another page."),
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
            "bold": gettext("Bold (Ctrl+B)"),
            "italic": gettext("Italic (Ctrl+I)"),
            "link": gettext("Link the chosen words, in the form (Ctrl+K)"),
        },
    }


def _say_in_place() -> dict[str, str]:
    return {
        "richText": gettext(
            "You write on the page, and the form follows. Tab goes on to the next text, Enter begins a paragraph in the form, "
            "Escape undoes your typing."
        ),
        "undone": gettext("Your typing is undone."),
        "fromElsewhere": gettext(
            "This text cannot be written here: it stands in none of this block's fields. Its form is open; what comes "
            "from an entry or from another page is written there."
        ),
        "notAsOne": gettext(
            "This text cannot be written here: other lines stand in it. Its field is open, with all of them."
        ),
        "noStyle": gettext("This field has no such style."),
        "chooseWords": gettext("Choose the words first."),
        "linkInForm": gettext(
            "Links are made in the form, where pages can be chosen. Your words are chosen there: press Ctrl+K."
        ),
        "paragraphInForm": gettext("Paragraphs are begun in the form. You are there, in the new one."),
        "pastedInForm": gettext("You pasted several paragraphs. They stand in the form, where you are now."),
    }
