"""What a process costs that a test starts."""

from __future__ import annotations

import resource
import sys
from pathlib import Path


def peak_kib() -> int:
    """Return the peak of resident memory in KiB.

    ``ru_maxrss`` begins, on Linux, at what the process had that started this one.
    """
    if sys.platform != "linux":
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1_024
    for line in Path("/proc/self/status").read_text("ascii", "replace").splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1])
    raise LookupError
