"""What a host can set, in one value."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypedDict

from toolgauge.contract import DEFAULT_BOUNDS, Bounds

if TYPE_CHECKING:
    from toolgauge.gate import Recorder
    from toolgauge.serve.access import AuthHook
    from toolgauge.serve.contract_log import LogFeed

DEFAULT_TITLE = "toolgauge"


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """How a set of tools is served.

    Attributes:
        allow_execute: Whether ``/call`` may run tools. Reading and validating
            are always allowed.
        auth_hook: ``auth_hook(request)`` gives a sync or async context manager
            that is held while a call runs; raising refuses the call with 401.
        title: The page's title.
        project_name: Shown in the page's footer.
        project_url: Where the project's name links to.
        formats: Whether ``format`` is asserted; an annotation by default.
        bounds: Limits on bodies, schemas, values and calls.
        allowed_hosts: The host names that this server is called by. Requests
            for any other, or from pages of any other, are refused with 403.
            ``None`` leaves hosts to the application around it, and refuses only
            calls whose ``Origin`` is not the ``Host`` that they were sent to.
        recorder: Names and logs calls and the requests of the envelope dialects;
            ``None`` for no log.
        log_feed: Shows the log's newest records at ``/log`` and in the page; give
            its ``write`` to the recorder. ``None`` for no such route.
        mcp_path: Where the same tools are served over MCP, relative to the page,
            for the texts that the page offers; ``None`` where they are not.
    """

    allow_execute: bool = False
    auth_hook: AuthHook | None = None
    title: str = DEFAULT_TITLE
    project_name: str | None = None
    project_url: str | None = None
    formats: bool = False
    bounds: Bounds = DEFAULT_BOUNDS
    allowed_hosts: Iterable[str] | None = None
    recorder: Recorder | None = None
    log_feed: LogFeed | None = None
    mcp_path: str | None = None


class Options(TypedDict, total=False):
    """The fields of ``Settings``, as the keyword arguments of what serves tools."""

    allow_execute: bool
    auth_hook: AuthHook | None
    title: str
    project_name: str | None
    project_url: str | None
    formats: bool
    bounds: Bounds
    allowed_hosts: Iterable[str] | None
    recorder: Recorder | None
    log_feed: LogFeed | None
    mcp_path: str | None
