"""Which page, tool and action a request is for.

Servers decode ``%2F`` before an application sees the path, so a tool called
``a/b`` and the tool ``a`` with an action ``b`` would look the same. Routing
therefore reads the path as it was sent (decision D12).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import unquote_to_bytes

if TYPE_CHECKING:
    from collections.abc import MutableMapping

_ACTIONS = ("validate", "call")


class Target(NamedTuple):
    """What a path names: ``page``, ``list``, ``detail``, ``validate``, ``call`` or ``none``."""

    action: str
    name: str = ""


PAGE = Target("page")
LIST = Target("list")
NOTHING = Target("none")


def target_of(scope: MutableMapping[str, Any]) -> Target:
    """Find what a request is for, under whatever prefix the application is mounted."""
    path = _path_below_mount(scope)
    raw = scope.get("raw_path")
    if not raw:
        return _from_decoded(path, is_post=scope["method"] == "POST")
    sent = raw.partition(b"?")[0].decode("latin-1")
    if "%" not in sent and scope["path"] == sent:
        return _from_sent(path)
    return _from_sent(_tail(sent, path))


def _path_below_mount(scope: MutableMapping[str, Any]) -> str:
    """Take the mount's prefix off the path.

    Servers and frameworks disagree on whether ``path`` holds the part of
    ``root_path`` that a proxy has stripped, so both are tried.
    """
    path: str = scope["path"]
    root: str = scope.get("root_path", "")
    outer: str = scope.get("app_root_path", "")
    prefixes = [root]
    if outer and root.startswith(outer):
        prefixes.append(root[len(outer) :])
    for prefix in prefixes:
        if prefix and (path == prefix or path.startswith(f"{prefix.rstrip('/')}/")):
            return path[len(prefix.rstrip("/")) :]
    return path


def _tail(sent: str, path: str) -> str:
    """Find the end of the sent path that decodes to the path below the mount.

    At most one end does: a longer end always decodes to something longer.
    """
    start = len(sent)
    while (start := sent.rfind("/", 0, start)) >= 0:
        if _decoded(sent[start:]) == path:
            return sent[start:]
        if start == 0:
            break
    return path


def _from_sent(path: str) -> Target:
    """Read a path in which each segment is still encoded."""
    if path in {"", "/"}:
        return PAGE
    head, _, rest = path[1:].partition("/")
    if head != "tools":
        return NOTHING
    if not rest:
        return LIST
    name, _, action = rest.partition("/")
    if not action:
        return Target("detail", _decoded(name))
    if action.rstrip("/") in _ACTIONS and action.count("/") <= 1:
        return Target(action.rstrip("/"), _decoded(name))
    return NOTHING


def _from_decoded(path: str, *, is_post: bool) -> Target:
    """Read a path of which only the decoded form is known."""
    if path in {"", "/"}:
        return PAGE
    if path in {"/tools", "/tools/"}:
        return LIST
    if not path.startswith("/tools/"):
        return NOTHING
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
