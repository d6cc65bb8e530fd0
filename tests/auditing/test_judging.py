"""Each call gets exactly one verdict, and the quick way never gives another than the long one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import orjson
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from toolgauge.auditing import Contracts, Judged, Row, RowReader, Tally, Verdict, quick
from toolgauge.auditing.judging import Judge
from toolgauge.auditing.quick import row_reader
from toolgauge.auditing.tally import hour_of
from toolgauge.contract import dump_json

if TYPE_CHECKING:
    from collections.abc import Callable

KEYS = ("tool", "arguments")


def judged(line: Any, contracts: Contracts, **options: Any) -> list[Judged]:
    """Judge one row the long way."""
    raw = line if isinstance(line, bytes) else orjson.dumps(line)
    found: list[Judged] = []
    Judge(contracts, RowReader(), found.append, emit_valid=True, **options).line(
        raw, Row("calls", 1)
    )
    return found


def call(arguments: Any, tool: str = "weather") -> dict[str, Any]:
    """Make a direct row."""
    return {"tool": tool, "arguments": arguments}


@pytest.mark.parametrize(
    ("row", "verdict", "where", "keyword"),
    [
        (call({"city": "Oslo"}), Verdict.VALID, [], []),
        (call('{"city": "Oslo"}'), Verdict.VALID, [], []),
        (call({"city": 7}), Verdict.INVALID, ["/city"], ["type"]),
        (call({"days": 0}), Verdict.INVALID, ["/days", "/city"], ["minimum", "required"]),
        (call({"city": "a", "tags": ["b", 1]}), Verdict.INVALID, ["/tags/1"], ["type"]),
        (call({}, "nope"), Verdict.UNKNOWN_TOOL, ["/arguments"], [None]),
        (call({}, "broken"), Verdict.BROKEN_CONTRACT, [""], ["schema"]),
        (call("{'city': 'x'}"), Verdict.UNPARSABLE_ARGUMENTS, ["/arguments"], ["format"]),
        (call('{"city": "x"'), Verdict.UNPARSABLE_ARGUMENTS, ["/arguments"], ["format"]),
        (call('"{}"'), Verdict.WRONG_SHAPE, ["/arguments"], ["type"]),
        (call([1]), Verdict.WRONG_SHAPE, ["/arguments"], ["type"]),
        (call(None), Verdict.WRONG_SHAPE, ["/arguments"], ["type"]),
        ({"tool": "weather"}, Verdict.WRONG_SHAPE, [""], ["type"]),
        (b"{not json", Verdict.UNPARSABLE_ROW, [""], ["format"]),
        (b'{"tool": "weather", "arguments": {"city": NaN}}', Verdict.UNPARSABLE_ROW, [""], None),
        (b'{"tool": "\xff"}', Verdict.UNPARSABLE_ROW, [""], None),
        ([1], Verdict.MALFORMED_CALL, [""], [None]),
        (5, Verdict.MALFORMED_CALL, [""], [None]),
    ],
)
def test_a_row_gets_its_verdict(
    row: Any,
    verdict: Verdict,
    where: list[str],
    keyword: list[str | None] | None,
    contracts: Contracts,
) -> None:
    """Bad rows are verdicts of their own, never exceptions."""
    (found,) = judged(row, contracts)

    assert verdict is found.verdict
    assert where == [issue.pointer for issue in found.issues]
    if keyword is not None:
        assert keyword == [issue.keyword for issue in found.issues]


def test_a_line_that_is_too_long_is_a_verdict(contracts: Contracts) -> None:
    """It is not even parsed."""
    (found,) = judged(call({"city": "x" * 500}), contracts, max_line_bytes=100)

    assert Verdict.UNPARSABLE_ROW is found.verdict
    assert "limit is 100" in found.issues[0].message


def test_arguments_that_nest_too_deep_are_invalid(contracts: Contracts) -> None:
    """The bound on values holds here as it does at the gate."""
    deep: Any = "x"
    for _ in range(101):
        deep = [deep]
    (found,) = judged(call({"city": deep}), contracts)

    assert Verdict.INVALID is found.verdict
    assert "deeper" in found.issues[0].message


def test_kept_columns_travel_with_the_record(contracts: Contracts) -> None:
    """A missing one is null."""
    (found,) = judged({**call({}), "session": "s1"}, contracts, columns=("session", "user"))

    assert {"session": "s1", "user": None} == found.columns


def test_integers_past_64_bits_are_told_apart() -> None:
    """A parser that rounds them must not decide where the schema can see the difference."""
    bound = 2**64
    contracts = Contracts(
        [
            {"name": "bounded", "inputSchema": {"properties": {"n": {"maximum": bound}}}},
            {"name": "unique", "inputSchema": {"properties": {"n": {"uniqueItems": True}}}},
            {"name": "small", "inputSchema": {"properties": {"n": {"maximum": 9}}}},
        ]
    )
    rows = [
        ("bounded", b"18446744073709551616", Verdict.VALID),
        ("bounded", b"18446744073709551617", Verdict.INVALID),
        ("unique", b"[18446744073709551616, 18446744073709551617]", Verdict.VALID),
        ("unique", b"[18446744073709551616, 18446744073709551616]", Verdict.INVALID),
        ("small", b"18446744073709551617", Verdict.INVALID),
    ]
    for tool, value, verdict in rows:
        line = b'{"tool": "%s", "arguments": {"n": %s}}' % (tool.encode(), value)

        assert verdict is _quick(line, contracts), line


LINES = st.one_of(
    st.fixed_dictionaries(
        {
            "tool": st.sampled_from(["weather", "broken", "nope", "", None, 3, ["weather"]]),
            "arguments": st.one_of(
                st.fixed_dictionaries(
                    {},
                    optional={
                        "city": st.one_of(st.text(max_size=5), st.integers()),
                        "days": st.integers(-2, 20),
                        "tags": st.lists(st.one_of(st.text(max_size=3), st.none()), max_size=3),
                        "more": st.none(),
                    },
                ),
                st.sampled_from(['{"city": "x"}', "{", '"x"', "[[1]]", 5, None, [], [[[]]]]),
            ),
        },
        optional={
            "id": st.sampled_from([1, "a", None, [1], {"a": {}}]),
            "time": st.sampled_from([0, "2026-03-01T14:20:00Z", None, [1], "then", 1772373600.5]),
            "messages": st.sampled_from([[], [{"role": "user"}]]),
        },
    ).map(dump_json),
    st.sampled_from([b"", b"  ", b"{", b"[]", b"null", b'{"tool": "weather"}', b"\xff", b"[[[["]),
)


@settings(
    max_examples=300, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(lines=st.lists(LINES, max_size=8))
def test_the_quick_loop_agrees_with_the_long_way(lines: list[bytes], contracts: Contracts) -> None:
    """Whatever the rows are, counting and judging give the same sums."""
    quick, slow = Tally(), Tally()

    def add(tally: Tally) -> Callable[[Judged], None]:
        return lambda found: tally.add(found, hour_of(found.columns.get("time")))

    timed: dict[str, Any] = {"columns": ("time",), "time": "time"}
    fast = Judge(contracts, RowReader(keys=KEYS), add(quick), **timed)
    # Rows and tools are known from the second time on.
    fast.block([*lines, *lines], "calls", 1)
    quick.rows = fast.rows
    quick.add_valid(fast.valid, fast.hours)
    long = Judge(contracts, RowReader(), add(slow), emit_valid=True, **timed)
    for number, line in enumerate([*lines, *lines], 1):
        if line.strip():
            long.line(line, Row("calls", number))
    slow.rows = long.rows

    assert slow.to_json() == quick.to_json()


def test_digits_that_a_quick_parse_rounds_are_in_the_words(contracts: Contracts) -> None:
    """As they stand in the row, or in a text, where they may be written as escapes."""
    number = "18446744073709551617"
    escaped = "".join(f"\\u{ord(digit):04x}" for digit in number)
    given = orjson.dumps(f'{{"city": {number}}}').decode()
    rows = [
        b'{"tool": "weather", "arguments": {"city": %s}}' % number.encode(),
        b'{"tool": "weather", "arguments": %s}' % given.encode(),
        b'{"tool": "weather", "arguments": %s}' % given.replace(number, escaped).encode(),
    ]
    for line in rows:
        found: list[Judged] = []
        judge = Judge(contracts, RowReader(keys=KEYS), found.append)
        judge.block([line] * 3, "calls", 1)

        assert [f"{number} is not of type 'string'"] * 3 == [
            each.issues[0].message for each in found
        ], line


DEEP = b"[" * 101 + b"]" * 101
TEXT_DEEP = orjson.dumps((b'{"city": "x", "more": %s}' % DEEP).decode())


@pytest.mark.parametrize(
    "line",
    [
        b'{"tool": "open", "arguments": {"city": "Oslo", "more": %s}}' % DEEP,
        b'{"tool": "open", "arguments": {"city": %s}}' % DEEP,
        b'{"tool": "any", "arguments": {"city": %s}}' % DEEP,
        b'{"tool": "open", "arguments": %s}' % TEXT_DEEP,
        b'{"tool": "open", "arguments": {"city": "Oslo"}, "id": %s}' % DEEP,
        b'{"tool": "open", "arguments": {"city": "%s"}}' % (b"x" * 3_000),
    ],
    ids=["beside", "within", "anything", "in a text", "in the row", "long"],
)
@pytest.mark.parametrize("member", [1, [1]], ids=["flat", "nested"])
def test_no_bound_is_passed_on_the_quick_way(line: bytes, member: Any) -> None:
    """A value that nests too deep, a line that is too long: also of tools that are known."""
    contracts = Contracts(
        [
            {"name": "open", "inputSchema": {"properties": {"city": {"type": "string"}}}},
            {"name": "any", "inputSchema": {"properties": {"city": {}}}},
        ]
    )
    quickly: list[Judged] = []
    judge = Judge(
        contracts,
        RowReader(keys=KEYS),
        quickly.append,
        max_line_bytes=2_000,
    )
    known = [
        orjson.dumps({**call({"city": "Oslo"}, tool), "id": member}) for tool in ("open", "any")
    ]
    judge.block([*known, *known, *known], "calls", 1)
    assert not quickly
    judge.block([line], "calls", 1)

    expected = judged(line, contracts, max_line_bytes=2_000)
    assert [each.verdict for each in expected if each.verdict is not Verdict.VALID] == [
        each.verdict for each in quickly
    ]
    assert [each.issues for each in expected if each.issues] == [each.issues for each in quickly]


@pytest.mark.parametrize(
    "rows",
    [
        [call({"city": "Oslo"}), call('{"city": "Oslo"}')],
        [{**call({"city": "Oslo"}), 'a"\\': 1}],
        [{**call({"city": "Oslo"}), f"m{number}": 1} for number in range(100)],
        [{**call({"city": "Oslo"}), **{f"m{number}": 1 for number in range(100)}}],
    ],
    ids=["arguments of both forms", "a name that no reader knows", "ever new names", "many names"],
)
def test_rows_that_look_ever_different_do_not_make_ever_new_readers(
    rows: list[Any], contracts: Contracts, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each takes as long as many rows; the long way takes what they do not."""
    made: list[object] = []

    def counted(*args: Any, **options: Any) -> Any:
        made.append(args)
        return row_reader(*args, **options)

    monkeypatch.setattr(quick, "row_reader", counted)
    judge = Judge(contracts, RowReader(keys=KEYS), print)
    judge.block([orjson.dumps(row) for row in rows] * 200, "calls", 1)

    assert {"weather": 200 * len(rows)} == judge.valid
    assert 200 * len(rows) == judge.rows
    assert len(made) <= 64


def test_bfcl_and_xlam_hints_say_what_happened(contracts: Contracts) -> None:
    """A dict printed by Python, a text cut off, a text encoded twice."""
    hints = [
        judged(call(text), contracts)[0].issues[0].hint or ""
        for text in ("{'city': True}", '{"city": "x', '"{\\"city\\": 1}"', "nothing")
    ]

    assert "Python" in hints[0]
    assert "cut off" in hints[1]
    assert "twice" in hints[2]
    assert not hints[3]


def _quick(line: bytes, contracts: Contracts) -> Verdict:
    """Judge a line with the quick loop, once the tool is known to it."""
    found: list[Judged] = []
    judge = Judge(contracts, RowReader(keys=KEYS), found.append)
    judge.block([line, line], "calls", 1)
    return found[-1].verdict if found else Verdict.VALID
