"""Documents that were deleted, or put into a private collection. A page that offers one waits until an editor has corrected it,
and stays as it is; the file must not wait.
"""

from typing import Any

import orjson

from ..releases.reader import ReleaseReader


class WithdrawnDocuments:
    def __init__(self, reader: ReleaseReader) -> None:
        self._reader = reader
        self._mark: Any = None
        self._found: frozenset[str] = frozenset()

    def find(self) -> frozenset[str]:
        """Addresses that documents had in some release, and none of them is in the newest one. A file that was replaced is
        not among them: its document is there."""
        mark = self._reader.documents_mark()
        if mark != self._mark:
            there: set[str] = set()
            gone: set[str] = set()
            for body, is_there in self._reader.every_document():
                (there if is_there else gone).add(orjson.loads(body).get("url", ""))
            self._mark, self._found = mark, frozenset(gone - there)
        return self._found
