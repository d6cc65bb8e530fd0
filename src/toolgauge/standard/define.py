"""Define a tool with whatever validator there is: ``define_tool`` and ``@tool``."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Protocol, TypeVar, overload

from toolgauge.contract import InvalidTool, Issue, Tool
from toolgauge.standard._resolve import resolve_json_schema, standardize_for
from toolgauge.standard.define_handlers import handler_of, with_context, writing
from toolgauge.standard.define_outputs import Output, has_fields, output_of, written
from toolgauge.standard.errors import MissingLibrary, UnresolvedAnnotation
from toolgauge.standard.functions.annotations import NO_DEFAULT, name_of

if TYPE_CHECKING:
    from toolgauge.contract import Annotations, CallContext, Handler, Validate
    from toolgauge.standard._protocol import Standard
    from toolgauge.standard.functions.arguments import Arguments
    from toolgauge.standard.functions.signature import Signature

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)


class ValidatesPython(Protocol[T_co]):
    """A pydantic ``TypeAdapter``, as a type checker sees it."""

    def validate_python(self, object: Any, /) -> T_co:  # noqa: A002 - pydantic's own name
        """Return the value as ``T``."""
        ...  # pragma: no cover - never called


class Loads(Protocol):
    """A marshmallow ``Schema``, as a type checker sees it."""

    def load(self, data: Any) -> Any:
        """Return the loaded data."""
        ...  # pragma: no cover - never called


class _FromAnnotation:
    """Stands for "whatever the function says that it returns"."""


FROM_ANNOTATION: Any = _FromAnnotation()


# One overload for each form of handler: mypy infers a lambda's parameters from
# an overload, not from a union.
@overload
def define_tool(
    *,
    name: str,
    input: type[T] | Standard[T] | ValidatesPython[T],
    handler: Callable[[T], object],
    description: str = ...,
    parameters: Mapping[str, Any] | None = ...,
    output: object = ...,
    annotations: Annotations | None = ...,
) -> Tool: ...
@overload
def define_tool(
    *,
    name: str,
    input: type[T] | Standard[T] | ValidatesPython[T],
    handler: Callable[[T, CallContext], object],
    description: str = ...,
    parameters: Mapping[str, Any] | None = ...,
    output: object = ...,
    annotations: Annotations | None = ...,
) -> Tool: ...
@overload
def define_tool(
    *,
    name: str,
    input: Mapping[str, Any] | Loads,
    handler: Callable[[Any], object],
    description: str = ...,
    parameters: Mapping[str, Any] | None = ...,
    output: object = ...,
    annotations: Annotations | None = ...,
) -> Tool: ...
@overload
def define_tool(
    *,
    name: str,
    input: Mapping[str, Any] | Loads,
    handler: Callable[[Any, CallContext], object],
    description: str = ...,
    parameters: Mapping[str, Any] | None = ...,
    output: object = ...,
    annotations: Annotations | None = ...,
) -> Tool: ...
def define_tool(  # noqa: PLR0913 - a tool has as many parts
    *,
    name: str,
    input: object,  # noqa: A002 - the protocol's own word
    handler: Callable[..., object],
    description: str = "",
    parameters: Mapping[str, Any] | None = None,
    output: object = None,
    annotations: Annotations | None = None,
) -> Tool:
    """Define a tool by its validator and its handler.

    A call is validated against the published JSON Schema, then by the validator; the
    handler gets what the validator makes of the arguments.

    Args:
        name: What models call it by.
        input: Anything that ``standardize`` takes: a model or type of pydantic,
            msgspec, attrs, marshmallow or the standard library, an object with
            ``__standard_schema__``, or a JSON Schema.
        handler: Takes the validator's value, sync or async. A second positional
            parameter without a default, or one that is annotated with
            ``CallContext``, gets the context of the call.
        description: What models read of it.
        parameters: A JSON Schema to publish in place of the validator's own, verbatim.
        output: What the handler returns, as for ``input``. Its JSON Schema is
            published as ``outputSchema``, and results are written by its library. MCP
            wants an object: what may be something else is the member ``result`` of one.
        annotations: MCP annotations: ``{"readOnlyHint": True}``.

    Raises:
        NoJsonSchema: If the validator has no JSON Schema and ``parameters`` gives none.
        InvalidTool: If the name is empty, or the schema takes no objects: a call's
            arguments are one.
        UnknownValidator: If nothing knows what ``input`` or ``output`` accepts.
        MissingLibrary: If the library that knows is not installed.

    Example:
        >>> tool = define_tool(
        ...     name="add",
        ...     input={"type": "object", "required": ["a", "b"]},
        ...     handler=lambda args: args["a"] + args["b"],
        ... )
        >>> tool.input_schema
        {'type': 'object', 'required': ['a', 'b']}
    """
    standard = standardize_for(input, name, "input")
    # A JSON Schema that is published says all that it checks.
    is_all_said = isinstance(input, Mapping) and parameters is None and "~standard" not in input
    return _tool(
        name=name,
        description=description,
        schema=resolve_json_schema(standard, tool=name, parameters=parameters),
        validate=None if is_all_said else standard.__standard_schema__.validate,
        handler=with_context(handler),
        output=output_of(output, name),
        annotations=annotations,
    )


@overload
def tool(function: Callable[..., object], /) -> Tool: ...
@overload
def tool(
    *,
    name: str | None = ...,
    description: str | None = ...,
    parameters: Mapping[str, Any] | None = ...,
    output: object = ...,
    annotations: Annotations | None = ...,
) -> Callable[[Callable[..., object]], Tool]: ...
def tool(  # noqa: PLR0913 - a tool has as many parts
    function: Callable[..., object] | None = None,
    /,
    *,
    name: str | None = None,
    description: str | None = None,
    parameters: Mapping[str, Any] | None = None,
    output: object = FROM_ANNOTATION,
    annotations: Annotations | None = None,
) -> Tool | Callable[[Callable[..., object]], Tool]:
    """Make a tool of a function: its signature is the schema, its docstring the description.

    As a decorator it leaves the ``Tool`` under the function's name; call
    ``tool(function)`` to keep both.

    Args:
        function: Sync or async; a bound method, a partial or a callable object too.
        name: The function's own name by default.
        description: The docstring without its sections by default.
        parameters: A JSON Schema to publish in place of the signature's, verbatim.
        output: As for ``define_tool``. By default the annotation of the result, where
            that is a class with named fields; ``None`` for no ``outputSchema``.
        annotations: MCP annotations.

    Raises:
        UncallableSignature: A parameter cannot be filled by a named JSON value.
        UnresolvedAnnotation: An annotation names something that cannot be found.
        MissingLibrary: pydantic is not installed.
        InvalidTool: The function is a lambda and ``name`` is not given.

    Example:
        >>> @tool
        ... def add(a: int, b: int = 1) -> int:
        ...     '''Add two numbers.'''
        ...     return a + b
        >>> add.input_schema["required"], add.description
        (['a'], 'Add two numbers.')
    """

    def make(function: Callable[..., object]) -> Tool:
        signature, arguments = _read(function)
        own = "" if signature.name == "<lambda>" else signature.name
        final = own if name is None else name
        return _tool(
            name=final,
            description=signature.description if description is None else description,
            schema=arguments.schema if parameters is None else dict(parameters),
            validate=arguments.check,
            handler=handler_of(signature),
            output=_output_of(function, output, final),
            annotations=annotations,
        )

    return make if function is None else make(function)


def _read(function: Callable[..., object]) -> tuple[Signature, Arguments]:
    try:
        # pydantic and the docstring parser: not for everybody.
        from toolgauge.standard.functions.arguments import Arguments  # noqa: PLC0415
        from toolgauge.standard.functions.signature import read_signature  # noqa: PLC0415
    except ImportError as error:
        raise MissingLibrary(f"function {name_of(function)}", "pydantic") from error
    signature = read_signature(function)
    return signature, Arguments(signature)


def _output_of(function: Callable[..., object], declared: object, tool: str) -> Output:
    """Read what is declared of a function's results, by default by its annotation."""
    from toolgauge.standard.functions.signature import read_result  # noqa: PLC0415 - as above

    try:
        returns = read_result(function)
    except UnresolvedAnnotation:
        if declared is FROM_ANNOTATION:
            raise
        returns = NO_DEFAULT  # what it says does not matter then
    if declared is FROM_ANNOTATION:
        declared = returns if has_fields(returns) else None
    return Output(dump=written(returns)) if declared is None else output_of(declared, tool)


def _tool(  # noqa: PLR0913 - a tool has as many parts
    *,
    name: str,
    description: str,
    schema: dict[str, Any],
    validate: Validate | None,
    handler: Handler,
    output: Output,
    annotations: Annotations | None,
) -> Tool:
    """Build the tool from its parts.

    Raises:
        InvalidTool: They make no tool that can be called.
    """
    if not name:
        issue = Issue(path=("name",), message="a tool needs a name; pass `name=`")
        raise InvalidTool("", (issue,))
    if not _takes_objects(schema):
        message = f"arguments are an object, and the schema wants {schema['type']!r}"
        raise InvalidTool(name, (Issue(path=("inputSchema", "type"), message=message),))
    return Tool(
        name=name,
        description=description,
        input_schema=schema,
        output_schema=output.schema,
        annotations=dict(annotations or {}),
        handler=writing(handler, output.dump, member=output.member),
        validate=validate,
    )


def _takes_objects(schema: Mapping[str, Any]) -> bool:
    """Check whether a root names a type that objects are not; a reference may lead anywhere."""
    named = schema.get("type")
    return named is None or named == "object" or (isinstance(named, list) and "object" in named)
