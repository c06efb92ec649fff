"""Using damaged files in worker processes, so that a crash or a hang is known by the seed of its file.

    python -m tests.damage.campaign --first 0 --count 100000 --folder faults

`NUMBA_BOUNDSCHECK=1` checks every index of every kernel; it needs a `NUMBA_CACHE_DIR` of its own, as numba's cache does
not tell code with checks from code without.
"""

from __future__ import annotations

import argparse
import faulthandler
import os
import shutil
import subprocess
import sys
import tempfile
import time
import traceback
import warnings
from ast import literal_eval
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path

from tests.damage.files import FORMATS, damaged, format_of, sound

_SECONDS_A_FILE = 60.0
_FILES_A_WORKER = 4000  # then another takes over: what leaks is not what is looked for
_MEMORY_BYTES = 8 * 2**30


@dataclass
class Outcome:
    """The result of a run.

    Attributes:
        read, refused: counts by format. faults: by seed, the text of what went wrong.
        longest_seconds: that a file took, and its seed.
    """

    read: Counter = field(default_factory=Counter)
    refused: Counter = field(default_factory=Counter)
    faults: dict[int, str] = field(default_factory=dict)
    longest_seconds: tuple[float, int] = (0.0, -1)

    def __str__(self) -> str:
        total = sum((self.read + self.refused).values())
        by_format = ", ".join(f"{name} {count:,}" for name, count in sorted((self.read + self.refused).items()))
        return (
            f"{total:,} files ({by_format}), {sum(self.read.values()):,} read, {len(self.faults):,} faults, "
            f"longest {self.longest_seconds[0]:.1f} s (seed {self.longest_seconds[1]})"
        )


def run(
    seeds: Sequence[int],
    *,
    most_faults: int = 100,
    use: str = "tests.damage.use:use",
    tell: Callable[[Outcome], object] = lambda _: None,
) -> Outcome:
    """Use the files of seeds in one worker after the other.

    Args:
        most_faults: ends the run. use: module and function; it is given the file and a number, and returns False for
            a file that was refused. tell: called after every file.
    """
    outcome = Outcome()
    done = 0
    while done < len(seeds) and len(outcome.faults) < most_faults:
        for seed, verdict, seconds in _worker(seeds[done : done + _FILES_A_WORKER], use):
            done += 1
            name = format_of(seed)
            if verdict in ("read", "refused"):
                getattr(outcome, verdict)[name] += 1
            else:
                outcome.faults[seed] = verdict
            outcome.longest_seconds = max(outcome.longest_seconds, (seconds, seed))
            tell(outcome)
    return outcome


def _worker(seeds: Sequence[int], use: str) -> Iterator[tuple[int, str, float]]:
    """Yield each seed with 'read', 'refused' or the text of a fault, and seconds; ends behind the first crash."""
    with tempfile.TemporaryDirectory(prefix="damage-") as folder:
        program = [sys.executable, "-m", "tests.damage.campaign", "--work", folder, "--use", use]
        root = Path(__file__).parents[2]
        with (
            open(Path(folder, "errors"), "w+") as errors,
            subprocess.Popen(
                program, cwd=root, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors, text=True
            ) as worker,
        ):
            try:
                for seed in seeds:
                    begin = time.monotonic()
                    worker.stdin.write(f"{seed}\n")
                    worker.stdin.flush()
                    verdict = worker.stdout.readline()
                    if not verdict:
                        errors.seek(0)
                        verdict = f"the process ended with {worker.wait()}\n{errors.read()[-6000:]}"
                        yield seed, verdict, time.monotonic() - begin
                        return
                    yield seed, literal_eval(verdict), time.monotonic() - begin
            finally:
                worker.kill()


def _work(folder: Path, use: Callable[[Path, int], bool]) -> None:
    """Use the file of each seed on standard input, and say on standard output what came of it."""
    warnings.simplefilter("error", RuntimeWarning)
    answers, sys.stdout = sys.stdout, sys.stderr
    os.fsync = lambda descriptor: None  # nothing here has to survive a power cut
    for turn, path in enumerate(sound(folder)):  # compiles what is not compiled, which takes longer than a file may
        use(path, turn)
    for line in sys.stdin:
        folder_of_seed = folder / "files"
        shutil.rmtree(folder_of_seed, ignore_errors=True)
        faulthandler.dump_traceback_later(_SECONDS_A_FILE, exit=True)
        try:
            folder_of_seed.mkdir()
            seed = int(line)
            verdict = "read" if use(damaged(seed, folder_of_seed), seed // len(FORMATS)) else "refused"
        except Exception:
            verdict = traceback.format_exc()[-6000:]
        faulthandler.cancel_dump_traceback_later()
        answers.write(f"{verdict!r}\n")
        answers.flush()


def _main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--most-faults", type=int, default=100)
    parser.add_argument("--folder", type=Path, default=Path("damage-faults"), help="where faults are written")
    parser.add_argument("--use", default="tests.damage.use:use", help=argparse.SUPPRESS)
    parser.add_argument("--work", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.work:
        faulthandler.enable()
        _limit_memory()
        module, _, name = options.use.partition(":")
        _work(options.work, getattr(import_module(module), name))
        return
    seeds = range(options.first, options.first + options.count)
    options.folder.mkdir(parents=True, exist_ok=True)
    begin, told = time.monotonic(), 0

    def tell(outcome: Outcome) -> None:
        nonlocal told
        for seed, fault in outcome.faults.items():
            if not (options.folder / f"{seed}.txt").exists():
                (options.folder / f"{seed}.txt").write_text(fault)
        if time.monotonic() - begin > told:
            told = time.monotonic() - begin + 10.0
            (options.folder / "progress").write_text(f"{time.monotonic() - begin:.0f} s: {outcome}\n")

    outcome = run(seeds, most_faults=options.most_faults, tell=tell)
    (options.folder / "progress").write_text(f"done, {time.monotonic() - begin:.0f} s: {outcome}\n")
    print(outcome)


def _limit_memory() -> None:
    try:
        import resource
    except ImportError:
        return
    resource.setrlimit(resource.RLIMIT_AS, (_MEMORY_BYTES, resource.RLIM_INFINITY))


if __name__ == "__main__":
    _main()
