"""The list of materials: what its commands do, each with undo; spheres look like the material; large scenes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from octoscope.scene import Material, Texture
from octoscope.viewer.features.materials_panel import material_list as material_list_module
from octoscope.viewer.features.materials_panel import panel as panel_module
from octoscope.viewer.features.materials_panel.spheres import SIDE, SphereDrawing
from octoscope.viewer.settings.config import WindowState
from tests.viewer.headless_app import HeadlessApp
from tests.viewer.scenes import box_scene

CHECKS = Texture(
    Path("checks.png"),
    np.kron(np.indices((8, 8)).sum(axis=0) % 2, np.ones((80, 80)))[..., None].repeat(4, 2).astype(np.uint8) * 255
    | np.array([0, 0, 0, 255], np.uint8),
)


@pytest.fixture
def app(ctx) -> Iterator[HeadlessApp]:
    app = HeadlessApp(ctx, box_scene(), state=WindowState(open={"materials": True}))
    yield app
    app.close()


def run(app: HeadlessApp, command_id: str) -> None:
    app.table.run(app.table[command_id])
    app.wait_for_work()


def unused(app: HeadlessApp) -> list[str]:
    return [material.name for material in app.view.scene.unused_materials]


def test_what_is_made_is_kept_given_renamed_and_removed_with_undo(app):
    scene, editor = app.view.scene, app.editor
    editor.select(scene.objects.ids)
    before = [node.material for node in scene.objects]
    run(app, "material.new")
    app.settle()
    app.type("clay")
    app.press("Enter")
    run(app, "material.duplicate")
    assert unused(app) == ["clay", "clay (2)"]
    assert [node.material for node in scene.objects] == before, "only Assign gives a material to objects"
    app.press("F2")
    app.type("loam")
    app.press("Enter")
    assert unused(app) == ["clay", "loam"], "the panel has the keys"
    first = scene.objects.ids[:2]
    editor.select(first)
    run(app, "material.assign")
    assert {scene.nodes[node].material.name for node in first.tolist()} == {"loam"}
    run(app, "material.remove")
    assert "clay" in unused(app), "an object shows the chosen one: it stays"
    editor.select([])
    run(app, "material.select")
    assert sorted(app.selected) == first.tolist()
    before = unused(app)
    run(app, "material.remove_unused")
    assert unused(app) == []
    app.press("Ctrl+Z")
    assert unused(app) == before


def test_a_material_of_an_image_is_named_after_it(app, tmp_path, monkeypatch):
    Image.new("RGB", (8, 4), "orange").save(tmp_path / "wood.png")
    scene, node = app.view.scene, int(app.view.scene.objects.ids[0])
    app.editor.select([node])
    (panel,) = (each for feature in app.session.features for each in feature.panels if each.id == "materials")
    panel._materials.add_from_image(tmp_path / "wood.png")
    app.wait_for_work()
    run(app, "material.assign")
    material = scene.nodes[node].material
    assert (material.name, material.base_color_texture.path.name) == ("wood", "wood.png")
    panel._materials.rename(panel._materials.current, "oak")
    assert scene.nodes[node].material.name == "oak" and panel._materials.current.material.name == "oak"
    app.press("Ctrl+Z")
    assert scene.nodes[node].material.name == "wood"


def test_spheres_have_the_colours_of_materials_in_any_number():
    colors = np.random.default_rng(1).uniform(0.2, 0.9, (18, 3))
    materials = [Material(str(k), base_color=tuple(color), unlit=True) for k, color in enumerate(colors)]
    drawn = SphereDrawing().pictures(materials, lambda done, of: None)
    assert list(drawn) == materials[:16], "the rest is asked for again"
    for material, pixels in drawn.items():
        assert pixels.shape == (SIDE, SIDE, 4) and pixels[0, 0, 3] == 0
        middle = pixels[SIDE // 2, SIDE // 2] / 255.0
        np.testing.assert_allclose(middle, (*material.base_color, 1.0), atol=0.02)
    checked = SphereDrawing().pictures(
        [Material("checks", unlit=True, base_color_texture=CHECKS)], lambda done, of: None
    )
    (pixels,) = checked.values()
    across = pixels[SIDE // 2 + 4, SIDE // 4 : 3 * SIDE // 4, 0].astype(int)
    assert across.min() < 60 and across.max() > 150, "a texture is seen"


def test_a_thousand_materials_are_listed_once_walked_by_arrows_and_only_those_in_sight_are_drawn(app, monkeypatch):
    scene, drawn = app.view.scene, []
    ids = scene.add_materials([Material(f"m{k:04}") for k in range(1000)])
    mesh = int(scene.mesh_ids[scene.objects.ids[0]])
    scene.add_nodes([""] * 1000, mesh=mesh, material=np.array(ids))
    cell = panel_module.draw_cell
    monkeypatch.setattr(
        panel_module, "draw_cell", lambda name, *rest, **more: (drawn.append(name), cell(name, *rest, **more))
    )
    app.frame()
    app.frame()
    assert 0 < len(set(drawn)) < 100
    (panel,) = (each for feature in app.session.features for each in feature.panels if each.id == "materials")
    materials, looked = panel._materials, []
    app.click((app.shell.picture.left + 30.0, app.shell.picture.bottom + 100.0))
    assert materials.current is materials.rows[0]
    app.press("Right", "Right", "Left")
    assert materials.current is materials.rows[1] and app.done == [], "nothing is nudged"
    app.press(*["Down"] * 30)
    names = [row.material.name for row in materials.rows]
    drawn.clear()
    app.frame()
    assert names.index(materials.current.material.name) % 30 == 1 and materials.current.material.name in drawn
    materials.choose(scene.materials[ids[500]])
    monkeypatch.setattr(material_list_module, "material_rows", lambda *given: looked.append(given) or [])
    app.frame()
    assert materials.current.material.name == "m0500" and looked == [], "nothing has changed"
    scene.replace_materials({ids[500]: Material("m0500", base_color="red")})  # as a file that was read again does
    app.frame()
    assert len(looked) == 1
