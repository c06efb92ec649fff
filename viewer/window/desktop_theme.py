"""The theme that the desktop asks programs for, dark or light."""

from __future__ import annotations

import sys
from functools import cache

_PATIENCE_SECONDS = 1.0
_PORTAL = (
    "gdbus call --session --dest org.freedesktop.portal.Desktop --object-path /org/freedesktop/portal/desktop "
    "--method org.freedesktop.portal.Settings.Read org.freedesktop.appearance color-scheme"
)
_PERSONAL = r"HKCU\Software\Microsoft\Windows\CurrentVersion\Themes\Personalize"
# By platform: a command that says which, and what it says where that is light.
_ASKED = {
    "win32": (("reg", "query", _PERSONAL, "/v", "AppsUseLightTheme"), "0x1"),
    "darwin": (("sh", "-c", "defaults read -g AppleInterfaceStyle || echo Light"), "Light"),  # it has no value then
}
_OTHERS = tuple(_PORTAL.split()), "uint32 2"


@cache
def desktop_theme() -> str:
    """Return "light" or "dark", which is also for desktops that do not say."""
    import subprocess  # only here: few ask

    command, sign = _ASKED.get(sys.platform, _OTHERS)
    try:
        said = subprocess.run(command, capture_output=True, text=True, timeout=_PATIENCE_SECONDS, check=False).stdout
    except (OSError, subprocess.TimeoutExpired):
        return "dark"
    return "light" if sign in said else "dark"
