"""Manifests: one build of one site, as URL paths and their files.

A manifest is written as the difference from the previous build's, if ``chain.py`` allows.
"""

import re
import secrets
from collections.abc import Iterable, Mapping, MutableMapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from sys import intern
from typing import Any, Final, NamedTuple

import orjson

from ..domain.media_addresses import DOCUMENTS
from ..domain.redirects import Redirect, is_sound, own_path
from .chain import Chain
from .disk import make_folder, sync_folder, write_whole
from .documents import find_documents
from .overlay import Overlay, difference
from .signing import NO_KEYS, Keys
from .store import ContentStore, digest_of

KEEP_BUILDS: Final = 20
KEEP_DAYS: Final = 7
"""Earlier builds are kept for going back and for open tabs: the last 20, or those of 7 days, whichever is more."""

CARRIED_PREFIXES: Final = ("/assets/", "/page-data/sq/d/")
"""Files named by their content. An open tab continues to request those of its own build."""

_OF_MANY: Final = ""
"""Replaces a page's path for documents from manifests of older versions, which recorded no pages."""

_DIGEST = re.compile(rb',"digest":"([0-9a-f]{32})"(?:,"signature":"[^"]*")?}$')
_NAME = re.compile(r"^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$")
_SEGMENT = r"(?!\.{1,2}(?:/|$))[^/\x00-\x20\x7f\\%?#]+"
_URL_PATH = re.compile(rf"/(?:{_SEGMENT}(?:/{_SEGMENT})*)?")


class BuildError(Exception):
    """A build cannot be written, read or put live.

    The message names it, the reason and the remedy.
    """


class File(NamedTuple):
    digest: str
    content_type: str
    size: int


class Carried(NamedTuple):
    """A file of an earlier build that this build lacks, kept for open tabs."""

    digest: str
    content_type: str
    size: int
    since: str
    """Creation time of the first build without it (ISO)."""
    number: int
    """That build's number."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Manifest:
    """A build of one site.

    ``files`` are its own; ``carried`` is computed when the manifest is written.
    """

    site: str
    build: str
    release: int
    web: str
    created: str
    """ISO time with offset."""
    html_headers: Mapping[str, str]
    """Sent with every HTML file."""
    files: Mapping[str, File]
    carried: Mapping[str, Carried] = field(default_factory=dict)
    documents: Mapping[str, Sequence[str]] | None = None
    """URL paths of the documents that each page or redirect links to, by its path; computed when the manifest is
    written. None in manifests of older versions.
    """
    redirects: Mapping[str, Redirect] = field(default_factory=dict)
    """Redirects by path, as ``spell`` writes it, or by wildcard. They apply to paths without a page
    (``domain.redirects``)."""
    number: int = 0
    """Builds of a site are numbered from 1."""

    def file(self, path: str) -> File | Carried | None:
        """Return the file served at a URL path."""
        return self.files.get(path) or self.carried.get(path)

    def every_file(self) -> Iterable[tuple[str, File | Carried]]:
        yield from self.files.items()
        yield from self.carried.items()


class BuildHead(NamedTuple):
    """A manifest without its files, which is enough to list and choose builds."""

    site: str
    build: str
    number: int
    parent: str | None
    chain: Chain | None
    """None in manifests of older versions. The next manifest is then written whole."""
    release: int
    web: str
    created: str
    html_headers: Mapping[str, str]
    check: str
    """Digest of the manifest's body, which reveals a flipped byte before it is served."""


def write_manifest(
    root: Path,
    manifest: Manifest,
    parent: Manifest | None,
    documents: Mapping[str, Sequence[str]] | None = None,
    keys: Keys = NO_KEYS,
) -> Manifest:
    """Write a manifest durably, and return it with its number and carried files.

    It is signed if ``keys`` can. ``parent`` is the live build, None for a site's first. To go back to an earlier
    build, write its files again under a new name, with the live build as parent. Open tabs of the later build then
    still work.

    ``documents``: known paths of offered documents, by digest of the HTML. All other pages are read.
    """
    _check_head(manifest)
    manifest = replace(
        manifest,
        number=parent.number + 1 if parent else 1,
        carried=_find_carried(manifest, parent) if parent else {},
    )
    manifest = replace(manifest, documents=_documents(root, manifest, parent, documents or {}))
    known = _chain_of(root, parent) if parent else None
    body = _pack_body(manifest, parent) if parent and known else b""
    chain = known.longer(len(body)) if known else None
    base = parent if chain else None
    if chain is None:
        body = _pack_body(manifest, None)
        chain = Chain(0, len(body), 0)
    head = orjson.dumps(
        {
            "site": manifest.site,
            "build": manifest.build,
            "number": manifest.number,
            "parent": base.build if base else None,
            **chain._asdict(),
            "release": manifest.release,
            "web": manifest.web,
            "created": manifest.created,
            "htmlHeaders": dict(manifest.html_headers),
            "check": digest_of(body),
        }
    )
    folder = manifests_folder(root, manifest.site)
    make_folder(folder)
    _write(root, manifest.site, manifest.build, keys.seal(_with_digest(head)), body)
    sync_folder(folder)
    return manifest


def _write(root: Path, site: str, build: str, head: bytes, body: bytes) -> None:
    """Write one JSON document in two lines.

    The first is enough to list builds and to check the second.
    """
    write_whole(str(manifest_path(root, site, build)), head[:-1] + b",\n" + body[1:] + b"\n", 0o644, True)


def sign_manifest(root: Path, site: str, build: str, keys: Keys) -> bool:
    """Sign an intact manifest.

    Return False if it is signed already. Raise BuildError if it is unreadable.
    """
    line, body = _split(root, site, build)
    _read(root, site, build)
    if keys.find_problem(line) is None:
        return False
    document = orjson.loads(line)
    for name in ("digest", "signature"):
        document.pop(name, None)
    _write(root, site, build, keys.seal(_with_digest(orjson.dumps(document))), body)
    return True


def _pack_body(manifest: Manifest, base: Manifest | None) -> bytes:
    files, removed = difference(manifest.files, base.files if base else {})
    _check_paths(files)
    redirects, unredirected = difference(manifest.redirects, base.redirects if base else {})
    _check_redirects(redirects)
    carried, dropped = difference(manifest.carried, base.carried if base else {})
    documents = manifest.documents or {}
    return orjson.dumps(
        {
            "files": _rows(files),
            "removed": sorted(removed),
            "carried": _rows(carried),
            "dropped": sorted(dropped),
            "documents": {
                path: documents[path] for path in ((*files, *redirects) if base else documents) if path in documents
            },
            "redirects": _rows(redirects),
            "unredirected": sorted(unredirected),
        }
    )


def _rows(named: Mapping[str, tuple[Any, ...]]) -> dict[str, tuple[Any, ...]]:
    return {path: tuple(row) for path, row in named.items()}  # orjson cannot serialise named tuples


def read_manifest(root: Path, site: str, build: str, known: Manifest | None = None, keys: Keys = NO_KEYS) -> Manifest:
    """Return a build with all its files.

    ``known`` is a manifest in memory: manifests up to it need not be read, and unchanged parts are shared with it.
    Raise BuildError if this manifest or one that it is based on is missing, damaged, or not signed with one of
    ``keys``.
    """
    layers = []
    wanted: str | None = build
    while wanted is not None and not (known and known.site == site and known.build == wanted):
        head, body = _read(root, site, wanted, keys)
        layers.append((head, body))
        wanted = head.parent
    if not layers:
        assert known
        return known
    below = known if wanted else None
    files: MutableMapping[str, File] = Overlay(below.files) if below else {}
    carried: MutableMapping[str, Carried] = Overlay(below.carried) if below else {}
    redirects: MutableMapping[str, Redirect] = Overlay(below.redirects) if below else {}
    documents: MutableMapping[str, Sequence[str]] | None = {}
    if below:
        documents = None if below.documents is None else Overlay(below.documents)
    for _, body in reversed(layers):
        for path in body["removed"]:
            files.pop(path, None)
        for path in body["dropped"]:
            carried.pop(path, None)
        files.update({path: File(digest, intern(type), size) for path, (digest, type, size) in body["files"].items()})
        for path, (digest, content_type, size, since, number) in body["carried"].items():
            carried[path] = Carried(digest, intern(content_type), size, since, number)
        for path in body.get("unredirected", ()):  # manifests of older versions have no redirects
            redirects.pop(path, None)
        for path, (status, target) in body.get("redirects", {}).items():
            redirects[path] = Redirect(status, target)
        documents = _follow_documents(documents, body)
    head = layers[0][0]
    return Manifest(
        site=site,
        build=build,
        release=head.release,
        web=head.web,
        created=head.created,
        html_headers=head.html_headers,
        files=files,
        carried=carried,
        documents=documents,
        redirects=redirects,
        number=head.number,
    )


def documents_of(root: Path, manifest: Manifest) -> frozenset[str]:
    """Return the URL paths of the documents that a build's pages offer."""
    if manifest.documents is not None:
        return frozenset().union(*manifest.documents.values())
    pages = (file.digest for file in manifest.files.values() if _is_html(file.content_type))
    return find_documents(ContentStore(root), pages)


def _documents(
    root: Path, manifest: Manifest, parent: Manifest | None, seen: Mapping[str, Sequence[str]]
) -> Mapping[str, Sequence[str]]:
    """Return the documents that each page or redirect links to.

    Pages that are the same in the parent, or ``seen`` (by digest), are not read.
    """
    known = parent if parent and parent.documents is not None and _OF_MANY not in parent.documents else None
    found: MutableMapping[str, Sequence[str]] = Overlay(known.documents if known else None)
    files, removed = difference(manifest.files, known.files if known else {})
    redirects, unredirected = difference(manifest.redirects, known.redirects if known else {})
    for path in (*removed, *unredirected, *files, *redirects):
        found.pop(path, None)
    store = ContentStore(root)  # one for all, because each opens its own files
    for path, file in files.items():
        if not _is_html(file.content_type):
            continue
        offered = seen[file.digest] if file.digest in seen else sorted(find_documents(store, [file.digest]))
        if offered:
            found[path] = tuple(offered)
    for path, redirect in redirects.items():
        target = own_path(redirect.target)
        if target and target.startswith(DOCUMENTS):
            found[path] = (target,)
    return found


def _follow_documents(
    before: MutableMapping[str, Sequence[str]] | None, body: Mapping[str, Any]
) -> MutableMapping[str, Sequence[str]] | None:
    """Return the documents offered after a further difference, or None if unknown.

    Older versions stored a plain list, which stays until the next whole manifest, or stored no documents.
    """
    noted = body.get("documents")
    if before is None or noted is None:
        return None
    if isinstance(noted, list):
        before[_OF_MANY] = (*before.get(_OF_MANY, ()), *noted)
        return before
    for path in (*body["removed"], *body["files"], *body["unredirected"], *body["redirects"]):
        before.pop(path, None)
    for path, offered in noted.items():
        before[path] = tuple(offered)
    return before


class Mentioned(NamedTuple):
    """Digests and documents that one manifest names.

    A build also has files of the manifests that it is based on.
    """

    digests: set[str]
    documents: set[str]


def read_mentioned(root: Path, site: str, build: str) -> Mentioned:
    """Read one manifest without those it is based on.

    Raise BuildError if it or the one below is missing or damaged.
    """
    head, body = _read(root, site, build)
    if head.parent is not None:
        read_head(root, site, head.parent)
    digests = {row[0] for part in ("files", "carried") for row in body[part].values()}
    documents = body.get("documents")
    if isinstance(documents, dict):
        return Mentioned(digests, {address for offered in documents.values() for address in offered})
    return Mentioned(digests, set(documents or documents_of(root, read_manifest(root, site, build))))


def read_head(root: Path, site: str, build: str) -> BuildHead:
    """Return a build without its files. Raise BuildError if it is unreadable."""
    try:
        with manifest_path(root, site, build).open("rb") as file:
            return _head(file.readline().rstrip(b"\n,") + b"}")
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise _unreadable(site, build, error) from error


def is_readable(root: Path, site: str, build: str, keys: Keys = NO_KEYS) -> bool:
    """Return True if the manifest is intact and signed with one of ``keys``.

    Those it is based on are not checked.
    """
    try:
        _read(root, site, build, keys)
    except BuildError:
        return False
    return True


def parent_of(data: bytes) -> str | None:
    """Return the build that a manifest is based on, or None.

    Raise BuildError if the bytes are no manifest.
    """
    try:
        return _head(data.partition(b"\n")[0].rstrip(b",") + b"}").parent
    except (ValueError, KeyError, TypeError) as error:
        raise BuildError(f"A manifest cannot be read ({error}).") from error


def list_builds(root: Path, site: str) -> list[BuildHead]:
    """Return the kept builds of a site, newest first."""
    builds = [read_head(root, site, file.stem) for file in manifests_folder(root, site).glob("*.json")]
    return sorted(builds, key=lambda head: (head.created, head.number, head.build), reverse=True)


def list_readable(root: Path, site: str) -> list[BuildHead]:
    """Return the same, without builds whose head is unreadable."""
    found = []
    for file in manifests_folder(root, site).glob("*.json"):
        with suppress(BuildError):
            found.append(read_head(root, site, file.stem))
    return sorted(found, key=lambda head: (head.created, head.number, head.build), reverse=True)


def manifests_folder(root: Path, site: str) -> Path:
    return root / "manifests" / site


def manifest_path(root: Path, site: str, build: str) -> Path:
    return manifests_folder(root, site) / f"{build}.json"


def check_signature(data: bytes, name: str, keys: Keys) -> None:
    """Check the signature of a manifest's bytes.

    Raise BuildError if it is missing or wrong.
    """
    if problem := keys.find_problem(data.partition(b"\n")[0].rstrip(b",") + b"}"):
        raise BuildError(
            f"The manifest of {name} is refused: {problem}. If the publisher's key is new, run `portolan sign` there. "
            "Otherwise someone else has written the manifest: check who can write there."
        )


def _read(root: Path, site: str, build: str, keys: Keys = NO_KEYS) -> tuple[BuildHead, dict[str, Any]]:
    try:
        line, body = _split(root, site, build)
        head = _head(line)
        if digest_of(body) != head.check:
            raise ValueError("its list of files has changed")
        if (head.site, head.build) != (site, build):
            raise ValueError(f"it belongs to build {head.build} of site {head.site}")
        if problem := keys.find_problem(line):
            raise ValueError(f"{problem}; if the publisher's key is new, run `portolan sign` there")
        return head, orjson.loads(body)
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise _unreadable(site, build, error) from error


def _split(root: Path, site: str, build: str) -> tuple[bytes, bytes]:
    """Return the two lines of the manifest, each as a JSON document."""
    try:
        first, _, second = manifest_path(root, site, build).read_bytes().partition(b"\n")
    except OSError as error:
        raise _unreadable(site, build, error) from error
    return first.rstrip(b",") + b"}", b"{" + second.rstrip(b"\n")


def _with_digest(head: bytes) -> bytes:
    """Return the head with a digest of itself."""
    return b'%s,"digest":"%s"}' % (head[:-1], digest_of(head).encode())


def _head(document: bytes) -> BuildHead:
    """Parse a head.

    Raise ValueError if it has changed. Older versions wrote no digest of it.
    """
    if (noted := _DIGEST.search(document)) and digest_of(document[: noted.start()] + b"}") != noted[1].decode():
        raise ValueError("its head has changed")
    head = orjson.loads(document)
    return BuildHead(
        head["site"],
        head["build"],
        head["number"],
        head["parent"],
        Chain(head["depth"], head["whole"], head["above"]) if "whole" in head else None,
        head["release"],
        head["web"],
        head["created"],
        head["htmlHeaders"],
        head["check"],
    )


def _unreadable(site: str, build: str, error: Exception) -> BuildError:
    reason = "it is missing" if isinstance(error, FileNotFoundError) else str(error)
    return BuildError(
        f"The manifest of build {build} of site {site} cannot be read ({reason}), so that build cannot be served. "
        "Publish again, or put another build live."
    )


def _chain_of(root: Path, parent: Manifest) -> Chain | None:
    """Return the chain to extend next, or None if the next manifest must be whole."""
    try:
        return read_head(root, parent.site, parent.build).chain
    except BuildError:
        return None


def _find_carried(manifest: Manifest, parent: Manifest) -> dict[str, Carried]:
    """Return content-named files that only open tabs of earlier builds may request."""
    number = parent.number + 1
    oldest = datetime.fromisoformat(manifest.created) - timedelta(days=KEEP_DAYS)
    carried = {
        path: file
        for path, file in parent.carried.items()
        if path not in manifest.files
        and (number - file.number < KEEP_BUILDS or datetime.fromisoformat(file.since) >= oldest)
    }
    for path in sorted(difference(manifest.files, parent.files)[1]):
        if path.startswith(CARRIED_PREFIXES):
            carried[path] = Carried(*parent.files[path], since=manifest.created, number=number)
    return carried


def _check_head(manifest: Manifest) -> None:
    if not _NAME.match(manifest.site) or not _NAME.match(manifest.build):
        raise BuildError(f"{manifest.site!r} and {manifest.build!r} must be plain names: they become a file's path.")
    if datetime.fromisoformat(manifest.created).tzinfo is None:
        raise BuildError(f"{manifest.created!r} lacks its offset from UTC; builds are kept by their age.")


def _check_paths(paths: Iterable[str]) -> None:
    wrong = next((path for path in paths if not _URL_PATH.fullmatch(path)), None)
    if wrong is not None:
        raise BuildError(
            f"{wrong!r} cannot be a file of a build: URL paths start with a slash and have no empty or dot segments, "
            "no backslashes, spaces or escapes. Correct the page's path."
        )


def _check_redirects(redirects: Mapping[str, tuple[Any, ...]]) -> None:
    for path, (status, target) in redirects.items():
        if not is_sound(path, Redirect(status, target)):
            raise BuildError(
                f"{path!r} cannot be redirected to {target!r} with status {status}: a redirect links a path to a path "
                "of the same site or to a web address. Correct the redirect."
            )


def _is_html(content_type: str) -> bool:
    return content_type.startswith("text/html")


def name_build(created: str, release: int) -> str:
    """Return a new name.

    Names sort by creation time. ``created``: ISO time with offset.
    """
    moment = datetime.fromisoformat(created).astimezone(UTC)
    return f"{moment:%Y%m%d-%H%M%S}-{release}-{secrets.token_hex(3)}"


def now_iso() -> str:
    """Return the current time in the format of manifests and the live pointer."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")
