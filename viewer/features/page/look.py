"""The look of a page as that of a view."""

from __future__ import annotations

import numpy as np

from octoscope.scene.formats.page.look import Color, PageLook
from octoscope.viewer.camera.bookmark_pose import bookmark_of
from octoscope.viewer.camera.camera import Camera
from octoscope.viewer.frame.look.environment import Environment, interpolated
from octoscope.viewer.frame.look.studios import STUDIOS
from octoscope.viewer.frame.view_settings import ViewSettings

KEY_COLOR = 0.76, 0.73, 0.67  # as of shaders/light.glsl
_ROWS, _COLUMNS = 16, 32  # of the environment: its lamps are wider than a place in it
_DECIMALS = 4
# A line about each thing that a page does not show, and the settings that ask for it by other values than usual.
_LEFT_OUT = (
    ("the shading mode is ignored: all is shown with its materials", ("mode", "show_edges", "is_flat")),
    ("boxes, spheres and axes of objects are left out", ("show_boxes", "show_spheres", "show_axes")),
    ("lines and points have their usual sizes", ("strokes",)),
    ("back faces of single-sided materials are left out", ("culls_back_faces",)),
)


def page_look_of(settings: ViewSettings, camera: Camera | None = None) -> PageLook:
    """Return the look that a page takes over from a view; without a camera it looks at all of the scene.

    A page has no ambient occlusion: its ambient light is that of a picture that moves, which has none either.
    """
    backdrop, lighting, environment = settings.shown_backdrop, settings.lighting, settings.environment
    ambient, _ = lighting.mean_visibility
    usual = ViewSettings()
    notes = [line for line, names in _LEFT_OUT if any(getattr(settings, n) != getattr(usual, n) for n in names)]
    if backdrop.shows_environment:
        notes.append("the environment is not shown behind the scene")
    if environment.name not in STUDIOS:
        notes.append("the environment is coarse where it is mirrored")
    if lighting.occlusion:
        notes.append("ambient occlusion is left out")
    planes = [(*plane.normal, plane.offset) for plane in settings.section.planes]
    return PageLook(
        top=backdrop.top,
        bottom=backdrop.bottom,
        ground=backdrop.ground,
        is_dark=backdrop.is_dark,
        key_direction=lighting.direction,
        key_follows_camera=not lighting.is_fixed_to_world,
        key_color=_rounded(np.array(KEY_COLOR) * lighting.strength),
        environment=tuple(
            tuple(map(_rounded, row)) for row in ambient * _around(environment, settings.environment_rotation_deg)
        ),
        environment_follows_camera=environment.follows_camera,
        shadow=lighting.shadow,
        shows_grid=settings.show_grid,
        camera=None if camera is None else bookmark_of(camera),
        planes=tuple(planes),
        notes=tuple(notes),
    )


def _around(environment: Environment, rotation_deg: float) -> np.ndarray:
    """Return the light of a turned environment by height and heading, (rows, columns, 3), as PageLook has it."""
    polar = (np.arange(_ROWS) + 0.5) / _ROWS * np.pi
    heading = (np.arange(_COLUMNS) + 0.5) / _COLUMNS * 2.0 * np.pi + np.radians(rotation_deg)
    polar, heading = np.meshgrid(polar, heading, indexing="ij")
    x, y, z = np.sin(polar) * np.sin(heading), np.cos(polar), -np.sin(polar) * np.cos(heading)
    x, y, z = np.stack([x, y, z]) / (np.abs(x) + np.abs(y) + np.abs(z))
    fold = np.maximum(-y, 0.0)
    side = len(environment.mirrored[0])
    across, down = ((0.5 + 0.5 * (each + np.copysign(fold, each))) * (side - 1) for each in (x, z))
    return interpolated(environment.mirrored[0].astype(np.float64), down, across)


def _rounded(color: np.ndarray) -> Color:
    red, green, blue = np.round(color, _DECIMALS).tolist()
    return red, green, blue
