"""A real browser against the served console; skipped with a reason where there is none."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.core.cache import cache
from playwright.sync_api import Browser, sync_playwright
from pytest_django.live_server_helper import LiveServer

from tests.journeys.visitor import Visitor

CHROMIUM = Path("/usr/bin/chromium")
REST_SECONDS = 10
FLAGS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
]  # fmt: skip


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    if not CHROMIUM.exists():
        pytest.skip("Debian's chromium is not installed")
    # The browser's own event loop runs in this thread; Django would take the test for asynchronous code.
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=str(CHROMIUM), args=FLAGS)
        yield browser
        browser.close()
    del os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"]


@pytest.fixture
def visit(browser: Browser, live_server: LiveServer) -> Iterator[type[Visitor]]:
    """Makes visitors, each with a browser profile of their own; none may have broken the page's policy."""
    cache.clear()
    opened: list[Visitor] = []

    class Here(Visitor):
        def __init__(self, **options: object) -> None:
            super().__init__(browser, live_server.url, **options)
            opened.append(self)

    yield Here
    problems = [problem for visitor in opened for problem in visitor.problems]
    for visitor in opened:
        visitor.close()
    wait_for_the_server_to_rest()
    assert problems == []


def wait_for_the_server_to_rest() -> None:
    """A connection that the browser kept open keeps a thread, and with it a session of the database."""
    over = time.monotonic() + REST_SECONDS
    while any("process_request_thread" in thread.name for thread in threading.enumerate()):
        assert time.monotonic() < over, "the server still answers"
        time.sleep(0.05)
