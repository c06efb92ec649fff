"""`octoscope bench [SUITE ...]`: measure, and compare with other libraries; answers are checked first."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from importlib import import_module

from rich.console import Console
from rich.table import Table

from viewer.benchmarks.harness import Result
from viewer.cli.arguments.options import BENCHMARKS
from viewer.cli.output import UserError, answer_json, answer_table


def run(options: argparse.Namespace) -> int:
    """Run the command and return the exit status."""
    unknown = [suite for suite in options.suites if suite not in BENCHMARKS]
    if unknown:
        raise UserError(f"no such benchmark: {', '.join(unknown)}; there are {', '.join(BENCHMARKS)}")
    progress = Console(stderr=True)
    results = []
    for suite in options.suites or BENCHMARKS:
        with progress.status(f"measuring {suite}"):
            for result in import_module(f"viewer.benchmarks.{suite}").run():
                results.append(result)
    if options.json:
        answer_json(
            [
                {
                    "name": result.name,
                    "unit": result.unit,
                    "ours": result.ours,
                    "others": dict(result.others),
                    "times_as_fast": result.ratios(),
                    "note": result.note,
                }
                for result in results
            ]
        )
        return 0
    table = Table("measured", "ours", "", "against", "takes", "times as fast", title="medians")
    for result in results:
        rows = list(_rows(result))
        for number, row in enumerate(rows):
            table.add_row(*row, end_section=number == len(rows) - 1)
    answer_table(table)
    return 0


def _rows(result: Result) -> Iterator[tuple[str, ...]]:
    first = (result.name + (f"\n({result.note})" if result.note else ""), f"{result.ours:.3f}", result.unit)
    if not result.others:
        yield (*first, "", "", "")
    for name, value in result.others.items():
        yield (*first, name, f"{value:.3f}", f"{value / result.ours:.1f}")
        first = ("", "", "")
