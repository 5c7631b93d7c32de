"""The rules themselves: a suite that can not fail proves nothing."""

import pytest

from page_checks import axe_findings, cut_findings, focus_findings, sideways_findings


def document(browsing, html: str):
    """A page with faults planted in it."""
    context = browsing.context("small")
    context.route("**/planted", lambda route: route.fulfill(
        body="<!doctype html><html lang=en><meta name=viewport content='width=device-width'><title>Planted</title><main><h1>Planted</h1>" + html,
        content_type="text/html", headers={"Content-Security-Policy": "script-src 'self'"}))
    page = context.new_page()
    page.goto("/planted")
    return page


@pytest.mark.parametrize("planted, rule", [
    ("<script>1</script>", "policy violation"),
    ("<img src=/nothing-here.png alt=''>", "was answered with 404"),
    ("<img src=http://127.0.0.2:1/x.png alt=''>", "another host"),
])
def test_a_planted_fault_is_found(browsing, planted, rule):
    page = document(browsing, planted)
    page.wait_for_load_state("networkidle")
    with pytest.raises(AssertionError, match=rule):
        browsing.strictness.verify()


def test_an_error_of_a_script_is_found(browsing):
    page = document(browsing, "")
    page.evaluate("setTimeout(() => { throw new Error('planted') })")
    page.evaluate("console.error('said')")
    page.wait_for_timeout(50)
    with pytest.raises(AssertionError, match="(?s)planted.*said|said.*planted"):
        browsing.strictness.verify()


def test_checks_of_the_page_find_planted_faults(browsing):
    page = document(browsing, "<img src=data:,><div style='width:900px'>wide</div>"
                    "<p style='width:40px;overflow:hidden;white-space:nowrap'>Words that are cut</p>"
                    "<button style='outline:none'>Unmarked</button>")
    assert any(finding.startswith("image-alt") for finding in axe_findings(page))
    assert sideways_findings(page)
    assert any("cut at the side" in finding for finding in cut_findings(page))
    assert any("not marked" in finding for finding in focus_findings(page))
    browsing.strictness.findings.clear()
