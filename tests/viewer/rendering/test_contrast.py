"""Whatever the program itself gives a colour can be seen before the background of every theme."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
import pytest

from octoscope.scene import Material, Scene
from octoscope.scene.annotations.measurement import DISTANCE, Anchor, Measurement
from octoscope.viewer.features.octree_view.display import OPACITY, VERDICT_COLORS, level_colors
from octoscope.viewer.frame.frame import FrameData
from octoscope.viewer.frame.look.labels import label_image
from octoscope.viewer.frame.look.marks import ACTIVE_COLOR, SELECTED_COLOR
from octoscope.viewer.frame.view import View
from octoscope.viewer.rendering.context.offscreen import image_of
from octoscope.viewer.rendering.renderer import Renderer
from octoscope.viewer.ui.imgui.theme import BY_NAME
from tests.viewer.contrast import contrast, seen_by_all
from tests.viewer.scenes import SIZE, add_mesh, add_quad, flat_view

LEAST = 3.0  # Web Content Accessibility Guidelines 2.1, 1.4.11: of what is no text
LEVELS = 12  # of octree cells, that all have other colours
HEIGHTS = (-50.5, 0.5, 50.5)  # pixels from the middle: the background is not the same everywhere


def elements(**kinds: np.ndarray) -> Callable[[float], View]:
    """Return what makes a view of lines or points at a height, in no colour that a file has chosen."""

    def view(height: float) -> View:
        scene = Scene()
        ends = [(-20.0, height, 0.0), (20.0, height, 0.0)]
        scene.add_node("it", mesh=add_mesh(scene, ends, **kinds))
        scene.update_world()
        return flat_view(scene)

    return view


def square(selected: Sequence[int] = (), hovered: int | None = None) -> Callable[[float], View]:
    """Return what makes a view of a square, too dark to be told from its outline's rim, that ends below a height."""

    def view(height: float) -> View:
        scene = Scene()
        black = scene.add_material(Material("black", base_color=(0.0, 0.0, 0.0), unlit=True))
        for place in ((0.0, height - 60.5, 0.0), (0.0, -1000.0, 0.0)):
            scene.add_node("square", mesh=add_quad(scene, 60.0, black), translation=place)
        scene.update_world()
        view = flat_view(scene)
        view.selection.ids = np.array(selected, dtype=np.int32)
        view.hovered = hovered
        return view

    return view


def measurement(height: float) -> View:
    scene = Scene()
    ends = (Anchor(-1, (-60.5, height, 0.0)), Anchor(-1, (60.5, height, 0.0)))
    scene.measurements = [Measurement(DISTANCE, ends)]
    return flat_view(scene)


def frame_with(change: Callable[[FrameData, float], dict[str, np.ndarray]]) -> Callable[[float], FrameData]:
    def frame(height: float) -> FrameData:
        view = flat_view(Scene())
        view.camera = replace(view.camera, near=-1e3, far=1e3)
        plain = view.build_frames(SIZE)[0].frame
        return replace(plain, helpers=replace(plain.helpers, **change(plain, height)))

    return frame


def frustum(plain: FrameData, height: float) -> dict[str, np.ndarray]:
    corners = np.array([(-20.0, height, 0.0), (20.0, height, 0.0)] * 4)  # its edges along x lie upon each other
    return {"frozen_frustum": (corners - plain.camera.position).astype(np.float32)}


def cells(level: int) -> Callable[[FrameData, float], dict[str, np.ndarray]]:
    def change(plain: FrameData, height: float) -> dict[str, np.ndarray]:
        middle = np.array((0.0, height - 30.0, 0.0)) - plain.camera.position
        return {"cells": np.array([(*middle, 30.0, *level_colors([level])[0], OPACITY)], dtype=np.float32)}

    return change


KINDS = {
    "lines": elements(lines=np.array([(0, 1)])),
    "points": elements(points=np.array([0, 1])),
    "the active object": square(selected=(0,)),
    "a selected object": square(selected=(0, 1)),
    "a hovered object": square(hovered=0),
    "a measurement": measurement,
    "the frozen frustum": frame_with(frustum),
    **{f"octree cells of level {level}": frame_with(cells(level)) for level in range(LEVELS)},
}


@pytest.mark.parametrize("theme", BY_NAME)
@pytest.mark.parametrize("kind", KINDS)
def test_it_is_seen_before_every_part_of_the_background(renderer: Renderer, theme: str, kind: str) -> None:
    def draw(frame: FrameData) -> np.ndarray:
        renderer.render(replace(frame, look=replace(frame.look, backdrop=BY_NAME[theme].backdrop)))
        return np.asarray(image_of(renderer.picture)) / 255.0

    plain = draw(flat_view(Scene()).build_frames(SIZE)[0].frame)
    for height in HEIGHTS:
        made = KINDS[kind](height)
        image = draw(made if isinstance(made, FrameData) else made.build_frames(SIZE)[0].frame)
        row = SIZE[1] // 2 - round(height + 0.5)
        # From the line upwards, where an outline lies; at the left end, of which a point covers two columns.
        rows, columns = slice(row - 5, row + 1), slice(SIZE[0] // 2 - 20, SIZE[0] // 2 - 18)
        found = contrast(image[rows, columns], plain[rows, columns]).max(axis=0)
        assert found.min() >= LEAST, f"at height {height}: {found}"


@pytest.mark.parametrize("theme", BY_NAME)
def test_verdicts_are_told_from_each_other_and_from_the_selection_by_everybody(theme: str) -> None:
    verdicts = BY_NAME[theme].backdrop.seen([*VERDICT_COLORS.values()])
    colors = seen_by_all(np.concatenate([verdicts, (SELECTED_COLOR, ACTIVE_COLOR)]))
    apart = np.linalg.norm(colors[:, :3, None] - colors[:, None], axis=3)
    assert apart[apart > 0.0].min() > 0.07, "red, orange and green: 0.015"


@pytest.mark.parametrize("theme", BY_NAME)
@pytest.mark.parametrize("level", range(0, LEVELS, 3))
def test_a_cell_has_the_colour_of_the_legend(renderer: Renderer, theme: str, level: int) -> None:
    backdrop = BY_NAME[theme].backdrop
    made = frame_with(cells(level))(0.5)
    made.helpers.cells[:, 7] = 1.0  # opaque
    renderer.render(replace(made, look=replace(made.look, backdrop=backdrop)))
    line = np.asarray(image_of(renderer.picture))[SIZE[1] // 2 - 1, SIZE[0] // 2 - 20] / 255.0
    assert line == pytest.approx(backdrop.seen(level_colors([level]))[0], abs=0.01)


@pytest.mark.parametrize("ground", (0.0, 0.5, 1.0))
def test_a_label_can_be_read_and_stands_out_on_any_ground(ground: float) -> None:
    image = label_image("12.5", 16) / 255.0
    shown = image[..., :3] * image[..., 3:] + ground * (1.0 - image[..., 3:])
    inside = shown[3:-3, 3:-3].reshape(-1, 3)
    darkest, lightest = inside[inside.sum(axis=1).argmin()], inside[inside.sum(axis=1).argmax()]
    assert contrast(darkest, lightest) >= 4.5  # WCAG 2.1, 1.4.3: of text
    rim = shown[len(shown) // 2, 0]
    assert max(contrast(darkest, [ground] * 3), contrast(rim, [ground] * 3)) >= LEAST
