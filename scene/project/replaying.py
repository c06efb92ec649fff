"""Replay the steps of a journal that are not in the project file."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np

from octoscope.scene.editing.edits import COLUMNS, Change, Edit, apply, change_nodes, change_scene, inverse
from octoscope.scene.file_state import UNSAVED_CHANGES, JournalMark
from octoscope.scene.mesh.color_scale import ColorScale
from octoscope.scene.mesh.data import MeshBatch
from octoscope.scene.mesh.material import Material
from octoscope.scene.project.journal import EDIT, REDO, UNDO, JournalContent, journal_path, read_journal
from octoscope.scene.project.materials import UNREAD_TEXTURE, material_from_json
from octoscope.scene.project.meshes import meshes_from_json
from octoscope.scene.project.packing import unpack
from octoscope.scene.project.paths import path_from_json
from octoscope.scene.project.records import COLOR_SCALE
from octoscope.scene.project.scene_values import JSON_VALUES, color_scale_from_json
from octoscope.scene.project.sources import Reader, find_meshes
from octoscope.scene.scene import Scene
from octoscope.scene.system.file_lock import is_locked
from octoscope.scene.system.json_fields import MalformedError, object_in, objects_in, replace_lone_surrogates, texts_in
from octoscope.scene.system.report import Problems
from octoscope.scene.system.text_file import ReadError, printable


def replay(scene: Scene, read: Reader, problems: Problems) -> None:
    """Replay the journal of a scene's project; what cannot be replayed is reported.

    If another program is writing the journal, its steps so far are replayed; they are not called lost.
    """
    project, mark = scene.project.saved_file()
    path = journal_path(project)
    try:
        content = read_journal(path, mark.digest)
    except ReadError as error:
        problems.report("journal", error.beside(path), "not replayed", file=path)
        return
    if content is None:
        return
    is_held = _is_being_written(path)
    replayer, sound_bytes = _replayed(scene, content, read, problems)
    unsaved, edits = replayer.position, tuple(replayer.edits)
    if unsaved:
        what, done = "changes were not saved last time", "they are in the scene again; save the project to keep them"
        if is_held:
            what, done = "changes in another Octoscope that has the project open", "shown, and not saved there yet"
        problems.report(UNSAVED_CHANGES, what, done, count=unsaved, file=path)
    if content.is_torn and not is_held and content.sound_bytes:
        problems.report("journal", "the last change was cut off when it was written", "left out", file=path)
    if content.fault:
        problems.report(
            "journal",
            content.fault,
            "not replayed from there on; kept beside the project",
            line=content.fault_line,
            file=path,
        )
    scene.project.found_journal = JournalMark(content.digest, sound_bytes, bool(content.fault), unsaved, edits)


def _is_being_written(path: Path) -> bool:
    with suppress(OSError):
        return is_locked(path)
    return False


def _replayed(scene: Scene, content: JournalContent, read: Reader, problems: Problems) -> tuple[_Replayer, int]:
    """Replay the steps; return who did, and how many bytes of the journal were used."""
    replayer = _Replayer(scene, read, problems)
    for step in content.steps:
        try:
            replayer.go(step.record)
        except (ValueError, IndexError) as error:
            content.fault, content.fault_line = f"it cannot be done again ({printable(error)})", step.line
            return replayer, step.begin
    return replayer, content.sound_bytes


_Unresolved = dict[str, np.ndarray]  # references whose mesh is not there: columns of ProjectState.unresolved_meshes


class _Replayer:
    """Replays records. File ids of nodes equal their node ids here."""

    def __init__(self, scene: Scene, read: Reader, problems: Problems) -> None:
        self._scene = scene
        self.position = 0  # the number of edits that are done; later ones were undone
        self.edits: list[Edit] = []
        self._folder = scene.project.saved_file()[0].parent
        self._read = read
        self._problems = problems
        self._material_ids = {
            (material, scene.color_scales.get(number)): number
            for number, material in reversed(list(enumerate(scene.materials)))
        }

    def go(self, record: dict[str, Any]) -> None:
        """Replay one step; all before it were replayed."""
        kind = record.get("kind")
        if kind == EDIT:
            edit = self._do(record)
            self.edits[self.position :] = [edit]
            self.position += 1
            return
        if kind not in (UNDO, REDO):
            raise MalformedError("a kind of change that this release does not know")
        number = self.position - (kind == UNDO)
        if not 0 <= number < len(self.edits):
            raise MalformedError("a change that is not there")
        if "changes" in record:
            self._do(record)
        else:
            edit = self.edits[number]
            apply(self._scene, inverse(edit) if kind == UNDO else edit)
        self.position = number + (kind == REDO)

    def _do(self, record: dict[str, Any]) -> Edit:
        scene, file_ids = self._scene, self._scene.project.file_ids
        changes = record.get("changes")
        if not isinstance(changes, list):
            raise MalformedError("changes that are none")
        source_count, row_count = len(scene.sources), scene.row_count
        done: list[Change] = []
        missing: list[_Unresolved] = []
        try:
            meshes = self._add_files_and_meshes(record)
            embedded = np.concatenate([file_ids.mesh_ids(), meshes])
            self._add_nodes(record.get("nodes", {"name": []}), embedded, missing)
            for change in changes:  # in order: several may change the same values
                edit = self._edit(change, embedded, missing)
                apply(scene, edit)
                done += edit.changes
        except (ValueError, IndexError):
            apply(scene, inverse(Edit("", tuple(done))))
            scene.sources = scene.sources[:source_count]
            raise
        file_ids.source_count = len(scene.sources)
        file_ids.add_meshes(meshes)
        file_ids.add_nodes(np.arange(row_count, scene.row_count))
        for columns in missing:
            scene.project.unresolved_meshes.append(len(columns["node"]), **columns)
        label = record.get("label")
        return Edit(label if isinstance(label, str) and label else "Recovered change", tuple(done))

    def _add_files_and_meshes(self, record: dict[str, Any]) -> np.ndarray:
        """Add the files and meshes of a record; return (m,) ids of the meshes."""
        files = objects_in(record.get("files", []), "files that are none")
        paths = texts_in([file.get("path") for file in files], "files that are none")
        self._scene.sources += tuple(path_from_json(path, self._folder) for path in paths)
        if "meshes" not in record:
            return np.empty(0, dtype=np.int64)
        written = object_in(record["meshes"], "meshes that are none")
        material_ids = self._material_list(record)
        batch: MeshBatch = meshes_from_json(written, len(material_ids))
        batch.material_ids[:] = np.array(material_ids, dtype=np.int32)[batch.material_ids]
        return np.array(self._scene.meshes.extend(batch))

    def _add_nodes(self, written: object, embedded: np.ndarray, missing: list[_Unresolved]) -> None:
        """Add the nodes of a record, as deleted ones."""
        given = object_in(written, "new nodes that are none")
        if not given.keys() <= COLUMNS.keys() - {"alive"}:
            raise MalformedError("new nodes that are none")
        names = texts_in(given.get("name"), "new nodes without names")
        ids = np.arange(self._scene.row_count, self._scene.row_count + len(names))
        columns = {
            name: self._values(name, ids, column, embedded, missing) for name, column in given.items() if name != "name"
        }
        if not len(ids):
            return
        self._scene.add_nodes([replace_lone_surrogates(name) for name in names], **columns, alive=False)

    def _edit(self, written: object, embedded: np.ndarray, missing: list[_Unresolved]) -> Edit:
        change = object_in(written, "a change to what this release does not know")
        column = change.get("column")
        if isinstance(column, str) and column in JSON_VALUES:
            problems = Problems(self._problems.file)
            value = JSON_VALUES[column].from_json(change.get("values"), self._scene.row_count, problems, self._folder)
            self._problems += (each for each in problems if each.kind == UNREAD_TEXTURE)
            if any(each.kind != UNREAD_TEXTURE for each in problems):
                raise MalformedError(f"{column} that cannot be such")
            return change_scene(self._scene, **{column: value})
        if not isinstance(column, str) or column not in COLUMNS:
            raise MalformedError("a change to what this release does not know")
        ids = unpack(change.get("ids"), np.int32, ())
        values = self._values(column, ids, change, embedded, missing)
        try:
            # Else change_nodes would see to them; a record of another value says so itself.
            kept = {"file_mesh": self._scene.file_mesh_ids[ids]} if column == "mesh" else {}
            return change_nodes(self._scene, ids, label="", **kept, **{column: values})
        except IndexError:
            raise MalformedError("a node that is not there") from None

    def _values(
        self, column: str, ids: np.ndarray, written: object, embedded: np.ndarray, missing: list[_Unresolved]
    ) -> np.ndarray | list[str]:
        change = object_in(written, "values that are none")
        if column == "name":
            names = texts_in(change.get("values"), "names that are none")
            if len(names) != len(ids):
                raise MalformedError("more or fewer values than nodes")
            return [replace_lone_surrogates(name) for name in names]
        layout = COLUMNS[column]
        values = unpack(change.get("values"), layout.dtype, layout.row_shape)
        if len(values) != len(ids):
            raise MalformedError("more or fewer values than nodes")
        if layout.dtype is np.bool_:
            if values.view(np.uint8).max(initial=0) > 1:
                raise MalformedError("flags that are neither true nor false")
            return values
        if column == "material":
            material_ids = [*self._material_list(change), -1]  # the last element is for index -1
            if ((values < -1) | (values >= len(material_ids) - 1)).any():
                raise MalformedError("a material that is not there")
            return np.array(material_ids, dtype=np.int32)[values]
        if column in ("mesh", "file_mesh"):
            return self._meshes(ids, values, change.get("references"), embedded, missing, is_shown=column == "mesh")
        return values

    def _meshes(
        self,
        ids: np.ndarray,
        values: np.ndarray,
        written: object,
        embedded: np.ndarray,
        missing: list[_Unresolved],
        *,
        is_shown: bool,
    ) -> np.ndarray:
        """Return (k,) ids of the meshes that nodes get; references to missing ones are added to `missing`."""
        references = object_in(written, "references that are none")
        files = unpack(references.get("files"), np.int32, ())
        numbers = unpack(references.get("numbers"), np.int32, ())
        names = texts_in(references.get("objects"), "references that are none")
        if not len(files) == len(numbers) == len(names):
            raise MalformedError("references that are none")
        objects = np.array([replace_lone_surrogates(name) for name in names], dtype=np.dtypes.StringDType())
        limit = np.where(files < 0, len(embedded), 2**31 - 1)
        if ((files < -1) | (files >= len(self._scene.sources)) | (numbers < 0) | (numbers >= limit)).any():
            raise MalformedError("a mesh that is not there")
        if ((values < -1) | (values >= len(files))).any():
            raise MalformedError("a reference that is not there")
        meshes = np.full(len(files) + 1, -1, dtype=np.int64)  # the last element is for index -1
        own, theirs = np.flatnonzero(files < 0), np.flatnonzero(files >= 0)
        meshes[own] = embedded[numbers[own]]
        meshes[theirs] = find_meshes(
            self._scene, files[theirs], objects[theirs], numbers[theirs], self._read, self._problems, shown=is_shown
        )
        lacking = (meshes[values] < 0) & (values >= 0)
        which = values[lacking]
        columns = {"source": files[which], "name": objects[which], "occurrence": numbers[which]}
        missing.append({"node": ids[lacking], **columns})
        return meshes[values]

    def _material_list(self, holder: dict[str, Any]) -> list[int]:
        """Return the ids of materials given in JSON; those that the scene lacks are added."""
        materials = objects_in(holder.get("materials"), "materials that are none")
        new: list[Material] = []
        scales: dict[int, ColorScale] = {}
        ids = [self._material_id(material, new, scales) for material in materials]
        self._scene.add_materials(new)
        if scales:
            self._scene.color_scales = {**self._scene.color_scales, **scales}
        return ids

    def _material_id(self, written: dict[str, object], new: list[Material], scales: dict[int, ColorScale]) -> int:
        """Return the id that a material has or gets; one that the scene lacks is put into `new` with its scale."""
        scene, scale = self._scene, None
        if COLOR_SCALE in written:
            try:
                scale = color_scale_from_json(written[COLOR_SCALE])
            except ValueError:
                self._problems.report("color-scale", "colour scales that are none", "left out")
            written = {name: value for name, value in written.items() if name != COLOR_SCALE}
        material = material_from_json(written, self._folder, self._problems)
        number = self._material_ids.get((material, scale))
        if number is None:
            number = len(scene.materials) + len(new)
            new.append(material)
            if scale is not None:
                scales[number] = scale
            self._material_ids[material, scale] = number
        return number
