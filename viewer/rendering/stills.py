"""Pictures that nobody will turn, drawn off-screen: what a view shows, or a scene in one call."""

from __future__ import annotations

from dataclasses import dataclass, replace

from PIL import Image

from scene import Scene
from viewer.camera import controls
from viewer.camera.camera import VIEWS, Camera
from viewer.frame.view import View
from viewer.rendering.offscreen import image_of, in_thread_of_its_own
from viewer.rendering.renderer import DrawError, Renderer


@dataclass(frozen=True, eq=False)
class Still:
    """A picture that was drawn.

    Attributes:
        image: RGB. draw_calls: it took. messages: a line about each thing that should be in it and is not.
    """

    image: Image.Image
    draw_calls: int
    messages: list[str]


def draw_still(view: View, size: tuple[int, int]) -> Still:
    """Draw what a view shows, all its viewports, off-screen; `size` in pixels.

    Raises:
        NoOpenGL: there is none here. DrawError: it is too much for this machine's.
    """
    return in_thread_of_its_own(lambda ctx: _draw(Renderer(ctx), view, size))


def _draw(renderer: Renderer, view: View, size: tuple[int, int]) -> Still:
    largest = renderer.ctx.info["GL_MAX_TEXTURE_SIZE"]
    if max(size) > largest:
        raise DrawError(f"this machine's OpenGL draws at most {largest} pixels a side")
    renderer.render_parts(view.build_frames(size), size)
    return Still(image_of(renderer.picture), renderer.draw_calls, renderer.messages)


def render(
    scene: Scene,
    size: tuple[int, int] = (1280, 720),
    *,
    view: str = "iso",
    camera: Camera | None = None,
    orthographic: bool = False,
    octree: bool = False,
    edges: bool = False,
    grid: bool = True,
) -> Image.Image:
    """A picture of a scene, drawn without a window; the scene is brought up to date first.

    Args:
        size: width and height, pixels.
        view: from where all of it is looked at, one of viewer.camera.camera.VIEWS. camera: looks from elsewhere.
        orthographic: without perspective; a camera says that itself.
        octree: show the octree's cells. edges: those of the files' polygons. grid: on the ground.

    Returns:
        an RGB image; numpy.asarray(image) is (height, width, 3) uint8.

    Raises:
        ValueError: there is no such view, or a size is below 1. NoOpenGL: there is no OpenGL here. DrawError: it is too
            much for this machine's.
    """
    if min(size) < 1:
        raise ValueError(f"a picture is at least 1 x 1, not {size[0]} x {size[1]}")
    if view not in VIEWS:
        raise ValueError(f"there is no such view as {view!r}; there are {', '.join(VIEWS)}")
    shown = View(scene)
    shown.show_octree, shown.show_edges, shown.show_grid = octree, edges, grid
    if camera is None:
        shown.camera = replace(controls.look_from(shown.camera, view), orthographic=orthographic)
        shown.resize(size)
        shown.frame_nodes(None)
    else:
        shown.camera = camera
    return draw_still(shown, size).image
