"""Find names that contain a text or fit a pattern, and names near to one that nobody has."""

from __future__ import annotations

import difflib
import fnmatch
import re

import numpy as np

_MOST_COMPARED = 20_000  # names, which take a tenth of a second


def casefolded(names: np.ndarray) -> np.ndarray:
    """Return (n,) StringDType names in the form that `fits_name` takes."""
    return np.array([name.casefold() for name in names.tolist()], dtype=np.dtypes.StringDType())


def fits_name(names: np.ndarray, query: str) -> np.ndarray:
    """Return (n,) bool: which of the casefolded names contain a query, in any case.

    A query with one of * ? [ is a pattern for the whole name, as in fnmatch.
    """
    query = query.casefold()
    if not any(character in query for character in "*?["):
        return np.strings.find(names, query) >= 0
    fits = re.compile(fnmatch.translate(query)).match
    return np.fromiter(map(bool, map(fits, names.tolist())), dtype=bool, count=len(names))


def advice_for(names: np.ndarray, wanted: str) -> str:
    """Return "; did you mean ...?" with the names that are nearest to one that is none of them, or ""."""
    near = difflib.get_close_matches(wanted, set(names[:_MOST_COMPARED].tolist()))
    return f"; did you mean {' or '.join(map(repr, near))}?" if near else ""
