"""Make damaged files of live builds again from their inputs.

The next publish renders their pages, draws their images and stores their scripts. The result is the same files, so no
new build goes live.
"""

from collections.abc import Collection, Mapping
from typing import Final

from ..domain.routes import page_data_path
from .addresses import Addresses
from .site_build import LiveBuild

FILES_AT_ONCE: Final = 60
"""Number of files that one publish repairs. A small publish is quick, so edits need not wait for the whole repair."""


def mark_damaged(
    live: Mapping[str, LiveBuild], damaged: Collection[str], web_files: Collection[str], addresses: Addresses
) -> None:
    """Let the next publish make these files again.

    ``web_files``: paths that are stored again in any case.

    Pages with a damaged file or sharing image are rendered. If the file belongs to a whole site, such as its sitemap,
    the site is assembled again from its existing pages.
    """
    digests = frozenset(damaged)
    for build in live.values() if digests else ():
        paths = {path for path, file in build.manifest.files.items() if file.digest in digests} - {*web_files}
        if not paths or build.inputs is None:  # without inputs every page is rendered anyway
            continue
        known, index = build.inputs.pages, build.index(addresses)
        pages = {path for path in known if path in paths or page_data_path(path) in paths}
        others = paths - pages - {page_data_path(path) for path in pages}
        for path in others:
            pages |= index.with_picture(path)
        for path in pages:
            known[path] = known[path]._replace(content="")
        if any(not index.with_picture(path) for path in others):
            build.inputs.rules = ""
        build.is_settled = False
        build.forget_index()
