from __future__ import annotations

import json
import os
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Any

import anyio
import pytest

from toolgauge.contract.results import CallResult
from toolgauge.upstream import (
    CommandSource,
    ServerFailed,
    SourceNotTools,
    Upstream,
    messages,
    open_source,
    paging,
)
from toolgauge.upstream import client as client_module
from toolgauge.upstream.process import (
    _EXIT_GRACE_S,
    _TERMINATE_GRACE_S,
    current_haste,
    ending_together,
)

if TYPE_CHECKING:
    from toolgauge.contract.bounds import Bounds

pytestmark = pytest.mark.anyio

Misbehaving = Callable[..., CommandSource]


def names(upstream: Upstream) -> list[str]:
    """The names of the listed tools."""
    return [tool["name"] for tool in upstream.tools]


async def call(upstream: Upstream, name: str, arguments: dict[str, Any]) -> CallResult:
    """Call a tool of a server."""
    assert upstream.handle_call is not None
    result = await upstream.handle_call(name, arguments)
    assert isinstance(result, CallResult)
    return result


def is_running(pid: int) -> bool:
    """Ask whether a process exists and is more than a zombie."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    stat = Path(f"/proc/{pid}/stat")
    return not stat.exists() or stat.read_text().rpartition(")")[2].split()[0] != "Z"


@contextmanager
def ends_with_us(pids: Path) -> Iterator[None]:
    """Check that the processes named in a file are gone afterwards."""
    yield
    for pid in map(int, pids.read_text().split()):
        assert not is_running(pid), pid


async def test_other_text_on_stdout_is_skipped_and_reported(misbehaving: Misbehaving) -> None:
    """C23: a banner costs a problem, not the connection."""
    async with open_source(misbehaving("noise")) as upstream:
        assert ["good", "echo"] == names(upstream)
        assert 1 == len(upstream.problems)
        assert "Server started" in upstream.problems[0].message


async def test_a_server_that_exits_is_told_with_its_last_words(misbehaving: Misbehaving) -> None:
    """Exit code and stderr are in the error."""
    with pytest.raises(ServerFailed) as caught:
        async with open_source(misbehaving("exits")):
            pass

    assert "exit code 3" in caught.value.reason
    assert ("config.toml: no such file",) == caught.value.stderr


async def test_a_server_that_never_answers_is_late(misbehaving: Misbehaving, short: Bounds) -> None:
    """The bound on connecting ends the wait, and stderr says what it was doing."""
    with pytest.raises(ServerFailed) as caught:
        async with open_source(misbehaving("silent"), bounds=short):
            pass

    assert ("waiting for the database",) == caught.value.stderr


async def test_a_server_that_dies_in_a_call_fails_that_call_and_every_later_one(
    misbehaving: Misbehaving,
) -> None:
    """Never a hang; colours are taken out of what it said."""
    async with open_source(misbehaving("die-in-call")) as upstream:
        for _ in range(2):
            with pytest.raises(ServerFailed) as caught:
                await call(upstream, "good", {})

            assert "exit code 9" in caught.value.reason
            assert ("Traceback: boom",) == caught.value.stderr


async def test_a_call_without_an_answer_is_late(misbehaving: Misbehaving, short: Bounds) -> None:
    """The bound on handlers ends the wait."""
    async with open_source(misbehaving("mute-call"), bounds=short) as upstream:
        with pytest.raises(ServerFailed):
            await call(upstream, "good", {})


async def test_one_bad_tool_of_a_server_never_hides_the_others(misbehaving: Misbehaving) -> None:
    """The SDK's own client refuses this whole list."""
    async with open_source(misbehaving("bad-tools")) as upstream:
        assert ["listed_schema", "textless", "good", "good"] == names(upstream)
        assert [1, 2] == upstream.tools[0]["inputSchema"]
        assert [
            (None, 0),
            ("listed_schema", 1),
            (None, 2),
            (None, 3),
            ("textless", 4),
            ("good", 6),
        ] == [(each.name, each.index) for each in upstream.problems]


async def test_a_list_in_pages_is_read_to_its_end(misbehaving: Misbehaving) -> None:
    """``nextCursor`` is followed."""
    async with open_source(misbehaving("pages")) as upstream:
        assert [f"tool_{page}" for page in range(5)] == names(upstream)


@pytest.mark.parametrize("mode", ["endless", "circle"])
async def test_a_list_that_never_ends_is_cut_off(
    misbehaving: Misbehaving, monkeypatch: pytest.MonkeyPatch, mode: str
) -> None:
    """New cursors for ever, or the same again: what was listed is kept, and that is said."""
    monkeypatch.setattr(paging, "MAX_PAGES", 20)

    async with open_source(misbehaving(mode)) as upstream:
        assert "good" in names(upstream)
        assert "not complete" in upstream.problems[-1].message


async def test_a_list_that_is_none_is_refused(misbehaving: Misbehaving) -> None:
    """There is nothing to keep."""
    with pytest.raises(ServerFailed) as caught:
        async with open_source(misbehaving("no-list")):
            pass

    assert "an object" in caught.value.reason


async def test_a_list_of_slow_pages_has_a_bound_of_its_own(
    misbehaving: Misbehaving, short: Bounds, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Pages that each come in time do not add up without limit."""
    monkeypatch.setattr(client_module, "LIST_SHARE", 0.0)

    with pytest.raises(ServerFailed):
        async with open_source(misbehaving("pages"), bounds=short):
            pass


async def test_what_was_listed_before_an_error_is_kept(misbehaving: Misbehaving) -> None:
    """An incomplete list is shown, and said to be incomplete."""
    async with open_source(misbehaving("second-page-fails")) as upstream:
        assert ["good"] == names(upstream)
        assert "not complete" in upstream.problems[0].message


async def test_a_huge_list_arrives_whole(misbehaving: Misbehaving) -> None:
    """Five megabytes on one line."""
    async with open_source(misbehaving("huge")) as upstream:
        assert 5_000 == len(upstream.tools)


async def test_a_line_past_the_bound_cuts_the_server_off(
    misbehaving: Misbehaving, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It never fills our memory."""
    monkeypatch.setattr(messages, "MAX_LINE_BYTES", 100_000)

    with pytest.raises(ServerFailed) as caught:
        async with open_source(misbehaving("overlong")):
            pass

    assert "too long" in caught.value.reason


async def test_a_server_without_tools_is_not_a_broken_one(misbehaving: Misbehaving) -> None:
    """It offers prompts or resources only."""
    with pytest.raises(SourceNotTools):
        async with open_source(misbehaving("no-tools-method")):
            pass


@pytest.mark.parametrize("mode", ["ignores-unknown", "old-and-strict"])
async def test_older_servers_survive_the_probe_of_the_newer_era(
    misbehaving: Misbehaving, short: Bounds, mode: str
) -> None:
    """One that ignores it costs a part of the time, one that ends gets a second start."""
    async with open_source(misbehaving(mode), bounds=short) as upstream:
        assert ["good", "echo"] == names(upstream)


async def test_a_server_of_the_newer_era_gets_what_it_demands(misbehaving: Misbehaving) -> None:
    """Each request carries the version; tools with bad header annotations are left out."""
    async with open_source(misbehaving("modern")) as upstream:
        assert ["mirrored", "good"] == names(upstream)
        assert [("refused", 1)] == [(each.name, each.index) for each in upstream.problems]
        assert {"region": "eu"} == (await call(upstream, "mirrored", {"region": "eu"})).structured


async def test_a_late_server_that_settled_on_the_newer_era_is_followed(
    misbehaving: Misbehaving, short: Bounds
) -> None:
    """It had the probe in hand when we had given it up."""
    async with open_source(misbehaving("late-and-modern"), bounds=short) as upstream:
        assert ["good", "echo"] == names(upstream)


@pytest.mark.parametrize("mode", ["odd-handshake", "refuses-handshake"])
async def test_a_handshake_that_is_none_is_one_sentence(
    misbehaving: Misbehaving, mode: str
) -> None:
    """Neither pydantic's words nor the SDK's class names."""
    with pytest.raises(ServerFailed) as caught:
        async with open_source(misbehaving(mode)):
            pass

    assert "\n" not in caught.value.reason
    assert "validation error" not in caught.value.reason


async def test_numbers_keep_every_digit(misbehaving: Misbehaving) -> None:
    """Past 64 bits, and past the range of a double."""
    async with open_source(misbehaving("plain")) as upstream:
        result = await call(upstream, "echo", {"n": 2**80, "x": Decimal("1e400")})

        assert {"n": 2**80, "x": "1E+400"} == json.loads(result.content[0]["text"])


async def test_answers_are_passed_on_raw(misbehaving: Misbehaving) -> None:
    """Block types and members that the SDK does not know arrive, nulls too."""
    async with open_source(misbehaving("plain")) as upstream:
        result = await call(upstream, "echo", {"text": "Messgerät 酷狗 ★ 🎉"})

        assert {"text": "Messgerät 酷狗 ★ 🎉"} == json.loads(result.content[0]["text"])
        assert {"type": "hologram", "vendor": {"nested": None}} == result.content[1]
        assert {"text": "Messgerät 酷狗 ★ 🎉"} == result.structured
        assert not result.is_error


@pytest.mark.parametrize("mode", ["is-error", "odd-content", "input-required"])
async def test_answers_without_a_result_are_errors_of_the_tool(
    misbehaving: Misbehaving, mode: str
) -> None:
    """It says so itself, breaks the protocol, or asks for what cannot be given."""
    async with open_source(misbehaving(mode)) as upstream:
        result = await call(upstream, "echo", {})

        assert result.is_error
        assert "text" == result.content[0]["type"]


async def test_requests_from_the_server_are_declined(misbehaving: Misbehaving) -> None:
    """There is no model and no person behind us."""
    async with open_source(misbehaving("asks-back")) as upstream:
        result = await call(upstream, "echo", {})

        assert "declined" == result.content[0]["text"]


async def test_a_chatty_server_is_never_blocked(misbehaving: Misbehaving) -> None:
    """More than a pipe holds is read, and only the end is kept."""
    async with open_source(misbehaving("chatty-stderr")) as upstream:
        assert ["good", "echo"] == names(upstream)


async def test_the_server_gets_a_safe_part_of_our_environment(
    misbehaving: Misbehaving, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Keys in it stay with us unless they are handed on by name."""
    monkeypatch.setenv("API_KEY", "envsecret999")

    async with open_source(misbehaving("environment"), env={"GIVEN": "on purpose"}) as upstream:
        seen = json.loads((await call(upstream, "echo", {})).content[0]["text"])

    assert "API_KEY" not in seen
    assert "on purpose" == seen["GIVEN"]
    assert os.environ["PATH"] == seen["PATH"]


@pytest.mark.skipif(sys.platform == "win32", reason="process groups are POSIX")
@pytest.mark.parametrize("mode", ["stubborn", "leaves-a-child"])
async def test_a_server_and_what_it_started_end_with_us(
    misbehaving: Misbehaving, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, mode: str
) -> None:
    """Even where both ignore a closed stdin and SIGTERM."""
    for grace in ("_EXIT_GRACE_S", "_TERMINATE_GRACE_S"):
        monkeypatch.setattr(f"toolgauge.upstream.process.{grace}", 0.2)
    pids = tmp_path / "pids"

    with ends_with_us(pids):
        async with open_source(misbehaving(mode, str(pids))) as upstream:
            assert ["good", "echo"] == names(upstream)


@pytest.mark.skipif(sys.platform == "win32", reason="process groups are POSIX")
async def test_a_server_ends_when_the_body_raises_or_is_cancelled(
    misbehaving: Misbehaving, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The body's own exception comes out as it is."""
    monkeypatch.setattr("toolgauge.upstream.process._EXIT_GRACE_S", 0.1)
    monkeypatch.setattr("toolgauge.upstream.process._TERMINATE_GRACE_S", 0.1)
    pids = tmp_path / "pids"

    with ends_with_us(pids), pytest.raises(ZeroDivisionError):
        async with open_source(misbehaving("stubborn", str(pids))):
            raise ZeroDivisionError
    with ends_with_us(pids), anyio.CancelScope() as scope:
        async with open_source(misbehaving("stubborn", str(pids))):
            scope.cancel()
            await anyio.sleep_forever()


@pytest.mark.skipif(sys.platform == "win32", reason="process groups are POSIX")
async def test_servers_that_are_started_in_one_block_end_soon_in_haste(
    misbehaving: Misbehaving, tmp_path: Path
) -> None:
    """Stubborn ones too; a block inside of it is part of it."""
    pids = tmp_path / "pids"

    with ends_with_us(pids), ending_together() as haste, ending_together() as inner:
        async with open_source(misbehaving("stubborn", str(pids))):
            haste.begin()
            begun_s = time.monotonic()
        took_s = time.monotonic() - begun_s

    assert inner is haste
    assert current_haste() is not haste
    assert _EXIT_GRACE_S + _TERMINATE_GRACE_S > took_s


async def test_a_server_killed_from_outside_is_told_by_its_signal(
    misbehaving: Misbehaving, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Such as by the system when memory runs out."""
    monkeypatch.setattr("toolgauge.upstream.process._TERMINATE_GRACE_S", 0.1)
    pids = tmp_path / "pids"
    async with open_source(misbehaving("leaves-a-child", str(pids))) as upstream:
        os.kill(int(pids.read_text().split()[0]), signal.SIGKILL)

        with pytest.raises(ServerFailed) as caught:
            await call(upstream, "echo", {})

    assert "signal 9" in caught.value.reason


@pytest.mark.parametrize("program", ["no-such-program-anywhere", "nul\0inside"])
async def test_a_program_that_cannot_start_is_one_sentence(program: str) -> None:
    """C25: the arguments are not part of it."""
    with pytest.raises(ServerFailed) as caught:
        async with open_source(CommandSource((program, "--api-key", "argsecret999"))):
            pass

    assert "argsecret999" not in str(caught.value)


async def test_a_file_that_is_no_program_is_one_sentence(tmp_path: Path) -> None:
    """Executable by its mode, and nothing that the system can run."""
    program = tmp_path / "tool"
    program.write_bytes(b"\x00\x01")
    program.chmod(0o755)

    with pytest.raises(ServerFailed):
        async with open_source(CommandSource((str(program),))):
            pass


async def test_calls_may_overlap(misbehaving: Misbehaving) -> None:
    """Answers find their callers."""
    async with open_source(misbehaving("plain")) as upstream:
        answers: dict[int, object] = {}

        async def ask(number: int) -> None:
            answers[number] = (await call(upstream, "echo", {"n": number})).structured

        async with anyio.create_task_group() as tasks:
            for number in range(20):
                tasks.start_soon(ask, number)

    assert {number: {"n": number} for number in range(20)} == answers
