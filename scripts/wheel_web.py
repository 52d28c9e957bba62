"""Put the web into a wheel for hatchling: the build, and the sources that `portolan build` takes. The wheel names the
platform of the build's machine code (Skia)."""

import sys
from pathlib import Path
from typing import Any, Final

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

_CONTENTS: Final = {
    "web/dist": "web_dist",
    **{
        path: f"web_source/{path}"
        for path in (
            *(f"web/{name}" for name in ("src", "scripts", "hooks.json", "package.json", "package-lock.json")),
            *(f"web/{name}" for name in ("tsconfig.json", "tsconfig.plugins.json", "vite.config.ts", ".npmrc")),
            *(f"contract/{name}" for name in ("constants.json", "openapi.json", "examples")),
        )
    },
}
"""Files and folders of the repository, and where the package has them."""
_SBOM: Final = "docs/evidence/sbom.cdx.json"
_NOTICES: Final = "THIRD-PARTY-NOTICES.txt"
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


class WheelWeb(BuildHookInterface[Any]):
    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version == "editable":
            return
        found = [name for name in _PLATFORMS if (Path(self.root) / _SKIA / f"canvas-{name}").is_dir()]
        if len(found) != 1:
            raise RuntimeError(
                f"The web build has Skia for {', '.join(found) or 'no platform that is known'}, so the wheel cannot be named. "
                "Build the web anew on this machine: npm run build in web/ (make wheel does)."
            )
        build_data["force_include"] |= {path: f"portolan/{place}" for path, place in _CONTENTS.items()}
        build_data["force_include"][str(self._write_notices())] = f"portolan/{_NOTICES}"
        build_data["sbom_files"].append(_SBOM)
        build_data["pure_python"] = False
        build_data["tag"] = f"py3-none-{_PLATFORMS[found[0]]}"

    def _write_notices(self) -> Path:
        """Write the licences of the code in the web build, from its lock file and packages."""
        root = Path(self.root)
        sys.path.insert(0, str(root / "backend"))
        from portolan_dev.evidence.components import read_components
        from portolan_dev.evidence.third_party import build_notices

        notices = Path(self.directory) / _NOTICES
        notices.parent.mkdir(parents=True, exist_ok=True)
        notices.write_text(build_notices(read_components(root), root / "web" / "node_modules"), encoding="utf-8")
        return notices
