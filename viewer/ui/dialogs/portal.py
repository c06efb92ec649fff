"""Ask for files by the desktop's portal: a program of its own, which prints paths and ends as zenity does.

python portal.py OpenFile|SaveFile TITLE PATH several|one [LABEL PATTERNS]...
"""

from __future__ import annotations

import os
import sys
from typing import Any
from urllib.parse import unquote_to_bytes, urlsplit

_PORTAL = "/org/freedesktop/portal/desktop"
_FAILED = 2  # as the portal says it; 1: cancelled
_ANSWER_SECONDS = 10.0  # until a portal has a dialog shown; one that hangs never does


def main(method: str, title: str, start: str, number: str, *filters: str) -> int:
    """Ask, print the chosen paths as lines, and return the status to end with."""
    from jeepney import DBusAddress, MatchRule, new_method_call
    from jeepney.io.blocking import open_dbus_connection
    from jeepney.wrappers import unwrap_msg

    labels, patterns = filters[::2], [[(0, pattern) for pattern in each.split()] for each in filters[1::2]]
    writes, (folder, name) = method == "SaveFile", os.path.split(start)
    options: dict[str, tuple[str, Any]] = {
        "handle_token": ("s", "octoscope"),
        "filters": ("a(sa(us))", list(zip(labels, patterns, strict=True))),
        "current_folder": ("ay", os.fsencode(folder if writes else start) + b"\0"),
        **({"current_name": ("s", name)} if writes else {"multiple": ("b", number == "several")}),
    }
    chooser = DBusAddress(_PORTAL, "org.freedesktop.portal.Desktop", "org.freedesktop.portal.FileChooser")
    with open_dbus_connection() as connection:
        sender = connection.unique_name[1:].replace(".", "_")
        rule = MatchRule(type="signal", member="Response", path=f"{_PORTAL}/request/{sender}/octoscope")
        with connection.filter(rule) as answers:
            call = new_method_call(chooser, method, "ssa{sv}", ("", title, options))
            unwrap_msg(connection.send_and_get_reply(call, timeout=_ANSWER_SECONDS))
            status, results = connection.recv_until_filtered(answers).body
    if status == 0:
        paths = [unquote_to_bytes(urlsplit(uri).path) for uri in results["uris"][1]]
        sys.stdout.buffer.write(b"\n".join(paths))
    return status


if __name__ == "__main__":
    try:
        ended = main(*sys.argv[1:])
    except Exception:  # no portal, or one without dialogs: Python itself would end as if it was cancelled
        ended = _FAILED
    raise SystemExit(ended)
