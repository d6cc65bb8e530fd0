"""What somebody at a terminal sees of work that takes long; drawn on stderr, and only there."""

from __future__ import annotations

import sys
import time
from contextlib import contextmanager
from threading import Timer
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from toolgauge.auditing import Progress

PATIENCE_S = 2.0


@contextmanager
def sign_of_life(words: str, after_s: float | None = None) -> Iterator[None]:
    """Show a moving bar while the body takes longer than a moment.

    Args:
        words: What is being done.
        after_s: How long the moment is, in seconds; :data:`PATIENCE_S` by default.
    """
    if not sys.stderr.isatty():
        yield
        return
    from rich.console import Console
    from rich.progress import BarColumn, TextColumn, TimeElapsedColumn
    from rich.progress import Progress as Bar

    columns = (TextColumn("{task.description}", markup=False), BarColumn(), TimeElapsedColumn())
    bar = Bar(*columns, console=Console(stderr=True), transient=True)
    bar.add_task(words, total=None)
    timer = Timer(PATIENCE_S if after_s is None else after_s, bar.start)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        timer.join()
        bar.stop()


@contextmanager
def bytes_read(total: int) -> Iterator[Callable[[int], None]]:
    """Show how much is read once that takes longer than a moment.

    Args:
        total: How many bytes there are.

    Yields:
        What is told how many more were read.
    """
    if not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich.console import Console
    from rich.progress import Progress as Bar

    bar = Bar(console=Console(stderr=True), transient=True)
    task = bar.add_task("reading", total=total)
    begun_s, is_shown = time.monotonic(), False

    def tell(size: int) -> None:
        nonlocal is_shown
        bar.advance(task, size)
        if not is_shown and time.monotonic() - begun_s > PATIENCE_S:
            is_shown = True
            bar.start()

    try:
        yield tell
    finally:
        if is_shown:
            bar.stop()


@contextmanager
def rows_audited() -> Iterator[Callable[[Progress], None] | None]:
    """Show one bar for an audit, whatever engine does the work.

    Yields:
        What is told how far the audit is; ``None`` where nobody can see it.
    """
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bar

    columns = (
        TextColumn("auditing"),
        BarColumn(),
        TextColumn("{task.fields[rows]:,} rows, {task.fields[speed]:,.0f}/s"),
        TimeRemainingColumn(),
    )
    # Drawn when there is something new, and by no thread: workers start at once in a
    # process that has none.
    bar = Bar(*columns, console=Console(stderr=True), transient=True, auto_refresh=False)
    with bar:
        task = bar.add_task("audit", total=None, rows=0, speed=0.0)
        begun_s = time.monotonic()
        first: int | None = None

        def tell(progress: Progress) -> None:
            nonlocal first
            # Rows of an earlier run that is gone on with say nothing about speed.
            first = progress.rows if first is None else first
            passed_s = time.monotonic() - begun_s
            bar.update(
                task,
                total=progress.weight,
                completed=progress.done_weight,
                rows=progress.rows,
                speed=(progress.rows - first) / passed_s if passed_s > 0 else 0.0,
                refresh=True,
            )

        yield tell
