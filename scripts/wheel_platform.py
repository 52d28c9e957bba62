"""Names the platforms that a wheel runs on, as hatchling asks for it: the web build has Skia in machine code."""

from pathlib import Path
from typing import Any, Final

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

_SKIA: Final = Path("web/dist/server/node_modules/@napi-rs")
_PLATFORMS: Final = {
    "linux-x64-gnu": "manylinux_2_28_x86_64",
    "linux-arm64-gnu": "manylinux_2_28_aarch64",
    "linux-x64-musl": "musllinux_1_2_x86_64",
    "linux-arm64-musl": "musllinux_1_2_aarch64",
    "darwin-x64": "macosx_11_0_x86_64",
    "darwin-arm64": "macosx_11_0_arm64",
    "win32-x64-msvc": "win_amd64",
}
"""By the ending of the package that npm installed for this machine."""


class WheelPlatform(BuildHookInterface[Any]):
    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version == "editable":
            return
        found = [name for name in _PLATFORMS if (Path(self.root) / _SKIA / f"canvas-{name}").is_dir()]
        if len(found) != 1:
            raise RuntimeError(
                f"The web build has Skia for {', '.join(found) or 'no platform that is known'}, so the wheel cannot be named. "
                "Build the web anew on this machine: npm run build in web/ (make wheel does)."
            )
        build_data["pure_python"] = False
        build_data["tag"] = f"py3-none-{_PLATFORMS[found[0]]}"
