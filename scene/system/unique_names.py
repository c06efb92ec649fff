"""UniqueNames: gives each name once; one that is taken gets the first free number. Of nodes: nodes/free_names.py."""

from __future__ import annotations

from collections.abc import Callable, Iterable


class UniqueNames:
    """Names of which no two are alike.

    Args:
        numbered: makes a name with a number: "gate (2)".
        key: what must differ, of str.lower not capitals alone.
    """

    def __init__(
        self,
        taken: Iterable[str] = (),
        *,
        numbered: Callable[[str, int], str] = "{} ({})".format,
        key: Callable[[str], str] = str,
    ) -> None:
        self._numbered = numbered
        self._key = key
        self._counts = dict.fromkeys(map(key, taken), 1)  # by name, the number up to which it is taken with each

    def take(self, wanted: str) -> str:
        """Return the name, or, where it is taken, the name with the first free number; from now on it is taken."""
        name, key = wanted, self._key(wanted)
        number = self._counts.get(key, 0)
        while self._key(name) in self._counts:
            number += 1
            name = self._numbered(wanted, number)
        self._counts[self._key(name)] = 1
        self._counts[key] = max(number, 1)
        return name
