"""Meshes reach the card in pieces: pictures meanwhile, and the one in the end."""

from __future__ import annotations

from itertools import pairwise

import moderngl
import numpy as np
import pytest

from octoscope.scene import Material, MeshData, Scene
from octoscope.scene.mesh.data import MeshBatch
from octoscope.viewer.rendering.context.offscreen import image_of
from octoscope.viewer.rendering.renderer import Renderer
from octoscope.viewer.rendering.resources import gpu_meshes
from octoscope.viewer.rendering.resources.gpu_scene import GpuScene
from tests.viewer.scenes import SIZE, add_quad, box_scene, crowd, flat_view, picture, view_of


@pytest.fixture
def in_pieces(ctx: moderngl.Context, monkeypatch: pytest.MonkeyPatch) -> Renderer:
    """A renderer that has time for one piece a picture, of a few rows."""
    monkeypatch.setattr(gpu_meshes, "_AT_ONCE", 7)
    return Renderer(ctx, upload_seconds=0.0)


def mixed_scene(seed: int) -> Scene:
    """Meshes of triangles, lines and points in any mixture, so that some have none of an element."""
    rng = np.random.default_rng(seed)
    scene = Scene()
    for number in range(40):
        count = int(rng.integers(3, 12))
        has = rng.random(3) < 0.5
        has[int(rng.integers(3))] = True
        mesh = MeshData(
            rng.normal(0.0, 2.0, (count, 3)),
            rng.integers(0, count, (4 if has[0] else 0, 3)),
            None,
            np.zeros(count, dtype=np.int32),
            colors=rng.integers(0, 256, (count, 4)).astype(np.uint8) | np.uint8(128),
            lines=rng.integers(0, count, (3 if has[1] else 0, 2)),
            points=rng.integers(0, count, 2 if has[2] else 0),
        )
        ids = scene.meshes.extend(MeshBatch.of([mesh], [str(number)]))
        scene.add_node(str(number), mesh=ids.start)
    scene.update_world()
    return scene


@pytest.mark.parametrize("indirect", [False, True])
@pytest.mark.parametrize("seed", [1, 2])
def test_what_came_in_pieces_looks_like_what_came_at_once(ctx, monkeypatch, seed, indirect):
    view = view_of(mixed_scene(seed), distance=14.0)
    view.settings.show_edges = True
    expected = picture(Renderer(ctx, indirect=indirect), view)
    monkeypatch.setattr(gpu_meshes, "_AT_ONCE", 7)
    renderer = Renderer(ctx, indirect=indirect, upload_seconds=0.0)
    first = picture(renderer, view)
    assert renderer.has_pending_uploads and not np.array_equal(first, expected)
    pieces = 1
    while renderer.has_pending_uploads:
        renderer.upload_pending()
        pieces += 1
    assert pieces > 10
    assert np.array_equal(picture(renderer, view), expected)


def test_pictures_meanwhile_show_the_meshes_that_are_there_and_no_others(in_pieces):
    view = view_of(crowd(200, seed=3), distance=25.0)
    shown = []
    picture(in_pieces, view)
    while in_pieces.has_pending_uploads:
        in_pieces.upload_pending()
        in_pieces.render(view.build_frames((64, 48))[0].frame)
        drawn = np.asarray(image_of(in_pieces.picture))
        shown.append(drawn)
    changes = sum(not np.array_equal(a, b) for a, b in pairwise(shown))
    assert changes >= 3, "its four meshes come one after the other"


def test_meshes_that_were_there_stay_in_the_picture_while_others_come(ctx, in_pieces):
    scene = box_scene()
    view = view_of(scene, distance=8.0)
    expected = picture(Renderer(ctx), view)
    while picture(in_pieces, view) is None or in_pieces.has_pending_uploads:
        pass
    rng = np.random.default_rng(4)
    triangles = rng.integers(0, 50, (80, 3))
    positions = rng.uniform(-0.4, 0.4, (50, 3))
    scene.meshes.add(MeshData(positions, triangles, None, np.zeros(50, dtype=np.int32)))
    assert np.array_equal(picture(in_pieces, view), expected) and in_pieces.has_pending_uploads
    while in_pieces.has_pending_uploads:
        in_pieces.upload_pending()
    assert np.array_equal(picture(in_pieces, view), expected)


def test_another_pool_starts_over(ctx, in_pieces):
    first, second = view_of(box_scene(), distance=8.0), view_of(mixed_scene(5), distance=14.0)
    for view in (first, second, first):
        expected = picture(Renderer(ctx), view)
        picture(in_pieces, view)
        assert in_pieces.has_pending_uploads
        while in_pieces.has_pending_uploads:
            in_pieces.upload_pending()
        assert np.array_equal(picture(in_pieces, view), expected)


def test_the_draws_of_a_still_are_uploaded_once_for_all_of_its_samples_and_layers(ctx, monkeypatch):
    scene = Scene()
    for number in range(8):
        glass = scene.add_material(Material(f"glass {number}", opacity=0.3))
        scene.add_node(f"pane {number}", mesh=add_quad(scene, 20.0, glass), translation=(0.0, 0.0, -2.0 * number))
    scene.update_world()
    view, renderer = flat_view(scene), Renderer(ctx)
    written = []
    write = GpuScene.update_node_ids
    monkeypatch.setattr(GpuScene, "update_node_ids", lambda *given: (written.append(given), write(*given)))
    pixels = []
    for _ in range(2):
        frames = view.with_occluders(view.build_frames(SIZE))
        renderer.render_best(frames, SIZE)
        pixels.append(image_of(renderer.picture))
    assert renderer.draw_calls > 15, "layers were drawn"
    assert len(written) <= 2 * 3, "for the picture, what casts shadows, and outlines"
    assert (pixels[0] == pixels[1]).all()
