"""Nodes as a text for the clipboard: a small project file that is in no folder; and from such a text into a scene."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from octoscope.scene.conventions.length_unit import NO_UNIT
from octoscope.scene.conventions.up_axis import up_index
from octoscope.scene.conventions.world import World
from octoscope.scene.editing.chosen import topmost
from octoscope.scene.editing.edits import Edit, EditError, apply, combined, inverse, restore
from octoscope.scene.editing.local_transforms import LocalTransforms, ignore_overflow, inverses, moved, premultiplied
from octoscope.scene.editing.transforms import reparent
from octoscope.scene.file_state import ProjectState
from octoscope.scene.formats.readers import read_file
from octoscope.scene.geometry.affine import unit_rotations
from octoscope.scene.geometry.forest import depths_of
from octoscope.scene.geometry.ranges import index_in
from octoscope.scene.nodes.bounds import world_boxes
from octoscope.scene.nodes.coloring import added_materials, found_or_added
from octoscope.scene.nodes.free_names import free_names
from octoscope.scene.nodes.hierarchy import with_all_below
from octoscope.scene.nodes.node_table import NO_PARENT
from octoscope.scene.nodes.placing import parent_worlds
from octoscope.scene.project.opening import Parts, add_embedded, parsed_project, parts_of
from octoscope.scene.project.paths import path_from_json
from octoscope.scene.project.scene_values import JSON_VALUES
from octoscope.scene.project.sources import find_meshes
from octoscope.scene.project.writer import embedded_meshes, project_text
from octoscope.scene.scene import Scene, all_or_nothing
from octoscope.scene.system.json_fields import MalformedError
from octoscope.scene.system.memory import readable_bytes
from octoscope.scene.system.paths import abspath
from octoscope.scene.system.report import Problems

LARGEST_BYTES = 12 * 2**20  # of a text: X servers take 16 MiB
_PACKED = 4  # geometry is packed to a quarter at best
_NO_FOLDER = Path()


def text_of(scene: Scene, ids: np.ndarray) -> str:
    """Return nodes, with everything below them, as a text; the topmost have their places in the world.

    Meshes that come from files are references to these, others stand in the text.

    Raises:
        EditError: the text would be too large.
    """
    ids = topmost(scene, ids)
    copy = scene.copy(ids)
    apply(copy, reparent(copy, ids, NO_PARENT))
    copy.set_alive(np.setdiff1d(copy.ids, with_all_below(copy, ids)), False)
    copy.bookmarks, copy.measurements, copy.labels, copy.cursor = {}, (), (), None
    copy.project = ProjectState(unresolved_meshes=copy.project.unresolved_meshes)
    pieces, size = [], copy.meshes.nbytes_of(embedded_meshes(copy)) // _PACKED
    if size <= LARGEST_BYTES:
        pieces = list(project_text(copy, None, []))
        size = sum(map(len, pieces))
    if size > LARGEST_BYTES:
        limit, taken = readable_bytes(LARGEST_BYTES), readable_bytes(size)
        raise EditError(f"they take {taken} as text, and a clipboard holds {limit}; save them, and import the file")
    return b"".join(pieces).decode()


def is_text_of_nodes(text: str) -> bool:
    """Tell whether a text is one of nodes, or begins like one."""
    return text.lstrip().startswith("{") and '"octoscope"' in text


@all_or_nothing
@ignore_overflow
def paste(scene: Scene, text: str, parent: int = NO_PARENT, *, at: np.ndarray | None = None) -> Edit:
    """Make the edit that adds the nodes of a text below a parent, in their places in the world, and selects them.

    Files and materials that the scene has are used; a name that it has gets a number. Where both have a unit of length
    they are as large as they were.

    Args:
        at: (3,) world point that all of them together are to stand on; None: they stay where they are.

    Raises:
        EditError: the text is damaged, or nothing can be placed below the parent.
    """
    problems = Problems("clipboard")
    try:
        document = parsed_project(text.encode("utf-8", "replace"), problems)
        parts = parts_of(document, _NO_FOLDER, problems)
        material_ids = _add_materials(scene, parts)
        meshes = _add_meshes(scene, parts, material_ids, problems)
    except MalformedError as error:
        what, _, _ = str(error).partition(";")  # behind it stands what can be done about a file
        raise EditError(f"the text on the clipboard is damaged, or not Octoscope's: {what}; copy again") from None
    up_axis = JSON_VALUES["up_axis"].from_json(document.get("up_axis", "y"), 0, problems, _NO_FOLDER)
    nodes, count = parts.nodes, len(parts.nodes.names)
    order = np.argsort(depths_of(nodes.parents), kind="stable")  # parents before their children
    place, first = index_in(order, count), scene.row_count
    tops = np.flatnonzero(nodes.parents < 0)
    values = {"translation": nodes.translations, "rotation": unit_rotations(nodes.rotations), "scale": nodes.scales}
    unit = JSON_VALUES["length_unit"].from_json(document.get("length_unit", NO_UNIT), 0, problems, _NO_FOLDER)
    turn = np.eye(4)
    turn[:3, :3] = World(up_axis, unit).linear_to(World(scene.up_axis, scene.length_unit))
    matrix = inverses(parent_worlds(scene, np.array([parent]))) @ turn
    at_top = premultiplied(LocalTransforms(tops, *(column[tops] for column in values.values())), matrix, 0 * tops)
    for change in at_top.changes:
        values[change.column][change.ids] = change.after
    rows = scene.add_nodes(
        free_names(scene, nodes.names[order]),
        parent=np.append(first + place, parent)[nodes.parents[order]],
        mesh=meshes[0, order],
        file_mesh=meshes[1, order],
        material=material_ids[nodes.materials[order]],
        hidden=nodes.hidden[order],
        unselectable=nodes.unselectable[order],
        order=nodes.orders[order],
        instance=nodes.instances[order],
        file_root=nodes.file_root[order],
        alive=False,
        **{name: column[order] for name, column in values.items()},
    )
    references = nodes.references
    gone = references.shown & (meshes[0, references.nodes] < 0)
    scene.project.unresolved_meshes.append(
        int(gone.sum()),
        node=first + place[references.nodes[gone]],
        source=references.files[gone],
        name=references.names[gone],
        occurrence=references.occurrences[gone],
    )
    name = str(nodes.names[tops[0]]) if len(tops) == 1 else f"{len(tops):,} objects"
    notes = (*at_top.notes, *map(str, problems))
    edit = combined(scene, f"Paste {name}", restore(scene, rows), selects=first + place[tops], notes=notes)
    return edit if at is None else _standing(scene, edit, at)


def _standing(scene: Scene, edit: Edit, point: np.ndarray) -> Edit:
    """Add to an edit that what it adds and selects is moved, so that it stands on a point."""
    assert edit.selects is not None
    apply(scene, edit)
    boxes = world_boxes(scene, edit.selects)
    lower, upper = boxes[:, 0].min(axis=0), boxes[:, 1].max(axis=0)
    below = (lower + upper) / 2.0
    below[up_index(scene.up_axis)] = lower[up_index(scene.up_axis)]
    move = moved(scene, edit.selects, point - below)
    apply(scene, inverse(edit))
    return combined(scene, edit.label, edit, move, selects=edit.selects)


def _add_materials(scene: Scene, parts: Parts) -> np.ndarray:
    """Add the materials that a scene lacks; return the id of each, and -1 behind them."""
    own = sorted(parts.color_scales)
    shared = np.setdiff1d(np.arange(len(parts.materials)), own).tolist()
    ids = np.full(len(parts.materials) + 1, -1)
    ids[shared] = found_or_added(scene, [parts.materials[place] for place in shared])
    ids[own] = added_materials(scene, [parts.materials[place] for place in own], ids[shared].tolist())
    scales = {int(ids[place]): scale for place, scale in parts.color_scales.items()}
    scene.color_scales = {**scene.color_scales, **scales}
    return ids


def _add_meshes(scene: Scene, parts: Parts, material_ids: np.ndarray, problems: Problems) -> np.ndarray:
    """Add the files and meshes that a scene lacks; return (2, n) those that nodes show and are said of, or -1."""
    numbers = {abspath(path): number for number, path in reversed(list(enumerate(scene.sources)))}
    paths = [path_from_json(path, _NO_FOLDER) for path in parts.paths]
    sources = [numbers.get(abspath(path), -1) for path in paths]
    sources = [scene.add_source(path) if number < 0 else number for path, number in zip(paths, sources, strict=True)]
    references = parts.nodes.references
    references.files = np.array(sources, dtype=np.int64)[references.files]
    meshes = np.full((2, len(parts.nodes.names)), -1)
    if parts.meshes is not None:
        parts.meshes.material_ids[:] = material_ids[parts.meshes.material_ids]
        meshes[0, references.embedded_nodes] = np.array(add_embedded(scene, parts.meshes))[references.embedded]
    wanted = references.files, references.names, references.occurrences
    meshes[np.where(references.shown, 0, 1), references.nodes] = find_meshes(
        scene, *wanted, read_file, problems, shown=references.shown
    )
    return meshes
