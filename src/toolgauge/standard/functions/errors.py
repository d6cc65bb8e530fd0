"""The exceptions of reading functions.

ToolgaugeError
├── UncallableSignature    a function's parameters cannot be filled by named JSON values
├── UnresolvedAnnotation   an annotation names something that cannot be found
└── ContextUnavailable     a call has no context of the kind that a function asks for
"""

from __future__ import annotations

from toolgauge.contract import ToolgaugeError


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
