"""Serve unpublished uploads to users of the studio."""

from pathlib import Path, PurePosixPath
from typing import Final

from django.conf import settings
from django.core.files.storage import default_storage
from django.http import FileResponse, Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from wagtail.admin.auth import permission_denied, reject_request, require_admin_access
from wagtail.documents.models import Document
from wagtail.models import CollectionViewRestriction

from ..content.documents import find_upload
from ..domain.media_addresses import MEDIA, read_media_name
from ..edge.headers import Headers
from ..edge.media import media_headers, read_media
from ..edge.replies import FileReply

_KEPT: Final = "private, max-age=3600"
_PASSWORD: Final = CollectionViewRestriction.PASSWORD


@require_admin_access
def show_media(request: HttpRequest, name: str) -> HttpResponseBase:
    """Return a private file below ``/media/``: a thumbnail, an original, or a document that no page offers."""
    address = f"{MEDIA}{name}"
    document = find_upload(address)
    if document is not None and (refusal := check_collection(document, request)):
        return refusal
    response = read_file(address)
    response["Cache-Control"] = _KEPT
    return response


def read_file(address: str) -> HttpResponseBase:
    """Return any stored file. The caller must check the rights. Raises Http404."""
    return _read_folder(address) if settings.MEDIA_ROOT else _read_storage(address)


def _read_folder(address: str) -> HttpResponseBase:
    reply = read_media((Path(settings.MEDIA_ROOT),), address, (None,), now=0)
    if reply is None:
        raise Http404("There is no such file.")
    if isinstance(reply, FileReply):
        file = open(reply.path, "rb")  # noqa: SIM115, PTH123  (the response closes it)
        return _with_headers(FileResponse(file), reply.start["headers"])
    return _with_headers(HttpResponse(reply.body["body"]), reply.start["headers"])


def _read_storage(address: str) -> HttpResponseBase:
    name = read_media_name(address)
    try:
        file = default_storage.open(name) if name else None
    except FileNotFoundError:
        file = None
    if name is None or file is None:
        raise Http404("There is no such file.")
    return _with_headers(FileResponse(file), media_headers(PurePosixPath(name).suffix.lower()))


def _with_headers(response: HttpResponseBase, headers: Headers) -> HttpResponseBase:
    for field, value in headers:
        response[field.decode()] = value.decode("latin-1")
    return response


def check_reader(document: Document, request: HttpRequest) -> HttpResponseBase | None:
    """Hook: check access before Wagtail's document view, which is for visitors. Our visitors get the published copy."""

    if not request.user.has_perms(["wagtailadmin.access_admin"]):
        refusal: HttpResponseBase = reject_request(request)
        return refusal
    return check_collection(document, request)


def check_collection(document: Document, request: HttpRequest) -> HttpResponseBase | None:
    """Refuse access if the document's collection is for other groups. Wagtail asks for passwords itself."""
    for restriction in document.collection.get_view_restrictions():
        if restriction.restriction_type != _PASSWORD and not restriction.accept_request(request):
            refusal: HttpResponseBase = permission_denied(request)
            return refusal
    return None
