"""axe in the page: the accessibility faults that a machine can find."""

from __future__ import annotations

from pathlib import Path

import axe_playwright_python
from playwright.sync_api import Page

# The package brings the script along; nothing is fetched.
SCRIPT = Path(axe_playwright_python.__file__).with_name("axe.min.js").read_text(encoding="utf-8")
GRAVE = ("serious", "critical")
RUN = """async () => {
    const found = await axe.run(document, {resultTypes: ["violations"]});
    return found.violations.flatMap(rule => rule.nodes.map(node => [
        rule.impact, rule.id, node.target.join(" "), node.any.map(check => check.message).join("; "),
    ]));
}"""


def grave_faults(page: Page) -> list[str]:
    """Every serious or critical fault of the page as it stands, by rule and place."""
    page.evaluate(SCRIPT)
    return [f"{rule} at {place}: {why}" for impact, rule, place, why in page.evaluate(RUN) if impact in GRAVE]
