"""What every test gets: one exchange a run, one browser a run, contexts of its own."""

import sys
from pathlib import Path

import pytest
from playwright.sync_api import sync_playwright

sys.path.insert(0, str(Path(__file__).parent))

from browsing import Browsing, launch  # noqa: E402
from exchange import Exchange  # noqa: E402
from program import ROOT  # noqa: E402


def pytest_addoption(parser):
    parser.addoption("--pictures", default=str(ROOT / ".build/pictures"), help="where the pictures go")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item):
    """A test passes only when none of its pages did what no page may."""
    result = yield
    for value in item.funcargs.values():
        if isinstance(value, Browsing):
            value.strictness.verify()
    return result


@pytest.fixture(scope="session")
def pictures(request) -> Path:
    folder = Path(request.config.getoption("--pictures"))
    folder.mkdir(parents=True, exist_ok=True)
    return folder


@pytest.fixture(scope="session")
def exchange(tmp_path_factory):
    """The program with its sandbox inside and prices set, so that costs are shown."""
    running = Exchange(tmp_path_factory.mktemp("exchange"), ["--prices", "=0.06"])
    yield running
    running.end()


@pytest.fixture(scope="session")
def chromium():
    with sync_playwright() as playwright:
        browser = launch(playwright)
        yield browser
        browser.close()


@pytest.fixture
def browsing(chromium, exchange, pictures):
    opened = Browsing(chromium, exchange.address, pictures)
    yield opened
    opened.close()


@pytest.fixture
def person(exchange):
    return exchange.person()


FIGURES: list[str] = []


@pytest.fixture(scope="session")
def say():
    """Keeps a figure to be printed at the end."""
    return FIGURES.append


def pytest_terminal_summary(terminalreporter):
    for figure in FIGURES:
        terminalreporter.write_line(f"  {figure}")
