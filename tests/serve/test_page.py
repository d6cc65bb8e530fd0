"""The page as the server gives it: filled in once, escaped, and locked down."""

from __future__ import annotations

import base64
import hashlib
import json
import re

import pytest

from tests.serve.tools import client

NASTY = "</script><script>alert(1)</script> {{TITLE}} & \u2028 <title>toolgauge</title> {}"


def config_of(page: str) -> dict[str, object]:
    """Read the block that the page reads."""
    found = re.search(
        r'<script type="application/json" id="toolgauge-config">(.*?)</script>', page, re.DOTALL
    )
    assert found is not None
    value: dict[str, object] = json.loads(found.group(1))
    return value


def test_the_page_knows_its_settings() -> None:
    """Title, execution and project, in one block of JSON."""
    page = client(
        title="My tools", allow_execute=True, project_name="acme", project_url="https://acme.test"
    ).get("/")

    assert {
        "title": "My tools",
        "allowExecute": True,
        "projectName": "acme",
        "projectUrl": "https://acme.test",
    }.items() <= config_of(page.text).items()
    assert "<title>My tools</title>" in page.text


@pytest.mark.parametrize("field", ["title", "project_name", "project_url"])
def test_settings_cannot_break_out_of_their_place(field: str) -> None:
    """Each is escaped for where it stands, and none is read as a placeholder (D17)."""
    plain, filled = client().get("/").text, client(**{field: NASTY}).get("/").text

    assert plain.count("<script") == filled.count("<script")
    assert NASTY not in filled
    assert NASTY in config_of(filled).values()


def test_the_policy_allows_exactly_the_scripts_and_styles_of_the_page() -> None:
    """By their hashes; nothing inline, evaluated, or from elsewhere."""
    answer = client(title=NASTY).get("/")
    policy = dict(
        part.strip().split(" ", 1) for part in answer.headers["content-security-policy"].split(";")
    )
    script = re.findall(r'<script type="module"[^>]*>(.*?)</script>', answer.text, re.DOTALL)
    styles = re.findall(r"<style[^>]*>(.*?)</style>", answer.text, re.DOTALL)

    assert "'none'" == policy["default-src"]
    assert [sha(each) for each in script] == policy["script-src"].split()
    assert [sha(each) for each in styles] == policy["style-src"].split()
    assert "unsafe" not in answer.headers["content-security-policy"]


def sha(text: str) -> str:
    """Name an inline element as a policy does."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def test_the_page_is_one_file() -> None:
    """It asks for nothing but the API below it."""
    page = client().get("/").text
    outside = re.findall(r"""<(?:script|link|img|iframe)[^>]*\b(?:src|href)=["']?(\w+:)?//""", page)

    assert not outside
    assert not re.findall(r"<script[^>]*\bsrc=", page)
    assert not re.findall(r"<link[^>]*\bhref=(?![\"']?data:)", page)
