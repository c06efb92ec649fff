"""Mends of meshes: what each must do on random broken meshes, with trimesh as an oracle where it asks the same."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import trimesh
from hypothesis import given, settings
from hypothesis import strategies as st

from octoscope import Scene, check_meshes, editing, load, measure, open_project, save_project
from octoscope.scene import EditError, History, MeshData, apply
from octoscope.scene.mesh.arrays import Mesh
from tests.scene.builders import ball, box, mesh_of, quad

pytestmark = pytest.mark.usefixtures("strict_floats")


def mended(mesh: MeshData, mend, **options) -> Mesh:
    """The mesh after a mend; undo must bring the old one back, and redo the new one."""
    scene = Scene()
    node = scene.add_node("it", mesh=scene.meshes.add(mesh))
    before, history = int(scene.mesh_ids[0]), History(scene)
    history.do(mend(scene, [0], **options))
    after = int(scene.mesh_ids[0])
    history.undo()
    assert scene.mesh_ids[0] == before != after
    history.redo()
    assert scene.mesh_ids[0] == after
    return node.mesh


def whole(mesh) -> trimesh.Trimesh:
    """With one vertex at each point."""
    vertices, faces = (mesh.positions, mesh.triangles) if isinstance(mesh, MeshData) else (mesh.vertices, mesh.faces)
    made = trimesh.Trimesh(vertices, faces, process=False)
    made.merge_vertices(merge_tex=True, merge_norm=True)
    return made


def seamed(mesh: MeshData) -> MeshData:
    """Every triangle has vertices of its own."""
    return mesh_of(mesh.positions[mesh.triangles].reshape(-1, 3), np.arange(mesh.triangles.size).reshape(-1, 3))


def joined(*meshes: MeshData) -> MeshData:
    firsts = np.cumsum([0, *(len(mesh.positions) for mesh in meshes)])
    triangles = [mesh.triangles + first for mesh, first in zip(meshes, firsts, strict=False)]
    return mesh_of(np.concatenate([mesh.positions for mesh in meshes]), np.concatenate(triangles))


def moved(mesh: MeshData, by, scale: float = 1.0) -> MeshData:
    return replace(mesh, positions=scale * mesh.positions + np.array(by))


@given(seed=st.integers(0, 2**32 - 1))
@settings(max_examples=30, deadline=None)
def test_random_windings_become_those_of_the_solids(seed):
    """Two solids beside each other, in one mesh with seams; trimesh's volumes tell which way they look."""
    rng = np.random.default_rng(seed)
    solids = joined(box(), moved(ball(5, 7), (9.0, 0.0, 0.0)))
    turned = rng.random(len(solids.triangles)) < rng.choice((0.02, 0.5, 1.0))
    turned[rng.integers(len(turned))] = True
    triangles = solids.triangles.copy()
    triangles[turned] = triangles[turned][:, [0, 2, 1]]
    result = mended(seamed(replace(solids, triangles=triangles)), editing.face_outward)
    assert whole(result).is_winding_consistent and whole(result).is_watertight
    assert whole(result).volume == pytest.approx(whole(solids).volume)
    with pytest.raises(EditError, match="outward already"):
        mended(solids, editing.face_outward)


def test_the_wall_of_a_hollow_and_open_surfaces_keep_what_most_of_them_have():
    hollow = joined(box(), mesh_of(0.5 * box().positions, box().triangles[:, ::-1]))
    triangles = hollow.triangles.copy()
    triangles[[0, 15]] = triangles[[0, 15], ::-1]
    result = mended(replace(hollow, triangles=triangles), editing.face_outward)
    assert whole(result).volume == pytest.approx(8.0 - 1.0)
    sheet = ball(6, 9)
    sheet = mesh_of(sheet.positions, sheet.triangles[sheet.positions[sheet.triangles][:, :, 2].max(axis=1) < 0.1])
    for wound in (sheet.triangles, sheet.triangles[:, ::-1]):
        triangles = wound.copy()
        triangles[5] = triangles[5, ::-1]
        result = whole(mended(replace(sheet, triangles=triangles), editing.face_outward))
        expected = whole(mesh_of(sheet.positions, wound))
        assert result.is_winding_consistent and result.area_faces @ result.face_normals == pytest.approx(
            expected.area_faces @ expected.face_normals
        )


def test_normals_go_with_their_faces():
    smooth = replace(ball(), normals=ball().positions.astype(np.float32))
    result = mended(smooth, editing.flip_faces)
    assert np.array_equal(result.normals, -smooth.normals)
    assert whole(result).volume == pytest.approx(-whole(smooth).volume)
    inside_out = replace(smooth, triangles=smooth.triangles[:, ::-1], normals=-smooth.normals)
    result = mended(inside_out, editing.face_outward)
    assert np.array_equal(result.normals, smooth.normals)
    right = replace(smooth, triangles=smooth.triangles[:, ::-1])  # the normals look outward already
    assert np.array_equal(mended(right, editing.face_outward).normals, smooth.normals)


@given(seed=st.integers(0, 2**32 - 1))
@settings(max_examples=30, deadline=None)
def test_bad_faces_go_and_nothing_else(seed):
    rng = np.random.default_rng(seed)
    shape = (box(), ball(4, 5))[rng.integers(2)]
    copies = np.array([np.roll(each, rng.integers(3)) for each in rng.choice(shape.triangles, rng.integers(1, 4))])
    lines = np.array([(0, 0, 1), (2, 2, 2)])[: rng.integers(3)]
    broken = replace(shape, triangles=rng.permutation(np.concatenate([shape.triangles, copies, lines])))
    result = mended(seamed(broken), editing.remove_bad_faces)
    assert len(result.faces) == len(shape.triangles)
    assert whole(result).is_watertight and whole(result).volume == pytest.approx(whole(shape).volume)
    assert len(result.vertices) == result.faces.size, "vertices that only those had are gone"


def test_a_line_that_keeps_a_mesh_closed_stays_and_another_goes():
    corners = np.array([(0, 0, 0), (1, 0, 0), (2, 0, 0), (1, 2, 0), (1, 1, 3)], dtype=float)
    closed = mesh_of(corners, [(0, 3, 2), (2, 3, 4), (3, 0, 4), (0, 1, 4), (1, 2, 4), (0, 2, 1)])
    assert whole(closed).is_watertight
    scene = Scene()
    scene.add_node("closed", mesh=scene.meshes.add(closed))
    assert check_meshes(scene).of("degenerate faces").tolist() == [0]
    with pytest.raises(EditError, match="no degenerate or duplicate"):
        editing.remove_bad_faces(scene, [0])
    sheet = mesh_of(corners, [(0, 1, 3), (1, 2, 3), (0, 2, 1)])
    assert mended(mesh_of(sheet.positions, sheet.triangles[[0, 2]]), editing.remove_bad_faces).faces.shape == (1, 3)


def test_welding_closes_what_lay_apart_and_keeps_seams():
    rng = np.random.default_rng(0)
    shape = ball()
    loose = seamed(shape)
    loose = replace(loose, positions=loose.positions + 1e-5 * rng.uniform(-1.0, 1.0, loose.positions.shape))
    assert not whole(loose).is_watertight
    result = mended(loose, editing.weld, distance=1e-3)
    assert len(result.vertices) == len(shape.positions) and whole(result).is_watertight
    nearest = np.linalg.norm(loose.positions[:, None] - result.vertices[None], axis=2).min(axis=1)
    assert nearest.max() < 1e-3
    uvs = rng.random((len(loose.positions), 2)).astype(np.float32)
    result = mended(replace(loose, uvs=uvs), editing.weld, distance=1e-3)
    assert len(result.vertices) == len(loose.positions) and whole(result).is_watertight, "with a seam at every side"
    assert sorted(map(tuple, result.uvs.tolist())) == sorted(map(tuple, uvs.tolist()))


@given(seed=st.integers(0, 2**32 - 1), distance=st.sampled_from((1e-3, 0.05, 0.3, 2.0)))
@settings(max_examples=30, deadline=None)
def test_vertices_are_welded_as_a_walk_over_all_of_them_does(seed, distance):
    rng = np.random.default_rng(seed)
    points = rng.integers(-4, 5, (60, 3)) * 0.1 + rng.choice((0.0, 1e6)) + 1e-4 * rng.normal(size=(60, 3))
    mesh = mesh_of(points, np.arange(60).reshape(-1, 3))
    stands_for: list[int] = []
    for number, point in enumerate(points):
        itself = [other for other in range(number) if stands_for[other] == other]
        near = [(((points[other] - point) ** 2).sum(), other) for other in itself]
        near = [each for each in near if each[0] <= distance * distance]
        stands_for.append(min(near)[1] if near else number)
    wanted = points[np.array(stands_for)][mesh.triangles]
    wanted = [tri for tri, ids in zip(wanted, np.array(stands_for)[mesh.triangles], strict=True) if len(set(ids)) == 3]
    if len(wanted) == 0 or stands_for == list(range(60)):
        return
    result = mended(mesh, editing.weld, distance=distance)
    np.testing.assert_array_equal(result.vertices[result.faces], wanted)


@pytest.mark.parametrize("sides", [3, 4, 7])
def test_holes_are_filled_in_their_plane_and_the_border_of_a_sheet_is_not(sides):
    closed = ball(8, sides)
    cap = (closed.positions[closed.triangles][:, :, 2] > 0.9).any(axis=1)
    holed = mesh_of(closed.positions, closed.triangles[~cap])
    result = mended(seamed(holed), editing.fill_holes, most_edges=sides)
    assert whole(result).is_watertight and whole(result).volume > 0.9 * whole(closed).volume
    assert len(result.faces) == len(holed.triangles) + sides - 2
    if sides > 3:
        with pytest.raises(EditError, match=f"up to {sides - 1} edges"):
            mended(holed, editing.fill_holes, most_edges=sides - 1)
    with pytest.raises(EditError, match="no holes"):
        mended(quad(), editing.fill_holes)


def test_a_hole_in_a_sheet_is_filled_with_what_lies_around():
    frame = [(x, y, 0.0) for x in range(4) for y in range(4)]
    triangles = [
        each
        for x in range(3)
        for y in range(3)
        if (x, y) != (1, 1)
        for a in [4 * x + y]
        for each in ((a, a + 4, a + 5), (a, a + 5, a + 1))
    ]
    normals = np.tile((0.0, 0.0, 1.0), (16, 1)).astype(np.float32)
    sheet = replace(mesh_of(np.array(frame), triangles), normals=normals, material_ids=np.full(16, 0))
    uvs = sheet.positions[:, :2].astype(np.float32)
    result = mended(replace(sheet, uvs=uvs), editing.fill_holes)
    assert len(result.faces) == len(triangles) + 2
    made = whole(result)
    assert made.area == pytest.approx(9.0) and (made.face_normals[:, 2] > 0.9).all()
    np.testing.assert_array_equal(result.uvs, result.vertices[:, :2])


def test_decimating_keeps_the_shape_and_what_vertices_have():
    shape = ball(60, 80)
    shape = replace(shape, uvs=shape.positions[:, :2].astype(np.float32))
    result = mended(shape, editing.decimate, cell=0.1)
    assert len(result.faces) < 0.3 * len(shape.triangles)
    assert whole(result).volume == pytest.approx(whole(shape).volume, rel=0.1)
    np.testing.assert_array_equal(result.uvs, result.vertices[:, :2].astype(np.float32))
    assert np.isin(result.vertices.view("V24"), shape.positions.view("V24")).all(), "vertices are some of the old ones"


def test_as_many_triangles_stay_as_are_asked_for_in_each_mesh():
    scene = Scene()
    for shape in (ball(60, 80), ball(12, 20), ball(30, 30)):
        scene.add_node("it", mesh=scene.meshes.add(shape))
    before = scene.meshes.rows["triangle_count"][scene.mesh_ids].copy()
    for share in (0.75, 0.4, 0.1):
        edit = editing.decimate(scene, scene.ids, share=share)
        (shown,) = (change.after for change in edit.changes if change.column == "mesh")
        kept = scene.meshes.rows["triangle_count"][shown] / before
        assert (kept <= share).all() and (kept > 0.4 * share).all()


def test_nodes_that_share_a_mesh_share_the_mended_one_and_others_keep_theirs():
    scene = Scene()
    holed = scene.meshes.add(mesh_of(box().positions, box().triangles[1:]))
    for _ in range(3):
        scene.add_node("holed", mesh=holed)
    scene.add_node("closed", mesh=scene.meshes.add(box()))
    scene.add_node("group")
    history = History(scene)
    edit = editing.fill_holes(scene, [0, 1, 3, 4])
    assert edit.outcome == "8 vertices, 11 triangles became 11 vertices, 12 triangles"
    assert edit.notes == ("1 other object keeps the mesh as it was",)
    history.do(edit)
    scene.update_world()
    assert scene.mesh_ids[0] == scene.mesh_ids[1] != holed == scene.mesh_ids[2] and scene.mesh_ids[3] == holed + 1
    assert measure(scene, [0, 1]).watertight == 2
    with pytest.raises(EditError, match="no selected object has faces"):
        editing.weld(scene, [4])


def test_many_meshes_are_mended_each_by_itself():
    rng = np.random.default_rng(1)
    scene = Scene()
    shapes = [(box(), ball(4, 5), ball(5, 6))[rng.integers(3)] for _ in range(40)]
    for shape in shapes:
        scene.add_node("it", mesh=scene.meshes.add(mesh_of(shape.positions, shape.triangles[rng.integers(3) :])))
    scene.update_world()
    closed = measure(scene).watertight
    assert 0 < closed < 40
    History(scene).do(editing.fill_holes(scene, scene.ids))
    scene.update_world()
    assert measure(scene).watertight == 40
    assert measure(scene).area == pytest.approx(sum(whole(shape).area for shape in shapes), rel=0.2)
    History(scene).do(editing.flip_faces(scene, scene.ids))
    assert len(check_meshes(scene).of("inverted faces")) == 40
    History(scene).do(editing.face_outward(scene, scene.ids))
    assert len(check_meshes(scene).of("inverted faces")) == 0


@pytest.mark.parametrize(
    ("mend", "options"),
    [(editing.weld, {"distance": 0.0}), (editing.weld, {"distance": np.inf}), (editing.fill_holes, {"most_edges": 2}),
     (editing.decimate, {"cell": 0.0}), (editing.decimate, {"cell": 1.5}),
     (editing.decimate, {"share": 1.0})],
)  # fmt: skip
def test_numbers_that_make_no_sense_are_refused(mend, options):
    with pytest.raises(ValueError, match=next(iter(options))):
        mended(box(), mend, **options)


def test_a_project_keeps_what_was_mended_when_its_file_is_read_again(tmp_path):
    source = tmp_path / "holed.obj"
    corners = "".join(f"v {x:g} {y:g} {z:g}\n" for x, y, z in box().positions)
    source.write_text("o holed\n" + corners + "".join("f {} {} {}\n".format(*tri + 1) for tri in box().triangles[1:]))
    scene = load(source)
    node = int(scene.objects[0].id)
    apply(scene, editing.fill_holes(scene, [node]))
    save_project(scene, tmp_path / "kept.octo.json")
    source.write_text(source.read_text().replace("v 1 1 1\n", "v 1 1 2\n"))
    again = open_project(tmp_path / "kept.octo.json")
    assert measure(again).watertight == 1 and measure(again).volume == pytest.approx(8.0)
