"""Area d of the project's collection of real faults: tools made of function signatures.

Each case's own code runs, in a module of its own, since where names come from is what
some of them are about.
"""

from __future__ import annotations

import importlib
import json
import sys
import textwrap
from datetime import date, datetime
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any
from uuid import UUID

import pytest
from mcp.server.mcpserver import Context

from toolgauge import Gate, Tool, tool
from toolgauge.contract import compile_schema, resolve
from toolgauge.rules import check
from toolgauge.standard import UncallableSignature, UnresolvedAnnotation

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import ModuleType

CASES = Path(__file__).parents[1] / "suites" / "cases_d.jsonl"
IDS = ["D01", "D02", "D04", "D05", "D07", "D08", "D10", "D11", "D12", "D14", "D15", "D17"]
IDS += ["D18", "D20", "D22"]

Run = "Callable[[str], ModuleType]"


@cache
def _cases() -> dict[str, dict[str, Any]]:
    lines = CASES.read_text("utf-8").splitlines()
    return {case["id"]: case for case in map(json.loads, lines)}


def expected_of(name: str) -> Any:
    """Give what a case expects."""
    return _cases()[name]["expected"]


def code_of(name: str) -> str:
    """Give a case's code."""
    code: str = _cases()[name]["input"]["python"]
    return code


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], ModuleType]:
    """Import a text as a module; ``server_lib`` is there and gives the SDK's ``Context``."""
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "server_lib.py").write_text("from mcp.server.mcpserver import Context\n", "utf-8")
    monkeypatch.delitem(sys.modules, "server_lib", raising=False)
    number = iter(range(100))

    def make(code: str) -> ModuleType:
        name = f"case_d_{tmp_path.name.replace('-', '_')}_{next(number)}"
        (tmp_path / f"{name}.py").write_text(textwrap.dedent(code), "utf-8")
        importlib.invalidate_caches()
        monkeypatch.delitem(sys.modules, name, raising=False)
        return importlib.import_module(name)

    return make


def holds(made: Tool, expected: dict[str, Any]) -> None:
    """Hold a tool against what a case accepts and refuses; published schema and validator."""
    compiled = compile_schema(made.input_schema)
    assert compiled.problem is None
    assert expected.get("required", []) == made.input_schema.get("required", [])
    for value in expected["accepts"]:
        assert () == compiled.issues(value), value
        assert hasattr(_verdict(made, value), "value"), value
    for value, place, *_ in expected["rejects"]:
        issues = compiled.issues(value)
        # An absent property is reported at the place where it should be.
        assert any(each.pointer.startswith(place) for each in issues), (value, issues)
        assert hasattr(_verdict(made, value), "issues"), value


def _verdict(made: Tool, value: object) -> Any:
    assert made.validate is not None
    return made.validate(value)


def target_of(made: Tool, name: str) -> Any:
    """Give a parameter's schema, following a reference."""
    found = made.input_schema["properties"][name]
    if "$ref" in found:
        found = resolve(made.input_schema, found["$ref"].removeprefix("#"))
    return found


def test_every_case_has_a_test() -> None:
    """The file and this module name the same cases."""
    assert IDS == list(_cases())
    assert all(any(name.startswith(f"test_{each.lower()}_") for name in globals()) for each in IDS)


SPELLINGS = ["Context", "'Context[S, A]'", "Context | None = None", "'server_lib.Context'"]


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_d01_a_context_that_only_type_checkers_see_is_injected(
    run: Callable[[str], ModuleType], spelling: str
) -> None:
    """It is found where the type checker finds it, and never published."""
    code = code_of("D01").replace("ctx: Context", f"ctx: {spelling}")
    code = code.replace("import Context\n", "import Context\n    import server_lib\n")
    if "S, A" in spelling:
        code = code.replace("TYPE_CHECKING:", "TYPE_CHECKING:\n    from typing import Any as S", 1)
        code = code.replace("as S\n", "as S, Any as A\n", 1)
    made = tool(run(code).count_rows)

    expected = expected_of("D01")
    assert expected["properties"] == list(made.input_schema["properties"])
    assert expected["required"] == made.input_schema["required"]
    assert expected["absent"][0] not in json.dumps(made.input_schema)


def test_d01_a_context_that_nobody_can_find_is_named(run: Callable[[str], ModuleType]) -> None:
    """Never a tool that lists it."""
    module = run(code_of("D01").replace("from server_lib", "from no_such_library"))

    with pytest.raises(UnresolvedAnnotation) as caught:
        tool(module.count_rows)
    assert ("count_rows", "ctx", "Context") == (
        caught.value.function,
        caught.value.parameter,
        caught.value.annotation,
    )


@pytest.mark.anyio
async def test_d01_the_injected_context_arrives(run: Callable[[str], ModuleType]) -> None:
    """It is the request of the call, where that came through the library."""
    module = run(code_of("D01").replace("...", "\n    return ctx is not None, type(ctx).__name__"))
    context: Context[Any, Any] = Context()
    result = await Gate([tool(module.count_rows)]).call("count_rows", {"table": "t"}, context)

    assert '[true,"Context"]' == result.content[0]["text"]


def test_d02_a_class_of_ones_own_called_context_is_an_argument(
    run: Callable[[str], ModuleType],
) -> None:
    """What a parameter is follows from the class, not from its spelling."""
    rename = tool(run(code_of("D02")).rename)
    audit = tool(run(_cases()["D02"]["input"]["second"]).audit)

    expected = expected_of("D02")
    assert expected["rename"]["required"] == rename.input_schema["required"]
    assert expected["rename"]["context_required"] == target_of(rename, "context")["required"]
    assert expected["audit"]["properties"] == list(audit.input_schema["properties"])


def test_d04_optional_without_a_default_is_required_and_nullable(
    run: Callable[[str], ModuleType],
) -> None:
    """Presence and null are two things."""
    holds(tool(run(code_of("D04")).f), expected_of("D04"))


def test_d05_optional_int_is_an_integer_or_null(run: Callable[[str], ModuleType]) -> None:
    """A number in quotes is none."""
    made = tool(run(code_of("D05")).history)

    holds(made, expected_of("D05"))
    defaults = {name: each["default"] for name, each in made.input_schema["properties"].items()}
    assert expected_of("D05")["default"] == defaults


def test_d07_literals_enums_and_unions_keep_their_values(run: Callable[[str], ModuleType]) -> None:
    """Members of an enumeration travel by value."""
    holds(tool(run(code_of("D07")).go), expected_of("D07"))


def test_d08_a_union_of_a_literal_and_its_type_is_a_valid_schema(
    run: Callable[[str], ModuleType],
) -> None:
    """No type is listed twice."""
    made = tool(run(code_of("D08")).paint)
    expected = expected_of("D08")

    holds(made, {"required": ["c", "d"], **expected})
    assert '"type": ["string", "string"]' not in json.dumps(made.input_schema)


def test_d10_a_default_factory_makes_a_field_optional(run: Callable[[str], ModuleType]) -> None:
    """As a default does."""
    made = tool(run(code_of("D10")).search)

    holds(made, expected_of("D10"))
    assert expected_of("D10")["args_required"] == target_of(made, "args")["required"]


def test_d11_dataclass_fields_with_defaults_may_be_left_out(
    run: Callable[[str], ModuleType],
) -> None:
    """The default decides, not Optional."""
    made = tool(run(code_of("D11")).start)

    holds(made, {"required": ["job"], **expected_of("D11")})
    assert expected_of("D11")["job_required"] == target_of(made, "job")["required"]


@pytest.mark.parametrize("library", ["typing_extensions", "typing"])
def test_d12_required_keys_of_typed_dictionaries(
    run: Callable[[str], ModuleType], library: str
) -> None:
    """Of both libraries' classes, on every Python."""
    made = tool(run(code_of("D12").replace("typing_extensions", library)).f)
    expected = expected_of("D12")

    holds(made, expected)
    assert expected["a_required"] == target_of(made, "a")["required"]
    assert expected["b_required"] == target_of(made, "b")["required"]


def test_d14_positional_only_parameters_are_refused_by_name(
    run: Callable[[str], ModuleType],
) -> None:
    """A call names its arguments."""
    with pytest.raises(UncallableSignature) as caught:
        tool(run(code_of("D14")).price)

    assert "sku" == caught.value.parameter


@pytest.mark.parametrize(("function", "parameter"), [("tally", "*nums"), ("mark", "**opts")])
def test_d15_variadic_parameters_are_refused_by_name(
    run: Callable[[str], ModuleType], function: str, parameter: str
) -> None:
    """As they are written."""
    with pytest.raises(UncallableSignature) as caught:
        tool(getattr(run(code_of("D15")), function))

    assert parameter == caught.value.parameter


@pytest.mark.anyio
async def test_d17_decimals_keep_their_digits_and_their_bounds(
    run: Callable[[str], ModuleType],
) -> None:
    """What the schema lets through is still refused where it is bound, at its place."""
    module = run(code_of("D17").replace("...", "\n    return repr(amount)"))
    gate = Gate([tool(module.pay)])
    results = [await gate.call("pay", args) for args in _cases()["D17"]["input"]["calls"]]

    assert [repr(Decimal("12.5")), repr(Decimal("12.50"))] == [
        each.content[0]["text"] for each in results[:2]
    ]
    for refused in results[2:]:
        assert refused.is_error
        assert {"/amount"} == {issue.pointer for issue in refused.issues}


def test_d17_gemini_wants_a_type_on_the_node(run: Callable[[str], ModuleType]) -> None:
    """The check says so."""
    made = tool(run(code_of("D17")).pay)
    report = check([made.to_detail()], ["gemini-parameters"])

    wanted = expected_of("D17")["gemini_parameters"]["finding"]["schema_path"]
    assert f"/inputSchema{wanted}" in {each.pointer for each in report.findings}


def test_d18_paths_bytes_and_dates_are_texts(run: Callable[[str], ModuleType]) -> None:
    """With formats, JSON defaults, and the Python objects at the other end."""
    made = tool(run(code_of("D18")).f)
    properties = made.input_schema["properties"]
    identity = "12345678-1234-5678-1234-567812345678"
    arguments = {"p": "a/b", "b": "x", "u": identity, "at": "2026-01-02T03:04:05Z"}
    bound = _verdict(made, {**arguments, "d": "2026-01-02"}).value

    expected = expected_of("D18")
    for name, said in expected["types"].items():
        kind, _, form = said.partition(" (format ")
        assert kind == properties[name]["type"]
        assert form.rstrip(")") == (properties[name].get("format", "") if form else "")
    assert expected["default_root"] == properties["root"]["default"]
    assert json.loads(json.dumps(made.to_detail())) == made.to_detail()
    assert (Path("a/b"), b"x", UUID(identity), Path()) == tuple(
        bound[name] for name in ("p", "b", "u", "root")
    )
    assert isinstance(bound["at"], datetime)
    assert date(2026, 1, 2) == bound["d"]


def test_d20_an_optional_list_does_not_hide_what_is_required(
    run: Callable[[str], ModuleType],
) -> None:
    """The other parameter still is."""
    holds(tool(run(code_of("D20")).find), expected_of("D20"))


def test_d22_descriptions_and_constraints_are_kept(run: Callable[[str], ModuleType]) -> None:
    """Field's, and a bare text is a description."""
    made = tool(run(code_of("D22")).scale)
    expected = expected_of("D22")

    holds(made, {"required": ["base", "factor"], "accepts": [], **expected})
    assert expected["base"] == made.input_schema["properties"]["base"]
    assert {"type": expected["factor_type"], "description": "how many times"} == (
        made.input_schema["properties"]["factor"]
    )
