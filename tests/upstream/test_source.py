from __future__ import annotations

from pathlib import Path

import pytest

from toolgauge.upstream import (
    CommandSource,
    FileSource,
    InvalidSource,
    ModuleSource,
    Source,
    UrlSource,
    parse_source,
)


@pytest.mark.parametrize(
    ("words", "source"),
    [
        (["tools.json"], FileSource(Path("tools.json"))),
        (["folder/tools.json"], FileSource(Path("folder/tools.json"))),
        (["python"], FileSource(Path("python"))),
        (["toolgauge.demo:tools"], ModuleSource("toolgauge.demo", "tools")),
        (["app:state.registry.tools"], ModuleSource("app", "state.registry.tools")),
        (["https://host.test/mcp?token=1"], UrlSource("https://host.test/mcp?token=1")),
        (["HTTP://host.test"], UrlSource("HTTP://host.test")),
        (["--", "npx", "-y", "server"], CommandSource(("npx", "-y", "server"))),
        (["--", "--", "x"], CommandSource(("--", "x"))),
    ],
)
def test_words_name_one_of_four_kinds(words: list[str], source: Source) -> None:
    """The kind follows from the words alone."""
    assert source == parse_source(words)


def test_an_existing_file_wins_over_every_other_reading(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file may be named like a module's attribute."""
    monkeypatch.chdir(tmp_path)
    Path("pkg:tools").touch()

    assert FileSource(Path("pkg:tools")) == parse_source(["pkg:tools"])


@pytest.mark.parametrize(
    "words",
    [
        [],
        [""],
        ["--"],
        ["--", ""],
        ["python", "-m", "server"],
        ["ftp://host.test/tools.json"],
        ["file:///etc/passwd"],
        ["http://"],
        ["http://host:port/mcp"],
        ["http://[half/mcp"],
    ],
)
def test_words_that_name_no_source_are_refused(words: list[str]) -> None:
    """Wrong usage is told apart from a source that cannot be read."""
    with pytest.raises(InvalidSource):
        parse_source(words)


def test_c25_a_source_shows_no_secret() -> None:
    """Neither label nor repr holds a query, userinfo or arguments (case C25)."""
    url = parse_source(["https://user:pwsecret999@host.test:8443/mcp?token=urlsecret999#frag"])
    command = parse_source(["--", "/opt/bin/mcp-demo", "--api-key", "argsecret999"])

    shown = f"{url.label} {url!r} {command.label} {command!r}"

    assert "secret999" not in shown
    assert "https://host.test:8443/mcp" == url.label
    assert "mcp-demo" == command.label


def test_a_word_the_file_system_refuses_is_a_missing_file() -> None:
    """A NUL or a name that is too long is no crash."""
    assert isinstance(parse_source(["a\0b"]), FileSource)
    assert isinstance(parse_source(["x" * 100_000]), FileSource)
