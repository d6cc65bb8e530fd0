"""Finds the formats: one file each in ``formats``, by its name."""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache
from types import MappingProxyType
from typing import TYPE_CHECKING

from toolgauge.wire import formats as folder
from toolgauge.wire._messages import as_json, described, module_of
from toolgauge.wire.errors import UnknownFormat, UnknownMessage

if TYPE_CHECKING:
    from collections.abc import Mapping

    from toolgauge.wire._format import Format


@cache
def formats() -> Mapping[str, Format]:
    """Give every format by its name, sorted."""
    found = [
        importlib.import_module(f"{folder.__name__}.{each.name}").FORMAT
        for each in pkgutil.iter_modules(folder.__path__)
    ]
    return MappingProxyType({each.name: each for each in sorted(found, key=lambda one: one.name)})


def format_of(name: str) -> Format:
    """Give the format of a name; ``_`` and capitals are read as ``-`` and small letters.

    Raises:
        UnknownFormat: If there is none.
    """
    found = formats().get(name.strip().lower().replace("_", "-"))
    if found is None:
        raise UnknownFormat(name, tuple(formats()))
    return found


def detect(message: object) -> Format:
    """Tell which format a model's message or response is of.

    An object of a provider's SDK is of that provider's format. Parsed JSON is
    told by its members; a message of Mistral counts as one of OpenAI's, which
    has the same members and takes the same results.

    Raises:
        UnknownMessage: If it is of no format, or could be of several: a message
            that is only text looks the same nearly everywhere.

    Example:
        >>> detect({"role": "assistant", "content": [{"toolUse": {"name": "add"}}]}).name
        'bedrock'
    """
    module = f"{module_of(message)}."
    for each in formats().values():
        if any(module.startswith(f"{name}.") for name in each.modules):
            return each
    found = as_json(message)
    candidates = [each for each in formats().values() if each.claims(found)]
    if len(candidates) != 1:
        raise UnknownMessage(described(found), tuple(each.name for each in candidates))
    return candidates[0]
