"""Ids of requests: random, or the same for the same; and the caller's trace."""

from __future__ import annotations

import random

import pytest

from toolgauge.envelope import DeterministicIds, Parent, RandomIds, read_traceparent
from toolgauge.envelope import logs as module

TRACE, SPAN = "0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"


def test_random_ids_are_never_the_same() -> None:
    """Even for the same request."""
    made = [RandomIds().next(b"x") for _ in range(100)]

    assert 100 == len({each.trace_id for each in made})
    assert 100 == len({each.span_id for each in made})
    assert 100 == len({each.request_id for each in made})
    assert {(32, 16, 36)} == {
        (len(each.trace_id), len(each.span_id), len(each.request_id)) for each in made
    }
    assert {"4"} == {each.request_id[14] for each in made}


def test_deterministic_ids_do_not_depend_on_the_order_of_arrival() -> None:
    """Transports deliver in another order (decision E11)."""
    requests = [b"a", b"b", b"a", b"c", b"a"]
    shuffled = random.Random(7).sample(requests, k=5)
    one, other = DeterministicIds(), DeterministicIds()

    assert sorted(map(str, map(one.next, requests))) == sorted(map(str, map(other.next, shuffled)))


def test_deterministic_ids_remember_a_bounded_number(monkeypatch: pytest.MonkeyPatch) -> None:
    """What was forgotten counts as new, and what came lately does not."""
    monkeypatch.setattr(module, "_MAX_REMEMBERED", 2)
    ids = DeterministicIds()
    first = ids.next(b"a")
    for request in (b"b", b"c"):
        ids.next(request)

    assert first == ids.next(b"a")
    assert first != ids.next(b"a")


@pytest.mark.parametrize("ids", [RandomIds(), DeterministicIds()])
def test_a_callers_trace_is_continued(ids: RandomIds | DeterministicIds) -> None:
    """With a span of our own in it."""
    made = ids.next(b"x", Parent(trace_id=TRACE, span_id=SPAN))

    assert TRACE == made.trace_id
    assert SPAN != made.span_id


def test_a_traceparent_is_read() -> None:
    """As W3C Trace Context writes it; later versions may say more."""
    expected = Parent(trace_id=TRACE, span_id=SPAN, flags=1)

    assert expected == read_traceparent(f"00-{TRACE}-{SPAN}-01")
    assert expected == read_traceparent(f" 00-{TRACE}-{SPAN}-01\t")
    assert expected == read_traceparent(f"cc-{TRACE}-{SPAN}-01-what-the-future-brings")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "00",
        f"ff-{TRACE}-{SPAN}-01",
        f"00-{TRACE}-{SPAN}-01-more",
        f"00-{'0' * 32}-{SPAN}-01",
        f"00-{TRACE}-{'0' * 16}-01",
        f"00-{TRACE.upper()}-{SPAN}-01",
        f"00-{TRACE}-{SPAN}",
        f"00-{TRACE}-{SPAN}-1",
        f"00-{TRACE}-{SPAN}-01\n00",
        None,
        5,
        ["00"],
    ],
)
def test_what_is_no_traceparent_is_ignored(text: object) -> None:
    """A caller's mistake in it must not cost it its answer."""
    assert None is read_traceparent(text)
