"""A client of its own process: makes calls, and prints what came of them and what they took.

    python -m tests.upstream.calling URL TOOL...
    python -m tests.upstream.calling TOOL... -- COMMAND...

One JSON object a line: the error or ``null``, the peak of memory above what it was before,
in MiB, and the time of the processor in seconds.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from typing import TYPE_CHECKING, Any

from tests.cost import peak_kib
from toolgauge.contract import Bounds
from toolgauge.upstream import CommandSource, RequestRefused, ServerFailed, UrlSource
from toolgauge.upstream.peer import conversing
from toolgauge.upstream.pipes import dial_command
from toolgauge.upstream.streams import dial_url

if TYPE_CHECKING:
    from toolgauge.upstream.peer import Dial


class Deaf:
    """Hears nothing."""

    async def asked(self, method: str, params: Any) -> Any:
        raise RequestRefused(-32601, method)

    async def told(self, method: str, params: Any) -> None:
        return


def peak_mib() -> int:
    """Return the largest memory that this process has had."""
    return peak_kib() // 1_024


async def main(dial: Dial, names: list[str]) -> None:
    """Make calls, each after the one before has ended."""
    async with dial() as wire, conversing(wire, Deaf()) as peer:
        await peer.request(peer.next_id(), "initialize", {})
        for name in names:
            before, began = peak_mib(), time.process_time()
            error = None
            try:
                await peer.request(peer.next_id(), "tools/call", {"name": name})
            except (RequestRefused, ServerFailed) as failed:
                error = str(failed)
            cpu_s = time.process_time() - began
            sys.stdout.write(json.dumps([error, peak_mib() - before, cpu_s]) + "\n")


def dial_of(words: list[str]) -> tuple[Dial, list[str]]:
    """Read the command line."""
    if "--" in words:
        place = words.index("--")
        return dial_command(CommandSource(tuple(words[place + 1 :])), {}), words[:place]
    bounds = Bounds(connect_timeout_s=2.0)
    return dial_url(UrlSource(words[0]), bounds, {}), words[1:]


if __name__ == "__main__":
    asyncio.run(main(*dial_of(sys.argv[1:])))
