"""`octoscope render FILE... -o out.png`: a picture without a window."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from scene import Bookmark, Scene
from scene.system.text_file import printable
from viewer.camera import controls
from viewer.camera.bookmark_pose import camera_at
from viewer.camera.camera import view_name
from viewer.cli.common import check_picture_path, open_scene, save_picture
from viewer.cli.output import UserError, answer, say
from viewer.frame.stats import FrameStats, counts_text
from viewer.frame.view import View
from viewer.rendering.offscreen import NoOpenGL
from viewer.rendering.renderer import DrawError
from viewer.rendering.stills import draw_still

AimCamera = Callable[[View], None]


def run(options: argparse.Namespace) -> int:
    """Run the command and return the exit status."""
    check_picture_path(options.output)
    scene = open_scene(options.files, options)
    bookmark = None if options.bookmark is None else _bookmark(scene, options.bookmark)
    draw_to_file(scene, options, options.output, viewports=options.views, bookmark=bookmark)
    return 0


def draw_to_file(
    scene: Scene,
    options: argparse.Namespace,
    path: Path,
    *,
    aim: AimCamera | None = None,
    bookmark: Bookmark | None = None,
    viewports: int = 1,
) -> None:
    """Draw a scene off-screen, write the picture, and print its path and what was culled.

    Args:
        scene: to draw.
        options: of the command line.
        path: of the picture.
        aim: moves the camera after the whole scene was framed.
        bookmark: the camera of the first viewport.
        viewports: number of viewports.

    Raises:
        UserError: there is no OpenGL, the picture is too large for it, or the file cannot be written.
    """
    view = View(scene)
    view.resize(options.size)
    set_up_view(view, options, aim)
    view.set_viewport_count(viewports)
    if aim is None:
        view.frame_nodes(None, every=True)
    if bookmark is not None:
        view.camera = camera_at(bookmark, scene.index.bounds())
    try:
        still = draw_still(view, options.size)
    except NoOpenGL as error:
        raise UserError(str(error)) from None
    except DrawError as error:
        raise UserError(f"{error}; try a smaller --size or fewer objects") from None
    save_picture(still.pixels, path)
    for line in still.messages:
        say(line)
    drawn = f"{printable(path)}: {options.size[0]}x{options.size[1]}"
    if viewports == 1:
        answer(f"{drawn}, {_stats_text(view.stats)}; {still.draw_calls} draw calls")
        return
    answer(f"{drawn}, {viewports} views, {still.draw_calls} draw calls")
    for viewport in view.viewports:
        answer(f"{view_name(viewport.camera) or 'bookmark'}: {_stats_text(viewport.stats)}")


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
        f"octree nodes visited {stats.nodes_visited:,}, spheres tested {stats.spheres_tested:,}"
    )


def set_up_view(view: View, options: argparse.Namespace, aim: AimCamera | None = None) -> None:
    """Apply the picture options to a view, frame the whole scene, then move the camera by `aim`."""
    # What is not asked for is as a person left it in the window.
    view.culling &= not options.no_culling
    view.tiny_culling |= options.cull_tiny
    view.show_octree |= options.octree
    view.show_edges |= options.edges
    view.show_grid &= not options.no_grid
    view.is_flat |= options.flat
    if options.mode is not None:
        view.show_as(options.mode)
    if options.matcap is not None:
        view.show_matcap(options.matcap)
    set_up_camera(view, options)
    if aim is not None:
        aim(view)


def set_up_camera(view: View, options: argparse.Namespace) -> None:
    """Look from the direction of --view, and frame the whole scene."""
    view.camera = replace(controls.look_from(view.camera, options.view), orthographic=options.ortho)
    view.frame_nodes(None, every=True)
