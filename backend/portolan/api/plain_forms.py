"""Accept forms of browsers without scripts, outside the content API, which needs headers.

The sender is redirected to the page, which then shows its thanks. If the form is rejected, the reply is the page with
the visitor's input and the errors.
"""

import re
from collections.abc import Iterable
from tempfile import SpooledTemporaryFile
from typing import Final
from urllib.parse import urlsplit

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.views.decorators.csrf import csrf_exempt

from ..builds.integrity import read_whole
from ..builds.live import read_live
from ..builds.manifest import BuildError, read_manifest
from ..builds.store import ContentStore
from ..domain.plain_forms import DONE_PARAMETER, FORM_PATH, PAGE_PARAMETER, done_location
from ..leads.accept import Post, accept_lead
from ..leads.body import LARGEST_BODY
from ..leads.plain_form import read_typed
from ..leads.refusals import BODY_TOO_LARGE, LeadNotStored, LeadRefused
from .client_limits import count_request, require_share, weigh_body
from .filled_page import fill_page
from .own_pages import find_sending_site
from .patience import wait_not_long
from .problems import METHOD_NOT_ALLOWED, UNAVAILABLE, ApiProblem, ProblemKind, problem_response

_METHOD: Final = "POST"
_SEE_OTHER: Final = 303
_IN_MEMORY: Final = 1 << 20
_CHUNK: Final = 64 << 10
_RETRY_AFTER_S: Final = 60
_FILES: Final = "attachments"
_PAGE_URL: Final = "pageUrl"
_HOME: Final = "/"
_PATH: Final = re.compile(r"/(?:[\w.-]+(?:/[\w.-]+)*)?")

CROSS_ORIGIN: Final = ProblemKind(
    403,
    "cross-origin",
    "A form does not come from a page of its site.",
    "Send a form from a page of the same site.",
)
NOT_TAKEN: Final = ProblemKind(
    422,
    "form-not-taken",
    "The form was rejected, and its page is on none of our sites.",
    "The form was not accepted. Go back and check your input.",
)


@csrf_exempt
def take_form(request: HttpRequest) -> HttpResponse:
    """Return 303 to the page's thanks, or the page: with 422 if the form has errors, 503 if the error is ours."""
    if request.method != _METHOD:
        refusal = METHOD_NOT_ALLOWED.response(path=request.path, allowed=_METHOD)
        refusal["Allow"] = _METHOD
        return refusal
    try:
        require_share(request, "lead_flood", weigh_body(request))
        site = find_sending_site(request, CROSS_ORIGIN)
    except ApiProblem as problem:
        return problem_response(problem.status, problem.code, problem.detail, retry_after_s=problem.retry_after_s)
    response = _take(request, site)
    response["Cache-Control"] = "no-store"
    return response


def _take(request: HttpRequest, site: str) -> HttpResponse:
    is_multipart = request.content_type == "multipart/form-data"
    boundary = (request.content_params or {}).get("boundary") if is_multipart else None
    with SpooledTemporaryFile(max_size=_IN_MEMORY) as body:
        size = 0
        while size <= LARGEST_BODY and (chunk := request.read(_CHUNK)):
            size += body.write(chunk)
        body.seek(0)
        post = Post(
            read=body.read,
            boundary=boundary,
            host=request.headers.get("Host", ""),
            is_over_limit=lambda: count_request(request, "leads") > 0,
            is_plain=True,
        )
        page = _find_page(request)
        wrong: Iterable[str] = ()
        try:
            wait_not_long()
            accept_lead(post)
        except LeadRefused as refused:
            status, wrong = NOT_TAKEN.status, [error.field for error in refused.errors]
            if refused.code == BODY_TOO_LARGE:
                wrong = [_FILES]  # only files can make the body so large
        except LeadNotStored:
            status = UNAVAILABLE.status
        else:
            body.seek(0)
            page = page or _read_own_page(request, read_typed(body.read, boundary))
            done = done_location(page, request.GET.get(DONE_PARAMETER, ""))
            return HttpResponseRedirect(done, status=_SEE_OTHER)
        body.seek(0)
        typed = read_typed(body.read, boundary)
    return _show_again(site, page or _read_own_page(request, typed), status, typed, wrong)


def _show_again(site: str, page: str, status: int, typed: list[tuple[str, str]], wrong: Iterable[str]) -> HttpResponse:
    found = _read_page(site, page)
    filled = found and fill_page(found[0], page, typed, wrong)
    if not found or not filled:
        return (UNAVAILABLE if status == UNAVAILABLE.status else NOT_TAKEN).response()
    headers = {**found[1], "Retry-After": str(_RETRY_AFTER_S)} if status == UNAVAILABLE.status else found[1]
    return HttpResponse(filled, status=status, content_type="text/html; charset=utf-8", headers=dict(headers))


def _read_page(site: str, page: str) -> tuple[str, dict[str, str]] | None:
    """Return the published page and its headers, or None."""
    builds = settings.BUILDS_DIR
    try:
        manifest = read_manifest(builds, site, read_live(builds).builds[site])
    except (BuildError, KeyError):
        return None
    file = manifest.files.get(page)
    is_html = file is not None and file.content_type.startswith("text/html")
    html = read_whole(ContentStore(builds), file) if file and is_html else None
    return (html.decode(), dict(manifest.html_headers)) if html is not None else None


def _find_page(request: HttpRequest) -> str:
    """Return the path of the form's page; some browsers omit the Referer, so it may be empty."""
    if named := request.GET.get(PAGE_PARAMETER):
        return _page_path(named)
    referer = urlsplit(request.headers.get("Referer", ""))
    is_page = referer.netloc == request.headers.get("Host") and referer.path not in ("", "/", FORM_PATH)
    return _page_path(referer.path) if is_page else ""


def _read_own_page(request: HttpRequest, typed: list[tuple[str, str]]) -> str:
    """Return the path that the form names, or the home page's if it is not on this site."""
    address = urlsplit(dict(typed).get(_PAGE_URL, ""))
    return _page_path(address.path) if address.netloc == request.headers.get("Host") else _HOME


def _page_path(path: str) -> str:
    return path if _PATH.fullmatch(path) else _HOME
