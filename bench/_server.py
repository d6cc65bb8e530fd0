"""One server process: reads what to serve from stdin, prints its port, serves until killed."""

from __future__ import annotations

import json
import socket
import sys
from typing import TYPE_CHECKING, Any

import orjson
import uvicorn

from bench import _tools

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send


def toolgauge_app(spec: dict[str, Any]) -> ASGIApp:
    import toolgauge.serve

    return toolgauge.serve.create_app(_tools.tools(spec["size"], spec["tools"]))


def peer_app(spec: dict[str, Any]) -> ASGIApp:
    import mcp_embedded_ui

    async def handle_call(name: str, args: dict[str, Any]) -> Any:
        raise NotImplementedError(name, args)

    return mcp_embedded_ui.create_app(_tools.tools(spec["size"], spec["tools"]), handle_call)


def echo_app(spec: dict[str, Any]) -> ASGIApp:  # noqa: ARG001 - as the others
    """Read, parse, print the same JSON. No routing, no validation, two headers."""

    async def app(scope: Scope, receive: Receive, send: Send) -> None:  # noqa: ARG001
        body = b""
        more = True
        while more:
            message = await receive()
            body += message.get("body", b"")
            more = message.get("more_body", False)
        printed = orjson.dumps(orjson.loads(body))
        headers = [
            (b"content-type", b"application/json"),
            (b"content-length", b"%d" % len(printed)),
        ]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": printed})

    return app


APPS = {"ours": toolgauge_app, "peer": peer_app, "echo": echo_app}


def main() -> None:
    spec = json.loads(sys.stdin.readline())
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.bind(("127.0.0.1", 0))
    listener.listen(128)
    config = uvicorn.Config(
        APPS[spec["app"]](spec),
        access_log=False,
        log_level="critical",
        lifespan="off",
        http=spec["http"],
        loop=spec["loop"],
    )
    print(listener.getsockname()[1], flush=True)
    uvicorn.Server(config).run(sockets=[listener])


if __name__ == "__main__":
    main()
