"""Config: the settings of config.toml, each declared once, and reading them; window.json, which is the program's alone.

Both files lie in the platform's usual folder, or in the one that OCTOSCOPE_CONFIG_DIR names. Each fault in them is
reported in a line, and none keeps the program from starting. What the program changes in config.toml, which people
write, goes through `Settings` (settings.py).
"""

from __future__ import annotations

import json
import os
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any, TypeVar

import platformdirs

from octoscope.scene.conventions.length_unit import METRES, NO_UNIT
from octoscope.scene.system.atomic_file import SaveError, atomic_file
from octoscope.scene.system.text_file import ReadError, printable, read_bytes, reason_of, shortened
from octoscope.viewer.window.desktop_theme import desktop_theme
from octoscope.viewer.window.drags import DRAGS, GESTURES, Drags, actions_of
from octoscope.viewer.window.keys import OCTOSCOPE, PRESETS
from octoscope.viewer.window.place import ScreenRectangle

SYSTEM = "system"
THEMES = ("dark", "light", SYSTEM)
_AUTOMATIC = "automatic"
PAGES = INTERFACE, KEYS, MOUSE, FILES, RENDERING = ("Interface", "Keys", "Mouse", "Files", "Rendering")
FOLDER_VARIABLE = "OCTOSCOPE_CONFIG_DIR"
_PRESETS_BEFORE = {"default": OCTOSCOPE}  # names that presets had in other releases
_LONGEST_LAYOUT = 1 << 20
K = TypeVar("K", dict, list)
_LONGEST_LINE = 160  # characters of a message
_LARGEST_BYTES = 1 << 22  # of a file; users write a thousandth of that


@dataclass(frozen=True)
class Declared:
    """What is said of a setting where it is declared: in the window of settings and in the guide."""

    page: str  # one of PAGES
    label: str
    about: str  # what it does
    choices: Mapping[str, str] = field(default_factory=dict)  # label by value; of a setting that is one of several
    limits: tuple[float, float] | None = None  # of a number; None: it is no number

    def problem(self, value: Any) -> str:
        """Return what is wrong with a value, or ""."""
        if self.choices:
            known = isinstance(value, str) and value in self.choices
            return "" if known else f"{value!r} is not one of {', '.join(self.choices)}"
        if self.limits is None:
            return "" if _is_switch(value) else f"{value!r} is neither true nor false"
        fits = type(value) in (int, float) and self.limits[0] <= value <= self.limits[1]
        return "" if fits else f"{value!r} is not a number from {self.limits[0]:g} to {self.limits[1]:g}"


def _declare(default: object, page: str, label: str, about: str, **more: Any) -> Any:
    return field(default=default, metadata={"declared": Declared(page, label, about, **more)})


@dataclass(frozen=True)
class Config:
    """The contents of config.toml; of what it lacks, the defaults."""

    theme: str = _declare(
        "dark",
        INTERFACE,
        "Theme",
        "colours of panels and background; system: as the desktop's",
        choices={theme: theme.capitalize() for theme in THEMES},
    )
    scale: float | None = _declare(
        None, INTERFACE, "Scale", "of text and spacing; without one, as the display asks for", limits=(0.5, 4.0)
    )
    system_dialogs: bool = _declare(
        True, INTERFACE, "System dialogs", "files are chosen in the system's own dialogs, where there are any"
    )
    undo_selections: bool = _declare(
        False, INTERFACE, "Undo selections", "undo and redo take selecting as a step; otherwise they pass over it"
    )
    preset: str = _declare(
        OCTOSCOPE,
        MOUSE,
        "Preset",
        "keys and mouse as in another program",
        choices={preset: preset.upper() if preset == "cad" else preset.capitalize() for preset in PRESETS},
    )
    box_right_touches: bool = _declare(
        False,
        MOUSE,
        "Boxes to the right touch",
        "boxes drawn to the right select what touches them, and those to the left what lies in them",
    )
    clicks_take_files: bool = _declare(
        False,
        MOUSE,
        "Clicks select files",
        "a click selects the whole file that an object came with, and a double click the object",
    )
    autosave: bool = _declare(
        True, FILES, "Autosave", "edits of a scene that was never saved can be recovered after a crash"
    )
    watch: bool = _declare(True, FILES, "Watch files", "files that change on disk are read again")
    length_unit: str = _declare(
        NO_UNIT,
        FILES,
        "Unit of length",
        "of new scenes, and of files that do not say theirs; projects have their own",
        choices={NO_UNIT: "None"} | {unit: unit for unit in METRES},
    )
    length_decimals: str = _declare(
        _AUTOMATIC,
        FILES,
        "Decimals",
        "of lengths, areas and volumes in such scenes; automatic has as many as the size of the scene asks for",
        choices={_AUTOMATIC: "Automatic"} | {str(decimals): f"{0:.{decimals}f}" for decimals in range(7)},
    )
    quality: str = _declare(
        "automatic",
        RENDERING,
        "Quality",
        "automatic reduces it while pictures move, best never; constant does not refine pictures that stand still",
        choices={"automatic": "Automatic", "best": "Best", "constant": "Constant"},
    )
    keys: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # keys in place of the preset's, by command id
    mouse: Drags = field(default_factory=dict)  # what drags do in place of the preset's
    problems: tuple[str, ...] = ()  # a line about each setting that was ignored

    @property
    def shown_theme(self) -> str:
        """The theme, or the desktop's in place of the system's: "dark" or "light"."""
        return desktop_theme() if self.theme == SYSTEM else self.theme

    @property
    def decimals(self) -> int | None:
        """The decimals of lengths, as Scene.length_decimals has them."""
        return None if self.length_decimals == _AUTOMATIC else int(self.length_decimals)

    @property
    def drags(self) -> Drags:
        """What each drag does, as `drags.action_of` takes it."""
        return {**DRAGS[self.preset], **self.mouse}


DECLARED: dict[str, Declared] = {
    each.name: each.metadata["declared"] for each in fields(Config) if "declared" in each.metadata
}


@dataclass
class WindowState:
    """The state of the window when it was closed."""

    panels: bool = True
    statistics: bool = False
    toolbar: bool = True
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
    "panels": _is_switch,
    "statistics": _is_switch,
    "toolbar": _is_switch,
    "open": lambda value: isinstance(value, dict) and all(map(_is_switch, value.values())),
    "layout": lambda value: isinstance(value, str) and len(value) <= _LONGEST_LAYOUT,
    "layout_scale": lambda value: value is None or not DECLARED["scale"].problem(value),
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


def read_json(path: Path, kind: type[K]) -> K:
    """Return what a JSON file of either folder holds, or an empty value if there is none; a ValueError as above."""
    try:
        kept = json.loads(read_settings_text(path))
    except FileNotFoundError:
        return kind()
    except (OSError, ValueError, RecursionError) as error:
        raise ValueError(shortened(reason_of(error), _LONGEST_LINE)) from None
    if not isinstance(kept, kind):
        raise ValueError(f"not a JSON {'object' if kind is dict else 'array'}")
    return kept


def write_json(path: Path, value: object) -> str | None:
    """Write JSON to a file of either folder, which is made; return None, or a line that says why that failed."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with atomic_file(path) as file:
            file.write(json.dumps(value, indent=1).encode())
    except SaveError as error:
        return str(error)
    except OSError as error:
        return f"{printable(path)}: cannot be saved ({reason_of(error)})"
    return None


def read_config(folder: Path) -> Config:
    """Return the contents of config.toml; defaults for what it lacks or what cannot be used."""
    try:
        return parse_config(folder / "config.toml")
    except ValueError as error:
        return Config(problems=(str(error),))


def parse_config(path: Path) -> Config:
    """Return the contents of a file, as `read_config`; a ValueError is a line that says why it cannot be read."""
    try:
        table = tomllib.loads(read_settings_text(path))
    except FileNotFoundError:
        return Config()
    except (OSError, ValueError, RecursionError) as error:  # TOMLDecodeError and UnicodeDecodeError are ValueErrors
        reason = shortened(reason_of(error), _LONGEST_LINE)
        raise ValueError(f"{printable(path)}: ignored ({reason})") from None
    problems: list[str] = []
    values: dict[str, Any] = {}
    for name, declared in DECLARED.items():
        if name not in table:
            continue
        value = table.pop(name)
        if name == "preset" and isinstance(value, str):
            value = _PRESETS_BEFORE.get(value, value)
        if problem := declared.problem(value):
            problems.append(f"{name}: {problem}")
        else:
            values[name] = float(value) if declared.limits else value
    values["keys"] = _keys(table.pop("keys", {}), problems)
    values["mouse"] = _mouse(table.pop("mouse", {}), problems)
    problems += [f"{name}: unknown setting{_advice(name)}" for name in table]
    return Config(**values, problems=tuple(f"{printable(path)}: {shortened(each, _LONGEST_LINE)}" for each in problems))


def _advice(name: str) -> str:
    from difflib import get_close_matches  # only here: most settings are not misspelt

    near = get_close_matches(name, [each.name for each in fields(Config) if each.name != "problems"], n=1)
    return f"; did you mean {near[0]}?" if near else ""


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


def _mouse(table: object, problems: list[str]) -> dict[str, str]:
    """Return actions by gesture, as `Config.mouse`."""
    if not isinstance(table, dict):
        problems.append(f"mouse: {table!r} is not a table")
        return {}
    found: dict[str, str] = {}
    for gesture, action in table.items():
        known = next((each for each in GESTURES if each.lower() == gesture.lower().replace(" ", "")), None)
        if known is None:
            problems.append(f"mouse: {gesture} is no drag; there are {', '.join(GESTURES)}")
        elif action not in actions_of(known):
            problems.append(f"mouse: {gesture}: {action!r} is not one of {', '.join(actions_of(known))}")
        else:
            found[known] = action
    return found


def read_window_state(folder: Path) -> tuple[WindowState, list[str]]:
    """Return how the window was left, as new where that cannot be used, and a line about each such value.

    Names that this release does not know are passed over in silence: another release wrote them.
    """
    path = folder / "window.json"
    try:
        kept = read_json(path, dict)
    except ValueError as error:
        return WindowState(), [f"{printable(path)}: the window layout is reset ({error})"]
    known = {name: kept[name] for name in _FITS if name in kept}
    wrong = [name for name, value in known.items() if not _FITS[name](value)]
    lines = [f"{printable(path)}: {shortened(f'{name}: {known.pop(name)!r}')} is ignored" for name in wrong]
    return WindowState(**known), lines


def save_window_state(folder: Path, state: WindowState) -> str | None:
    """Save the state of the window; return None, or a line that says why that failed."""
    return write_json(folder / "window.json", asdict(state))
