"""Work beside the window: its result, its end, its faults."""

from __future__ import annotations

import time

import pytest

from viewer.editing.background_job import Work


def wait_for(work: Work) -> None:
    deadline = time.monotonic() + 300.0  # something may have to be compiled
    while not work.finish():
        assert time.monotonic() < deadline
        time.sleep(0.001)


def test_a_result_is_handed_over_when_the_window_asks():
    work, results = Work(), []

    def run(tell):
        tell(1, 4)
        return "found"

    work.begin("search", run, results.append)
    assert work.busy and work.label == "search"
    with pytest.raises(RuntimeError, match="search is still running"):
        work.begin("another", run, results.append)
    while work.fraction < 0.25:
        time.sleep(0.001)
    assert not results
    wait_for(work)
    assert results == ["found"] and not work.busy and not work.finish()


def test_what_is_cancelled_ends_at_its_next_step_and_hands_nothing_over():
    work, results = Work(), []

    def run(tell):
        while True:
            tell(0, 0)
            time.sleep(0.001)

    work.begin("endless", run, results.append)
    work.cancel()
    wait_for(work)
    work.begin("short", lambda tell: 1, results.append)
    wait_for(work)
    assert results == [1]


def test_what_ends_just_before_it_is_cancelled_hands_nothing_over():
    work, results = Work(), []
    work.begin("short", lambda tell: 1, results.append)
    while work._thread.is_alive():
        time.sleep(0.001)
    work.cancel()
    wait_for(work)
    assert results == []


def test_a_fault_comes_out_in_the_window():
    work = Work()

    def run(tell):
        raise ZeroDivisionError

    work.begin("broken", run, lambda result: None)
    with pytest.raises(ZeroDivisionError):
        wait_for(work)
    assert not work.busy
