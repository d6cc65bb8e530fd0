"""Which page, tool and action a request is for.

Servers decode ``%2F`` before an application sees the path, so a tool called
``a/b`` and the tool ``a`` with an action ``b`` would look the same. Routing
therefore reads the path as it was sent (decision D12).
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import unquote_to_bytes

if TYPE_CHECKING:
    from collections.abc import MutableMapping

_ACTIONS = ("validate", "call")
_VIEWS = ("targets", "formats")


class Target(NamedTuple):
    """What a path names.

    Attributes:
        action: ``page``, ``list``, ``detail``, ``validate``, ``call``, ``targets``
            (of one tool), ``target`` (one of them), ``formats``, ``matrix`` (all
            tools and targets), ``log``, ``rpc`` or ``none``.
        name: The tool.
        part: What follows the action: the target's name.
    """

    action: str
    name: str = ""
    part: str = ""


_MAX_KNOWN_BYTES = 256

PAGE = Target("page")
LIST = Target("list")
RPC = Target("rpc")
NOTHING = Target("none")
_TOP = {
    "/rpc": RPC,
    "/targets": Target("matrix"),
    "/targets/": Target("matrix"),
    "/log": Target("log"),
    "/log/": Target("log"),
}


def target_of(scope: MutableMapping[str, Any]) -> Target:
    """Find what a request is for, under whatever prefix the application is mounted."""
    prefix = _mount_prefix(scope) if scope.get("root_path") else ""
    raw: bytes | None = scope.get("raw_path")
    if not raw:
        path = scope["path"][len(prefix) :]
        return _from_decoded(path, is_post=scope["method"] == "POST")
    return _known(raw, prefix) if len(raw) <= _MAX_KNOWN_BYTES else _from_raw(raw, prefix)


@lru_cache(maxsize=4096)
def _known(raw: bytes, prefix: str) -> Target:
    """Remember short paths: a client asks for the same few again and again."""
    return _from_raw(raw, prefix)


def _from_raw(raw: bytes, prefix: str) -> Target:
    sent = raw.partition(b"?")[0].decode("latin-1")
    return _from_sent(_without(prefix, sent) if prefix else sent)


def _mount_prefix(scope: MutableMapping[str, Any]) -> str:
    """Return the part of ``path`` that belongs to mounts and proxies around us.

    Servers and frameworks disagree on whether ``path`` holds the part of
    ``root_path`` that a proxy has stripped, so both are tried.
    """
    path: str = scope["path"]
    root: str = scope.get("root_path", "").rstrip("/")
    outer: str = scope.get("app_root_path", "").rstrip("/")
    for prefix in (root, root.removeprefix(outer)):
        if prefix and (path == prefix or path.startswith(f"{prefix}/")):
            return prefix
    return ""


def _without(prefix: str, sent: str) -> str:
    """Take a decoded prefix off a path that is still encoded, if it is there."""
    end = 0
    # Encoded, a character takes at most four bytes of three characters each.
    furthest = len(prefix) * 12 + 1
    while (end := sent.find("/", end + 1, furthest)) >= 0:
        if _decoded(sent[:end]) == prefix:
            return sent[end:]
    return "" if _decoded(sent) == prefix else sent


def _from_sent(path: str) -> Target:
    """Read a path in which each segment is still encoded."""
    if path in {"", "/"}:
        return PAGE
    head, _, rest = path[1:].partition("/")
    if head != "tools":
        return _TOP.get(path, NOTHING)
    if not rest:
        return LIST
    name, _, action = rest.partition("/")
    if not action:
        return Target("detail", _decoded(name))
    if action.rstrip("/") in _ACTIONS and action.count("/") <= 1:
        return Target(action.rstrip("/"), _decoded(name))
    return _view(_decoded(name), action)


def _view(name: str, sent: str) -> Target:
    """Read what follows a tool's name where it only shows something."""
    action, slash, part = sent.removesuffix("/").partition("/")
    if action not in _VIEWS or "/" in part or (slash and not part):
        return NOTHING
    if not part:
        return Target(action, name)
    return Target("target", name, _decoded(part)) if action == "targets" else NOTHING


def _from_decoded(path: str, *, is_post: bool) -> Target:
    """Read a path of which only the decoded form is known."""
    if path in {"", "/"}:
        return PAGE
    if path in {"/tools", "/tools/"}:
        return LIST
    if not path.startswith("/tools/"):
        return _TOP.get(path, NOTHING)
    name = path.removeprefix("/tools/")
    if is_post:
        for action in _ACTIONS:
            if name.endswith(f"/{action}"):
                return Target(action, name.removesuffix(f"/{action}"))
    return Target("detail", name)


def _decoded(segment: str) -> str:
    if "%" not in segment and segment.isascii():
        return segment
    return unquote_to_bytes(segment.encode("latin-1")).decode("utf-8", "replace")
