"""What can be measured of a page's looks: contrast, names, ids and width, in both schemes of one visit."""

from __future__ import annotations

from collections.abc import Iterator

from playwright.sync_api import Page

SCHEMES = ("light", "dark")
FITS = "document.documentElement.scrollWidth <= window.innerWidth"
WITHOUT_A_NAME = """() => Array.from(document.querySelectorAll('input:not([type=hidden]), select, textarea, button, a'))
  .filter(e => !(e.textContent.trim() && e.matches('button, a')) && !e.labels?.length && !e.ariaLabel)
  .map(e => e.outerHTML)"""
REPEATED_IDS = """() => Array.from(document.querySelectorAll('[id]'), e => e.id)
  .filter((id, at, all) => all.indexOf(id) !== at)"""
# WCAG 2.2, 1.4.3: at least 4.5:1, or 3:1 for large text. Every element with text of its own is measured.
LOW_CONTRAST = """() => {
  const channels = c => (c.match(/[\\d.]+/g) || []).map(Number)
  const linear = v => (v /= 255) <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4
  const light = c => 0.2126 * linear(c[0]) + 0.7152 * linear(c[1]) + 0.0722 * linear(c[2])
  const behind = e => {
    for (; e; e = e.parentElement) {
      const c = channels(getComputedStyle(e).backgroundColor)
      if (c.length === 3 || c[3] === 1) return c
    }
    return channels(getComputedStyle(document.body).backgroundColor)
  }
  return Array.from(document.querySelectorAll('body *')).filter(e =>
    e.checkVisibility() && Array.from(e.childNodes).some(n => n.nodeType === 3 && n.data.trim())
  ).map(e => {
    const style = getComputedStyle(e), text = light(channels(style.color)), ground = light(behind(e))
    const ratio = (Math.max(text, ground) + 0.05) / (Math.min(text, ground) + 0.05)
    const what = e.className + ':' + e.textContent.trim().slice(0, 30)
    return { ratio, large: parseFloat(style.fontSize) >= 24, what }
  }).filter(m => m.ratio < (m.large ? 3 : 4.5)).map(m => m.what + ' ' + m.ratio.toFixed(2))
}"""


def each_scheme(page: Page) -> Iterator[str]:
    """Show the page in one scheme after the other; at once, for a colour on its way is neither."""
    for scheme in SCHEMES:
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        yield scheme


def low_contrast(page: Page) -> list[str]:
    """Every text that has too little, by the scheme."""
    return [f"{scheme}: {text}" for scheme in each_scheme(page) for text in page.evaluate(LOW_CONTRAST)]


def too_wide(page: Page, *widths: int) -> list[int]:
    """At which of these widths of the window the page is wider."""
    found = []
    for width in widths:
        page.set_viewport_size({"width": width, "height": 800})
        if not page.evaluate(FITS):
            found.append(width)
    return found
