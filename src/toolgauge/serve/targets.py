"""``GET /targets``, ``/tools/{name}/targets`` and ``/tools/{name}/formats``.

Will a target accept these tools, why not, and what would it take instead? Worked out
on a thread of its own, once for each content, and only when somebody asks.
"""

from __future__ import annotations

import asyncio
import hashlib
import threading
from collections import OrderedDict
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, Final

from toolgauge.contract import InvalidJson, UnknownTool, dump_json, parse_json
from toolgauge.serve.discovery import detail_of
from toolgauge.serve.messages import Answer, error_answer, json_answer, written_answer

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from toolgauge.contract import Catalog, Tool
    from toolgauge.serve.judging import Judgement
    from toolgauge.serve.paths import Target

_MAX_LISTS: Final = 2
_MAX_BODIES: Final = 256
_MAX_BODY_BYTES: Final = 4_194_304
_MAX_WAITING: Final = 16
_MAX_NAME_CHARS: Final = 256
_MAX_DEPTH: Final = 254
_BUSY = error_answer(503, "Too many questions about targets", (b"retry-after", b"1"))


class TargetViews:
    """Answers what targets say of tools. Reads definitions and can run nothing.

    Args:
        catalog: The tools.
    """

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog
        self._judged: OrderedDict[bytes, Judgement] = OrderedDict()
        self._bodies: OrderedDict[tuple[bytes, Target], bytes] = OrderedDict()
        self._worker: ThreadPoolExecutor | None = None
        self._waiting = 0
        self._turn = threading.Lock()

    async def answer(self, target: Target, request: object) -> Answer:
        """Answer ``matrix``, ``targets``, ``target`` or ``formats``.

        Raises:
            UnknownTool: If there is no tool of this name.
        """
        if target.action == "formats":
            tool = await self._catalog.find(target.name, request)
            return await self._work(lambda: _formats(tool))
        tools = await self._catalog.tools(request)
        if target.name and all(each.name != target.name for each in tools):
            raise UnknownTool(target.name)
        return await self._work(lambda: self._view(target, tools))

    async def _work(self, make: Callable[[], Answer]) -> Answer:
        """Work something out beside the event loop, one thing at a time."""
        with self._turn:
            if self._waiting >= _MAX_WAITING:
                return _BUSY
            self._waiting += 1
            if self._worker is None:
                self._worker = ThreadPoolExecutor(1, thread_name_prefix="toolgauge-targets")
        try:
            return await asyncio.get_running_loop().run_in_executor(self._worker, make)
        finally:
            with self._turn:
                self._waiting -= 1

    def _view(self, target: Target, tools: Sequence[Tool]) -> Answer:
        """Answer from what is known of this very list, or find it out."""
        from toolgauge.rules import targets  # noqa: PLC0415 - see ``judging``

        if target.action == "target" and target.part not in targets():
            return error_answer(404, f"Target not found: {target.part[:_MAX_NAME_CHARS]}")
        written = [(each.name, _written(each)) for each in tools]
        key = _digest(written)
        body = self._bodies.get((key, target))
        if body is None:
            judged = self._judgement(key, written)
            try:
                body = dump_json(_said(judged, target))
            except KeyError:
                return error_answer(422, "The definition of this tool is no JSON")
            self._keep(key, target, body)
        else:
            self._bodies.move_to_end((key, target))
        return written_answer(200, body)

    def _judgement(self, key: bytes, written: Sequence[tuple[str, bytes | None]]) -> Judgement:
        """Hold a list against all targets, unless it was lately."""
        from toolgauge.serve.judging import Judgement  # noqa: PLC0415 - see there

        known = self._judged.pop(key, None)
        if known is None:
            details = {name: _read(each) for name, each in written if each is not None}
            sound = {name: each for name, each in details.items() if each is not None}
            known = Judgement(tuple(sound), tuple(sound.values()))
        self._judged[key] = known
        while len(self._judged) > _MAX_LISTS:
            self._judged.popitem(last=False)
        return known

    def _keep(self, key: bytes, target: Target, body: bytes) -> None:
        if len(body) > _MAX_BODY_BYTES:
            return
        self._bodies[key, target] = body
        while len(self._bodies) > _MAX_BODIES:
            self._bodies.popitem(last=False)


def _said(judged: Judgement, target: Target) -> dict[str, Any]:
    """Ask a judgement what a path asks.

    Raises:
        KeyError: If the tool is not among those that were judged.
    """
    if target.action == "matrix":
        return judged.matrix()
    if target.action == "targets":
        return judged.of_tool(target.name)
    return judged.of_target(target.name, target.part)


def _written(tool: Tool) -> bytes | None:
    """Write a definition; ``None`` where JSON has no form for its schema."""
    try:
        return dump_json(detail_of(tool))
    except TypeError:
        return None


def _read(written: bytes) -> Any:
    """Read a definition back as plain JSON; ``None`` where it is nested too deep."""
    try:
        return parse_json(written, max_depth=_MAX_DEPTH)
    except InvalidJson:
        return None


def _digest(written: Sequence[tuple[str, bytes | None]]) -> bytes:
    """Name a list by its content."""
    digest = hashlib.sha256()
    for _, each in written:
        text = each or b""
        digest.update(b"%d:%b" % (len(text), text))
    return digest.digest()


def _formats(tool: Tool) -> Answer:
    from toolgauge.serve.judging import written_for_providers  # noqa: PLC0415 - see there

    try:
        return json_answer(200, written_for_providers(tool))
    except TypeError:
        return error_answer(422, "The definition of this tool is no JSON")
