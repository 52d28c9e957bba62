#!/usr/bin/env python3
"""Draw the demo's videos into fixtures/demo/documents. They are kept in the repository: this needs ffmpeg, the demo
does not.

- `scripts/draw_films.py` draws all of them.
- `scripts/draw_films.py sample-film …` draws these.

VP9 in WebM: every current browser plays it, and it is free of fees. All videos are silent.
"""

import argparse
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from chart import films
from PIL import Image

FILMS: Mapping[str, Callable[[], Iterator[Image.Image]]] = {
    "course-to-the-light": films.course_to_the_light,
    "sample-film": films.sample_film,
    "sample-short": films.sample_short,
}
FOLDER = Path(__file__).resolve().parent.parent / "fixtures" / "demo" / "documents"
QUALITY = "44"
"""VP9's: 0 to 63, the least is the best."""


def main() -> int:
    parser = argparse.ArgumentParser(description="Draw the demo's films.")
    parser.add_argument("names", nargs="*", metavar="NAME", help="films to draw, without suffix; all if none is named")
    parser.add_argument("--into", type=Path, default=FOLDER, metavar="DIR", help="another folder to draw into")
    options = parser.parse_args()
    if unknown := set(options.names) - set(FILMS):
        parser.error(f"no film is called {', '.join(sorted(unknown))}. There are: {', '.join(FILMS)}")
    for name in options.names or FILMS:
        path = options.into / f"{name}.webm"
        encode(FILMS[name](), path)
        print(f"{path.name:28} {path.stat().st_size / 1000:8.1f} kB")
    return 0


def encode(frames: Iterator[Image.Image], path: Path) -> None:
    first = next(frames)
    size = f"{first.width}x{first.height}"
    rate = str(films.FRAMES_PER_SECOND)
    source = ["-f", "rawvideo", "-pix_fmt", "rgb24", "-s", size, "-r", rate, "-i", "-"]
    # A key frame every second would cost more than the rest: one is enough for a few seconds.
    codec = ["-c:v", "libvpx-vp9", "-crf", QUALITY, "-b:v", "0", "-g", "9999", "-pix_fmt", "yuv420p", "-an"]
    exact = ["-fflags", "+bitexact", "-flags:v", "+bitexact", "-map_metadata", "-1"]
    command = ["ffmpeg", "-loglevel", "error", "-y", *source, *codec, *exact, str(path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE) as process:
        assert process.stdin is not None
        process.stdin.write(first.tobytes())
        for frame in frames:
            process.stdin.write(frame.tobytes())
    if process.returncode != 0:
        raise SystemExit(f"{path.name}: ffmpeg ended with {process.returncode}; what it says stands above.")


if __name__ == "__main__":
    sys.exit(main())
