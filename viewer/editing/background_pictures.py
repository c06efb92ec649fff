"""BackgroundPictures: pictures of what is asked for in a frame, made by a job and kept."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import Generic, TypeVar

from octoscope.viewer.editing.jobs import JobKind, Jobs, Progress

_MOST_KEPT = 500  # of about 100 KB each

Subject = TypeVar("Subject", bound=Hashable)
Picture = TypeVar("Picture")


class BackgroundPictures(Generic[Subject, Picture]):
    """The pictures of those subjects that are asked for in a frame, as soon as they are there.

    Args:
        make: makes pictures of the first of some subjects, on a thread; the rest will be asked for again.
    """

    def __init__(
        self,
        jobs: Jobs,
        make: Callable[[Sequence[Subject], Progress], Mapping[Subject, Picture]],
        on_change: Callable[[], object],
    ) -> None:
        self._jobs = jobs
        self._make = make
        self._on_change = on_change
        self._known: dict[Subject, Picture] = {}  # the one that was shown last comes last
        self._wanted: dict[Subject, None] = {}

    def of(self, subject: Subject) -> Picture | None:
        """Return the picture of a subject; None: there is none yet, and `work` is to make it."""
        known = self._known.pop(subject, None)
        if known is None:
            self._wanted[subject] = None
        else:
            self._known[subject] = known
        return known

    def work(self) -> bool:
        """Begin to make what was asked for since the last call; return False where there is nothing to do."""
        wanted, self._wanted = list(self._wanted), {}
        is_busy = self._jobs.is_busy(JobKind.THUMBNAIL)
        if wanted and not is_busy:
            self._jobs.begin(JobKind.THUMBNAIL, "thumbnails", lambda tell: self._make(wanted, tell), self._take)
        return is_busy or bool(wanted)

    def _take(self, made: Mapping[Subject, Picture]) -> None:
        self._known |= made
        for subject in list(self._known)[:-_MOST_KEPT]:
            del self._known[subject]
        self._on_change()
