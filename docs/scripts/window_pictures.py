"""Pictures of the real window, worked by keys and mouse on an X server of its own; needs Xvfb and xdotool.

Each is drawn in a window that was just opened with the sample scene, and shows what one page of the guide explains.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
from PIL import Image

from octoscope import load, write_glb
from octoscope.viewer.settings.config import WindowState, save_window_state
from tests.viewer.windows.window_village import write
from tests.viewer.windows.xvfb import Window, open_window

SAMPLE = Path(__file__).parents[2] / "assets" / "harbour.obj"
_ALL, _LEFT, _RIGHT = np.s_[:, :], np.s_[24:460, :257], np.s_[24:696, -277:]
_BOTTOM = np.s_[393:696, 258:1002]
_CENTER = (640, 400)
_THUMBNAILS_SECONDS = 30.0
_THINGS = "boat_4", "chapel", "house_01", "house_08", "lighthouse", "oak_08", "pine_01", "rowboat_1", "stall_1"
_THINGS_FOLDER = Path(tempfile.gettempdir()) / "harbour"
_SEARCH_SECONDS = 5.0
_CORNERS = ((594, 653), (587, 576), (418, 361), (334, 492))  # of the lighthouse's door, and of a roof


def main(folder: Path) -> None:
    """Draw all of them into a folder."""
    for name, (act, part) in _SHOTS.items():
        with opened() as window:
            act(window)
            save(window.picture()[part], folder / f"{name}.webp")


def save(pixels: np.ndarray, path: Path) -> None:
    """Write a picture, (h, w, 3) uint8."""
    path.parent.mkdir(parents=True, exist_ok=True)
    Image.fromarray(np.ascontiguousarray(pixels)).save(path, quality=82, method=6)
    print(f"{path.name}: {path.stat().st_size / 1000:,.0f} kB")


@contextmanager
def opened(*, films: bool = False) -> Iterator[Window]:
    """Open a window on the sample scene, as at a first start.

    Args:
        films: whether pictures follow each other quickly: the camera glides, and what stands still is not refined.
    """
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "config.toml").write_text(f'quality = "{"constant" if films else "best"}"\n')
        save_window_state(Path(folder), WindowState(settings={"view.smooth": films}))
        with open_window(SAMPLE, folder=SAMPLE.parents[1], config=Path(folder)) as window:
            yield window


def _select(window: Window, name: str) -> None:
    """Select an object by its name, and show all rows again."""
    window.press("ctrl+f")
    window.rest()
    write(window, name)
    window.press("Return")
    window.rest()
    window.press("ctrl+f")
    window.rest()
    window.press("Escape", "Escape")  # shows all rows, leaves the field
    window.rest()
    window.move(_CENTER)


def _nothing(window: Window) -> None:
    window.move((640, 712))


def _selected(window: Window) -> None:
    _select(window, "lighthouse_tower")
    _nothing(window)


def _pressed(*keys: str) -> Callable[[Window], None]:
    return lambda window: window.press(*keys)


def _typed(key: str, text: str) -> Callable[[Window], None]:
    """Return what presses a key, and types into the field that appears."""

    def act(window: Window) -> None:
        window.press(key)
        window.rest()
        write(window, text)

    return act


def _at_tower(*keys: str) -> Callable[[Window], None]:
    """Return what frames a tower, and presses keys."""

    def act(window: Window) -> None:
        _select(window, "lighthouse_tower")
        window.press("f", *keys)

    return act


def _measuring(window: Window) -> None:
    _at_tower("alt+a", "m")(window)
    window.rest()
    for point in _CORNERS:
        window.move(point)
        window.rest()
        window.click(point)
        window.rest()
    _nothing(window)


def _run(window: Window, label: str) -> None:
    """Run a command by its label, as in the palette."""
    window.press("ctrl+p")
    window.rest()
    write(window, label)
    window.press("Return")
    window.rest()


def _commanded(label: str) -> Callable[[Window], None]:
    """Return what runs a command on a tower, in sight."""

    def act(window: Window) -> None:
        _at_tower()(window)
        window.rest()
        _run(window, label)
        _nothing(window)

    return act


def _labelled(window: Window) -> None:
    """Put a label on the lighthouse, and list it."""
    _at_tower("alt+a")(window)
    window.rest()
    _run(window, "Add label")
    window.click(_CENTER)
    window.rest()
    write(window, "paint this again")
    window.press("Return")
    window.rest()
    window.press("ctrl+0")
    _nothing(window)


def _settings_in_light(window: Window) -> None:
    _run(window, "Theme light")
    window.press("ctrl+comma")


def _checked(window: Window) -> None:
    _run(window, "Check meshes")
    _nothing(window)
    time.sleep(_SEARCH_SECONDS)


def _with_assets(window: Window) -> None:
    """Show things of the harbour in the asset browser with their thumbnails, which another process draws."""
    _THINGS_FOLDER.mkdir(exist_ok=True)
    scene = load(SAMPLE)
    for name in _THINGS:
        nodes = [node for node in scene if node.mesh_id >= 0 and node.name.startswith(f"{name}_")]
        write_glb(scene.copy(nodes), _THINGS_FOLDER / f"{name}.glb")
    _run(window, "Asset browser")
    window.click((345, 436))
    write(window, str(_THINGS_FOLDER))
    window.press("Return")
    _nothing(window)
    time.sleep(_THUMBNAILS_SECONDS)


def _sorted_table(window: Window) -> None:
    """Sort the table of objects by size, the largest first, and select one."""
    window.press("ctrl+9")
    window.rest()
    for point in ((515, 462), (480, 540)):
        window.click(point)
        window.rest()
    _nothing(window)


def _walking(window: Window) -> None:
    """Show a cull of the view of a tower in slow motion, some steps on."""
    _at_tower("ctrl+7")(window)
    window.rest()
    _typed("ctrl+p", "Slow motion cull")(window)
    window.press("Return")
    time.sleep(1.0)  # it does not rest while it plays
    window.press("ctrl+alt+space", *["ctrl+alt+Left"] * 4, *["ctrl+alt+Right"] * 11)
    _nothing(window)


_SHOTS: dict[str, tuple[Callable[[Window], None], tuple[slice, slice]]] = {
    "window": (_nothing, _ALL),
    "selected": (_selected, _ALL),
    "palette": (_typed("ctrl+p", "section"), _ALL),
    "views": (_pressed("ctrl+alt+4"), _ALL),
    "outliner": (_typed("ctrl+f", "roof"), _LEFT),
    "gizmo": (_at_tower("w"), _ALL),
    "inspector": (_selected, _RIGHT),
    "measuring": (_measuring, _ALL),
    "section": (_at_tower("shift+c", "ctrl+8"), _ALL),
    "table": (_sorted_table, _BOTTOM),
    "array": (_commanded("Array"), _ALL),
    "labels": (_labelled, _ALL),
    "mesh-checks": (_checked, _BOTTOM),
    "assets": (_with_assets, _BOTTOM),
    "materials": (_commanded("Materials"), _ALL),
    "settings": (_settings_in_light, _ALL),
    "octree-window": (_pressed("o", "ctrl+7"), _ALL),
    "octree-walk": (_walking, _ALL),
}
