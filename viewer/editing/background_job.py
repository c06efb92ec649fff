"""Work: something long that runs beside the window, on a thread of its own, one at a time; it tells how far it is."""

from __future__ import annotations

from collections.abc import Callable
from threading import Event, Thread
from typing import TypeVar

Result = TypeVar("Result")
Progress = Callable[[int, int], None]


class _Stopped(BaseException):
    """The person wants no more of it; passes what the work itself catches."""


class Work:
    """What the window waits for, if anything.

    Attributes:
        label: what is done, for a person; "" while nothing is.
        fraction: how much of it is done, 0 to 1; None as long as it has not told.
    """

    def __init__(self) -> None:
        self.label = ""
        self.fraction: float | None = None
        self._stop = Event()
        self._thread: Thread | None = None
        self._finish: Callable[[], None] | None = None

    @property
    def busy(self) -> bool:
        return self._thread is not None

    def begin(
        self,
        label: str,
        run: Callable[[Progress], Result],
        then: Callable[[Result], object],
        *,
        failed: Callable[[Exception], object] | None = None,
        stopped: Callable[[], object] | None = None,
        writes: bool = False,
    ) -> None:
        """Run something on a thread, and `then` with its result on the window's, from `finish`.

        Args:
            run: is given what it must call with what is done and what there is; on cancelling, that raises.
            failed: called from `finish` with what it raised; None: that is raised there. stopped: called from `finish`
                where cancelling has ended it.
            writes: whether it leaves something behind, such as a file: the program ends after it only, and a result
                that cancelling was too late for counts.

        Raises:
            RuntimeError: something is still running.
        """
        if self.busy:
            raise RuntimeError(f"{self.label} is still running")
        stop = self._stop = Event()
        end = stopped or (lambda: None)

        def tell(done: int, total: int) -> None:
            if stop.is_set():
                raise _Stopped
            self.fraction = done / total if total else 0.0

        def work() -> None:
            try:
                result = run(tell)
            except _Stopped:
                self._finish = end
            except Exception as error:
                self._finish = lambda error=error: (failed or _raise)(error)
            else:
                self._finish = lambda: end() if stop.is_set() and not writes else then(result)

        self.label, self.fraction, self._finish = label, None, None
        self._thread = Thread(target=work, name=label, daemon=not writes)
        self._thread.start()

    def cancel(self) -> None:
        """Let it end at the next look at how far it is."""
        self._stop.set()

    def wait(self) -> None:
        """Until it has ended, which `finish` is then to take in."""
        if self._thread is not None:
            self._thread.join()

    def finish(self) -> bool:
        """Take in what has ended since; whether something has. Raises what the work raised."""
        if self._thread is None or self._thread.is_alive():
            return False
        finish, self._thread, self._finish, self.label = self._finish, None, None, ""
        if finish is not None:
            finish()
        return True


def _raise(error: Exception) -> None:
    raise error
