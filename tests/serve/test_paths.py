"""Names in URLs: every name that a URL can hold reaches its tool, and only that one."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote, unquote

import pytest
from fastapi import FastAPI
from hypothesis import given
from hypothesis import strategies as st
from starlette.applications import Starlette
from starlette.routing import Mount, Route
from starlette.testclient import TestClient

from tests.serve.tools import Spy, client
from toolgauge.serve import build_routes, build_ui_routes, create_app, create_mount
from toolgauge.serve.paths import target_of

NAMES = [
    "a/b",
    "a%2Fb",
    "validate",
    "call",
    "x/validate",
    "x/call",
    "tools",
    "münchen 酷狗 🎉",
    "a b+c&d=e?f#g",
    "<img src=x>",
    "{rest}",
    "...",
    ";a=b",
]


@pytest.mark.parametrize("name", NAMES)
def test_a_tool_of_any_name_is_shown_validated_and_called(name: str) -> None:
    """One percent-encoded segment is the name (decision D12)."""
    spy = Spy()
    others = [{"name": each, "description": "other"} for each in ("a", "b", "x")]
    served = client(
        [*others, {"name": name, "description": "this one"}], spy.handle_call, allow_execute=True
    )
    url = f"/tools/{quote(name, safe='')}"

    assert "this one" == served.get(url).json()["description"]
    assert {"valid": True} == served.post(f"{url}/validate", json={}).json()
    assert 200 == served.post(f"{url}/call", json={}).status_code
    assert [(name, {})] == spy.calls


def test_a_slash_that_is_not_encoded_is_no_part_of_a_name() -> None:
    """``a/b`` typed as it is finds nothing."""
    served = client([{"name": "a/b"}, {"name": "a"}])

    assert 404 == served.get("/tools/a/b").status_code
    assert 404 == served.post("/tools/a/b/validate", json={}).status_code
    assert 404 == served.get("/tools/a/validate/call").status_code


def test_names_that_no_path_can_hold_are_listed() -> None:
    """They are unreachable, not hidden (decision D13)."""
    listed = client([{"name": ""}, {"name": "."}, {"name": ".."}]).get("/tools").json()

    assert ["", ".", ".."] == [each["name"] for each in listed]


def test_a_trailing_slash_changes_nothing_and_redirects_nowhere() -> None:
    """A redirect would lose what a proxy stripped (decision D14)."""
    served = client()
    for path in ("/tools", "/tools/get_weather"):
        with_slash = served.get(f"{path}/", follow_redirects=False)

        assert 200 == with_slash.status_code
        assert served.get(path).json() == with_slash.json()


def hosts() -> list[Any]:
    """Give applications that serve tools at ``/explorer``, each in another way."""
    tools = [{"name": "a/b"}]
    spy = Spy()
    mounted = create_mount(tools=tools, handle_call=spy.handle_call)
    by_routes = Mount("/explorer", routes=build_routes(tools, spy.handle_call))
    old_name = Mount("/explorer", routes=build_ui_routes(tools, spy.handle_call))
    app = create_app(tools, spy.handle_call)
    fastapi = FastAPI()
    fastapi.router.routes.append(mounted)
    nested = FastAPI()
    nested.mount("/explorer", app)
    outer = Starlette(routes=[Mount("/v1", app=Starlette(routes=[mounted]))])
    return [
        pytest.param(Starlette(routes=[mounted]), "/explorer", "", id="starlette"),
        pytest.param(fastapi, "/explorer", "", id="fastapi"),
        pytest.param(nested, "/explorer", "", id="fastapi-mount"),
        pytest.param(Starlette(routes=[by_routes]), "/explorer", "", id="routes"),
        pytest.param(Starlette(routes=[old_name]), "/explorer", "", id="routes-by-old-name"),
        pytest.param(outer, "/v1/explorer", "", id="nested"),
        pytest.param(app, "", "", id="bare"),
        # The proxy strips the prefix, the server is told of it.
        pytest.param(Starlette(routes=[mounted]), "/explorer", "/api", id="stripped"),
        pytest.param(app, "", "/api", id="bare-stripped"),
        # The proxy passes the prefix on.
        pytest.param(app, "/api", "/api", id="bare-not-stripped"),
        pytest.param(Starlette(routes=[mounted]), "/api/explorer", "/api", id="not-stripped"),
    ]


@pytest.mark.parametrize(("app", "prefix", "root_path"), hosts())
def test_it_works_under_any_mount_and_proxy(app: Any, prefix: str, root_path: str) -> None:
    """The prefix is taken off, wherever it comes from; names keep their slashes."""
    served = TestClient(app, root_path=root_path)

    assert 200 == served.get(f"{prefix}/").status_code
    assert "text/html" in served.get(f"{prefix}/").headers["content-type"]
    assert [{"name": "a/b", "description": ""}] == served.get(f"{prefix}/tools").json()
    assert 200 == served.get(f"{prefix}/tools/a%2Fb").status_code
    assert {"valid": True} == served.post(f"{prefix}/tools/a%2Fb/validate", json={}).json()
    assert 404 == served.get(f"{prefix}/tools/a/b").status_code


@pytest.mark.parametrize("kind", [Starlette, FastAPI])
def test_a_mount_answers_at_its_prefix_without_a_slash(kind: Any) -> None:
    """The page is there at once, without a redirect."""
    app = kind()
    app.router.routes.append(create_mount("/tools-ui", tools=[], handle_call=Spy().handle_call))
    answer = TestClient(app).get("/tools-ui", follow_redirects=False)

    assert 200 == answer.status_code
    assert "text/html" in answer.headers["content-type"]


def test_routes_leave_the_hosts_other_paths_alone() -> None:
    """They can stand at the root of an application, before its own routes."""

    async def own(request: Any) -> Any:
        from starlette.responses import PlainTextResponse

        return PlainTextResponse("own")

    routes = [*build_routes([{"name": "t"}], Spy().handle_call), Route("/health", own)]
    served = TestClient(Starlette(routes=routes))

    assert "own" == served.get("/health").text
    assert 200 == served.get("/tools/t").status_code


def scope(path: str, method: str = "GET", **more: Any) -> dict[str, Any]:
    """Give the ASGI scope of a request."""
    return {"type": "http", "path": path, "method": method, **more}


@pytest.mark.parametrize(
    ("path", "method", "expected"),
    [
        ("/tools", "GET", ("list", "")),
        ("/", "GET", ("page", "")),
        ("/tools/a/b", "GET", ("detail", "a/b")),
        ("/tools/a/validate", "GET", ("detail", "a/validate")),
        ("/tools/a/b/validate", "POST", ("validate", "a/b")),
        ("/tools/a/call", "POST", ("call", "a")),
        ("/elsewhere", "GET", ("none", "")),
    ],
)
def test_without_the_raw_path_the_suffix_counts_only_for_post(
    path: str, method: str, expected: tuple[str, str]
) -> None:
    """Some servers give only the decoded path (decision D12)."""
    assert expected == target_of(scope(path, method))[:2]


def test_a_query_in_the_raw_path_is_no_part_of_it() -> None:
    """Some clients for tests put it there."""
    assert ("detail", "t") == target_of(scope("/tools/t", raw_path=b"/tools/t?x=/tools/y"))[:2]


@given(st.text(alphabet=st.characters(exclude_categories=["Cs"]), min_size=1, max_size=20))
def test_every_name_survives_its_url(name: str) -> None:
    """Encoding a name and routing it give the name back, also below a mount."""
    sent = f"/m%20x/tools/{quote(name, safe='')}"
    below = scope(f"/m x/tools/{name}", raw_path=sent.encode(), root_path="/m x")

    assert ("detail", name) == target_of(below)[:2]


@pytest.mark.parametrize(
    ("sent", "expected"),
    [
        ("/targets", ("matrix", "", "")),
        ("/targets/", ("matrix", "", "")),
        ("/log", ("log", "", "")),
        ("/tools/a%2Fb/targets", ("targets", "a/b", "")),
        ("/tools/a/targets/", ("targets", "a", "")),
        ("/tools/a/targets/openai%2Dstrict", ("target", "a", "openai-strict")),
        ("/tools/a/formats", ("formats", "a", "")),
        ("/tools/a%2Ftargets", ("detail", "a/targets", "")),
        ("/tools/targets/targets", ("targets", "targets", "")),
        ("/tools/a/targets/b/c", ("none", "", "")),
        ("/tools/a/targets//", ("none", "", "")),
        ("/tools/a/formats/b", ("none", "", "")),
        ("/tools/a/elsewhere", ("none", "", "")),
    ],
)
def test_one_segment_is_the_name_and_what_follows_is_shown(
    sent: str, expected: tuple[str, str, str]
) -> None:
    """The name is one percent-encoded segment, whatever stands in it (decision D12)."""
    asked = scope(unquote(sent), raw_path=sent.encode())

    assert expected == target_of(asked)


def test_without_the_raw_path_a_view_of_all_tools_is_still_found() -> None:
    """One of a single tool is not: its suffix could be part of the name."""
    assert "matrix" == target_of(scope("/targets")).action
    assert "log" == target_of(scope("/log")).action
    assert ("detail", "a/targets") == target_of(scope("/tools/a/targets"))[:2]
