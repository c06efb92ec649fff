"""Find commands by typed text: their names, words of these, or synonyms."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

# Of the points that a query gives a command: all of its label; of a synonym; the most for what shows a panel, below an
# action of that name or synonym; and what is taken off where it cannot run: it stands below what can and has the query
# in its name.
_LABEL, _SYNONYM, MOST_OF_PANEL, CANNOT_RUN = 100.0, 91.0, 90.5, 8.0
_PER_PIECE, _PER_SKIPPED_WORD, _PER_LETTER = 4.0, 1.0, 0.01  # taken off
_PER_PLURAL = 5.0  # taken off where only the singular of the query matches
_SHORTEST_INSIDE = 3  # letters that are looked for inside of words


def score(query: str, label: str, menu: str, synonyms: Sequence[str] = ()) -> float | None:
    """Return how well a command matches a query (the higher the better), or None if it does not.

    A query is the beginning of a name or of one of its words; or beginnings of several words in order, as "frsel" for
    "Frame selection"; or words in any order; or a part of a word. Synonyms count a little less than the label, and the
    menu, a path such as "View/Look from", less than both. Words in the plural match those in the singular, too.
    """
    query = " ".join(query.lower().split())
    if not query:
        return 0.0
    label, menu = label.lower(), menu.lower()
    found = _scores(query, label, menu, synonyms)
    if len(query) > _SHORTEST_INSIDE and query.endswith("s"):
        found += [points - _PER_PLURAL for points in _scores(query.removesuffix("s"), label, menu, synonyms)]
    return max(found, default=None)


def _scores(query: str, label: str, menu: str, synonyms: Sequence[str]) -> list[float]:
    """Return what each way of matching gives, of those that match."""
    found = [
        _score_of_name(query, label, _LABEL),
        *(_score_of_name(query, synonym, _SYNONYM) for synonym in synonyms),
        _score_of_words(query, menu, 45.0),  # whatever the length of the label: all of a menu in its order
        _score_of_words(query, f"{menu} {label}", 45.0 - _PER_LETTER * len(label)),
        _score_of_pieces(query, f"{menu} {label}", 40.0),
        _score_of_words(query, " ".join((menu, label, *synonyms)), 30.0),
        20.0 if len(query) >= _SHORTEST_INSIDE and query in label else None,
    ]
    return [points for points in found if points is not None]


def _score_of_name(query: str, name: str, most: float) -> float | None:
    """Score a name: `most` for all of it, less for its first words, beginning, a word within, beginnings of words."""
    words = _words(name)
    plural = query + "s"
    before = next((place for place, word in enumerate(words) if word.startswith(query)), 0)
    costs = (
        (0.0, name == query),
        (0.4, name == plural),
        (11.0, name.startswith(f"{query} ")),
        (15.0, name.startswith(query)),
        (18.0 + 0.1 * before, plural in words or f" {query} " in f" {name} "),
        (25.0 + 0.1 * before, any(word.startswith(query) for word in words)),
    )
    cost = next((cost for cost, fits in costs if fits), None)
    if cost is not None:
        return most - cost
    return _score_of_pieces(query, name, most - 40.0)


def _score_of_pieces(query: str, text: str, most: float) -> float | None:
    """Return the score of a query of beginnings of words in order; the fewer and closer, the higher."""
    cost = _cost_of_pieces(query.replace(" ", ""), _words(text))
    return None if cost is None else most - cost


def _score_of_words(query: str, text: str, most: float) -> float | None:
    """Return the score of a query whose words all begin some word of the text."""
    words = _words(text)
    return most if all(any(word.startswith(part) for word in words) for part in query.split()) else None


@lru_cache(maxsize=10_000)
def _words(text: str) -> tuple[str, ...]:
    return tuple(re.findall(r"[^\W_]+", text.lower()))


@lru_cache(maxsize=10_000)
def _cost_of_pieces(letters: str, words: tuple[str, ...]) -> float | None:
    """Return the least cost of cutting letters into beginnings of words in order, or None if that is impossible."""
    if not letters:
        return 0.0
    best = None
    for skipped, word in enumerate(words):
        for length in range(1, len(letters) + 1):
            if not word.startswith(letters[:length]):
                break
            rest = _cost_of_pieces(letters[length:], words[skipped + 1 :])
            if rest is not None:
                cost = _PER_PIECE + _PER_SKIPPED_WORD * skipped + rest
                best = cost if best is None else min(best, cost)
    return best
