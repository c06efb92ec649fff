"""Settings: config.toml, which the user writes and the program only reads, and window.json, which the program writes.

Both lie in the platform's usual folder, or in the one that OCTOSCOPE_CONFIG_DIR names. Each fault in them is reported
in a line, and none keeps the program from starting.
"""

from __future__ import annotations

import json
import os
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path

import platformdirs

from octoscope.scene.system.atomic_file import SaveError, atomic_file
from octoscope.scene.system.text_file import ReadError, printable, read_bytes, reason_of, shortened
from octoscope.viewer.window.keys import DEFAULT, PRESETS
from octoscope.viewer.window.place import ScreenRectangle

THEMES = ("dark", "light")
FOLDER_VARIABLE = "OCTOSCOPE_CONFIG_DIR"
_SCALES = (0.5, 4.0)
_LONGEST_LAYOUT = 1 << 20
_LONGEST_LINE = 160  # characters of a message
_LARGEST_BYTES = 1 << 22  # of a file; users write a thousandth of that


@dataclass(frozen=True)
class Config:
    """The contents of config.toml."""

    theme: str | None = None  # one of THEMES; None keeps the last one
    scale: float | None = None  # of the interface; None follows the display
    preset: str = DEFAULT
    keys: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # keys in place of the preset's, by command id
    system_dialogs: bool = True  # whether the system's own dialogs ask for files, where there are any
    problems: tuple[str, ...] = ()  # a line about each setting that was ignored


@dataclass
class WindowState:
    """The state of the window when it was closed."""

    theme: str = "dark"  # one of THEMES
    panels: bool = True
    figures: bool = True
    toolbar: bool = True
    folded: bool = True  # whether the figures are folded to a line
    folded_in_parts: bool = True  # the same for a picture that is small or has several viewports
    open: dict[str, bool] = field(default_factory=dict)
    layout: str = ""  # the docking of panels, as Dear ImGui writes it
    layout_scale: float | None = None  # scale of text and spacing that the layout was made for; None: unknown
    # left, top, width and height before it was maximised; empty for a window that was never opened
    place: list[int] = field(default_factory=list)
    maximised: bool = False
    # values of viewer.app.preferences by name, which a user may have edited
    settings: dict[str, object] = field(default_factory=dict)


def _is_switch(value: object) -> bool:
    return isinstance(value, bool)


# Whether a value from window.json can be that field of WindowState.
_FITS: dict[str, Callable[[object], bool]] = {
    "theme": lambda value: value in THEMES,
    "panels": _is_switch,
    "figures": _is_switch,
    "toolbar": _is_switch,
    "folded": _is_switch,
    "folded_in_parts": _is_switch,
    "open": lambda value: isinstance(value, dict) and all(map(_is_switch, value.values())),
    "layout": lambda value: isinstance(value, str) and len(value) <= _LONGEST_LAYOUT,
    "layout_scale": lambda value: value is None or _is_scale(value),
    "place": lambda value: value == [] or ScreenRectangle.fits(value),
    "maximised": _is_switch,
    "settings": lambda value: isinstance(value, dict),
}


def config_folder() -> Path:
    """Return the folder of both files; it may not exist yet."""
    named = os.environ.get(FOLDER_VARIABLE)
    return Path(named) if named else platformdirs.user_config_path("octoscope", appauthor=False)


def pictures_folder() -> Path:
    """Return the folder of screenshots, in the user's pictures; it may not exist yet."""
    named = os.environ.get(FOLDER_VARIABLE)
    return Path(named) / "pictures" if named else platformdirs.user_pictures_path() / "Octoscope"


def cache_folder() -> Path:
    """Return the folder of what can be found out again; it may not exist yet."""
    named = os.environ.get(FOLDER_VARIABLE)
    return Path(named) / "cache" if named else platformdirs.user_cache_path("octoscope", appauthor=False)


def data_folder() -> Path:
    """Return the folder of the user's own data, such as autosaves; it may not exist yet."""
    named = os.environ.get(FOLDER_VARIABLE)
    return Path(named) if named else platformdirs.user_data_path("octoscope", appauthor=False)


def read_settings_text(path: Path) -> str:
    """Return the text of a file of either folder; a ValueError, which fits into brackets, says why it is of no use."""
    if not os.path.exists(path.parent) or not os.path.lexists(path):
        raise FileNotFoundError
    try:
        return read_bytes(path, largest_bytes=_LARGEST_BYTES).decode("utf-8-sig")
    except ReadError as error:
        raise ValueError(error.beside(path).partition(";")[0]) from None


def read_config(folder: Path) -> Config:
    """Return the contents of config.toml; defaults for what it lacks or what cannot be used."""
    path = folder / "config.toml"
    try:
        table = tomllib.loads(read_settings_text(path))
    except FileNotFoundError:
        return Config()
    except (OSError, ValueError, RecursionError) as error:  # TOMLDecodeError and UnicodeDecodeError are ValueErrors
        return Config(problems=(f"{printable(path)}: ignored ({shortened(reason_of(error), _LONGEST_LINE)})",))
    problems: list[str] = []

    def choice(name: str, known: tuple[str, ...]) -> str | None:
        value = table.pop(name, None)
        if value is None or value in known:
            return value
        problems.append(f"{name}: {value!r} is not one of {', '.join(known)}")
        return None

    theme, preset = choice("theme", THEMES), choice("preset", PRESETS)
    scale = table.pop("scale", None)
    if scale is not None and not _is_scale(scale):
        problems.append(f"scale: {scale!r} is not a number from {_SCALES[0]:g} to {_SCALES[1]:g}")
        scale = None
    system_dialogs = table.pop("system_dialogs", True)
    if not isinstance(system_dialogs, bool):
        problems.append(f"system_dialogs: {system_dialogs!r} is neither true nor false")
        system_dialogs = True
    keys = _keys(table.pop("keys", {}), problems)
    problems += [f"{name}: unknown setting{_advice(name)}" for name in table]
    lines = tuple(f"{printable(path)}: {shortened(problem, _LONGEST_LINE)}" for problem in problems)
    return Config(theme, None if scale is None else float(scale), preset or DEFAULT, keys, system_dialogs, lines)


def _advice(name: str) -> str:
    from difflib import get_close_matches  # only here: most settings are not misspelt

    near = get_close_matches(name, [each.name for each in fields(Config) if each.name != "problems"], n=1)
    return f"; did you mean {near[0]}?" if near else ""


def _is_scale(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and _SCALES[0] <= value <= _SCALES[1]


_DEEPEST_KEY = 8  # parts of a command's id; there are two


def _keys(table: object, problems: list[str], prefix: str = "") -> dict[str, tuple[str, ...]]:
    """Return keys by command id; TOML reads `view.frame = "F"` as nested tables."""
    if not isinstance(table, dict):
        problems.append(f"keys: {table!r} is not a table")
        return {}
    found: dict[str, tuple[str, ...]] = {}
    for name, value in table.items():
        texts = [value] if isinstance(value, str) else value
        if prefix.count(".") > _DEEPEST_KEY:
            problems.append(f"keys: {prefix}: no command has so many parts")
        elif isinstance(value, dict):
            found |= _keys(value, problems, f"{prefix}{name}.")
        elif isinstance(texts, list) and all(isinstance(text, str) for text in texts):
            found[f"{prefix}{name}"] = tuple(text for text in texts if text.strip())
        else:
            problems.append(f"keys: {prefix}{name}: {value!r} is neither a key nor a list of keys")
    return found


def read_window_state(folder: Path) -> tuple[WindowState, list[str]]:
    """Return how the window was left, as new where that cannot be used, and a line about each such value.

    Names that this release does not know are passed over in silence: another release wrote them.
    """
    path = folder / "window.json"
    try:
        kept = json.loads(read_settings_text(path))
        if not isinstance(kept, dict):
            raise ValueError("not a table")
    except FileNotFoundError:
        return WindowState(), []
    except (OSError, ValueError, RecursionError) as error:
        reason = shortened(reason_of(error), _LONGEST_LINE)
        return WindowState(), [f"{printable(path)}: the window layout is reset ({reason})"]
    known = {name: kept[name] for name in _FITS if name in kept}
    wrong = [name for name, value in known.items() if not _FITS[name](value)]
    lines = [f"{printable(path)}: {shortened(f'{name}: {known.pop(name)!r}')} is ignored" for name in wrong]
    return WindowState(**known), lines


def save_window_state(folder: Path, state: WindowState) -> str | None:
    """Save the state of the window; return None, or a line that says why that failed."""
    path = folder / "window.json"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with atomic_file(path) as file:
            file.write(json.dumps(asdict(state), indent=1).encode())
    except SaveError as error:
        return str(error)
    except OSError as error:
        return f"{printable(path)}: cannot be saved ({reason_of(error)})"
    return None
