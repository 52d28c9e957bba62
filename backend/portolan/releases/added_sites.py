"""Copy the sites that were added in the studio from the database to a file, with plain SQL."""

import json
from contextlib import closing, suppress
from pathlib import Path

from ..sites.added import write_added
from .reader import open_reader


def copy_added_sites(database: str, file: Path) -> None:
    """Renew the file. Keep it if the database is away or of an older version."""
    with suppress(Exception), closing(open_reader(database)) as reader:
        write_added(file, {key: json.loads(config) for key, config in reader.added_sites().items()})
