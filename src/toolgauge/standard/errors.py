"""The exceptions of the standard room.

ToolgaugeError
├── InvalidStandard        an object has the reserved attribute, but not what it promises
├── InvalidAnswer          a validator raised, or answered neither a success nor a failure
├── UnknownValidator       nothing here knows what this object accepts
├── MissingLibrary         an object of a known kind needs a library that is not there
├── UnsupportedTarget      a validator cannot be written in this dialect of JSON Schema
├── Unconvertible          a part of a type has no JSON Schema
├── NoJsonSchema           a tool has no JSON Schema to publish
├── UncallableSignature    a function's parameters cannot be filled by named JSON values
├── UnresolvedAnnotation   an annotation names something that cannot be found
├── ContextUnavailable     a call has no context of the kind that a function asks for
├── DisabledTool           a framework's tool is switched off
└── GuardUnavailable       a framework's tool has a guard that only its framework's own run asks
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolgauge.contract import ToolgaugeError, to_pointer

if TYPE_CHECKING:
    from toolgauge.contract import Path


class InvalidStandard(ToolgaugeError):
    """An object has the reserved attribute, but not what it promises.

    Attributes:
        vendor: What the validator calls itself, ``""`` where it does not say.
        found: What is there instead.
    """

    def __init__(self, vendor: str, found: str) -> None:
        super().__init__(vendor, found)
        self.vendor: str = vendor
        self.found: str = found

    def __str__(self) -> str:
        return (
            f"validator {self.vendor or '(unnamed)'!r}: {self.found}; `__standard_schema__` has "
            "version 1, a vendor, and a validate(value) that gives Success or Failure"
        )


class InvalidAnswer(ToolgaugeError):
    """A validator raised, or answered neither a success nor a failure.

    It is broken: nothing is known about the value that it was asked about. What
    it raised is the cause.

    Attributes:
        vendor: The validator's library.
        found: What it did: ``"raised KeyError"``, ``"answered an int"``.
    """

    def __init__(self, vendor: str, found: str) -> None:
        super().__init__(vendor, found)
        self.vendor: str = vendor
        self.found: str = found

    def __str__(self) -> str:
        return (
            f"validator {self.vendor!r} {self.found}; "
            "validate(value) gives Success(value) or Failure(issues) and does not raise"
        )


class UnknownValidator(ToolgaugeError):
    """Nothing here knows what this object accepts.

    Attributes:
        found: What was passed.
    """

    def __init__(self, found: str) -> None:
        super().__init__(found)
        self.found: str = found

    def __str__(self) -> str:
        return (
            f"{self.found} is no validator that toolgauge knows; pass a model, a type or a JSON "
            "Schema, give the object `__standard_schema__`, or register its library under the "
            "entry point group `toolgauge.vendors`"
        )


class MissingLibrary(ToolgaugeError):
    """An object of a known kind needs a library that is not there.

    Attributes:
        found: What was passed.
        extra: The extra of this package that brings the library.
    """

    def __init__(self, found: str, extra: str) -> None:
        super().__init__(found, extra)
        self.found: str = found
        self.extra: str = extra

    def __str__(self) -> str:
        return (
            f"{self.found} needs a library that is not installed, or too old: "
            f"pip install 'toolgauge[{self.extra}]'"
        )


class UnsupportedTarget(ToolgaugeError):
    """A validator cannot be written in this dialect of JSON Schema.

    Attributes:
        vendor: The validator's library.
        target: The dialect that was asked for: ``"openapi-3.0"``.
        reason: What stands in the way, ``""`` where the dialect is not known here.
    """

    def __init__(self, vendor: str, target: str, reason: str = "") -> None:
        super().__init__(vendor, target, reason)
        self.vendor: str = vendor
        self.target: str = target
        self.reason: str = reason

    def __str__(self) -> str:
        why = f": {self.reason}" if self.reason else ""
        return (
            f"validator {self.vendor!r} can't be written as {self.target!r}{why}; "
            "ask for 'draft-2020-12'"
        )


class Unconvertible(ToolgaugeError):
    """A part of a type has no JSON Schema.

    Attributes:
        vendor: The validator's library.
        path: Names that lead from the type to the part: ``("address", "city")``.
        reason: Why, in the library's words.
    """

    def __init__(self, vendor: str, path: Path, reason: str) -> None:
        super().__init__(vendor, tuple(path), reason)
        self.vendor: str = vendor
        self.path: Path = tuple(path)
        self.reason: str = reason

    def __str__(self) -> str:
        return f"{self.vendor} at {to_pointer(self.path) or '/'}: {self.reason}"


class NoJsonSchema(ToolgaugeError):
    """A tool has no JSON Schema to publish. What stopped the conversion is the cause.

    Attributes:
        tool: The tool's name.
        vendor: The validator's library.
        reason: What stopped the conversion, and where; ``""`` where there is none.
        remedy: The argument that a JSON Schema helps in: ``"parameters"``, beside the
            validator; ``"input"`` or ``"output"``, in its place.
    """

    def __init__(
        self, tool: str, vendor: str, reason: str = "", remedy: str = "parameters"
    ) -> None:
        super().__init__(tool, vendor, reason, remedy)
        self.tool: str = tool
        self.vendor: str = vendor
        self.reason: str = reason
        self.remedy: str = remedy

    def __str__(self) -> str:
        # The sentence is the specification's own ("The JSON-Schema problem", 3).
        sentence = (
            f"Tool '{self.tool}' uses validator '{self.vendor}' which toolgauge can't "
            "auto-convert to JSON Schema. Add a `parameters` JSON Schema to the tool."
        )
        if self.remedy != "parameters":
            sentence = (
                f"Tool '{self.tool}' uses validator '{self.vendor}' for its {self.remedy}, which "
                f"can't be converted to JSON Schema. Pass a JSON Schema as `{self.remedy}`, "
                "or give the field a type that the library knows."
            )
        return f"{sentence} ({self.reason})" if self.reason else sentence


class UncallableSignature(ToolgaugeError):
    """A function's parameters cannot be filled by named JSON values.

    Attributes:
        function: The function's name.
        parameter: The parameter as it is written: ``"*args"``; ``""`` where the
            function as a whole is at fault.
        reason: What is wrong and what to do.
    """

    def __init__(self, function: str, parameter: str, reason: str) -> None:
        super().__init__(function, parameter, reason)
        self.function: str = function
        self.parameter: str = parameter
        self.reason: str = reason

    def __str__(self) -> str:
        place = f", parameter {self.parameter!r}" if self.parameter else ""
        return f"function {self.function!r}{place}: {self.reason}"


class UnresolvedAnnotation(ToolgaugeError):
    """An annotation names something that cannot be found.

    Attributes:
        function: The function's name.
        parameter: The parameter's name, ``"return"`` for the result.
        annotation: The annotation as it is written.
        reason: What happened when it was looked up.
    """

    def __init__(self, function: str, parameter: str, annotation: str, reason: str) -> None:
        super().__init__(function, parameter, annotation, reason)
        self.function: str = function
        self.parameter: str = parameter
        self.annotation: str = annotation
        self.reason: str = reason

    def __str__(self) -> str:
        return (
            f"function {self.function!r}, parameter {self.parameter!r}: "
            f"annotation {self.annotation!r} cannot be resolved: {self.reason}; "
            "name it where the function's module can see it"
        )


class ContextUnavailable(ToolgaugeError):
    """A call has no context of the kind that a function asks for.

    Attributes:
        function: The function's name.
        parameter: The parameter's name.
        wanted: The class that it is annotated with.
    """

    def __init__(self, function: str, parameter: str, wanted: str) -> None:
        super().__init__(function, parameter, wanted)
        self.function: str = function
        self.parameter: str = parameter
        self.wanted: str = wanted

    def __str__(self) -> str:
        return (
            f"function {self.function!r}, parameter {self.parameter!r}: this call has no "
            f"{self.wanted}; annotate it with toolgauge.CallContext, which every call has, "
            "or let it be None"
        )


class DisabledTool(ToolgaugeError):
    """A tool is switched off by its framework.

    Attributes:
        tool: The tool's name.
    """

    def __init__(self, tool: str) -> None:
        super().__init__(tool)
        self.tool: str = tool

    def __str__(self) -> str:
        return f"tool {self.tool!r} is switched off: its is_enabled is False"


class GuardUnavailable(ToolgaugeError):
    """A tool has a guard that only its framework's own run asks, and is not run without.

    Attributes:
        tool: The tool's name.
        guard: The attribute that sets the guard: ``"needs_approval"``.
    """

    def __init__(self, tool: str, guard: str) -> None:
        super().__init__(tool, guard)
        self.tool: str = tool
        self.guard: str = guard

    def __str__(self) -> str:
        return (
            f"tool {self.tool!r} has {self.guard!r}, which only its own framework's run asks; "
            "it is listed and checked here, and not run"
        )
