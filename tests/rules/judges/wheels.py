"""Engines that are no dependency: their wheels, fetched once, without what they need.

They lie in the directory that ``TOOLGAUGE_CACHE`` names, else in ``.cache/toolgauge``
below the home directory. An engine runs without the rest of its package: xgrammar
without torch, one file of SGLang, one of mistral-common.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import zipfile
from functools import cache
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from tests.contract.schema.official_suite import NoRegistryError

if TYPE_CHECKING:
    from collections.abc import Callable

    Fault = Callable[[Any], str]
    """Says why an engine refuses a schema, ``""`` where it takes it."""

VERSIONS = {
    "apache-tvm-ffi": "0.1.15.post2",
    "mistral-common": "1.13.1",
    "sglang": "0.5.23",
    "xgrammar": "0.2.9",
}
_PARTS = {"mistral-common": "mistral_common/utils/", "sglang": "sglang/srt/constrained/"}
"""Of large wheels only this part is kept."""

_FETCH_TIMEOUT_S = 300


@cache
def wheel(name: str) -> Path:
    """Give the folder of an unpacked wheel, fetched if it is not in the cache yet.

    Raises:
        NoRegistryError: If it has to be fetched and cannot be.
    """
    named = os.environ.get("TOOLGAUGE_CACHE")
    parent = Path(named) if named else Path.home() / ".cache" / "toolgauge"
    tag = f"cp{sys.version_info.major}{sys.version_info.minor}-{sys.platform}"
    kept = parent / f"{name}-{VERSIONS[name]}-{tag}"
    if kept.is_dir():
        return kept
    parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=parent) as scratch:
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps"]
        command += ["--only-binary", ":all:", "--dest", scratch, f"{name}=={VERSIONS[name]}"]
        try:
            subprocess.run(command, check=True, capture_output=True, timeout=_FETCH_TIMEOUT_S)
        except (OSError, subprocess.SubprocessError) as error:
            raise NoRegistryError(str(error)) from error
        fresh = Path(scratch) / "wheel"
        with zipfile.ZipFile(next(Path(scratch).glob("*.whl"))) as archive:
            part = _PARTS.get(name, "")
            members = [each for each in archive.namelist() if each.startswith(part)]
            archive.extractall(fresh, members)
        try:
            fresh.rename(kept)
        except OSError:  # another process was faster
            if not kept.is_dir():
                raise
    return kept


@cache
def xgrammar() -> Fault:
    """Load xgrammar's converter, and nothing that needs torch."""
    folder = wheel("xgrammar") / "xgrammar"
    sys.path.append(str(wheel("apache-tvm-ffi")))
    package = ModuleType("xgrammar")
    package.__path__ = [str(folder)]
    sys.modules["xgrammar"] = package
    import_module("xgrammar.load_binding")
    grammar = import_module("xgrammar.grammar").Grammar
    return _fault(lambda schema: grammar.from_json_schema(json.dumps(schema)))


@cache
def sglang(backend: str) -> Fault:
    """Load the file in which SGLang judges schemas for a backend."""
    path = wheel("sglang") / "sglang" / "srt" / "constrained" / "json_schema_validation.py"
    return _fault(getattr(_file(path), f"validate_{backend}_json_schema"))


@cache
def mistral_common() -> Fault:
    """Load the file in which mistral-common judges schemas."""
    path = wheel("mistral-common") / "mistral_common" / "utils" / "json_utils.py"
    return _fault(_file(path).validate_json_schema_by_draft7)


def _file(path: Path) -> Any:
    spec = spec_from_file_location(f"judge_{path.stem}", path)
    if spec is None or spec.loader is None:
        raise FileNotFoundError(path)
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _fault(judge: Callable[[Any], object]) -> Fault:
    def fault(schema: Any) -> str:
        try:
            judge(schema)
        except (RuntimeError, ValueError) as error:
            return str(error) or type(error).__name__
        return ""

    return fault
