"""Draw one raster copy of an SVG in a process of its own: ``DRAWING FILE WIDTH FORMAT``.

Editors' drawings may need unexpected memory and time. This process has its own limits and fails alone.
"""

import os
import resource
import sys
from io import BytesIO
from pathlib import Path

import resvg_py
from PIL import Image

from ..domain.picture_sizes import FORMATS
from ..domain.raster_copies import MOST_PIXELS

_MOST_MEMORY = 1 << 30


def main() -> None:
    drawing, file, width, format_ = Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3]), sys.argv[4]
    os.nice(10)
    resource.setrlimit(resource.RLIMIT_AS, (_MOST_MEMORY, _MOST_MEMORY))
    Image.MAX_IMAGE_PIXELS = MOST_PIXELS
    drawn = resvg_py.svg_to_bytes(svg_string=drawing.read_text(encoding="utf-8"), width=width)
    with Image.open(BytesIO(drawn)) as picture:
        buffer = BytesIO()
        picture.save(buffer, format_, **FORMATS[format_])
    # Another machine may draw the same file at the same time. Each writes its own file, and the last one wins.
    unfinished = file.with_name(f".{file.name}.{os.getpid()}")
    unfinished.write_bytes(buffer.getvalue())
    unfinished.replace(file)


if __name__ == "__main__":
    main()
