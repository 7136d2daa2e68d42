"""axe in the page: the accessibility faults that a machine can find."""

from __future__ import annotations

from pathlib import Path

import axe_playwright_python
from playwright.sync_api import Page

from tests.journeys.looks import each_scheme

# The package brings the script along; nothing is fetched.
SCRIPT = Path(axe_playwright_python.__file__).with_name("axe.min.js").read_text(encoding="utf-8")
GRAVE = ("serious", "critical")
# Nothing else of a page hangs on the scheme that it is shown in.
OF_COLOUR = ("color-contrast", "link-in-text-block")
RUN = """async rules => {
    const found = await axe.run(document, {resultTypes: ["violations"], ...(rules && {runOnly: rules})});
    return found.violations.flatMap(rule => rule.nodes.map(node => [
        rule.impact, rule.id, node.target.join(" "), node.any.map(check => check.message).join("; "),
    ]));
}"""


def grave_faults(page: Page) -> list[str]:
    """Every serious or critical fault of the page as it stands, by rule and place; of colours, in each scheme."""
    page.evaluate(SCRIPT)
    found = []
    for number, scheme in enumerate(each_scheme(page)):
        faults = page.evaluate(RUN, list(OF_COLOUR) if number else None)
        found += [
            f"{rule} at {place} ({scheme}): {why}" for impact, rule, place, why in faults if impact in GRAVE
        ]
    return found
