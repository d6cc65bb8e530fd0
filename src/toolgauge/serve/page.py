"""The explorer's page: one file, filled in once, with a policy that allows only it."""

from __future__ import annotations

import base64
import hashlib
import html
import re
from importlib.metadata import version
from importlib.resources import files
from typing import TYPE_CHECKING

import orjson

from toolgauge.serve.messages import Answer, answer

if TYPE_CHECKING:
    from toolgauge.serve.settings import Settings

_TITLE = "<title>toolgauge</title>"
_CONFIG = '<script type="application/json" id="toolgauge-config">{}</script>'
_INLINE = {
    "script-src": re.compile(r"<script(?![^>]*application/json)[^>]*>(.*?)</script>", re.DOTALL),
    "style-src": re.compile(r"<style[^>]*>(.*?)</style>", re.DOTALL),
}
_POLICY = (
    "default-src 'none'; {scripts}; {styles}; img-src 'self' data: blob:; "
    "media-src data: blob:; connect-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'self'"
)
_ESCAPES = {ord(each): f"\\u{ord(each):04x}" for each in "<>&\u2028\u2029"}


def render_page(settings: Settings) -> Answer:
    """Fill the page in and give it as an answer.

    The values go into one block of JSON that the page reads, and into the
    title, each escaped for its place in a single pass (decision D17).
    """
    config = {
        "title": settings.title,
        "allowExecute": settings.allow_execute,
        "projectName": settings.project_name,
        "projectUrl": settings.project_url,
        "log": settings.log_feed is not None,
        "mcpPath": settings.mcp_path,
        "version": version("toolgauge"),
    }
    page = files(__package__).joinpath("explorer", "index.html").read_text(encoding="utf-8")
    policy = _POLICY.format(scripts=_hashes(page, "script-src"), styles=_hashes(page, "style-src"))
    block = orjson.dumps(config).decode().translate(_ESCAPES)
    filled = {
        _TITLE: f"<title>{html.escape(settings.title)}</title>",
        _CONFIG: _CONFIG.replace("{}", block),
    }
    pattern = "|".join(re.escape(each) for each in filled)
    body = re.sub(pattern, lambda match: filled[match.group()], page)
    return answer(
        200,
        body.encode(),
        (b"content-type", b"text/html; charset=utf-8"),
        (b"content-security-policy", policy.encode()),
        (b"cache-control", b"no-cache"),
        (b"x-content-type-options", b"nosniff"),
        (b"referrer-policy", b"no-referrer"),
    )


def _hashes(page: str, directive: str) -> str:
    """Allow exactly the inline elements that the page was built with."""
    sources = [
        f"'sha256-{base64.b64encode(hashlib.sha256(each.encode()).digest()).decode()}'"
        for each in _INLINE[directive].findall(page)
    ]
    return f"{directive} {' '.join(sources) or chr(39) + 'none' + chr(39)}"
