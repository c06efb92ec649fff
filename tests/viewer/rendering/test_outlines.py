"""Outlines: each selected object has its own, the active one's is another colour, and they are seen on any colour."""

from __future__ import annotations

from dataclasses import replace

import moderngl
import numpy as np
import pytest

from octoscope.scene import Material, Scene
from octoscope.viewer.frame import draw_lists
from octoscope.viewer.frame.frame import ViewportFrame
from octoscope.viewer.frame.quality import QUALITIES, Quality
from octoscope.viewer.frame.view import View
from octoscope.viewer.rendering.context.offscreen import image_of
from octoscope.viewer.rendering.passes import scene_passes
from octoscope.viewer.rendering.passes.outline_drawing import outlines_all
from octoscope.viewer.rendering.renderer import Renderer
from tests.cases import quick
from tests.viewer.scenes import BOX_POSITIONS, SIZE, add_mesh, add_quad, at, crowd, flat_view, picture, view_of

ACTIVE, OTHER, HOVERED = (255, 158, 31), (247, 97, 10), (235, 242, 255)
WHITE = (1.0, 1.0, 1.0)


def add_square(scene: Scene, half_size: float, place: tuple[float, float, float], color=WHITE) -> int:
    material = scene.add_material(Material("plain", base_color=color, specular=0.0, unlit=True))
    return scene.add_node("square", mesh=add_quad(scene, half_size, material), translation=place).id


def is_color(image: np.ndarray, color: tuple[int, int, int]) -> np.ndarray:
    """(height, width) bool: where a picture has that colour."""
    return (np.abs(image.astype(int) - color) <= 3).all(axis=2)


def selecting(view: View, *ids: int) -> View:
    view.selection.ids = np.array(ids, dtype=np.int32)
    return view


@pytest.fixture
def table() -> tuple[View, int, int]:
    """A view from above of a small square on a large one, and their nodes."""
    scene = Scene()
    floor, top = add_square(scene, 40.0, (0.0, 0.0, 0.0)), add_square(scene, 15.0, (0.0, 0.0, 5.0))
    scene.update_world()
    return flat_view(scene), floor, top


def test_an_object_on_a_selected_one_has_an_outline_of_its_own(renderer: Renderer, table) -> None:
    view, floor, top = table
    around_table = np.s_[SIZE[1] // 2 - 20 : SIZE[1] // 2 + 20, SIZE[0] // 2 - 20 : SIZE[0] // 2 + 20]
    for ids, lines in (((floor, top), 100), ((floor,), 0), ((top,), 100)):
        image = picture(renderer, selecting(view, *ids))[around_table]
        assert (is_color(image, ACTIVE).sum() >= lines) and (lines or not is_color(image, ACTIVE).any()), ids
    image = picture(renderer, selecting(view, top, floor))
    assert is_color(image, ACTIVE)[around_table].sum() >= 100, "a line between two is the active one's"


def test_objects_side_by_side_are_told_apart(renderer: Renderer) -> None:
    scene = Scene()
    ids = [add_square(scene, 10.0, (20.0 * k, 0.0, 0.0)) for k in (-1, 0, 1)]
    active = add_square(scene, 2.0, (0.0, 40.0, 0.0))
    scene.update_world()
    image = picture(renderer, selecting(flat_view(scene), *ids, active))
    row = is_color(image, OTHER)[SIZE[1] // 2]
    for x in (-10, 10):
        assert row[SIZE[0] // 2 + x - 2 : SIZE[0] // 2 + x + 2].any(), x
    assert not row[SIZE[0] // 2 - 7 : SIZE[0] // 2 + 7].any(), "within an object there is no line"


def test_the_object_that_was_selected_last_is_the_active_one(renderer: Renderer) -> None:
    scene = Scene()
    left, right = (add_square(scene, 10.0, (x, 0.0, 0.0)) for x in (-30.0, 30.0))
    scene.update_world()
    half = SIZE[0] // 2
    for ids in ((left, right), (right, left)):
        image = picture(renderer, selecting(flat_view(scene), *ids))
        active, other = is_color(image, ACTIVE), is_color(image, OTHER)
        sides = (np.s_[:, half:], np.s_[:, :half]) if ids[-1] == right else (np.s_[:, :half], np.s_[:, half:])
        assert active[sides[0]].sum() > 60 and not active[sides[1]].any()
        assert other[sides[1]].sum() > 60 and not other[sides[0]].any()


def test_all_that_is_below_an_active_group_is_active(renderer: Renderer) -> None:
    scene = Scene()
    group = scene.add_node("group")
    mesh = add_quad(scene, 10.0, 0)
    for x in (-30.0, 30.0):
        scene.add_node("square", parent=group.id, mesh=mesh, translation=(x, 0.0, 0.0))
    other = add_square(scene, 5.0, (0.0, 40.0, 0.0))
    scene.update_world()
    image = picture(renderer, selecting(flat_view(scene), other, group.id))
    half = SIZE[0] // 2
    assert is_color(image, ACTIVE)[:, :half].any() and is_color(image, ACTIVE)[:, half + 15 :].any()
    assert is_color(image, OTHER)[: SIZE[1] // 2 - 20].any()


@pytest.mark.parametrize("color", [(1.0, 0.62, 0.12), (0.97, 0.38, 0.04), WHITE, (0.0, 0.0, 0.0)])
@pytest.mark.parametrize("floor_is_selected", [True, False])
def test_an_outline_is_seen_on_every_colour(renderer: Renderer, color, floor_is_selected: bool) -> None:
    scene = Scene()
    floor, top = add_square(scene, 60.0, (0.0, 0.0, 0.0), color), add_square(scene, 15.0, (0.0, 0.0, 5.0), color)
    scene.update_world()
    view = selecting(flat_view(scene), *([floor] if floor_is_selected else []), top)
    image = picture(renderer, view).astype(int)
    across = image[SIZE[1] // 2, SIZE[0] // 2 + 10 : SIZE[0] // 2 + 22]
    assert np.ptp(across.sum(axis=1)) > 150, "a line across the object's border, lighter or darker than both"
    assert (at(image, 10.0, 0.0) == at(image, 25.0, 0.0)).all(), "which itself are of one colour"


def test_both_ways_of_drawing_outline_alike(ctx: moderngl.Context) -> None:
    view = view_of(crowd(300, seed=19), distance=20.0)
    view.selection.ids, view.hovered = view.index.all_ids()[::3], int(view.index.all_ids()[1])
    indirect, direct = (picture(Renderer(ctx, indirect=way), view) for way in (True, False))
    assert np.array_equal(indirect, direct)


def test_what_is_selected_and_out_of_sight_is_not_drawn(ctx: moderngl.Context) -> None:
    view, renderer = view_of(crowd(300, seed=20), distance=2.0), Renderer(ctx)
    view.selection.ids = view.index.all_ids()
    picture(renderer, view)
    frame = view.build_frames(SIZE)[0].frame
    assert 0 < frame.outlined.selected.count + frame.outlined.active.count == frame.visible.count < 200
    view.visibility.toggle_freeze(view.snapshot.frustum)
    outlined = view.build_frames(SIZE)[0].frame.outlined
    assert outlined.selected.count + outlined.active.count == 300, "a frozen frustum shows what it leaves out"


def test_a_line_around_what_is_hovered_over_has_its_own_colour(renderer: Renderer) -> None:
    scene = Scene()
    square = add_square(scene, 15.0, (0.0, 0.0, 0.0), (0.2, 0.2, 0.2))
    scene.update_world()
    view = flat_view(scene)
    view.hovered = square
    assert is_color(picture(renderer, view), HOVERED).sum() > 100, "a pixel wide at least, all around"


def test_of_a_group_that_is_hovered_over_selected_objects_keep_their_outline_as_it_is(renderer: Renderer) -> None:
    scene = Scene()
    group = scene.add_node("group")
    mesh = add_quad(scene, 10.0, 0)
    _, right = (
        scene.add_node("square", parent=group.id, mesh=mesh, translation=(x, 0.0, 0.0)).id for x in (-30.0, 30.0)
    )
    scene.update_world()
    view, half = selecting(flat_view(scene), right), SIZE[0] // 2
    selected = picture(renderer, view)
    view.hovered = group.id
    both = picture(renderer, view)
    assert np.array_equal(both[:, half:], selected[:, half:])
    assert is_color(both[:, :half], HOVERED).sum() > 60
    view.hovered = right
    assert np.array_equal(picture(renderer, view), selected)


@pytest.mark.parametrize("ratio", [1, 2])
@pytest.mark.parametrize("quality", QUALITIES[:3])
def test_a_line_has_sharp_borders_and_is_thinner_where_its_object_is_hidden(
    renderer: Renderer, ratio: int, quality: Quality
) -> None:
    scene = Scene()
    square = add_square(scene, 20.0, (0.0, 0.0, 0.0), (0.3, 0.5, 0.3))
    add_square(scene, 40.0, (0.0, 40.0, 5.0), (0.5, 0.5, 0.5))  # before its upper half
    scene.update_world()
    view = flat_view(scene)
    view.layout.pixel_ratio = float(ratio)

    def row(y: int) -> np.ndarray:
        """(k, 3) int: pixels from left to right across the square's left border."""
        renderer.render_parts(view.build_frames(SIZE), SIZE, quality)
        image = np.asarray(image_of(renderer.picture)).astype(int)
        return image[SIZE[1] // 2 - y, SIZE[0] // 2 - 36 : SIZE[0] // 2 - 10]

    plain = {y: row(y) for y in (-10, 10)}
    selecting(view, square)
    for y, width, rim in ((-10, 2 * ratio, {1: 1, 2: 2}[ratio]), (10, ratio, 1)):
        outlined = row(y)
        changed = np.flatnonzero((outlined != plain[y]).any(axis=1))
        assert len(changed) == width + 2 * rim == np.ptp(changed) + 1, "a line and its rims"
        assert np.ptp(outlined[changed[rim:-rim]], axis=0).max() == 0, "the line has one colour"
        assert is_color(outlined[None], ACTIVE)[0].sum() == (width if y < 0 else 0), "fainter where it is hidden"
    view.selection.ids = []
    view.hovered = None
    assert np.array_equal(row(10), plain[10])


def test_what_is_hidden_is_known_before_while_and_after_the_picture_is_refined(ctx: moderngl.Context) -> None:
    view, renderer = view_of(crowd(200, seed=25), distance=30.0), Renderer(ctx)
    parts = view.build_frames(SIZE)
    shown = []
    for pieces in (0, 3, 1000):
        view.selection.ids = []
        renderer.render_parts(parts, SIZE, QUALITIES[-1])
        for _ in range(pieces):
            if not renderer.is_refined:
                renderer.refine(view.with_outlines(parts), bands=2)
        view.selection.ids = view.index.all_ids()[::4]
        outlined = view.with_outlines(parts)
        renderer.render_outlines(outlined)
        while not renderer.is_refined:
            renderer.refine(outlined, bands=2)
        shown.append(np.asarray(image_of(renderer.picture)).copy())
    assert np.array_equal(shown[0], shown[1]) and np.array_equal(shown[0], shown[2])
    numbers = renderer._targets[0].selected.ids
    objects = np.frombuffer(numbers.read(components=1, dtype="f4"), dtype=np.float32)
    assert (objects < 0.0).sum() > 20 and (objects > 0.0).sum() > 20, "some are hidden, some are seen"


def near_another(objects: np.ndarray, reach_outside: float, reach_inside: float) -> np.ndarray:
    """(height, width) bool: pixels with another object's within reach, by looking at every pixel around each."""
    rows = int(max(reach_outside, reach_inside))
    height, width = objects.shape
    padded = np.pad(objects, rows)
    near = np.zeros(objects.shape, dtype=bool)
    for y in range(-rows, rows + 1):
        for x in range(-rows, rows + 1):
            other = padded[rows + y : rows + y + height, rows + x : rows + x + width]
            reach = np.where(objects == 0.0, reach_outside, reach_inside)
            near |= (other != 0.0) & (other != objects) & (x * x + y * y < reach * reach)
    return near


@pytest.mark.parametrize("ratio", quick([1.0, 2.0, 3.5], 2))
def test_lines_are_wherever_another_object_is_within_reach_and_nowhere_else(renderer: Renderer, ratio: float) -> None:
    view, size = view_of(crowd(60, seed=23), distance=60.0), (203, 117)  # no multiples of a tile's edge
    view.layout.pixel_ratio = ratio
    for count in (1, 2, 30, 60):
        view.selection.ids = np.empty(0, dtype=np.int32)
        plain = picture(renderer, view, size)
        view.selection.ids = view.index.all_ids()[-count:]
        outlined = picture(renderer, view, size)
        target = renderer._targets[0].selected.ids
        objects = np.frombuffer(target.read(components=1, dtype="f4"), dtype=np.float32).reshape(size[::-1])[::-1]
        width, rim = (max(1, round(length * ratio)) for length in (2.0, 0.75))
        near = near_another(abs(objects), 2 * rim + width + 1.0, (width + 1) // 2 + 0.6)
        changed = (plain != outlined).any(axis=2)
        assert not (changed & ~near).any(), count
        # The darkest rim on a dark picture and the thinnest end of a line may leave a pixel as it is.
        hidden = near_another(np.where(objects < 0.0, 1.0, 0.0), 2 * rim + width + 1.0, 0.0) | (objects < 0.0)
        seen = near & ~hidden
        assert (changed & seen).sum() > 0.8 * seen.sum() > 0, count


def test_the_smallest_objects_have_their_outlines_around_dots_that_look_the_same(ctx, monkeypatch) -> None:
    scene = crowd(400, seed=24)
    view, renderer = view_of(scene, distance=4000.0), Renderer(ctx)
    view.camera = replace(view.camera, fov_y_rad=0.03)
    view.selection.ids = view.index.all_ids()
    for orthographic in (False, True):
        view.camera = replace(view.camera, orthographic=orthographic)
        frame = view.build_frames(SIZE)[0].frame
        assert 50 < frame.outlined.selected.dot_count < 350
        with_dots = picture(renderer, view).astype(int)
        with monkeypatch.context() as patch:
            patch.setattr(draw_lists, "_DOT_RADIUS", 0.0)
            assert view.build_frames(SIZE)[0].frame.outlined.selected.dot_count == 0
            without = picture(renderer, view).astype(int)
        differs = np.abs(with_dots - without).max(axis=2) > 64
        assert differs.mean() < 0.08, "some rings are a pixel wider"


def test_a_dot_is_outlined_at_its_place_and_the_active_one_in_its_colour(renderer: Renderer) -> None:
    scene = Scene()
    left, right = (add_square(scene, 0.5, (x, 10.0, 0.0)) for x in (-30.0, 30.0))
    view = selecting(flat_view(scene), left, right)
    outlined = view.build_frames(SIZE)[0].frame.outlined
    assert [outlined.selected.dot_count, outlined.active.dot_count] == [1, 1]
    image = picture(renderer, view)
    middle, half = SIZE[1] // 2 - 10, SIZE[0] // 2
    for x, color in ((-30, OTHER), (30, ACTIVE)):
        around = np.s_[middle - 5 : middle + 5, half + x - 5 : half + x + 5]
        assert is_color(image[around], color).sum() >= 6
        assert is_color(image, color).sum() == is_color(image[around], color).sum()


def test_what_is_drawn_wide_however_small_it_is_is_no_dot() -> None:
    scene = Scene()
    for element in ({"lines": np.array([(0, 7)])}, {"points": np.array([0])}):
        scene.add_node("small", mesh=add_mesh(scene, 0.5 * BOX_POSITIONS, **element))
    frame = selecting(flat_view(scene), *scene.ids).build_frames(SIZE)[0].frame
    assert frame.outlined.selected.dot_count == frame.outlined.active.dot_count == 0


def test_only_objects_that_were_not_outlined_before_are_drawn_for_their_outlines(ctx: moderngl.Context) -> None:
    rng = np.random.default_rng(3)
    view, renderer = view_of(crowd(200, seed=21), distance=20.0), Renderer(ctx)
    ids, drawn = view.index.all_ids(), []
    draw = renderer.passes.meshes.draw
    renderer.passes.meshes.draw = lambda frame, draws, program, *more, **options: (
        drawn.append(draws.count) if program.draws_ids and draws.count else None,
        draw(frame, draws, program, *more, **options),
    )[1]
    parts = view.build_frames(SIZE)
    renderer.render_parts(parts, SIZE)
    for step in range(40):
        kind = rng.choice(["select", "hover", "refine", "turn", "nothing"])
        drawn.clear()
        if kind == "select":
            view.selection.ids = rng.choice(ids, rng.integers(0, 60), replace=False).astype(np.int32)
        elif kind == "hover":
            view.hovered = int(rng.choice(ids)) if rng.random() < 0.8 else None
        if kind == "turn":
            view.camera = replace(view.camera, yaw_rad=float(rng.uniform(-3.0, 3.0)))
            parts = view.build_frames(SIZE)
            renderer.render_parts(parts, SIZE)
        else:
            parts = view.with_outlines(parts)
            renderer.render_outlines(parts)
        assert kind not in ("refine", "nothing") or not drawn, "the same objects"
        assert kind != "hover" or len(drawn) <= 1, "that under the pointer alone"
        if kind == "refine" and not renderer.is_refined:
            is_first = not renderer.is_refining
            renderer.refine(parts)
            assert not drawn or is_first, "the first sample tells anew what is hidden"
            continue
        if not renderer.is_refining:
            shown = np.asarray(image_of(renderer.picture)).copy()
            assert np.array_equal(shown, picture(Renderer(ctx), view)), (step, kind)


@pytest.mark.parametrize("quality", QUALITIES[1:3])
@pytest.mark.parametrize("line_width", [1.0, 3.0])
def test_numbers_drawn_with_the_scene_are_those_drawn_alone(
    ctx: moderngl.Context, monkeypatch, quality: Quality, line_width: float
) -> None:
    """Select everything: triangles, lines and points; of these some are dots, some are smooth, some are active."""
    scene = crowd(200, seed=26)
    group = scene.add_node("group")
    places = np.random.default_rng(26).uniform(-20.0, 20.0, (20, 3))
    for number, place in enumerate(places):
        element = [{"lines": np.array([(0, 7)])}, {"points": np.array([0])}][number % 2]
        scene.add_node("part", parent=group.id, mesh=add_mesh(scene, BOX_POSITIONS, **element), translation=place)
    for place in np.random.default_rng(27).uniform(-20.0, 20.0, (50, 3)):
        scene.add_node("dot", mesh=add_quad(scene, 0.02), translation=place)
    scene.update_world()
    view = view_of(scene, distance=60.0)
    view.settings.strokes = replace(view.settings.strokes, line_width=line_width)
    view.selection.ids = np.append(view.index.all_ids(), group.id).astype(np.int32)
    frame = view.build_frames(SIZE)[0].frame
    assert outlines_all(frame) and frame.outlined.selected.dot_count > 20 and frame.outlined.active.count > 5
    numbers, pictures = [], []
    for with_ids in (True, False):
        monkeypatch.setattr(scene_passes, "outlines_all", outlines_all if with_ids else lambda frame: False)
        for options in ({}, {"indirect": False}, {"clip_control": False}):
            renderer = Renderer(ctx, **options)
            renderer.render_parts([ViewportFrame(frame, (0, 0))], SIZE, quality)
            pictures.append(np.asarray(image_of(renderer.picture)).astype(int))
            drawn = renderer._targets[0].selected.ids.read(components=1, dtype="f4")
            numbers.append(np.abs(np.frombuffer(drawn, dtype=np.float32)))
    assert len(np.unique(numbers[0])) > 100 and (numbers[0] % 2 == 1).any(), "the active ones are told from the others"
    for image, drawn in zip(pictures, numbers, strict=True):
        assert (drawn != numbers[0]).mean() < 0.004, "steep surfaces and dots may hide each other by a pixel"
        assert (np.abs(image - pictures[0]).max(axis=2) > 16).mean() < 0.01


def test_numbers_are_not_drawn_with_a_scene_that_may_hide_outlined_objects(table) -> None:
    view, floor, top = table
    assert outlines_all(selecting(view, floor, top).build_frames(SIZE)[0].frame)
    assert not outlines_all(selecting(view, top).build_frames(SIZE)[0].frame), "the floor may hide a part of it"
    assert not outlines_all(selecting(view).build_frames(SIZE)[0].frame)
    selecting(view, floor, top)
    for mode in ("wireframe", "xray"):
        view.settings.mode = mode
        assert not outlines_all(view.build_frames(SIZE)[0].frame), mode


def test_outlines_are_at_their_place_in_pictures_that_are_drawn_smaller_than_they_are_shown(ctx, monkeypatch) -> None:
    scene = Scene()
    ids = [add_square(scene, half_size, (x, -10.0, 0.0)) for half_size, x in ((20.0, -30.0), (5.0, 20.0), (0.5, 40.0))]
    scene.update_world()
    view, renderer = selecting(flat_view(scene), *ids), Renderer(ctx)
    frame = view.build_frames(SIZE)[0].frame
    assert outlines_all(frame) and frame.outlined.active.dot_count == 1
    images = []
    for with_ids in (True, False):
        monkeypatch.setattr(scene_passes, "outlines_all", lambda frame, known=with_ids: known)
        renderer.render_parts([ViewportFrame(frame, (0, 0))], SIZE, QUALITIES[-1])
        assert (renderer._targets[0].selected.size != SIZE) == with_ids
        images.append(image_of(renderer.picture))
    for color in (OTHER, ACTIVE):
        bounds = [np.argwhere(is_color(image, color)) for image in images]
        assert np.abs(bounds[0].min(axis=0) - bounds[1].min(axis=0)).max() <= 2, "a pixel of the smaller picture"
        assert np.abs(bounds[0].max(axis=0) - bounds[1].max(axis=0)).max() <= 2
        assert 0.5 < len(bounds[0]) / len(bounds[1]) < 2.0
