"""Write every translated text of an exported file back into its page in memory: `python -m e2e.rewritten_translations FILE`.

Prints the number of texts. Exits with 1 if a byte of a page's streams or fields differs.
"""

import json
import sys
from collections import defaultdict
from pathlib import Path
from typing import Any
from uuid import UUID

from portolan.config.start_django import start_django


def main(file: Path) -> None:
    start_django()
    from portolan.translations.exchange.files import read_file
    from portolan.translations.exchange.inline import join
    from portolan.translations.exchange.pages import draft_of, find_ids_by_key, find_roots, load_pairs
    from portolan.translations.segments import match, read_segments, with_segments

    languages, returned = read_file(file)
    source, site = find_roots(languages.site)
    by_page: dict[UUID, dict[str, Any]] = defaultdict(dict)
    for unit in returned:
        if unit.target:
            by_page[unit.page][unit.path] = unit.target
    count = 0
    for pair in load_pairs(find_ids_by_key(source, list(by_page)), site):
        draft = draft_of(pair.page)
        segments = {segment.path: segment for segment in read_segments(pair.source, with_empty=True)}
        pairs = match(list(segments.values()), read_segments(draft, with_empty=True))
        targets = by_page[pair.source.translation_key]
        texts = {pairs[path]: join(parts, segments[path].kind) for path, parts in targets.items()}
        before = _bytes(draft)
        with_segments(draft, dict.fromkeys(texts, "?"))
        if _bytes(draft) == before:
            sys.exit(f"No text of {draft} was written.")
        if _bytes(with_segments(draft, texts)) != before:
            sys.exit(f"The page {draft} differs.")
        count += len(texts)
    print(count)


def _bytes(page: Any) -> str:
    return json.dumps(page.serializable_data(), sort_keys=True, default=str)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
