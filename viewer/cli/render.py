"""`octoscope render FILE... -o out.png`: a picture without a window."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from viewer import navigation
from viewer.cli.common import (
    OpenedScene,
    UserError,
    add_file_options,
    add_octree_options,
    add_picture_options,
    check_picture_path,
    open_scene,
    save_picture,
    say,
)
from viewer.offscreen import NoOpenGL, create_context, image_of
from viewer.renderer import DrawError, Renderer
from viewer.view import View, counts_text

Look = Callable[[View], None]


def add_options(parser: argparse.ArgumentParser) -> None:
    add_file_options(parser)
    parser.add_argument("-o", "--output", type=Path, required=True, metavar="PICTURE", help="where to write it (.png)")
    add_picture_options(parser)
    add_octree_options(parser)


def run(options: argparse.Namespace) -> int:
    check_picture_path(options.output)
    draw_to_file(open_scene(options.files, options), options, options.output)
    return 0


def draw_to_file(opened: OpenedScene, options: argparse.Namespace, path: Path, *, look: Look | None = None) -> None:
    """Draw a scene off-screen, write the picture, and say where it is and what culling did.

    Raises:
        UserError: there is no OpenGL, the picture is too large for it, or the file cannot be written.
    """
    try:
        ctx = create_context()
    except NoOpenGL as error:
        raise UserError(str(error)) from None
    largest = ctx.info["GL_MAX_TEXTURE_SIZE"]
    if max(options.size) > largest:
        raise UserError(f"--size: this machine's OpenGL draws at most {largest} pixels a side")
    view = View(opened.scene)
    set_up_view(view, options, options.size, look)
    if look is None and opened.index.bounds is not None:
        aspect = options.size[0] / options.size[1]
        view.camera = navigation.frame_box_tightly(view.camera, *opened.index.bounds, aspect)
    try:
        renderer = Renderer(ctx)
        renderer.render(view.build_frame(options.size))
        image = image_of(renderer.picture)
    except DrawError as error:
        raise UserError(f"{error}; try a smaller --size or fewer objects") from None
    save_picture(image, path)
    for line in renderer.messages:
        say(line)
    stats = view.stats
    say(
        f"{path}: {options.size[0]}x{options.size[1]}, drawn {stats.drawn:,} of {stats.objects:,} objects, "
        f"{counts_text(stats.triangles, stats.lines, stats.points)}, {renderer.draw_calls} draw calls; "
        f"octree nodes visited {stats.nodes_visited:,}, spheres tested {stats.spheres_tested:,}"
    )


def set_up_view(view: View, options: argparse.Namespace, size: tuple[int, int], look: Look | None = None) -> None:
    """Bring a view to what the picture options ask for, with everything in the picture; then let `look` move it."""
    view.culling = not options.no_culling
    view.show_octree = options.octree
    view.show_edges = options.edges
    view.show_grid = not options.no_grid
    view.camera = replace(navigation.look(view.camera, options.view), orthographic=options.ortho)
    view.frame_box_of(None, size)
    if look is not None:
        look(view)
