"""Background jobs: their results, their end, and errors in them."""

from __future__ import annotations

import time
from threading import Event

import pytest

from octoscope.viewer.editing.jobs import JobKind, Jobs


def wait_for(jobs: Jobs) -> None:
    deadline = time.monotonic() + 300.0  # something may have to be compiled
    while not jobs.poll():
        assert time.monotonic() < deadline
        time.sleep(0.001)


def test_a_result_is_handed_over_when_the_window_asks():
    jobs, results = Jobs(), []

    def run(tell):
        tell(1, 4)
        return "found"

    jobs.begin(JobKind.EDIT, "search", run, results.append)
    assert jobs.is_busy(JobKind.EDIT) and jobs[JobKind.EDIT].label == "search"
    with pytest.raises(RuntimeError, match="search is still running"):
        jobs.begin(JobKind.EDIT, "another", run, results.append)
    while (jobs[JobKind.EDIT].fraction or 0.0) < 0.25:
        time.sleep(0.001)
    assert not results
    wait_for(jobs)
    assert results == ["found"] and not jobs.is_busy() and not jobs.poll()


def test_what_is_cancelled_ends_at_its_next_step_and_hands_nothing_over():
    jobs, results = Jobs(), []

    def run(tell):
        while True:
            tell(0, 0)
            time.sleep(0.001)

    jobs.begin(JobKind.EDIT, "endless", run, results.append)
    jobs.cancel(JobKind.EDIT)
    wait_for(jobs)
    jobs.begin(JobKind.EDIT, "short", lambda tell: 1, results.append)
    wait_for(jobs)
    assert results == [1]


def test_what_ends_just_before_it_is_cancelled_hands_nothing_over():
    jobs, results = Jobs(), []
    jobs.begin(JobKind.EDIT, "short", lambda tell: 1, results.append)
    jobs.wait(JobKind.EDIT)
    jobs.cancel(JobKind.EDIT)
    wait_for(jobs)
    assert results == []


def test_a_fault_comes_out_in_the_window():
    jobs = Jobs()

    def run(tell):
        raise ZeroDivisionError

    jobs.begin(JobKind.EDIT, "broken", run, lambda result: None)
    with pytest.raises(ZeroDivisionError):
        wait_for(jobs)
    assert not jobs.is_busy()


def test_lanes_run_side_by_side_and_what_is_written_next_waits_its_turn():
    jobs, go_on, done = Jobs(), Event(), []
    jobs.begin(JobKind.WRITE, "first", lambda tell: go_on.wait(30.0), lambda _: done.append("first"))
    for name in ("second", "third", "second"):
        jobs.after_writing(name, lambda name=name: done.append(name))
    jobs.begin(JobKind.EDIT, "beside", lambda tell: None, lambda _: done.append("beside"))
    wait_for(jobs)
    assert done == ["beside"] and jobs.is_going
    go_on.set()
    while jobs.is_going:
        jobs.poll()
    assert done == ["beside", "first", "second", "third"]


def test_what_is_forgotten_is_taken_by_nobody_and_its_lane_is_free_at_once():
    jobs, go_on, done = Jobs(), Event(), []
    jobs.begin(JobKind.OPEN, "one", lambda tell: go_on.wait(30.0), done.append)
    jobs.forget(JobKind.OPEN)
    jobs.begin(JobKind.OPEN, "another", lambda tell: 2, done.append)
    go_on.set()
    while jobs.is_busy():
        jobs.poll()
    assert done == [2]


def test_the_end_waits_for_what_is_written_and_for_nothing_else():
    jobs, go_on, done = Jobs(), Event(), []
    jobs.begin(JobKind.EDIT, "endless", lambda tell: go_on.wait(30.0), done.append)
    jobs.begin(JobKind.WRITE, "short", lambda tell: time.sleep(0.05), lambda _: done.append("written"))
    jobs.after_writing("more", lambda: done.append("more"))
    jobs.end()
    assert done == ["written"]
    go_on.set()
