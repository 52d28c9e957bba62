"""The problems that axe finds in a browser's page."""

from typing import Final

from playwright.sync_api import Page

from .seeded import ROOT

_AXE: Final = (ROOT / "web" / "node_modules" / "axe-core" / "axe.min.js").read_text(encoding="utf-8")
_TAGS: Final = ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa")


def find_violations(page: Page, inside: str = "html", *, best_practice: bool = True, rule: str = "") -> list[str]:
    """``inside``: the selector to check. ``rule``: the only rule to check."""
    # A new URL comes before its document. The load event also waits for frames, which may reload.
    page.wait_for_load_state("domcontentloaded")
    page.evaluate(_AXE)  # not as a script of the page, whose policy forbids that
    found: list[str] = page.evaluate(
        """async ([inside, tags, rule]) => {
            const all = { runOnly: tags, rules: { 'target-size': { enabled: true } } };
            const options = { ...(rule ? { runOnly: { type: 'rule', values: [rule] } } : all), resultTypes: ['violations'] };
            const { violations } = await axe.run(inside, options);
            return violations.flatMap(({ id, nodes }) => nodes.slice(0, 5).map(({ html }) => `${id}: ${html.slice(0, 160)}`));
        }""",
        [inside, [*_TAGS, *(["best-practice"] if best_practice else [])], rule],
    )
    return found
