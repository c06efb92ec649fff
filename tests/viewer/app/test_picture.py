"""The picture of a window: what stands still is whole, whatever was left out of it while it moved."""

from __future__ import annotations

import math
from dataclasses import replace

import moderngl
import numpy as np
import pytest

from octoscope.viewer.app.picture import Picture
from octoscope.viewer.frame.view import View
from octoscope.viewer.rendering.context.offscreen import image_of
from octoscope.viewer.rendering.context.opengl import is_software
from octoscope.viewer.rendering.renderer import Renderer
from tests.viewer.frame.test_detail_levels import crowd_of_balls
from tests.viewer.scenes import SIZE, add_box_mesh, view_of


@pytest.fixture(autouse=True)
def uploads_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """No test has to wait until all meshes are uploaded."""
    monkeypatch.setattr("octoscope.viewer.app.picture._UPLOAD_SECONDS", math.inf)


@pytest.fixture
def view() -> View:
    """Balls that are simplified, and boxes that are smaller than a pixel."""
    scene = crowd_of_balls(25, own_meshes=20)
    places = np.random.default_rng(4).uniform(-30.0, 30.0, (300, 3))
    scene.add_nodes(["small"] * 300, mesh=add_box_mesh(scene), translation=places, scale=np.full((300, 3), 0.2))
    scene.update_world()
    view = view_of(scene, distance=150.0)
    view.builder.levels.add(view.builder.levels.missing()())
    return view


def refined(ctx: moderngl.Context, view: View, *, selects: bool = False) -> tuple[np.ndarray, np.ndarray]:
    """Return (h, w, 3) uint8 pictures of a view: as it moves, and when all pieces of a better one are drawn."""
    picture = Picture(ctx)
    view.layout.resize(SIZE)
    picture.draw(view)
    moving = image_of(picture.renderer.picture).copy()
    for piece in range(1000):
        if picture.renderer.is_refined:
            break
        picture.refine(view)
        if selects and piece == 2:
            view.selection.ids = [0]
            picture.draw_outlines(view)
    return moving, image_of(picture.renderer.picture).copy()


@pytest.mark.parametrize(
    ("count", "mode"), [(2, "shaded"), pytest.param(1, "xray", marks=pytest.mark.slow), (1, "wireframe")]
)
def test_nothing_is_left_out_of_a_refined_picture_or_simplified_in_it(ctx, view: View, count: int, mode: str) -> None:
    view.layout.set_count(count)
    view.settings.mode = mode
    view.settings.lighting = replace(
        view.settings.lighting, has_shadow=False, has_occlusion=False
    )  # of which stills take fewer samples
    moving, _ = refined(ctx, view)
    renderer = Renderer(ctx)
    renderer.render_best(view.build_frames(SIZE), SIZE)
    exact = image_of(renderer.picture).copy()
    view.settings.tiny_culling = view.settings.simplifying = True
    fewer, still = refined(ctx, view)
    assert np.array_equal(still, exact)
    if mode != "wireframe":
        assert (moving != fewer).any(), "something is left out while the picture moves"
        assert view.stats.tiny > 10, "the figures are those of the moving picture"


def test_a_selection_while_a_picture_is_refined_leaves_it_whole(ctx, view: View) -> None:
    _, exact = refined(ctx, view, selects=True)
    view.selection.ids = []
    view.settings.tiny_culling = view.settings.simplifying = True
    _, still = refined(ctx, view, selects=True)
    assert np.array_equal(still, exact)


def test_a_picture_that_is_asked_for_is_whole(ctx, view: View) -> None:
    picture = Picture(ctx)
    view.layout.resize(SIZE)
    images = []
    for view.settings.tiny_culling in (False, True):
        view.settings.simplifying = view.settings.tiny_culling
        picture.draw(view)
        images.append(picture.image(view).copy())
    assert np.array_equal(*images)
    view.hovered, view.selection.ids = 1, [0]
    picture.draw_outlines(view)
    shown = image_of(picture.renderer.picture).copy()
    assert not np.array_equal(shown, images[0]) and np.array_equal(picture.image(view), images[0]), "it has no outlines"
    assert np.array_equal(image_of(picture.renderer.picture), shown), "the window has them still"


@pytest.mark.parametrize("quality", ("automatic", "constant"))
def test_a_picture_without_background_is_that_with_one_wherever_nothing_is_seen_through(
    ctx, view: View, quality: str
) -> None:
    view.settings.quality, view.settings.show_grid = quality, False
    view.selection.ids = [0]
    picture = Picture(ctx)
    view.layout.resize(SIZE)
    picture.draw(view)
    shown = image_of(picture.renderer.picture).copy()
    seen_through = picture.image(view, transparent=True)
    assert np.array_equal(image_of(picture.renderer.picture), shown), "the window's picture is there again"
    whole = picture.image(view).astype(int)
    is_solid, is_empty = seen_through[..., 3] == 255, seen_through[..., 3] == 0
    assert is_solid.sum() > 50 and is_empty.sum() > 500
    assert np.abs(seen_through[..., :3] - whole)[is_solid].max() <= 3
    assert not (seen_through[is_empty]).any()
    orange = is_solid & (np.abs(whole - (255, 158, 31)).max(axis=2) < 10)
    assert not orange.any(), "the outline is no part of it"


def test_the_load_of_a_picture_is_told_once(ctx, view: View) -> None:
    loads: list[float] = []
    picture = Picture(ctx, loads.append)
    view.layout.resize(SIZE)
    picture.draw(view)
    if is_software(ctx):
        for milliseconds in (300.0, 150.0):  # nothing is drawn between them
            picture.note_shown(milliseconds)
        assert loads == [3.0]
    else:
        ctx.finish()
        picture.take_card_time(view)
        assert len(loads) == 1 and loads[0] > 0.0
