"""One call of a tool that a pydantic model defines: through the gate, and pydantic alone.

python bench/standard.py [--quick] [--repeats N] [--json FILE]
"""

from __future__ import annotations

import sys
from pathlib import Path

# A script's own folder comes first on the path, and ours holds an ``http.py``.
sys.path.pop(0)
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import argparse
import asyncio
import gc
import statistics
import time
from dataclasses import dataclass
from datetime import date  # noqa: TC003 - pydantic reads it
from typing import TYPE_CHECKING, Any, Literal

import anyio
import anyio.to_thread
import pydantic

from bench import _table
from toolgauge import Gate, define_tool

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

MAX_RATIO = 2.0
_TIMEOUT_S = 30.0


class Tiny(pydantic.BaseModel):
    city: str
    days: int = 3


class Address(pydantic.BaseModel):
    street: str
    city: str
    postcode: str = pydantic.Field(pattern=r"^\d{5}$")
    country: str = "NO"


class Item(pydantic.BaseModel):
    sku: str = pydantic.Field(max_length=20)
    quantity: int = pydantic.Field(ge=1)
    price: float


class Order(pydantic.BaseModel):
    number: int
    customer: str
    email: str
    placed: date
    currency: Literal["EUR", "NOK", "USD"] = "EUR"
    tags: list[str] = []
    delivery: Address
    billing: Address | None = None
    items: list[Item]
    note: str | None = None
    priority: int = pydantic.Field(3, ge=1, le=5)
    is_gift: bool = False
    discount: float = 0.0
    reference: str = ""


_ADDRESS = {"street": "Storgata 1", "city": "Oslo", "postcode": "00155"}
_ORDER = {
    "number": 4711,
    "customer": "Kari Nordmann",
    "email": "kari@example.org",
    "placed": "2026-11-28",
    "currency": "NOK",
    "tags": ["new", "web"],
    "delivery": _ADDRESS,
    "billing": _ADDRESS,
    "items": [
        {"sku": f"A-{number}", "quantity": number, "price": 9.5 * number} for number in (1, 2, 3)
    ],
    "note": "ring twice",
    "priority": 2,
    "is_gift": True,
    "reference": "web-2026-11-28-0001",
}


@dataclass(frozen=True, kw_only=True)
class Case:
    model: type[pydantic.BaseModel]
    arguments: dict[str, Any]
    title: str


CASES = (
    Case(model=Tiny, arguments={"city": "Oslo", "days": 2}, title="2 fields"),
    Case(model=Order, arguments=_ORDER, title="14 fields, nested"),
)


async def at_once(_: Any) -> str:
    return "done"


async def after_one_turn(_: Any) -> str:
    await asyncio.sleep(0)
    return "done"


def in_a_thread(_: Any) -> str:
    return "done"


HANDLERS: dict[str, Callable[[Any], Any]] = {
    "async, at once": at_once,
    "async, one turn of the loop": after_one_turn,
    "sync, in a thread": in_a_thread,
}


def contenders(
    case: Case, handler: Callable[[Any], Any]
) -> dict[str, Callable[[], Awaitable[Any]]]:
    """Give what is compared.

    Pydantic alone validates and runs the handler. So does the one "with a timeout",
    as a server has to: the gate bounds each call too.
    """
    adapter: pydantic.TypeAdapter[Any] = pydantic.TypeAdapter(case.model)
    arguments = case.arguments
    gate = Gate([define_tool(name="t", input=case.model, handler=handler)])

    async def run(value: Any) -> Any:
        if handler is in_a_thread:
            return await anyio.to_thread.run_sync(handler, value)
        return await handler(value)

    async def ours() -> Any:
        return await gate.call("t", arguments)

    async def pydantic_alone() -> Any:
        return await run(adapter.validate_python(arguments))

    async def pydantic_with_a_timeout() -> Any:
        with anyio.fail_after(_TIMEOUT_S):
            return await run(adapter.validate_python(arguments))

    return {"ours": ours, "pydantic": pydantic_alone, "bounded": pydantic_with_a_timeout}


async def check(case: Case, handler: Callable[[Any], Any]) -> None:
    """Make sure that all of them give the same before anything is measured."""
    calls = contenders(case, handler)
    found = {name: await call() for name, call in calls.items()}
    assert found.pop("ours").content[0]["text"] == "done"
    assert set(found.values()) == {"done"}


async def seconds_per_call(call: Callable[[], Awaitable[Any]], slice_s: float) -> float:
    """Run for so long; CPU time, all threads, which a busy machine disturbs less."""
    number, started = 0, time.process_time()
    while (taken := time.process_time() - started) < slice_s or not number:
        for _ in range(20):
            await call()
        number += 20
    return taken / number


async def measure(
    case: Case, title: str, handler: Callable[[Any], Any], repeats: int, slice_s: float
) -> dict[str, Any]:
    """Time all in turn, ``repeats`` times; the collector is off inside a repeat."""
    calls = contenders(case, handler)
    for call in calls.values():
        await seconds_per_call(call, slice_s)
    runs: list[dict[str, float]] = []
    for _ in range(repeats):
        gc.collect()
        gc.disable()
        runs.append({name: await seconds_per_call(call, slice_s) for name, call in calls.items()})
        gc.enable()

    def ratio(under: str) -> float:
        return statistics.median(each["ours"] / each[under] for each in runs)

    return {
        "model": case.title,
        "handler": title,
        "seconds": {name: statistics.median(each[name] for each in runs) for name in calls},
        "ratios": {"ours/pydantic": ratio("pydantic"), "ours/bounded": ratio("bounded")},
    }


def print_results(results: list[dict[str, Any]]) -> None:
    _table.print_table(
        "One call, µs of CPU (medians) and ratios",
        (
            "model",
            "handler",
            "ours",
            "pydantic",
            "with a timeout",
            "ours/pydantic",
            "ours/with a timeout",
        ),
        [
            (
                each["model"],
                each["handler"],
                *(
                    f"{each['seconds'][name] * 1e6:,.1f}"
                    for name in ("ours", "pydantic", "bounded")
                ),
                *(_table.ratio(each["ratios"][name]) for name in ("ours/pydantic", "ours/bounded")),
            )
            for each in results
        ],
    )


def targets_of(results: list[dict[str, Any]]) -> list[dict[str, Any]]:
    def worst(under: str, *handlers: str) -> float:
        return max(
            each["ratios"][f"ours/{under}"] for each in results if each["handler"] in handlers
        )

    sync, asynchronous = list(HANDLERS)[2:], list(HANDLERS)[:2]
    rows = (
        ("sync handler, ours/pydantic", worst("pydantic", *sync)),
        ("async handler, ours/pydantic", worst("pydantic", *asynchronous)),
        ("async handler, ours/pydantic with a timeout", worst("bounded", *asynchronous)),
    )
    return [_table.target(name, value, MAX_RATIO, at_least=False) for name, value in rows]


async def run(repeats: int, slice_s: float) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    for case in CASES:
        for title, handler in HANDLERS.items():
            await check(case, handler)
            found.append(await measure(case, title, handler, repeats, slice_s))
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--repeats", type=int, default=9)
    parser.add_argument("--seconds", type=float, default=0.2, help="per contender and repeat")
    parser.add_argument("--quick", action="store_true", help="two short repeats: does it run?")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write every figure here")
    options = parser.parse_args()
    if options.quick:
        options.repeats, options.seconds = 2, 0.001
    machine = _table.machine(("toolgauge", "pydantic", "anyio", "jsonschema-rs"))
    print(machine)
    print(f"{options.repeats} repeats, interleaved; load average {_table.load_average()}")
    results = asyncio.run(run(options.repeats, options.seconds))
    print_results(results)
    targets = targets_of(results)
    _table.print_targets(targets)
    print(f"\nload average at the end: {_table.load_average()}")
    _table.write_json(options.json, {"machine": machine, "results": results, "targets": targets})


if __name__ == "__main__":
    main()
