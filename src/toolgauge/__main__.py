"""``python -m toolgauge`` is the command ``toolgauge``."""

from __future__ import annotations

from toolgauge.cli import main

if __name__ == "__main__":
    main()
