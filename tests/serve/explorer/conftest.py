"""A real server and a real Chromium, and a page that tells on itself."""

from __future__ import annotations

import os
import re
import shutil
import socket
import threading
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import pytest
import uvicorn
from playwright.sync_api import expect, sync_playwright

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from playwright.sync_api import (
        Browser,
        BrowserContext,
        ConsoleMessage,
        Locator,
        Page,
        Request,
        Response,
    )
    from starlette.types import ASGIApp

    Serve: TypeAlias = Callable[[ASGIApp], str]
    Visit: TypeAlias = Callable[..., "Visitor"]

# Only a failing test waits this long; a busy machine may need it.
TIMEOUT_MS = 15_000
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
# Chromium's own line for an answer that is not 2xx or does not come; no page can prevent it.
NETWORK_LINE = re.compile(
    r"Failed to load resource: (the server responded with a status of \d+|net::ERR_FAILED)"
)
REPORT_VIOLATIONS = """
addEventListener("securitypolicyviolation", (event) =>
  console.error(`policy: ${event.violatedDirective} ${event.blockedURI} ${event.sample}`));
"""


# Neither frozen nor slotted: Playwright marks the owner of a method that listens to events.
@dataclass(kw_only=True)
class Visitor:
    """One open page, and what happened on it.

    Attributes:
        page: Playwright's page.
        complaints: Console errors, policy violations and uncaught exceptions.
        posts: ``(URL, body)`` of every POST that the page sent, oldest first.
    """

    page: Page
    complaints: list[str] = field(default_factory=list)
    posts: list[tuple[str, str | None]] = field(default_factory=list)

    @property
    def editor(self) -> Locator:
        """The text that is being edited."""
        return self.page.locator(".cm-content")

    @property
    def status(self) -> Locator:
        """The one line about the arguments' validity."""
        return self.page.locator(".validity").get_by_role("status")

    @property
    def problems(self) -> Locator:
        """The rows below the editor."""
        return self.page.get_by_role("list", name="Problems").locator("> li")

    @property
    def execute(self) -> Locator:
        """The button that runs the tool."""
        return self.page.get_by_role("button", name="Execute", exact=True)

    @property
    def result(self) -> Locator:
        """The card that shows what came back."""
        return self.page.get_by_role("region", name="Result", exact=True)

    def write(self, text: str) -> None:
        """Replace the arguments, as a paste over everything does."""
        self.editor.click()
        self.page.keyboard.press("ControlOrMeta+a")
        self.page.keyboard.insert_text(text)

    def written(self) -> str:
        """Give the arguments as the editor holds them."""
        return "\n".join(self.page.locator(".cm-line").all_inner_texts())

    def has_verdict(self, text: str) -> None:
        """Wait until the status line says ``text`` and nothing else."""
        expect(self.status).to_have_text(text)

    def note_message(self, message: ConsoleMessage) -> None:
        """Keep what the console calls an error."""
        if message.type == "error" and not NETWORK_LINE.match(message.text):
            self.complaints.append(message.text)

    def note_request(self, request: Request) -> None:
        """Keep what was sent."""
        if request.method == "POST":
            self.posts.append((request.url, request.post_data))


@dataclass(kw_only=True)
class Shared:
    """What is open while tests of this folder run one after another."""

    stack: ExitStack = field(default_factory=ExitStack)
    browser: Browser | None = None

    def close(self) -> None:
        """Close all of it; the next test opens it anew."""
        self.browser = None
        self.stack.close()


SHARED = Shared()


@pytest.hookimpl(trylast=True)
def pytest_runtest_teardown(nextitem: pytest.Item | None) -> None:
    """Close the browser behind the last test of this folder.

    While Playwright is active its event loop counts as running in this thread,
    and tests of asynchronous code would be refused.
    """
    if nextitem is None or Path(__file__).parent not in nextitem.path.parents:
        SHARED.close()


@pytest.fixture
def chromium() -> Browser:
    """Return the browser that the tests of this folder share."""
    if SHARED.browser is not None:
        return SHARED.browser
    program = os.environ.get("TOOLGAUGE_CHROMIUM") or shutil.which("chromium")
    if program is None:
        reason = "Chromium is needed: install it or name it in TOOLGAUGE_CHROMIUM"
        if os.environ.get("CI") == "true":
            pytest.fail(reason)
        pytest.skip(reason)
    expect.set_options(timeout=TIMEOUT_MS)
    playwright = SHARED.stack.enter_context(sync_playwright())
    browser = playwright.chromium.launch(executable_path=program, args=[*FLAGS])
    SHARED.stack.callback(browser.close)
    SHARED.browser = browser
    return browser


@dataclass(frozen=True, slots=True, kw_only=True)
class Running:
    """A server in a thread of its own."""

    server: uvicorn.Server
    thread: threading.Thread
    listener: socket.socket

    def stop(self) -> None:
        """Wait until it stopped."""
        self.thread.join()
        self.listener.close()


@pytest.fixture
def serve() -> Iterator[Serve]:
    """Return a function that serves an application and returns its address."""
    running: list[Running] = []

    def start(app: ASGIApp) -> str:
        listener = socket.create_server(("127.0.0.1", 0))
        config = uvicorn.Config(
            app, log_level="critical", lifespan="off", ws="none", timeout_graceful_shutdown=1
        )
        server = uvicorn.Server(config)
        # Connections queue at the socket until the server takes them: nothing to wait for.
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
        thread.start()
        running.append(Running(server=server, thread=thread, listener=listener))
        return f"http://127.0.0.1:{listener.getsockname()[1]}"

    yield start
    for each in running:
        each.server.should_exit = True
        # All are waited for at the end: each takes a tenth of a second to stop.
        SHARED.stack.callback(each.stop)


@pytest.fixture
def visit(chromium: Browser) -> Iterator[Visit]:
    """Give a function that opens an address; at the end no page may have complained."""
    contexts: list[BrowserContext] = []
    visitors: list[Visitor] = []

    def start(url: str, **options: Any) -> Visitor:
        context = chromium.new_context(**options)
        contexts.append(context)
        context.set_default_timeout(TIMEOUT_MS)
        context.add_init_script(REPORT_VIOLATIONS)
        visitor = Visitor(page=context.new_page())
        visitors.append(visitor)
        visitor.page.on("console", visitor.note_message)
        visitor.page.on("pageerror", lambda error: visitor.complaints.append(str(error)))
        visitor.page.on("request", visitor.note_request)
        response: Response | None = visitor.page.goto(url)
        assert response is not None
        assert "default-src 'none'" in response.headers["content-security-policy"]
        return visitor

    yield start
    complaints = [each for visitor in visitors for each in visitor.complaints]
    for context in contexts:
        context.close()

    assert [] == complaints
