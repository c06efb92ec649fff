"""The inspector's material: live while it is dragged, one entry on release, shared, with a texture, and saved."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from octoscope.scene import (
    DEFAULT_MATERIAL,
    Material,
    MeshData,
    Recorder,
    Scene,
    Texture,
    load,
    open_project,
    save_project,
    write_glb,
    write_obj,
)
from octoscope.scene.material_use import MaterialUse
from octoscope.scene.mesh.images import read_texture
from octoscope.scene.mesh.texture import REPEATED
from octoscope.viewer.editing.material_editing import MaterialEditing, material_name
from octoscope.viewer.rendering.renderer import Renderer
from octoscope.viewer.ui.panels.inspector import texture as texture_panel
from tests.viewer.headless_app import HeadlessApp
from tests.viewer.scenes import BOX_POSITIONS, BOX_TRIANGLES, at, flat_view, picture

# Rows in the window of a HeadlessApp, of an object without a parent whose material is its own.
MIDDLE = 1183.0
COLOUR, OPACITY, METAL, ROUGHNESS, TEXTURE = 310.0, 338.0, 366.0, 394.0, 422.0
SHARED = 48.0  # what they are lower where others share the material
SHARED_BY, OWN_COPY = 306.0, 330.0
PICKER, SHADE, PICKER_TEXT, OUTSIDE = (1258.0, COLOUR), (930.0, 366.0), (1050.0, 662.0), (600.0, 800.0)
CHOOSE, CLEAR = (1258.0, TEXTURE), (1261.0, TEXTURE)
MORE, ROW, BOX = 450.0, 28.0, 1109.0  # "More", what is below it, and a box to be ticked
SCROLLBAR = 10.0  # which comes with it


@pytest.fixture
def scene() -> Scene:
    """Boxes at x = -40, 0, 40: two of brick, one of wood, with texture coordinates."""
    scene = Scene()
    bricks = scene.add_material(Material("brick", base_color=(0.8, 0.2, 0.1), specular=0.0, unlit=True))
    wood = scene.add_material(Material("wood", base_color=(0.5, 0.4, 0.1), specular=0.0, roughness=0.5, unlit=True))
    for name, material, x in (("a", bricks, -40.0), ("b", bricks, 0.0), ("c", wood, 40.0)):
        uvs = BOX_POSITIONS[:, :2] + 0.5
        mesh = scene.meshes.add(MeshData(BOX_POSITIONS, BOX_TRIANGLES, None, np.full(8, material), uvs))
        scene.add_node(name, mesh=mesh, translation=(x, 0.0, 0.0), scale=(20.0, 20.0, 20.0))
    scene.update_world()
    return scene


@pytest.fixture
def app(open_app, scene) -> HeadlessApp:
    return open_app(scene, size=(1280, 1100))


@pytest.fixture
def image(tmp_path) -> Path:
    """A green image."""
    path = tmp_path / "with blanks" / "grün.png"
    path.parent.mkdir()
    Image.new("RGB", (16, 8), (0, 255, 0)).save(path)
    return path


def select(app: HeadlessApp, *ids: int) -> None:
    app.editor.select(ids)
    app.settle()


def shown(scene: Scene, node_id: int) -> Material:
    return scene.materials[MaterialUse(scene).first(np.array([node_id]))[0]]


def test_a_slider_is_live_while_it_is_dragged_and_one_entry_on_release(app, scene, ctx):
    renderer = Renderer(ctx)
    view = flat_view(scene)
    select(app, 2)
    before = at(picture(renderer, view), 40, 0)
    seen = []
    with app.mouse_down((MIDDLE + 80.0, OPACITY), (MIDDLE, OPACITY)):
        for x in (MIDDLE, MIDDLE - 40.0, MIDDLE - 60.0):
            app.move((x, OPACITY))
            app.move((x, OPACITY))
            seen.append(shown(scene, 2).opacity)
            assert np.abs(at(picture(renderer, view), 40, 0) - before).max() > 10
            assert app.done == ["Select c"]
    assert seen[0] > seen[1] > seen[2]
    assert app.done == ["Select c", "Opacity of wood"]
    assert shown(scene, 2) == Material(
        "wood", base_color=(0.5, 0.4, 0.1), specular=0.0, roughness=0.5, unlit=True, opacity=seen[2]
    )
    app.press("Ctrl+Z")
    assert shown(scene, 2).opacity == 1.0
    assert (at(picture(renderer, view), 40, 0) == before).all()
    app.press("Ctrl+Y")
    assert shown(scene, 2).opacity == seen[2]
    ctx.simple_framebuffer((1, 1)).use()


def test_esc_takes_a_drag_back_and_leaves_no_material_behind(app, scene):
    select(app, 2)
    for _ in range(3):
        with app.mouse_down((MIDDLE, METAL), (MIDDLE + 30.0, METAL)):
            assert shown(scene, 2).metallic > 0.5
            app.press("Esc")
            app.move((MIDDLE + 60.0, METAL))
            assert shown(scene, 2).metallic == 0.0
        assert app.done == ["Select c"] and app.selected == [2]
    assert len(scene.materials) == 4, "what one drag made, the next one uses"
    app.drag((MIDDLE, METAL), (MIDDLE + 30.0, METAL))
    assert shown(scene, 2).metallic > 0.5 and len(scene.materials) == 4


def test_a_colour_that_was_picked_stays_with_what_it_was_picked_for_however_the_picker_is_left(app, scene):
    picked = []
    for leave in (lambda: app.press("Esc"), lambda: app.click(OUTSIDE), lambda: app.click(app.row_of(0))):
        select(app, 2)
        app.click(PICKER)
        app.drag(SHADE, (SHADE[0] + 50.0 * len(picked) + 20.0, SHADE[1] + 60.0))
        picked.append(shown(scene, 2).base_color)
        leave()
        app.click(app.row_of(0))
        assert app.selected == [0]
        assert shown(scene, 2).base_color == picked[-1] and shown(scene, 0).base_color == (0.8, 0.2, 0.1)
    assert len(set(picked)) == 3
    assert app.done == ["Select c", "Colour of wood", "Select a"] * 3
    for before in (picked[1], picked[0], (0.5, 0.4, 0.1)):
        app.press("Ctrl+Z")
        assert shown(scene, 2).base_color == before


def test_a_colour_that_was_typed_counts_unless_esc_takes_it_back(app, scene):
    select(app, 2)
    app.click(PICKER)
    app.click(PICKER_TEXT)
    app.press("Ctrl+A")
    app.type("00FF00")
    app.press("Esc")
    assert shown(scene, 2).base_color == (0.5, 0.4, 0.1) and app.done == ["Select c"]
    app.click(PICKER_TEXT)
    app.press("Ctrl+A")
    app.type("00FF00")
    app.click(OUTSIDE)
    assert shown(scene, 2).base_color == (0.0, 1.0, 0.0) and app.done == ["Select c", "Colour of wood"]


def test_a_material_is_changed_for_all_that_share_it_until_one_has_its_own(app, scene):
    select(app, 0)
    app.drag((MIDDLE, METAL + SHARED), (MIDDLE + 30.0, METAL + SHARED))
    assert shown(scene, 0) == shown(scene, 1) and shown(scene, 0).metallic > 0.5
    assert shown(scene, 2).metallic == 0.0
    app.click((MIDDLE, OWN_COPY))
    assert app.done[-1] == "Own copy of brick"
    assert shown(scene, 0).name == "brick (2)"
    app.drag((MIDDLE, METAL), (MIDDLE - 60.0, METAL))
    assert shown(scene, 0).metallic < 0.5 < shown(scene, 1).metallic
    for _ in range(3):
        app.press("Ctrl+Z")
    assert (scene.material_overrides == -1).all()


def test_all_that_share_a_material_are_selected_by_a_click(app):
    select(app, 0)
    app.click((MIDDLE - 50.0, SHARED_BY))
    assert sorted(app.selected) == [0, 1] and app.selected[-1] == 0


def test_of_several_materials_only_what_is_changed_becomes_the_same(app, scene):
    select(app, 0, 1, 2)
    app.drag((MIDDLE, ROUGHNESS), (MIDDLE + 30.0, ROUGHNESS))
    brick, wood = shown(scene, 0), shown(scene, 2)
    assert brick.roughness == wood.roughness > 0.5 and shown(scene, 1) == brick
    assert (brick.base_color, wood.base_color) == ((0.8, 0.2, 0.1), (0.5, 0.4, 0.1))
    assert app.done[-1] == "Roughness of 2 materials"
    app.press("Ctrl+Z")
    assert shown(scene, 0).roughness is None and shown(scene, 2).roughness == 0.5


def test_a_material_that_shares_its_name_stays_chosen_while_it_is_dragged(app, scene):
    scene.set_materials([1], [scene.add_material(replace(scene.materials[1], base_color=(0.1, 0.2, 0.8)))])
    select(app, 0, 1)
    edits, name, metal = COLOUR - 36.0, COLOUR - 8.0, METAL + 20.0
    app.click((MIDDLE, edits))
    app.click((MIDDLE, edits + 3.0 * ROW))  # all 2, brick, brick (2)
    for end in (30.0, 50.0):
        app.drag((MIDDLE, metal), (MIDDLE + end, metal))
    assert shown(scene, 0).metallic == 0.0 and shown(scene, 1).metallic > 0.5
    app.click((MIDDLE, name))
    app.press("Ctrl+A")
    app.type("clay")
    app.press("Enter")
    app.drag((MIDDLE, metal), (MIDDLE - 60.0, metal))
    assert shown(scene, 1).name == "clay" and shown(scene, 1).metallic < 0.5, "it is renamed, and still the chosen one"


def test_equal_materials_of_several_files_are_one_to_a_person(app, scene):
    twin = scene.add_material(scene.materials[1])
    scene.set_materials([1], [twin])
    assert len(scene.used_materials) == 2
    select(app, 0, 1)
    app.drag((MIDDLE, METAL), (MIDDLE + 30.0, METAL))
    assert app.done[-1] == "Metallic of brick"
    assert shown(scene, 0) == shown(scene, 1) and shown(scene, 1).metallic > 0.5
    assert material_name([scene.materials[1], scene.materials[twin]]) == "brick"
    assert material_name(scene.materials) == "4 materials"


def test_what_has_no_material_gets_one_of_its_own(open_app):
    scene = Scene()
    mesh = scene.meshes.add(MeshData(BOX_POSITIONS, BOX_TRIANGLES, None, np.zeros(8, dtype=int)))
    scene.add_nodes(["a", "b"], mesh=mesh)
    app = open_app(scene, size=(1280, 1100))
    select(app, 0)
    app.drag((MIDDLE, METAL), (MIDDLE + 30.0, METAL))
    assert shown(scene, 0).metallic > 0.5 and shown(scene, 0).name == "material"
    assert shown(scene, 1) == DEFAULT_MATERIAL


# Textures.


def test_a_texture_is_typed_shown_cleared_and_brought_back(app, scene, image, ctx):
    select(app, 2)
    app.click((1150.0, TEXTURE))
    app.type(str(image))
    app.press("Enter")
    app.wait_for_work()
    assert shown(scene, 2).base_color_texture.path == image
    assert app.done[-1] == "Texture of wood"
    preview = app.picture()[int(TEXTURE) + 20 : int(TEXTURE) + 60, 1100:1160]
    assert (preview == (0, 255, 0)).all(axis=-1).sum() > 500
    app.click(CLEAR)
    assert shown(scene, 2).base_color_texture is None
    app.press("Ctrl+Z")
    assert shown(scene, 2).base_color_texture.path == image
    app.press("Ctrl+Z", "Ctrl+Y")
    assert shown(scene, 2).base_color_texture.path == image


def test_a_texture_is_chosen_by_the_path_box(app, scene, image, monkeypatch):
    monkeypatch.chdir(image.parent)
    (image.parent / "notes.txt").write_text("no image")
    select(app, 2)
    app.click(CHOOSE)
    app.type("gr")
    app.press("Enter")
    app.wait_for_work()
    assert shown(scene, 2).base_color_texture.path == image


@pytest.mark.parametrize(
    ("wrap", "said"),
    [
        (REPEATED, []),
        (("clamp", "clamp"), ["wrap: clamp"]),
        (("repeat", "mirror"), ["wrap: repeat along u, mirror along v"]),
    ],
)
def test_how_an_image_goes_on_is_said_where_it_is_not_repeated(app, scene, image, monkeypatch, wrap, said):
    words: list[str] = []
    monkeypatch.setattr(texture_panel, "quiet", lambda theme, text: words.append(text))
    scene.replace_materials({2: replace(scene.materials[2], base_color_texture=read_texture(image).wrapped(wrap))})
    select(app, 2)
    assert [each for each in dict.fromkeys(words) if "wrap" in each] == said


def test_another_image_repeats_and_undo_brings_back_how_the_first_one_went_on(app, scene, image, tmp_path):
    other = tmp_path / "other.png"
    Image.new("RGB", (3, 3), (0, 0, 255)).save(other)
    clamped = read_texture(image).wrapped(("clamp", "mirror"))
    scene.replace_materials({2: replace(scene.materials[2], base_color_texture=clamped)})
    save_project(scene, tmp_path / "kept.octo.json")
    recorder = app.editor.history.recorder = Recorder(scene)
    select(app, 2)
    for wanted, do in (
        ((image, ("clamp", "mirror")), lambda: None),
        ((image, ("clamp", "mirror")), lambda: MaterialEditing(app.editor).change(np.array([2]), roughness=0.3)),
        ((other, REPEATED), lambda: MaterialEditing(app.editor).set_texture(np.array([2]), other)),
        ((image, ("clamp", "mirror")), lambda: app.press("Ctrl+Z")),
        ((other, REPEATED), lambda: app.press("Ctrl+Y")),
    ):
        do()
        app.wait_for_work()
        texture = shown(scene, 2).base_color_texture
        assert (texture.path, texture.wrap) == wanted
    app.press("Ctrl+Z")
    recorder.close()
    for _ in ("by the journal", "saved"):
        again = open_project(tmp_path / "kept.octo.json")
        texture = shown(again, again["c"].id).base_color_texture
        assert (texture.path, texture.wrap) == (image, ("clamp", "mirror"))
        save_project(again, tmp_path / "kept.octo.json")


@pytest.mark.parametrize("name", ["missing.png", "broken.png", ".", "\0"])
def test_what_is_no_image_is_told_in_a_line_and_changes_nothing(app, scene, tmp_path, name):
    (tmp_path / "broken.png").write_bytes(b"\x89PNG no more")
    select(app, 2)
    MaterialEditing(app.editor).set_texture(app.editor.selected_ids, tmp_path / name)
    app.wait_for_work()
    said = app.editor.log.toasts[-1]
    assert said.level == "error" and "cannot be read as a texture" in said.text and "\n" not in said.text
    assert app.done == ["Select c"] and len(scene.materials) == 3


def test_a_texture_is_found_again_in_a_project_an_obj_and_a_glb(app, scene, image, tmp_path):
    select(app, 0)
    MaterialEditing(app.editor).set_texture(app.editor.selected_ids, image)
    app.wait_for_work()
    pixels = shown(scene, 0).base_color_texture.pixels.copy()
    save_project(scene, tmp_path / "kept.octo.json")
    (tmp_path / "out").mkdir()
    write_obj(scene, tmp_path / "out" / "kept.obj")
    write_glb(scene, tmp_path / "kept.glb")
    for again in (
        open_project(tmp_path / "kept.octo.json"),
        load(tmp_path / "out" / "kept.obj"),
        load(tmp_path / "kept.glb"),
    ):
        for name in ("a", "b"):
            found = shown(again, again[name].id).base_color_texture
            assert found is not None and (found.pixels == pixels).all()
        assert shown(again, again["c"].id).base_color_texture is None


def test_a_change_outlives_the_program_by_its_journal(app, scene, image, tmp_path):
    save_project(scene, tmp_path / "kept.octo.json")
    recorder = app.editor.history.recorder = Recorder(scene)
    select(app, 2)
    MaterialEditing(app.editor).set_texture(app.editor.selected_ids, image)
    app.wait_for_work()
    app.drag((MIDDLE, METAL), (MIDDLE + 30.0, METAL))
    metallic = shown(scene, 2).metallic
    recorder.close()
    again = open_project(tmp_path / "kept.octo.json")
    assert shown(again, again["c"].id).metallic == metallic > 0.5
    assert shown(again, again["c"].id).base_color_texture.path == image


def test_a_texture_that_stands_within_a_file_outlives_a_change_of_its_material(open_app, scene, image, tmp_path):
    textured = replace(scene.materials[2], base_color_texture=read_texture(image))
    scene.replace_materials({2: textured})
    write_glb(scene, tmp_path / "boxes.glb")
    scene = load(tmp_path / "boxes.glb")
    app = open_app(scene, size=(1280, 1100))
    box = scene["c"].id
    pixels = shown(scene, box).base_color_texture.pixels.copy()
    save_project(scene, tmp_path / "kept.octo.json")
    recorder = app.editor.history.recorder = Recorder(scene)
    for roughness in (0.25, 0.75):
        MaterialEditing(app.editor).change(np.array([box]), roughness=roughness)
    recorder.close()
    for _ in ("by the journal", "saved"):
        again = open_project(tmp_path / "kept.octo.json")
        assert {problem.kind for problem in again.report.problems} <= {"unsaved-changes"}
        found = shown(again, again["c"].id)
        assert found.roughness == 0.75 and (found.base_color_texture.pixels == pixels).all()
        save_project(again, tmp_path / "kept.octo.json")


def test_a_damaged_image_in_a_project_is_told_and_kept(scene, tmp_path):
    pixels = np.zeros((2, 2, 4), dtype=np.uint8)
    number = scene.add_material(replace(scene.materials[2], base_color_texture=Texture(Path("gone.png"), pixels)))
    scene.set_materials([2], [number])
    path = tmp_path / "kept.octo.json"
    save_project(scene, path)
    text = path.read_text()
    start = text.index('"png":"') + 7
    for damaged in (text[:start] + "*" + text[start + 1 :], text[:start] + "AAAA" + text[start + 4 :]):
        path.write_text(damaged)
        again = open_project(path)
        assert [problem.kind for problem in again.report.problems] == ["texture"]
        assert shown(again, again["c"].id).base_color_texture is None
        save_project(again, path)
        assert damaged[start - 7 : start + 40] in path.read_text(), "what could not be read is given back"


def test_a_coat_a_glow_and_sides_are_changed_below_more_and_taken_back(app, scene):
    select(app, 2)
    app.click((MIDDLE - 60.0, MORE))
    app.drag((MIDDLE, MORE + 2.0 * ROW), (MIDDLE + 60.0, MORE + 2.0 * ROW))
    assert shown(scene, 2).clearcoat > 0.5
    app.drag((MIDDLE, MORE + 5.0 * ROW), (MIDDLE + 20.0, MORE + 5.0 * ROW))
    assert 1.5 < shown(scene, 2).index_of_refraction < 3.0
    app.click((BOX, MORE + 6.0 * ROW))
    assert not shown(scene, 2).double_sided
    changes = ["Clear coat of wood", "Index of refraction of wood", "Both sides of wood"]
    assert app.done == ["Select c", *changes]
    app.press("Ctrl+Z", "Ctrl+Z", "Ctrl+Z")
    assert shown(scene, 2) == Material("wood", base_color=(0.5, 0.4, 0.1), specular=0.0, roughness=0.5, unlit=True)


def test_maps_are_chosen_and_cleared_as_the_texture_is(app, scene, image):
    select(app, 2)
    app.click((MIDDLE - 60.0, MORE))
    app.click((CHOOSE[0] - SCROLLBAR, MORE + 7.0 * ROW))
    app.type(str(image))
    app.press("Enter")
    app.wait_for_work()
    app.settle()
    assert shown(scene, 2).normal_texture.path == image and shown(scene, 2).base_color_texture is None
    assert app.done[-1] == "Normal map of wood"
    app.click((CLEAR[0] - SCROLLBAR, MORE + 7.0 * ROW))
    assert shown(scene, 2).normal_texture is None


def test_a_click_on_a_number_of_the_colour_begins_typing_as_in_other_fields(app, scene):
    select(app, 2)
    app.click((1109.0, COLOUR))
    app.type("0.25")
    app.press("Enter")
    assert shown(scene, 2).base_color == pytest.approx((0.25, 0.4, 0.1)) and app.done[-1] == "Colour of wood"
