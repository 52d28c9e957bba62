"""Documents that were deleted or made private.

A page that offers one is blocked until an editor corrects it, but the file must be withdrawn at once.
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
        """Return URL paths that documents had in some release and none has in the newest.

        Replaced files are not included.
        """
        mark = self._reader.documents_mark()
        if mark != self._mark:
            there: set[str] = set()
            gone: set[str] = set()
            for body, is_there in self._reader.every_document():
                (there if is_there else gone).add(orjson.loads(body).get("url", ""))
            self._mark, self._found = mark, frozenset(gone - there)
        return self._found
