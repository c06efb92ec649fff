"""Warnings are quiet on the threads that want it, and on no other."""

from __future__ import annotations

import ast
import threading
import warnings
from pathlib import Path

import pytest

from octoscope.scene.system.quiet import quiet_warnings

TOP = Path(__file__).parents[3]


def warns(text: str = "loud", kind: type[Warning] = UserWarning) -> bool:
    """Return whether a warning gets past the filters."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.warn(text, kind, stacklevel=2)
    return len(caught) > 0


@pytest.fixture(autouse=True)
def filters():
    with warnings.catch_warnings():
        warnings.simplefilter("always")
        yield


def test_a_block_is_quiet_and_what_follows_is_not():
    assert warns()
    with quiet_warnings():
        assert not warns()
        with quiet_warnings():
            assert not warns()
        assert not warns()
    assert warns()


def test_an_exception_ends_the_quiet():
    with pytest.raises(KeyError), quiet_warnings(deprecations_raise=True):
        raise KeyError
    assert warns() and warns(kind=DeprecationWarning)


def test_deprecations_are_raised_where_that_is_wanted():
    with quiet_warnings(deprecations_raise=True):
        with pytest.raises(DeprecationWarning):
            warnings.warn("old", DeprecationWarning, stacklevel=1)
        assert not warns()
        with quiet_warnings():
            assert not warns()
    with quiet_warnings():
        assert not warns(kind=DeprecationWarning)


def test_another_thread_is_not_quiet_meanwhile():
    heard = []
    with quiet_warnings():
        other = threading.Thread(target=lambda: heard.append(warns()))
        other.start()
        other.join()
    assert heard == [True]


def test_blocks_that_overlap_on_two_threads_leave_nothing_behind():
    """The first to begin is the first to end: catch_warnings leaves the filter of the second for good."""
    begun, ended = threading.Event(), threading.Event()

    def outlast() -> None:
        with quiet_warnings():
            begun.set()
            ended.wait()

    before = list(warnings.filters)
    other = threading.Thread(target=outlast)
    with quiet_warnings():
        other.start()
        begun.wait()
    ended.set()
    other.join()
    assert warns() and warnings.filters[-len(before) :] == before


@pytest.mark.parametrize("action", ["always", "error"])
def test_filters_that_others_add_later_or_put_back_do_not_make_a_block_loud(action):
    with quiet_warnings():
        pass
    warnings.simplefilter(action)
    with quiet_warnings():
        assert not warns()
        warnings.resetwarnings()
    with quiet_warnings():
        assert not warns()
    count = len(warnings.filters)
    for _ in range(3):
        with quiet_warnings():
            pass
    assert len(warnings.filters) == count


def test_no_other_code_of_ours_sets_the_filters_of_the_process():
    setters = {"catch_warnings", "filterwarnings", "simplefilter", "resetwarnings"}
    for package in ("octree", "scene", "viewer"):
        for path in (TOP / package).rglob("*.py"):
            text = path.read_text(encoding="utf-8")
            if any(setter in text for setter in setters):  # else it is not parsed, which takes long
                called = {node.attr for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Attribute)}
                assert not called & setters, path
