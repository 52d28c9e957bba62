"""List the icons that editors can choose: a subset of Lucide for which the web build has drawings."""

from typing import Literal

IconName = Literal[
    "anchor", "building-2", "chart-line", "cloud", "code", "compass", "cpu", "database", "factory", "gauge",
    "git-branch", "globe", "headset", "heart-pulse", "landmark", "layers", "lock", "map-pin", "palette", "plane",
    "plug", "radar", "rocket", "route", "server", "shield-check", "ship", "smartphone", "truck", "users", "workflow",
]  # fmt: skip
