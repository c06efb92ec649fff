"""The unit of a scene's lengths: a value with undo, journal and project, by which lengths are written and typed."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from octoscope.scene import EditError, History, Recorder, Scene, change_scene, load, open_project, save_project
from octoscope.scene.annotations.bookmarks import Bookmark
from octoscope.scene.annotations.labels import Label
from octoscope.scene.annotations.measurement import IN_WORLD, Anchor, Measurement
from octoscope.scene.conventions.length_unit import LENGTH_UNITS, METRES
from octoscope.scene.conventions.typed_numbers import typed_values
from octoscope.scene.editing.structure import import_content
from octoscope.scene.editing.units import convert_unit
from octoscope.scene.formats.readers import read_file
from octoscope.scene.loading.load import opened
from octoscope.scene.loading.save import save
from octoscope.scene.measuring import Lengths
from octoscope.scene.measuring.measurements import world_points
from tests.scene.project.journals import killed
from tests.viewer.scenes import box_scene


def test_the_unit_is_an_edit_that_can_be_undone_lives_through_a_crash_and_moves_nothing(tmp_path):
    save_project(box_scene(), path := tmp_path / "boxes.octo.json")
    scene = open_project(path)
    history, version = History(scene, Recorder(scene)), scene.version
    before = scene.translations.copy()
    history.do(change_scene(scene, length_unit="in", length_decimals=2, cursor=(1, 2.5, 3), label="Unit"))
    assert (scene.length_unit, history.is_dirty) == ("in", True) and scene.version != version
    assert not change_scene(scene, length_unit="in").changes
    killed(history.recorder)
    again = open_project(path)
    assert (again.length_unit, again.length_decimals) == ("in", 2) and (again.translations == before).all()
    assert again.cursor == (1.0, 2.5, 3.0)
    history = History(again)
    history.do(change_scene(again, length_unit="mm", length_decimals=None))
    history.undo()
    assert (again.length_unit, again.length_decimals) == ("in", 2)


@pytest.mark.parametrize("written", ("mile", 7, None, ["mm"]))
def test_a_unit_that_is_none_is_said_of_a_project_and_refused_of_a_script(tmp_path, written):
    path = tmp_path / "odd.octo.json"
    path.write_text(json.dumps({"octoscope": {"version": 1}, "length_unit": written, "nodes": []}))
    scene = open_project(path)
    assert scene.length_unit == "" and "length_unit" in str(scene.report.merged_problems)
    with pytest.raises(ValueError, match="unit of length"):
        scene.length_unit = written


@pytest.mark.parametrize("written", (-1, 10, 2.0, True, "2"))
def test_decimals_that_are_none_are_said_of_a_project_and_refused_of_a_script(tmp_path, written):
    path = tmp_path / "odd.octo.json"
    path.write_text(json.dumps({"octoscope": {"version": 1}, "length_decimals": written, "nodes": []}))
    scene = open_project(path)
    assert scene.length_decimals is None and "length_decimals" in str(scene.report.merged_problems)
    with pytest.raises(ValueError, match="decimals"):
        scene.length_decimals = written


def test_lengths_areas_and_volumes_have_the_decimals_that_are_asked_for():
    lengths = Lengths(10.0, "mm", 2)
    assert [lengths.text(each) for each in (2.5, 0.0, -0.001, 1e5, 1e16)] == [
        *("2.50 mm", "0.00 mm", "0.00 mm", "100,000.00 mm", "1e+16 mm")
    ]
    assert lengths.area(1 / 3) == "0.33 mm²" and lengths.sides((1.0, 2.0, 3.0)) == "1.00 x 2.00 x 3.00 mm"
    assert Lengths(10.0, decimals=0).text(2.6) == "3"


def test_a_scene_without_one_writes_numbers_alone_and_files_none(tmp_path):
    save_project(Scene(), path := tmp_path / "empty.octo.json")
    assert "length_unit" not in path.read_text()
    assert Lengths(10.0).text(2.5) == "2.500"


def test_lengths_areas_volumes_sides_and_points_have_the_unit_once():
    lengths = Lengths(10.0, "mm")
    assert [lengths.text(2.5), lengths.text(0.0), lengths.area(3.0), lengths.volume(4.0)] == [
        "2.50 mm",
        "0.00 mm",
        "3.00 mm²",
        "4.00 mm³",
    ]
    assert lengths.sides((1.0, 2.0, 3.0)) == "1.00 x 2.00 x 3.00 mm"
    assert lengths.point((1.0, 2.0, 3.0)) == "1.00  2.00  3.00 mm"


@given(st.floats(-1e6, 1e6), st.sampled_from(list(METRES)), st.sampled_from(list(METRES)), st.sampled_from(("", " ")))
def test_a_typed_unit_is_converted_to_the_scenes(number, typed, unit, gap):
    (value,) = typed_values(f"{number!r}{gap}{typed.upper()}", np.array([0.0]), unit)
    assert value * METRES[unit] == pytest.approx(number * METRES[typed])


def test_expressions_and_changes_take_units_and_a_scene_without_one_says_so():
    values = np.array([10.0, 20.0])
    assert typed_values("2*sqrt(9) cm", values, "mm") == pytest.approx([60.0, 60.0])
    assert typed_values("+=1 in", values, "mm") == pytest.approx([35.4, 45.4])
    assert typed_values("1/2 ft", values, "in") == pytest.approx([6.0, 6.0])
    assert typed_values("3 ft + 2in", values, "in") == pytest.approx([38.0, 38.0])
    assert typed_values("3 ft + sqrt(4)", values, "in") == pytest.approx([38.0, 38.0])
    assert typed_values("(1,5 + 1) CM", values, "mm") == pytest.approx([25.0, 25.0])
    assert typed_values("3", values, "mm").tolist() == [3.0, 3.0]
    with pytest.raises(ValueError, match="no unit goes here"):
        typed_values("3 in", values)
    assert typed_values("6 in / 2 + 1 in", values, "in") == pytest.approx([4.0, 4.0])
    with pytest.raises(ValueError, match="both sides of /"):
        typed_values("6 in / (2 in)", values, "mm")
    for text in ("6 in/2 in", "3 min", "mm", "3 mm mm", "3 mm 4"):
        with pytest.raises(ValueError):
            typed_values(text, values, "mm")


def test_every_unit_is_one():
    for unit in LENGTH_UNITS:
        scene = Scene()
        scene.length_unit = unit
        assert Lengths.of(scene).unit == unit


def annotated(scene: Scene) -> Scene:
    scene.bookmarks = {"gate": Bookmark((1.0, 2.0, 3.0), distance=4.0)}
    anchors = Anchor(IN_WORLD, (0.0, 0.0, 0.0)), Anchor(0, (1.0, 0.0, 0.0))
    scene.measurements = [Measurement("distance", anchors)]
    scene.labels = [Label("here", Anchor(IN_WORLD, (1.0, 1.0, 1.0)), camera=Bookmark((5.0, 0.0, 0.0)))]
    return scene


def figures(scene: Scene) -> tuple[object, ...]:
    """All that is a length, in metres."""
    scene.update_world()
    metres = METRES[scene.length_unit]
    lower, upper = scene.bounds()
    gate, (label,) = scene.bookmarks["gate"], scene.labels
    points = world_points(scene, scene.measurements[0].anchors)
    given = (lower, upper, gate.position, gate.distance, label.anchor.point, label.camera.position, points)
    return [np.asarray(each) * metres for each in given]


@pytest.mark.parametrize("up", ("y", "z"))
@pytest.mark.parametrize("way", ("edit", "glb"))
def test_what_is_converted_is_as_long_as_before(tmp_path, up, way):
    scene = annotated(box_scene())
    scene.up_axis, scene.length_unit = up, "in"
    before = figures(scene)
    history = History(scene)
    if way == "edit":
        history.do(convert_unit(scene, "mm"))
        assert scene.length_unit == "mm" and scene.scales[0] == pytest.approx(25.4)
        after = figures(scene)
        history.undo()
        np.testing.assert_array_equal(np.concatenate(before, axis=None), np.concatenate(figures(scene), axis=None))
    else:
        notes = save(scene, tmp_path / "a.glb")
        assert any("in metres" in note for note in notes)
        assert load(tmp_path / "a.glb").bounds()[1].max() == pytest.approx(scene.bounds()[1].max() * 0.0254)
        again = opened(tmp_path / "a.glb", up_axis=up, length_unit="in")
        after = figures(again)
    np.testing.assert_allclose(np.concatenate(after, axis=None), np.concatenate(before, axis=None), atol=1e-7)


def test_a_scene_that_does_not_say_its_unit_is_neither_converted_nor_scaled(tmp_path):
    with pytest.raises(EditError, match="does not say"):
        convert_unit(box_scene(), "mm")
    save(scene := box_scene(), tmp_path / "a.glb")
    np.testing.assert_allclose(load(tmp_path / "a.glb").bounds(), scene.bounds())


def test_a_scene_without_objects_and_unit_takes_that_of_its_first_file_with_undo(tmp_path):
    save(box_scene(), tmp_path / "a.glb")
    save(box_scene(), tmp_path / "a.obj")
    assert [load(tmp_path / name).length_unit for name in ("a.glb", "a.obj")] == ["m", ""]
    assert load([tmp_path / "a.obj", tmp_path / "a.glb"]).length_unit == "", "its objects are in no known unit"
    scene = Scene()
    history = History(scene)
    history.do(import_content(scene, read_file(tmp_path / "a.glb"), tmp_path / "a.glb"))
    assert scene.length_unit == "m"
    history.undo()
    assert scene.length_unit == ""
