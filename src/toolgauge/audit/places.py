"""Names of files and folders: paths of this machine, or URIs of object stores.

``s3://bucket/calls?endpoint_override=localhost:9000&scheme=http`` and the usual
variables of the store (``AWS_ENDPOINT_URL``, ``AWS_PROFILE``, …) say how it is reached.

Source: Apache Arrow, ``FileSystem.from_uri``: S3, GCS, Azure and HDFS.
"""

from __future__ import annotations

import os
import re
from pathlib import PurePath
from urllib.parse import urlsplit
from urllib.request import url2pathname

_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+://")
_USER = re.compile(r"(://)[^/?@]*@")
_FILE = "file://"


def is_remote(name: str) -> bool:
    """Tell whether a name is a URI."""
    return bool(_SCHEME.match(name))


def inner_name(folder: str, inner: str) -> str:
    """Name a file in a folder, by the same way to the store.

    Example:
        >>> inner_name("s3://bucket/calls/?region=eu-west-1", "a/b.jsonl")
        's3://bucket/calls/a/b.jsonl?region=eu-west-1'
    """
    if not is_remote(folder):
        return f"{folder.rstrip('/')}/{inner}"
    path, mark, query = folder.partition("?")
    return f"{path.rstrip('/')}/{inner}{mark}{query}"


def shown_name(name: str) -> str:
    r"""Name a place for people: without keys and options, in characters that UTF-8 has.

    Example:
        >>> shown_name("s3://key:secret@bucket/a.jsonl?endpoint_override=localhost:9000")
        's3://bucket/a.jsonl'
        >>> shown_name(os.fsdecode(b"gr\xf6sse.jsonl"))
        'gr\\udcf6sse.jsonl'
    """
    if is_remote(name):
        name = _USER.sub(r"\1", name.partition("?")[0], count=1)
    return name.encode("utf-8", "backslashreplace").decode()


def real_name(name: str) -> str:
    """Give a place the one name that it has, whatever links lead to it.

    Example:
        >>> real_name("s3://key:secret@bucket/run/?region=eu-west-1")
        's3://bucket/run'
    """
    if name.startswith(_FILE):
        return os.path.realpath(url2pathname(urlsplit(name).path))
    return shown_name(name).rstrip("/") if is_remote(name) else os.path.realpath(name)


def is_within(name: str, folder: str) -> bool:
    """Tell by their real names whether a place is a folder or lies in it."""
    return PurePath(name).is_relative_to(folder)
