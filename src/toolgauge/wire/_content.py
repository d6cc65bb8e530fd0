"""The content of a result, sorted into what providers tell apart."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

from toolgauge.contract import dump_json
from toolgauge.contract.reading import plain

if TYPE_CHECKING:
    from toolgauge.contract import CallResult

NO_OUTPUT = "The tool gave no output."
FAILED = "The tool failed and did not say why."


@dataclass(frozen=True, slots=True)
class Text:
    """Text for the model."""

    text: str


@dataclass(frozen=True, slots=True)
class Media:
    """Bytes with a type: an image, a sound, a document.

    Attributes:
        mime_type: ``"image/png"``, in lower case.
        data: The bytes in base64.
        name: What the tool calls it, ``""`` for nothing.
    """

    mime_type: str
    data: str
    name: str = ""

    @property
    def url(self) -> str:
        """The bytes as a ``data:`` URL."""
        return f"data:{self.mime_type};base64,{self.data}"

    @property
    def is_image(self) -> bool:
        """Whether it is a picture."""
        return self.mime_type.startswith("image/")

    def to_bytes(self) -> bytes:
        """Return the bytes themselves."""
        return base64.b64decode(self.data)


Part: TypeAlias = Text | Media


def parts_of(result: CallResult) -> list[Part]:
    """Sort the content of a result; text that is blank is left out.

    Structured content is written as JSON text where there is no text: a tool
    that gives both has written the text for readers of text.
    """
    parts = blocks_of(result)
    if result.structured is not None and not any(isinstance(each, Text) for each in parts):
        parts.insert(0, Text(dump_json(result.structured).decode()))
    return parts


def blocks_of(result: CallResult) -> list[Part]:
    """Sort the content blocks alone, for providers with a place for structured content."""
    return [part for block in result.content for part in _parts(plain(block))]


def structured_object(result: CallResult) -> dict[str, Any] | None:
    """Return the structured content, if it is an object of a successful call."""
    found = plain(result.structured)
    return dict(found) if isinstance(found, Mapping) and not result.is_error else None


def only(parts: list[Part], takes: Callable[[Media], bool]) -> list[Part]:
    """Replace the media that a provider does not take by a line of text each."""
    return [
        each if isinstance(each, Text) or takes(each) else Text(_left_out(each)) for each in parts
    ]


def told(result: CallResult, parts: list[Part]) -> list[Part]:
    """Mark an error as one in its text, for providers that have no flag for it."""
    if not result.is_error:
        return parts or [Text(NO_OUTPUT)]
    first = parts[0] if parts and isinstance(parts[0], Text) else None
    if first is None:
        return [Text(f"Error: {FAILED}"), *parts]
    if first.text.lower().startswith("error"):
        return parts
    return [Text(f"Error: {first.text}"), *parts[1:]]


def text_of(parts: list[Part]) -> str:
    """Write parts as one text, for providers that take nothing else."""
    return "\n".join(each.text if isinstance(each, Text) else _left_out(each) for each in parts)


def text_or_blocks(
    result: CallResult,
    write: Callable[[Part], dict[str, Any]],
    takes: Callable[[Media], bool],
) -> str | list[dict[str, Any]]:
    """Write a result as text, or as blocks where the provider takes some of its media.

    Args:
        result: The result.
        write: Writes one block.
        takes: Whether the provider takes a picture or document.
    """
    parts = told(result, only(parts_of(result), takes))
    if all(isinstance(each, Text) for each in parts):
        return text_of(parts)
    return [write(each) for each in parts]


def _parts(block: Any) -> Iterator[Part]:
    """Read one MCP content block; what is none is written as JSON."""
    kind = block.get("type") if isinstance(block, Mapping) else None
    if kind == "text" and isinstance(block.get("text"), str):
        if block["text"].strip():
            yield Text(block["text"])
    elif kind in {"image", "audio"}:
        yield _media(block.get("data"), block.get("mimeType"), "")
    elif kind == "resource" and isinstance(block.get("resource"), Mapping):
        yield from _resource(block["resource"])
    elif kind == "resource_link":
        name = block.get("title") or block.get("name") or "resource"
        yield Text(f"{name}: {block.get('uri', '')}")
    else:
        yield Text(block if isinstance(block, str) else dump_json(block).decode())


def _resource(resource: Mapping[str, Any]) -> Iterator[Part]:
    """Read an embedded resource: its text, or its bytes under its name."""
    if isinstance(resource.get("text"), str):
        if resource["text"].strip():
            yield Text(resource["text"])
    else:
        uri = str(resource.get("uri", ""))
        yield _media(resource.get("blob"), resource.get("mimeType"), uri.rpartition("/")[2])


def _media(data: object, mime_type: object, name: str) -> Part:
    """Take bytes in base64; text that is none would fail the whole request."""
    kind = mime_type.lower() if isinstance(mime_type, str) else "application/octet-stream"
    try:
        if isinstance(data, str) and base64.b64decode(data, validate=True):
            return Media(kind, data, name)
    except (binascii.Error, ValueError):
        pass  # told in the sentence below
    return Text(f"[{kind} left out: its data is not base64]")


def _left_out(media: Media) -> str:
    named = f" {media.name!r}" if media.name else ""
    size = len(media.data) * 3 // 4
    return f"[{media.mime_type}{named} of about {size:,} bytes left out: no place for it here]"
