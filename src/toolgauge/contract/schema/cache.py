"""A bounded cache that knows how heavy its entries are."""

from __future__ import annotations

import threading
from collections import OrderedDict
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable

T = TypeVar("T")


class WeightedCache(Generic[T]):
    """Keeps what was used last, up to a total weight. Safe to share between threads.

    Args:
        max_weight: The sum of weights to keep, in whatever unit ``weight`` has.
    """

    def __init__(self, max_weight: int) -> None:
        self._max_weight = max_weight
        self._weight = 0
        self._entries: OrderedDict[Hashable, tuple[T, int]] = OrderedDict()
        self._lock = threading.Lock()

    def __len__(self) -> int:
        return len(self._entries)

    def get(self, key: Hashable, make: Callable[[], T], weight: int | Callable[[T], int]) -> T:
        """Return the entry for ``key``; ``make`` it, outside the lock, if there is none.

        An entry heavier than the whole cache is made and not kept.

        Args:
            key: What the entry is known by.
            make: Makes it.
            weight: The weight of the entry, its key included, or what tells it once
                the entry is made.
        """
        with self._lock:
            known = self._entries.get(key)
            if known is not None:
                self._entries.move_to_end(key)
                return known[0]
        made = make()
        heavy = weight if isinstance(weight, int) else weight(made)
        with self._lock:
            if key not in self._entries and heavy <= self._max_weight:
                self._entries[key] = (made, heavy)
                self._weight += heavy
                while self._weight > self._max_weight:
                    _, (_, dropped) = self._entries.popitem(last=False)
                    self._weight -= dropped
        return made
