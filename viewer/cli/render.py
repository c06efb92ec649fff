"""`octoscope render FILE... -o out.png`: a picture without a window, its depths, normals and ids as .npy or .exr."""

from __future__ import annotations

import argparse
import math
import os
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from octoscope.scene import Bookmark, ReadError, SaveError, Scene
from octoscope.scene.system.atomic_file import atomic_file, check_savable
from octoscope.scene.system.text_file import printable, read_text
from octoscope.viewer.camera import controls
from octoscope.viewer.camera.bookmark_pose import camera_at
from octoscope.viewer.camera.camera import Camera, view_name
from octoscope.viewer.camera.camera_json import camera_from_json
from octoscope.viewer.cli.common import check_picture_path, check_something_is_left, exit_status, open_shown
from octoscope.viewer.cli.output import UserError, answer, progress_bar, say
from octoscope.viewer.cli.turntable import TakeFrame, cameras_around, check_turntable, write_turntable
from octoscope.viewer.document.image_files import save_picture
from octoscope.viewer.frame.look.environment_names import environment_called
from octoscope.viewer.frame.look.lighting import Lighting, world_light
from octoscope.viewer.frame.section import Section
from octoscope.viewer.frame.stats import FrameStats, counts_text
from octoscope.viewer.frame.streamed_scene import lod_views_of
from octoscope.viewer.frame.view import View
from octoscope.viewer.rendering.context.card_errors import DrawError
from octoscope.viewer.rendering.context.offscreen import NoOpenGL
from octoscope.viewer.rendering.still_drawing import StillDrawing

if TYPE_CHECKING:
    from octoscope.viewer.frame.streamed_scene import StreamedScene


AimCamera = Callable[[View], None]
_ARRAYS = ("depth", "ids", "normals")  # options that name files, and attributes of Buffers
_T = TypeVar("_T")
_LARGEST_CAMERA_BYTES = 1 << 16
_OPENEXR_LIBRARY = "OpenImageIO"
# By name of the array, the channels that programs look for in an OpenEXR file.
_CHANNELS = {"depth": ("Z",), "ids": ("id",), "normals": ("N.X", "N.Y", "N.Z")}


def run(options: argparse.Namespace) -> int:
    """Run the command and return the exit status."""
    if options.turntable is None:
        check_picture_path(options.output)
    else:
        _check_turntable(options)
    arrays = {name: vars(options)[name] for name in _ARRAYS if vars(options)[name] is not None}
    for path in arrays.values():
        check_array_path(path)
    if len({path.resolve() for path in arrays.values()}) < len(arrays):
        raise UserError("--depth, --ids and --normals: each needs a file of its own")
    scene, streamed = open_shown(options.files, options)
    if streamed is None:
        check_something_is_left(scene, options.output)
    place = _place_of(scene, options)
    if options.turntable is not None:
        _draw_turntable(scene, options, place)
        return exit_status(scene.report)
    draw_to_file(
        scene,
        options,
        options.output,
        viewports=options.views,
        place=place,
        samples=options.samples,
        transparent=options.transparent,
        arrays=arrays,
        streamed=streamed,
    )
    return exit_status(scene.report)


def draw_to_file(
    scene: Scene,
    options: argparse.Namespace,
    path: Path,
    *,
    aim: AimCamera | None = None,
    place: AimCamera | None = None,
    viewports: int = 1,
    samples: int | None = None,
    transparent: bool = False,
    arrays: Mapping[str, Path] = MappingProxyType({}),
    streamed: StreamedScene | None = None,
) -> None:
    """Draw a scene off-screen, write the picture, and print its path and what was culled.

    Args:
        place: moves the camera of the first viewport, once all viewports are framed.
    """
    view = View(scene)
    view.layout.resize(options.size)
    set_up_view(view, options, aim)
    view.layout.set_count(viewports)
    if aim is None and viewports > 1:
        view.framing.frame_nodes(None, every=True)
    if place is not None:
        place(view)
    if streamed is not None:
        for line in streamed.read_all(lod_views_of(view)):
            say(line)
    draw = partial(StillDrawing().still, view, options.size, samples=samples, transparent=transparent)
    still = _with_opengl(partial(draw, has_buffers=bool(arrays)))
    save_picture(still.pixels, path)
    for name, array_path in arrays.items():
        save_array(name, getattr(still.buffers, name), array_path)
    for line in still.messages:
        say(line)
    drawn = f"{printable(path)}: {options.size[0]}x{options.size[1]}"
    if viewports == 1:
        answer(f"{drawn}, {_stats_text(view.stats)}; {still.draw_calls} draw calls")
        return
    answer(f"{drawn}, {viewports} views, {still.draw_calls} draw calls")
    for viewport in view.viewports:
        answer(f"{view_name(viewport.camera) or 'camera'}: {_stats_text(viewport.stats)}")


def _check_turntable(options: argparse.Namespace) -> None:
    if options.views > 1:
        raise UserError("--turntable: one view turns; leave out --views")
    for name in (*_ARRAYS, "transparent"):
        if vars(options)[name]:
            raise UserError(f"--turntable: --{name} is of one picture; leave it out")
    check_turntable(options.output, options.size)


def _draw_turntable(scene: Scene, options: argparse.Namespace, place: AimCamera) -> None:
    view = View(scene)
    view.layout.resize(options.size)
    set_up_view(view, options)
    place(view)
    given = (options.bookmark, options.camera, options.position, options.target)
    cameras = cameras_around(view, options.turntable, is_placed=any(each is not None for each in given))
    messages: list[str] = []

    def draw(take: TakeFrame) -> None:
        with progress_bar("drawing") as show, StillDrawing() as drawing:
            for count, view.camera in enumerate(cameras, start=1):
                still = _with_opengl(lambda: drawing.still(view, options.size, samples=options.samples))
                take(still.pixels)
                show(count, len(cameras))
        messages.extend(still.messages)

    write_turntable(options.output, options.size, draw)
    for line in messages:
        say(line)
    width, height = options.size
    answer(f"{printable(options.output)}: {width}x{height}, {len(cameras)} pictures")


def _with_opengl(draw: Callable[[], _T]) -> _T:
    """Call a function that draws; a UserError says why it cannot."""
    try:
        return draw()
    except NoOpenGL as error:
        raise UserError(str(error)) from None
    except DrawError as error:
        raise UserError(f"{error}; try a smaller --size or fewer objects") from None


def _place_of(scene: Scene, options: argparse.Namespace) -> AimCamera:
    """Return what moves the camera as --bookmark, --camera, --position, --target and --fov say."""
    camera: Camera | None = None
    if options.bookmark is not None:
        camera = camera_at(_bookmark(scene, options.bookmark), scene.index.bounds())
    elif options.camera is not None:
        camera = _camera(options.camera, scene)

    def place(view: View) -> None:
        if camera is not None:
            view.camera = camera
        if options.fov is not None:
            view.framing.reorient(replace(view.camera, fov_y_rad=math.radians(options.fov)))
        if options.position is not None:
            target = np.array(options.target) if options.target is not None else view.camera.pivot
            bounds = scene.index.bounds()
            if options.target is None and camera is None and bounds is not None:
                target = np.mean(bounds, axis=0)
            try:
                view.camera = controls.look_at(view.camera, np.array(options.position), target)
            except ValueError as error:
                raise UserError(f"--position: {error}") from None
        elif options.target is not None:
            view.camera = replace(view.camera, pivot=np.array(options.target))

    return place


def _camera(given: str, scene: Scene) -> Camera:
    """Read the camera of --camera: JSON, or a file of it."""
    # os.path, as Path.is_file fails for JSON that is longer than a name may be.
    of_file = given.lstrip()[:1] not in ("", "{", "[") or os.path.isfile(given)
    try:
        text = read_text(Path(given), largest_bytes=_LARGEST_CAMERA_BYTES) if of_file else given
        return camera_from_json(text, up_axis=scene.up_axis)
    except ReadError as error:
        raise UserError(f"--camera: {error}") from None
    except ValueError as error:
        raise UserError(f"--camera: {f'{printable(given)}: ' if of_file else ''}{error}") from None


def _bookmark(scene: Scene, name: str) -> Bookmark:
    if name not in scene.bookmarks:
        names = ", ".join(f"'{printable(other)}'" for other in scene.bookmarks)
        raise UserError(
            f"--bookmark: none is called '{printable(name)}'; there {f'are {names}' if names else 'are none'}"
        )
    return scene.bookmarks[name]


def _stats_text(stats: FrameStats) -> str:
    return (
        f"drawn {stats.drawn:,} of {stats.objects:,} objects, "
        f"{counts_text(stats.triangles, stats.lines, stats.points)}; "
        f"octree cells visited {stats.nodes_visited:,}, spheres tested {stats.spheres_tested:,}"
    )


def set_up_view(view: View, options: argparse.Namespace, aim: AimCamera | None = None) -> None:
    """Apply the picture options to a view, frame the whole scene, then move the camera by `aim`."""
    # What is not asked for is as a person left it in the window.
    view.settings.culling &= not options.no_culling
    view.settings.tiny_culling |= options.cull_tiny
    for name in options.shown or ():
        view.show(name)
    view.settings.show_edges |= options.edges
    view.settings.show_grid &= not options.no_grid
    view.settings.is_flat |= options.flat
    chosen = {"line_width": options.line_width, "point_size": options.point_size}
    view.settings.strokes = replace(
        view.settings.strokes,
        **{name: size for name, size in chosen.items() if size is not None},
        round_points=view.settings.strokes.round_points or options.round_points,
    )
    view.settings.lighting = _lighting(view, options)
    if options.environment is not None:
        try:
            view.settings.environment = environment_called(options.environment)
        except ReadError as error:
            raise UserError(f"--environment: {error}") from None
        for note in view.settings.environment.notes:
            say(note)
    if options.environment_rotation is not None:
        view.settings.environment_rotation_deg = options.environment_rotation % 360.0
    if options.background is not None:
        view.settings.show_before(options.background)
    if options.mode is not None:
        view.settings.show_as(options.mode)
    if options.matcap is not None:
        view.settings.show_matcap(options.matcap)
    if options.section is not None:
        try:
            view.settings.section = Section(tuple(options.section))
        except ValueError as error:
            raise UserError(f"--section: {error}") from None
    view.framing.look_first(options.view, orthographic=options.ortho)
    if aim is not None:
        aim(view)


def _lighting(view: View, options: argparse.Namespace) -> Lighting:
    light = view.settings.lighting
    if options.light is not None:
        direction = world_light(*options.light, up_axis=view.scene.up_axis).direction
        light = replace(light, direction=direction, is_fixed_to_world=True)
    if options.shadow is not None:
        light = replace(light, has_shadow=options.shadow > 0.0, shadow_strength=options.shadow)
    if options.occlusion is not None:
        light = replace(light, has_occlusion=options.occlusion > 0.0, occlusion_strength=options.occlusion)
    return light


def check_array_path(path: Path) -> None:
    """Check that an array can be written, before any work is done for it."""
    if path.suffix.lower() not in (".npy", ".exr"):
        raise UserError(f"{printable(path)}: unknown format of arrays; end the name in .npy or .exr")
    if path.suffix.lower() == ".exr" and find_spec(_OPENEXR_LIBRARY) is None:
        raise UserError(f"{printable(path)}: needs OpenImageIO: pip install 'octoscope[environment]'")
    check_savable(path)


def save_array(name: str, array: np.ndarray, path: Path) -> None:
    """Write an array in the format of the path's ending, whole or not at all.

    Args:
        array: (height, width) or (height, width, 3); .exr has it as float32, which is exact for ids below 2^24.
    """
    with atomic_file(path) as file:
        if path.suffix.lower() == ".npy":
            np.save(file, array)
        else:
            file.write(_as_openexr(_CHANNELS[name], array))


def _as_openexr(channels: tuple[str, ...], array: np.ndarray) -> bytes:
    """Return the bytes of an OpenEXR file with an array, (height, width) or (height, width, channels)."""
    images = import_module(_OPENEXR_LIBRARY)  # only here: an optional library
    height, width = array.shape[:2]
    # The library takes nothing else: it reads beyond the end of an array without an axis of channels.
    array = np.ascontiguousarray(array, dtype=np.float32).reshape(height, width, len(channels))
    spec = images.ImageSpec(width, height, len(channels), images.FLOAT)
    spec.channelnames = channels
    with tempfile.TemporaryDirectory() as folder:  # the library writes to a path alone
        beside = Path(folder) / "array.exr"
        output = images.ImageOutput.create(str(beside))
        if not (output and output.open(str(beside), spec) and output.write_image(array) and output.close()):
            raise SaveError(f"OpenEXR: cannot be written ({printable(images.geterror())[:200]}); write .npy")
        return beside.read_bytes()
