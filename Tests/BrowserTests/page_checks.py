"""Checks that hold for every screen in every state."""

from pathlib import Path

import axe_playwright_python
from playwright.sync_api import Page

SCRIPT = (Path(__file__).parent / "page_checks.js").read_text()
AXE = (Path(axe_playwright_python.__file__).parent / "axe.min.js").read_text()
# WCAG 2.2 AA and axe's own good practice.
RULES = {
    "runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
    "resultTypes": ["violations"],
}


def assert_none(*findings: list[str]):
    found = [finding for some in findings for finding in some]
    assert not found, "found:\n" + "\n".join(dict.fromkeys(found))


def check(page: Page, function: str, *arguments):
    # Through the debugger, so that the page's own policy for scripts stays as strict as it is.
    if not page.evaluate("!!window.pageChecks"):
        page.evaluate(SCRIPT)
    return page.evaluate(f"(words) => pageChecks.{function}(...words)", list(arguments))


def axe_findings(page: Page, rules: dict = RULES) -> list[str]:
    if not page.evaluate("!!window.axe"):
        page.evaluate(AXE)
    # In a window as high as the page, where no bar lies over a control that a person would scroll to.
    size = page.viewport_size
    height = page.evaluate("document.documentElement.scrollHeight")
    if height > size["height"]:
        page.set_viewport_size({"width": size["width"], "height": min(height, 6000)})
    violations = page.evaluate("rules => axe.run(document, rules).then(results => results.violations)", rules)
    if height > size["height"]:
        page.set_viewport_size(size)
    return [
        f"{violation['id']}: {violation['help']}: " + ", ".join(node["html"][:160] for node in violation["nodes"][:3])
        for violation in violations
    ]


def contrast_findings(page: Page) -> list[str]:
    return axe_findings(page, {"runOnly": ["color-contrast", "link-in-text-block"], "resultTypes": ["violations"]})


def sideways_findings(page: Page) -> list[str]:
    return check(page, "scrollsSideways")


def cut_findings(page: Page) -> list[str]:
    return check(page, "cutTexts")


def control_findings(page: Page, least: int = 24) -> list[str]:
    """WCAG 2.5.8 wants 24 px; the design wants 44 where there is room."""
    return check(page, "unreachableControls", least)


def doubled_text(page: Page):
    """200 % text, as a person's own size of letters makes it."""
    page.evaluate("document.documentElement.style.setProperty('font-size', '200%')")


def single_text(page: Page):
    page.evaluate("document.documentElement.style.removeProperty('font-size')")


def focus_findings(page: Page, most: int = 60) -> list[str]:
    """Walks through the page by the Tab key: each stop is marked and in sight, and no stop holds one for ever."""
    page.evaluate("document.activeElement?.blur()")
    findings, visited, outside = [], [], 0
    for _ in range(most):
        page.keyboard.press("Tab")
        mark = check(page, "focusMark")
        # Behind the last stop is the browser itself, and then the first.
        outside += mark["at"] is None
        if mark["at"] in visited or outside > 1:
            break
        if mark["at"] is None:
            continue
        visited.append(mark["at"])
        if not mark["isMarked"]:
            findings.append(f"the focus is not marked: {mark['name']}")
        if not mark["isSeen"]:
            findings.append(f"the focus is out of sight: {mark['name']}")
    if not visited and page.locator("a[href], button, input").count():
        findings.append("no control can be reached by the Tab key")
    return findings
