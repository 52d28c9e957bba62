"""Names of the icons an editor can choose: a subset of Lucide, so that no page names an icon that is not drawn."""

from typing import Literal

IconName = Literal[
    "anchor", "building-2", "chart-line", "cloud", "code", "compass", "cpu", "database", "factory", "gauge",
    "git-branch", "globe", "headset", "heart-pulse", "landmark", "layers", "lock", "map-pin", "palette", "plane",
    "plug", "radar", "rocket", "route", "server", "shield-check", "ship", "smartphone", "truck", "users", "workflow",
]  # fmt: skip
