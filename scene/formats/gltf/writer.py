"""Write a scene to a GLB file: its tree, names and transforms, shared meshes, materials, textures and bookmarks."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Mapping
from json.encoder import encode_basestring
from typing import BinaryIO

import numpy as np

from octoscope.guesses import advises
from octoscope.scene.annotations.annotation_json import labels_to_json, measurements_to_json
from octoscope.scene.annotations.bookmarks import Bookmark, placed_bookmark
from octoscope.scene.annotations.labels import placed_labels
from octoscope.scene.annotations.measurement import Measurement, placed_measurements
from octoscope.scene.conventions.length_unit import METRES
from octoscope.scene.conventions.upright import turned_rotations
from octoscope.scene.conventions.world import World
from octoscope.scene.formats.bulk_text import rows_of_text
from octoscope.scene.formats.export import ExportedNodes, exported_nodes, note_left_out, require_ending, tell
from octoscope.scene.formats.gltf.codes import CENTER, DISTANCE, FOV_Y, LABELS, MEASUREMENTS
from octoscope.scene.formats.gltf.writing.container import View, write_container
from octoscope.scene.formats.gltf.writing.materials import PackedMaterials, pack_materials, textures_and_samplers
from octoscope.scene.formats.gltf.writing.meshes import pack_meshes
from octoscope.scene.geometry.affine import linear, unit_rotations
from octoscope.scene.geometry.forest import children_of
from octoscope.scene.geometry.ranges import index_in, ranges
from octoscope.scene.measuring.measurements import figure_unit, figures_of, world_points
from octoscope.scene.mesh.material import Material
from octoscope.scene.scene import Scene
from octoscope.scene.system.atomic_file import WriteError, WriteProgress, atomic_file
from octoscope.scene.system.paths import StrPath

_WORLD = World("y", "m")  # of every glTF file
_NEAR, _FAR = 1e-3, 1e3  # times the distance: glTF needs a range of depths, and a bookmark has none


@advises()
def write_glb(scene: Scene, path: StrPath | BinaryIO, *, progress: WriteProgress | None = None) -> list[str]:
    """Write a scene as glTF 2.0 in one binary file; return a line for each thing that a GLB cannot hold.

    Nodes keep names, order and transforms (float64, in JSON); a mesh that several nodes show is written once. Positions
    are float32. If that would move the vertices of a mesh, far from its own origin, by more than a millionth of its
    half size, they are relative to its centre; its nodes are moved there and their children back, so that every program
    shows the same. The centre is in the mesh's "extras", and read_gltf undoes it, up to float64's rounding. Bookmarks
    are cameras, each on a node of its own after all others; measurements and labels are in the scene's "extras".
    Polygons are triangles. In glTF +Y is up and a unit is a metre: of a scene with another up axis or unit of length
    the topmost nodes are turned and scaled.

    Raises:
        WriteError: nothing to write, or too much.
    """
    require_ending(path, ".glb")
    nodes = exported_nodes(scene)
    notes: list[str] = []
    note_left_out(scene, nodes, notes, keeps_annotations=True)
    document, views = glb_parts(
        scene, nodes, notes, bookmarks=scene.bookmarks, extras=_extras(scene, nodes), progress=progress
    )
    if _world_of(scene).scale_to(_WORLD) != 1.0:
        notes.append(f"lengths are written in metres, as glTF has them, not in {scene.length_unit}")
    if isinstance(path, str | os.PathLike):
        with atomic_file(path) as file:
            write_container(file, document, views, progress)
    else:
        write_container(path, document, views, progress)
    return notes


def glb_parts(
    scene: Scene,
    nodes: ExportedNodes,
    notes: list[str],
    *,
    bookmarks: Mapping[str, Bookmark],
    extras: Mapping[str, object] | None = None,
    as_webp: bool = False,
    length_unit: str = _WORLD.length_unit,
    progress: WriteProgress | None = None,
) -> tuple[dict[str, str], list[View]]:
    """Return the fields of a GLB's JSON and its buffer views, as write_container takes them.

    Args:
        notes: receives a line for each thing of the materials that a GLB cannot hold.
    """
    tell(progress, 0.0)
    mesh_ids, overrides = scene.mesh_ids[nodes.ids], scene.material_overrides[nodes.ids]
    shown = mesh_ids >= 0
    used = np.unique(mesh_ids[shown])
    # A glTF node has no material of its own: with another material a mesh is another one, of the same bytes.
    pairs, pair_of_shown = np.unique(np.stack([mesh_ids[shown], overrides[shown]]), axis=1, return_inverse=True)
    entry_of_node = np.full(len(nodes.ids), -1)
    entry_of_node[shown] = pair_of_shown.ravel()
    entry_ranks = np.searchsorted(used, pairs[0])

    accessors: list[str] = []
    views: list[View] = []
    meshes_text = ""
    materials = PackedMaterials()
    centers = np.zeros((len(nodes.ids), 3))
    if len(used):
        uv_set_counts = np.array([material.uv_set_count for material in scene.materials])
        in_others = pairs[:, pairs[1] >= 0]
        shown_sets = np.zeros(len(used), dtype=np.int64)
        np.maximum.at(shown_sets, np.searchsorted(used, in_others[0]), uv_set_counts[in_others[1]])
        packed = pack_meshes(
            scene.meshes, used, uv_set_counts=uv_set_counts, shown_uv_set_counts=shown_sets, progress=progress
        )
        accessors, views = packed.accessors, packed.views
        centers[shown] = packed.centers[np.searchsorted(used, mesh_ids[shown])]
        firsts = np.cumsum(packed.primitive_counts) - packed.primitive_counts
        counts = packed.primitive_counts[entry_ranks]
        chosen = ranges(firsts[entry_ranks], counts)
        material_ids = np.where(
            np.repeat(pairs[1], counts) >= 0, np.repeat(pairs[1], counts), packed.primitive_materials[chosen]
        )
        used_materials, numbers = np.unique(material_ids, return_inverse=True)
        different: dict[Material, int] = {}
        indices = [different.setdefault(scene.materials[number], len(different)) for number in used_materials.tolist()]
        materials = pack_materials(list(different), notes, as_webp=as_webp)
        numbers = np.array(indices)[numbers]
        primitives = rows_of_text('%s,"material":%d}', packed.primitives[chosen], numbers)
        names = scene.meshes.rows["name"][pairs[0]]
        meshes_text = _meshes_text(names, packed.centers[entry_ranks], counts, primitives)
    tell(progress, 0.5)
    world = _WORLD._replace(length_unit=length_unit)
    nodes_text = _nodes_text(scene, nodes, entry_of_node, centers, world)
    for data, _ in materials.images:
        views.append((None, None, np.frombuffer(data, dtype=np.uint8)))
    tell(progress, 0.6)
    turned = {name: placed_bookmark(each, _world_of(scene), world) for name, each in bookmarks.items()}
    cameras = list(map(_camera, turned, turned.values()))
    camera_nodes = list(map(_camera_node, turned, turned.values(), range(len(turned))))
    roots = np.flatnonzero(nodes.parents < 0).tolist() + list(range(len(nodes.ids), len(nodes.ids) + len(camera_nodes)))
    nodes_text = ",".join([nodes_text, *map(_json, camera_nodes)])
    return _document(roots, extras or {}, nodes_text, meshes_text, cameras, accessors, views, materials), views


def _world_of(scene: Scene) -> World:
    return World(scene.up_axis, scene.length_unit)


def _extras(scene: Scene, nodes: ExportedNodes) -> dict[str, object]:
    """Return the measurements and labels of the nodes that are written, for read_extras."""
    numbers = index_in(nodes.ids, scene.row_count)
    turned = _world_of(scene), _WORLD
    measured: list[dict[str, object]] = []
    for each, placed in zip(scene.measurements, placed_measurements(scene.measurements, 0, *turned), strict=True):
        measured += [fields | _figure(scene, each) for fields in measurements_to_json([placed], numbers)]
    written = {MEASUREMENTS: measured, LABELS: labels_to_json(placed_labels(scene.labels, 0, *turned), numbers)}
    return {name: values for name, values in written.items() if values}


def _figure(scene: Scene, measurement: Measurement) -> dict[str, object]:
    """Return the figure of a measurement, of metres as all of the file, and its unit: both are for other programs."""
    points = world_points(scene, measurement.anchors) * METRES.get(scene.length_unit, 1.0)
    name, value = next(iter(figures_of(measurement.kind, points).items()))
    return {"value": value, "unit": figure_unit(name, "m" if scene.length_unit else "")} if math.isfinite(value) else {}


def _meshes_text(names: np.ndarray, centers: np.ndarray, counts: np.ndarray, primitives: np.ndarray) -> str:
    extras = rows_of_text(f',"extras":{{"{CENTER}":[%r,%r,%r]}}', centers)
    extras[~centers.any(axis=1)] = ""
    heads = rows_of_text('{"name":%s%s,"primitives":[', _json_strings(names), extras)
    ends = np.full(len(primitives), ",", dtype=object)
    ends[np.cumsum(counts) - 1] = "]},"
    pieces = np.insert(primitives + ends, np.cumsum(counts) - counts, heads)
    return "".join(pieces.tolist())[:-1]


def _nodes_text(scene: Scene, nodes: ExportedNodes, mesh_entries: np.ndarray, centers: np.ndarray, world: World) -> str:
    """Write the JSON of all nodes, between commas; `centers` (n, 3) is where each node's own mesh has its origin."""
    ids, parents = nodes
    translations, rotations, scales = scene.translations[ids], scene.rotations[ids], scene.scales[ids]
    if centers.any():
        above = np.where(parents[:, None] < 0, 0.0, centers[parents])
        with np.errstate(over="ignore", invalid="ignore"):
            moved = (linear(rotations, scales) @ centers[:, :, None])[:, :, 0]
            translations = translations + moved - above
        if not np.isfinite(translations).all():
            raise WriteError("an object is too large or too far away for a GLB; scale it down")
    top = parents < 0
    if _world_of(scene) != world:
        translations[top] = translations[top] @ _world_of(scene).linear_to(world).T
        rotations[top] = turned_rotations(rotations[top], scene.up_axis, world.up_axis)
        scales[top] *= _world_of(scene).scale_to(world)
    text = rows_of_text('{"name":%s', _json_strings(scene.names[ids]))
    for name, values, default in (
        ("translation", translations, (0.0, 0.0, 0.0)),
        ("rotation", rotations, (0.0, 0.0, 0.0, 1.0)),
        ("scale", scales, (1.0, 1.0, 1.0)),
    ):
        changed = (values != default).any(axis=1)
        text[changed] += rows_of_text(f',"{name}":[{",".join(["%r"] * len(default))}]', values[changed])
    shown = mesh_entries >= 0
    text[shown] += rows_of_text(',"mesh":%d', mesh_entries[shown])
    starts, children = children_of(parents)
    owners = np.flatnonzero(np.diff(starts[:-1]))
    numbers = list(map(str, children.tolist()))
    bounds = zip(starts[owners].tolist(), starts[owners + 1].tolist(), strict=True)
    text[owners] += rows_of_text(',"children":[%s]', [",".join(numbers[first:end]) for first, end in bounds])
    return "},".join(text.tolist()) + "}"


def _json_strings(names: np.ndarray) -> list[str]:
    return list(map(encode_basestring, names.tolist()))


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def _document(
    roots: list[int],
    extras: Mapping[str, object],
    nodes_text: str,
    meshes_text: str,
    cameras: list[dict[str, object]],
    accessors: list[str],
    views: list[View],
    materials: PackedMaterials,
) -> dict[str, str]:
    document = {
        "asset": '{"version":"2.0","generator":"Octoscope"}',
        "scene": "0",
        "scenes": _json([{"nodes": roots, **({"extras": extras} if extras else {})}]),
        "nodes": f"[{nodes_text}]",
    }
    first_image_view = len(views) - len(materials.images)
    if meshes_text:
        document |= {"meshes": f"[{meshes_text}]", "accessors": f"[{','.join(accessors)}]"}
        document["materials"] = json.dumps(materials.materials)
    if materials.images:
        document["images"] = json.dumps(
            [{"bufferView": first_image_view + i, "mimeType": kind} for i, (_, kind) in enumerate(materials.images)]
        )
        document |= {key: json.dumps(value) for key, value in textures_and_samplers(materials.wraps).items()}
    if materials.extensions:
        document["extensionsUsed"] = json.dumps(materials.extensions)
    if cameras:
        document["cameras"] = _json(cameras)
    return document


def _camera(name: str, bookmark: Bookmark) -> dict[str, object]:
    """Describe a bookmark as a camera; what that cannot hold is in its "extras", for read_cameras."""
    distance = 1.0 if bookmark.distance is None else bookmark.distance
    depths = {"znear": _NEAR * distance, "zfar": _FAR * distance}
    extras = {} if bookmark.distance is None else {DISTANCE: bookmark.distance}
    if bookmark.orthographic:
        half_height = distance * math.tan(bookmark.fov_y_rad / 2.0)
        lens = {"xmag": half_height, "ymag": half_height, **depths}
        extras[FOV_Y] = bookmark.fov_y_rad
        return {"name": name, "type": "orthographic", "orthographic": lens, "extras": extras}
    lens = {"yfov": bookmark.fov_y_rad, **depths}
    camera: dict[str, object] = {"name": name, "type": "perspective", "perspective": lens}
    if extras:
        camera["extras"] = extras
    return camera


def _camera_node(name: str, bookmark: Bookmark, number: int) -> dict[str, object]:
    rotation = unit_rotations(bookmark.rotation).tolist()
    return {"name": name, "translation": list(bookmark.position), "rotation": rotation, "camera": number}
