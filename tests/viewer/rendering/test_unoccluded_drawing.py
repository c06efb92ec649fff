"""Pictures without what is hidden: not a pixel differs, and the card's own count of samples says what can be seen."""

from __future__ import annotations

import math
from dataclasses import replace

import moderngl
import numpy as np
import pytest

from octoscope.scene import Material, Scene
from octoscope.viewer.camera.camera import Camera
from octoscope.viewer.frame.detail import occlusion_culling
from octoscope.viewer.frame.quality import QUALITIES, CardTimes
from octoscope.viewer.frame.view import View
from octoscope.viewer.rendering.context.offscreen import image_of
from octoscope.viewer.rendering.context.reversed_depth import ReversedDepth
from octoscope.viewer.rendering.passes import unoccluded_drawing
from octoscope.viewer.rendering.passes.render_pass import LIT, OPAQUE
from octoscope.viewer.rendering.renderer import Renderer
from tests.cases import quick
from tests.viewer.rendering.test_instances import edit_somehow, separate_boxes
from tests.viewer.scenes import SIZE, add_box_mesh, crowd, picture, sketches, view_of


@pytest.fixture(autouse=True)
def looked_for_in_every_picture(monkeypatch: pytest.MonkeyPatch) -> None:
    """However few triangles there are, and however little was hidden."""
    times = replace(CardTimes.of_software(), fewest_culled=0.0)
    monkeypatch.setattr(CardTimes, "of_software", lambda: times)
    monkeypatch.setattr(occlusion_culling, "_RESTED_FRAMES", 0)


def with_walls(scene: Scene, count: int, seed: int) -> Scene:
    """Add large thin boxes, one of them of glass, that hide much."""
    rng = np.random.default_rng(seed)
    mesh = add_box_mesh(scene)
    glass = add_box_mesh(scene, scene.add_material(Material("glass", opacity=0.5)))
    scales = rng.permuted(np.tile((12.0, 9.0, 0.1), (count, 1)), axis=1)
    scene.add_nodes(["wall"] * count, mesh=mesh, translation=rng.normal(0.0, 5.0, (count, 3)), scale=scales)
    scene.add_node("pane", mesh=glass, translation=(0.0, 0.0, 3.0), scale=(9.0, 9.0, 0.1))
    scene.update_world()
    return scene


def pile() -> Scene:
    """Boxes of several sizes and colours with all corners on a grid: many surfaces in one place."""
    rng = np.random.default_rng(2)
    scene = Scene()
    meshes = [
        add_box_mesh(scene, scene.add_material(Material(str(i), base_color=tuple(rng.random(3))))) for i in range(6)
    ]
    sides = rng.integers(1, 5, (300, 3)).astype(float)
    places = rng.integers(-6, 5, (300, 3)) + sides / 2.0
    scene.add_nodes(["box"] * 300, mesh=rng.choice(meshes, 300), translation=places, scale=sides)
    scene.update_world()
    return scene


def somewhere(rng: np.random.Generator, camera: Camera) -> Camera:
    """A camera near the last one, or far from it, or the same."""
    kind = rng.integers(4)
    if kind == 0:
        return Camera(
            rng.normal(0.0, 3.0, 3),
            yaw_rad=float(rng.uniform(-math.pi, math.pi)),
            pitch_rad=float(rng.uniform(-1.5, 1.5)),
            distance=float(np.exp(rng.uniform(-1.0, 4.0))),
            orthographic=bool(rng.random() < 0.3),
        )
    turn = 0.0 if kind == 1 else float(rng.normal(0.0, 0.05))
    return replace(camera, yaw_rad=camera.yaw_rad + turn, distance=camera.distance * math.exp(turn))


class Pair:
    """Two views of one scene that differ in nothing but whether hidden objects are left out."""

    def __init__(self, ctx: moderngl.Context, scene: Scene) -> None:
        self.views = [View(scene, occlusion_culling=culls) for culls in (False, True)]
        self.renderers = [Renderer(ctx) for _ in self.views]
        self.hidden = 0

    def differ(self, camera: Camera, quality=QUALITIES[0]) -> bool:
        """Draw both."""
        images = []
        for view, renderer in zip(self.views, self.renderers, strict=True):
            for viewport in view.viewports:
                viewport.camera = camera
            renderer.render_parts(view.build_frames(SIZE), SIZE, quality)
            images.append(image_of(renderer.picture).copy())
        self.hidden += self.renderers[1].hidden_count
        assert self.renderers[0].hidden_count == 0
        return not np.array_equal(*images)

    def release(self) -> None:
        for renderer in self.renderers:
            renderer.release()


@pytest.mark.parametrize("seed", quick(range(4), 2))
def test_no_pixel_depends_on_what_was_hidden_or_seen_before(ctx: moderngl.Context, seed: int) -> None:
    rng = np.random.default_rng(seed)
    scene = with_walls((crowd, sketches)[seed % 2](250, seed=seed), 8, seed)
    pair = Pair(ctx, scene)
    pair.views[1].layout.set_count(1 + seed % 2)
    pair.views[0].layout.set_count(1 + seed % 2)
    camera = view_of(scene, distance=25.0).camera
    for step in range(25):
        camera = somewhere(rng, camera)
        assert not pair.differ(camera, QUALITIES[rng.integers(len(QUALITIES))]), step
    pair.release()
    assert pair.hidden > 25 * 20, "much was hidden"


def test_surfaces_in_one_place_are_seen_in_their_order(ctx: moderngl.Context) -> None:
    scene, rng = pile(), np.random.default_rng(3)
    pair = Pair(ctx, scene)
    camera = view_of(scene, distance=12.0).camera
    for step in range(40):
        camera = somewhere(rng, camera)
        assert not pair.differ(camera, QUALITIES[step % 2]), step
    pair.release()
    assert pair.hidden > 40 * 30


def test_no_pixel_depends_on_edits_between_pictures(ctx: moderngl.Context) -> None:
    rng = np.random.default_rng(5)
    scene = with_walls(separate_boxes(120, seed=5), 6, 5)
    pair = Pair(ctx, scene)
    camera, walk = view_of(scene, distance=20.0).camera, []
    for _ in range(50):
        walk.append(edit_somehow(scene, pair.views[0], rng))
        if pair.views[1].visibility.isolated_ids is not pair.views[0].visibility.isolated_ids:
            pair.views[1].visibility.isolated_ids = pair.views[0].visibility.isolated_ids
        pair.views[1].selection.ids = pair.views[0].selection.ids
        camera = somewhere(rng, camera)
        assert not pair.differ(camera), walk
    pair.release()
    assert pair.hidden > 50 * 5


def test_nothing_of_which_the_card_draws_a_sample_counts_as_hidden(ctx: moderngl.Context) -> None:
    rng = np.random.default_rng(8)
    scene = with_walls(crowd(200, seed=8), 8, 8)
    view, renderer = View(scene, occlusion_culling=True), Renderer(ctx)
    query, seen = ctx.query(samples=True), 0
    for step in range(16):
        view.camera = somewhere(rng, view.camera)
        picture(renderer, view)
        frame = view.build_frames(SIZE)[0].frame
        target = renderer._targets[0].multisampled.framebuffer
        opaque = frame.visible.nodes[: frame.visible.opaque_count]
        hidden = ~renderer._targets[0].culler.seen(frame.scene.instances, opaque, is_worth_it=True)
        target.scissor = None
        target.use()
        target.clear(depth=ReversedDepth.FARTHEST)
        renderer.passes.draw_meshes(frame)
        for node, is_hidden in zip(opaque.tolist(), hidden.tolist(), strict=True):
            alone = replace(frame, visible=view.builder.lists.draw_list(np.array([node], dtype=np.int32)))
            renderer.passes.meshes.upload(alone)
            with renderer.passes.depth.in_use():
                ctx.depth_func = ">="
                with query:
                    renderer.passes.meshes.draw(alone, alone.visible, LIT, OPAQUE)
            assert query.samples == 0 or not is_hidden, (step, node)
            seen += query.samples > 0
    renderer.release()
    assert seen > 50, "a judge that sees nothing proves nothing"


def test_what_one_wall_hides_is_not_drawn(ctx: moderngl.Context) -> None:
    scene = crowd(300, seed=1)
    scene.add_node("wall", mesh=add_box_mesh(scene), translation=(0.0, 0.0, 60.0), scale=(500.0, 500.0, 1.0))
    scene.update_world()
    pair = Pair(ctx, scene)
    camera = Camera(np.zeros(3), yaw_rad=0.0, pitch_rad=0.0, distance=100.0)
    for turn in (0.0, 0.01, 0.02):
        assert not pair.differ(replace(camera, yaw_rad=turn))
        assert pair.renderers[1].hidden_count == pair.views[1].stats.drawn - 1
    assert pair.views[1].build_frames(SIZE)[0].frame.grid.is_behind
    assert [renderer.draw_calls for renderer in pair.renderers] == [3, 1], (
        "neither background nor ground behind the wall"
    )
    from_below = Camera(np.array((0.0, -250.3, 69.3)), yaw_rad=0.0, pitch_rad=-0.8, distance=1.0)
    assert not pair.differ(from_below) and not pair.differ(from_below)
    assert [renderer.draw_calls for renderer in pair.renderers] == [3, 2], "the ground before the wall"
    assert not pair.views[1].build_frames(SIZE)[0].frame.grid.is_behind
    drawn = []
    monitored = pair.renderers[1].passes.meshes
    draw = monitored.draw
    monitored.draw = lambda frame, draws, *more, **options: (
        drawn.append(draws.triangle_count),
        draw(frame, draws, *more, **options),
    )[1]
    assert not pair.differ(camera)
    assert max(drawn) == 12, "the wall alone"
    pair.views[1].settings.occlusion_culling = False
    assert not pair.differ(camera)
    assert max(drawn) > 1000 and pair.renderers[1].hidden_count == 0


def test_it_is_not_looked_for_again_at_once_where_little_is_hidden(ctx: moderngl.Context, monkeypatch) -> None:
    monkeypatch.setattr(occlusion_culling, "_RESTED_FRAMES", 4)
    looks = []
    maybe_visible = unoccluded_drawing.maybe_visible
    monkeypatch.setattr(unoccluded_drawing, "maybe_visible", lambda *all: looks.append(drawn) or maybe_visible(*all))
    scene = Scene()
    mesh = add_box_mesh(scene)
    scene.add_nodes(["box"] * 9, mesh=mesh, translation=[(3.0 * (i - 4), 0.0, 0.0) for i in range(9)])
    scene.update_world()
    view, renderer = View(scene, occlusion_culling=True), Renderer(ctx)
    view.camera = Camera(np.zeros(3), yaw_rad=0.0, pitch_rad=0.0, distance=40.0)
    for drawn in range(12):  # noqa: B007  (`looks` gets it)
        picture(renderer, view)
    assert looks == [0, 5, 10]
    renderer.passes.times = replace(renderer.passes.times, fewest_culled=10_000.0)
    for drawn in range(12, 30):  # noqa: B007
        picture(renderer, view)
    assert looks == [0, 5, 10], "nor where there are few triangles"
    renderer.release()


def test_a_list_with_some_surfaces_has_the_draws_of_those_nodes(ctx: moderngl.Context) -> None:
    rng = np.random.default_rng(9)
    for scene in (sketches(80, seed=9), separate_boxes(80, seed=9)):
        scene.set_materials(scene.ids[:5], [scene.add_material(Material("glass", opacity=0.5))] * 5)
        scene.update_world()
        lists = View(scene).builder.lists
        ids = scene.ids[scene.mesh_ids[scene.ids] >= 0].astype(np.int32)
        whole = lists.draw_list(ids)
        for _ in range(10):
            is_kept = rng.random(whole.opaque_count) < rng.random()
            part = whole.with_surfaces(is_kept)
            kept = np.concatenate([whole.nodes[: whole.opaque_count][is_kept], whole.nodes[whole.opaque_count :]])
            alone = lists.draw_list(kept)
            assert part.drawn("triangle") == alone.drawn("triangle")
            for element in ("line", "point"):
                assert np.array_equal(part.commands.get(element, ()), whole.commands.get(element, ()))
            for each, chosen in ((alone, alone.nodes), (part, kept)):
                commands = each.commands["triangle"].tolist()
                shown = [each.nodes[first : first + count] for _, count, _, _, first in commands]
                assert np.isin(np.concatenate(shown), chosen).all(), "instances of each draw"
