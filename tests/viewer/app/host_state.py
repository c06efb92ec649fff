"""The state of a process that a library in it could change, to be compared before and after."""

from __future__ import annotations

import decimal
import faulthandler
import gc
import locale
import logging
import os
import random
import signal
import sys
import threading
import warnings

import numpy as np


def host_state() -> dict[str, object]:
    """Settings of the interpreter, of the operating system's process, and of numpy, by name."""
    return {
        "switch interval": sys.getswitchinterval(),
        "recursion limit": sys.getrecursionlimit(),
        "hooks": [sys.excepthook, sys.displayhook, sys.unraisablehook, threading.excepthook, sys.breakpointhook],
        "trace and profile": [sys.gettrace(), sys.getprofile()],
        "import path": [*sys.path],
        "streams": [sys.stdin, sys.stdout, sys.stderr],
        "signal handlers": {number: signal.getsignal(number) for number in signal.valid_signals()},
        "fault handler": faulthandler.is_enabled(),
        "warnings filters": [*warnings.filters],
        "show warning": warnings.showwarning,
        "locale": {name: locale.setlocale(getattr(locale, name)) for name in dir(locale) if name.startswith("LC_")},
        "folder": os.getcwd(),
        "environment": dict(os.environ),
        "file mode mask": _file_mode_mask(),
        "priority": os.nice(0),
        "garbage collector": [gc.isenabled(), gc.get_threshold(), gc.get_debug()],
        "logging": [logging.root.level, [*logging.root.handlers], logging.root.manager.disable],
        "decimal": repr(decimal.getcontext()),
        "random": [random.getstate(), repr(np.random.get_state())],  # noqa: NPY002  (a host may use it)
        "numpy errors": [np.geterr(), np.geterrcall()],
        "numpy printing": np.get_printoptions(),
        "threads": {thread for thread in threading.enumerate() if not thread.daemon},
    }


def differences(before: dict[str, object], after: dict[str, object]) -> list[str]:
    """A line for each thing that is not as it was."""
    return [f"{name}: {value} became {after[name]}" for name, value in before.items() if value != after[name]]


def _file_mode_mask() -> int:
    mask = os.umask(0o077)
    os.umask(mask)
    return mask
