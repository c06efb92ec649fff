"""Replaying: doing again what stands in a journal and not in the project file."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import numpy as np

from scene.editing.edits import (
    BOOKMARKS,
    COLUMNS,
    MEASUREMENTS,
    Change,
    Edit,
    apply,
    change_bookmarks,
    change_measurements,
    change_nodes,
    inverse,
)
from scene.file_state import UNSAVED_CHANGES, JournalMark
from scene.mesh.data import MeshBatch
from scene.project.bookmarks import bookmarks_from
from scene.project.fields import whole_text
from scene.project.journal import JournalContent, journal_path, read_journal
from scene.project.materials import material_from
from scene.project.measurements import measurements_from
from scene.project.meshes import meshes_from
from scene.project.packing import unpack
from scene.project.paths import path_from
from scene.project.records import ADD, REDO, SET, UNDO
from scene.project.sources import Reader, find_meshes
from scene.scene import Scene
from scene.system.file_lock import is_locked
from scene.system.report import Problems
from scene.system.text_file import ReadError, printable


def replay(scene: Scene, read: Reader, problems: Problems) -> None:
    """Do again what the journal beside a scene's project holds; what cannot be done is said.

    Of one that another program is writing, what it holds so far is done again, and nothing of that was lost.

    Args:
        read: reads the files that gestures added.
    """
    state = scene.project
    path = journal_path(state.path)
    try:
        content = read_journal(path, state.content.digest)
    except ReadError as error:
        problems.report("journal", str(error).removeprefix(f"{printable(path)}: "), "not replayed", file=path)
        return
    if content is None:
        return
    is_held = _is_being_written(path)
    done, sound_bytes = _done(scene, content, read, problems)
    unsaved = content.unsaved(done)
    if is_held and unsaved:
        what = "changes in another Octoscope that has the project open"
        problems.report("journal", what, "shown, and not saved there yet", count=unsaved, file=path)
    elif unsaved:
        problems.report("journal", *UNSAVED_CHANGES, count=unsaved, file=path)
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
    state.found_journal = JournalMark(content.digest, sound_bytes, bool(content.fault), unsaved)


def _is_being_written(path: Path) -> bool:
    with suppress(OSError):
        return is_locked(path)
    return False


def _done(scene: Scene, content: JournalContent, read: Reader, problems: Problems) -> tuple[int, int]:
    """Replay gestures; how many were, and up to which byte the journal is in the scene."""
    replayer = _Replayer(scene, read, problems, [gesture.record for gesture in content.gestures])
    for number, gesture in enumerate(content.gestures):
        try:
            replayer.do(number)
        except (ValueError, IndexError) as error:
            content.fault, content.fault_line = f"it cannot be done again ({printable(error)})", gesture.line
            return number, gesture.begin
    return len(content.gestures), content.sound_bytes


class _Replayer:
    """Does the edits that records describe. Places of nodes are ids, as long as all records before were done.

    Of what was done only that is kept which a later record takes back or does again, and until the last that does.
    """

    def __init__(self, scene: Scene, read: Reader, problems: Problems, records: Sequence[dict[str, object]]) -> None:
        self._scene = scene
        self._records = records
        self._last_use = {_meant(record, number): number for number, record in enumerate(records)}
        self._kept: dict[int, Edit] = {}
        self._folder = scene.project.path.parent
        self._read = read
        self._problems = problems
        self._material_ids = {material: number for number, material in reversed(list(enumerate(scene.materials)))}

    def do(self, number: int) -> None:
        """Do what a record says; all before it were done.

        Raises:
            ValueError: it says nothing that this release knows, or that can be done; no node is any different.
        """
        record = self._records[number]
        if record.get("kind") in (UNDO, REDO):
            self._step(number)
            return
        edit = self._do(record)
        if number in self._last_use:
            self._kept[number] = edit

    def _step(self, number: int) -> None:
        record = self._records[number]
        meant = _meant(record, number)
        if meant not in self._kept:
            raise ValueError("a change that is not there")
        edit = self._kept[meant]
        apply(self._scene, inverse(edit) if record["kind"] == UNDO else edit)
        if self._last_use[meant] == number:
            del self._kept[meant]

    def _do(self, record: dict[str, object]) -> Edit:
        """Do what a record says that brings values; returns what takes it back, and does it again after that."""
        scene, places = self._scene, self._scene.project.places
        changes = record.get("changes")
        if record.get("kind") not in (SET, ADD) or not isinstance(changes, list):
            raise ValueError("a kind of change that this release does not know")
        sources, rows = len(scene.sources), range(scene.row_count, scene.row_count)
        meshes = np.empty(0, dtype=np.int64)
        done: list[Change] = []
        try:
            if record["kind"] == ADD:
                meshes = self._add_files_and_meshes(record)
                rows = self._add_rows(record.get("nodes"))
            missing: list[tuple] = []
            embedded = np.concatenate([places.mesh_ids(), meshes])
            for change in changes:  # one after the other: several may be of the same values
                edit = self._edit(change, embedded, missing)
                apply(scene, edit)
                done += edit.changes
        except (ValueError, IndexError):
            apply(scene, inverse(Edit("", tuple(done))))
            scene.sources = scene.sources[:sources]
            raise
        places.source_count = len(scene.sources)
        places.add_meshes(meshes)
        places.add_nodes(np.array(rows, dtype=np.int64))
        for nodes, files, names, numbers in missing:
            scene.project.missing_meshes.append(len(nodes), node=nodes, source=files, name=names, occurrence=numbers)
        # What new nodes have they have had ever since: taken back, they are gone, and come back with it.
        return Edit("", tuple(change for change in done if change.column == "alive" or not _is_of(change, rows)))

    def _add_files_and_meshes(self, record: dict[str, object]) -> np.ndarray:
        """(m,) ids of the meshes that a record brings."""
        files = record.get("files", [])
        if not isinstance(files, list) or not all(
            isinstance(file, dict) and isinstance(file.get("path"), str) for file in files
        ):
            raise ValueError("files that are none")
        self._scene.sources += tuple(path_from(file["path"], self._folder) for file in files)
        if "meshes" not in record:
            return np.empty(0, dtype=np.int64)
        written = record["meshes"]
        if not isinstance(written, dict):
            raise ValueError("meshes that are none")
        material_ids = self._material_list(record)
        batch: MeshBatch = meshes_from(written, len(material_ids))
        batch.material_ids[:] = np.array(material_ids, dtype=np.int32)[batch.material_ids]
        return np.array(self._scene.meshes.extend(batch))

    def _add_rows(self, names: object) -> range:
        if not _are_texts(names):
            raise ValueError("new nodes without names")
        return self._scene.add_nodes([whole_text(name) for name in names], alive=False)

    def _edit(self, change: object, embedded: np.ndarray, missing: list[tuple]) -> Edit:
        column = change.get("column") if isinstance(change, dict) else None
        if column == MEASUREMENTS:
            written = change.get("values")
            measurements = measurements_from(written, self._scene.row_count, self._problems)
            if not isinstance(written, list) or len(measurements) != len(written):
                raise ValueError("measurements that are none")
            return change_measurements(self._scene, measurements)
        if column == BOOKMARKS:
            if not isinstance(change.get("values"), list):
                raise ValueError("bookmarks that are none")
            return change_bookmarks(self._scene, bookmarks_from(change["values"], self._problems))
        if not isinstance(column, str) or column not in COLUMNS:
            raise ValueError("a change to what this release does not know")
        ids = unpack(change.get("ids"), np.int32, ())
        values = self._values(column, ids, change, embedded, missing)
        try:
            return change_nodes(self._scene, ids, **{column: values})
        except IndexError:
            raise ValueError("a node that is not there") from None

    def _values(
        self, column: str, ids: np.ndarray, change: dict[str, object], embedded: np.ndarray, missing: list[tuple]
    ) -> np.ndarray | list[str]:
        if column == "name":
            names = change.get("values")
            if not _are_texts(names) or len(names) != len(ids):
                raise ValueError("names that are none")
            return [whole_text(name) for name in names]
        layout = COLUMNS[column]
        values = unpack(change.get("values"), layout.dtype, layout.row_shape)
        if len(values) != len(ids):
            raise ValueError("more or fewer values than nodes")
        if layout.dtype is np.bool_:
            if values.view(np.uint8).max(initial=0) > 1:
                raise ValueError("flags that are neither true nor false")
            return values
        if column == "material":
            material_ids = [*self._material_list(change), -1]  # the last, for -1
            if ((values < -1) | (values >= len(material_ids) - 1)).any():
                raise ValueError("a material that is not there")
            return np.array(material_ids, dtype=np.int32)[values]
        if column == "mesh":
            return self._meshes(ids, values, change.get("references"), embedded, missing)
        return values

    def _meshes(
        self, ids: np.ndarray, values: np.ndarray, references: object, embedded: np.ndarray, missing: list[tuple]
    ) -> np.ndarray:
        """(k,) the meshes that nodes get; those that are in no file any more are noted in `missing`."""
        if not isinstance(references, dict):
            raise ValueError("references that are none")
        files = unpack(references.get("files"), np.int32, ())
        numbers = unpack(references.get("numbers"), np.int32, ())
        objects = references.get("objects")
        if not _are_texts(objects) or not len(files) == len(numbers) == len(objects):
            raise ValueError("references that are none")
        objects = np.array([whole_text(name) for name in objects], dtype=np.dtypes.StringDType())
        limit = np.where(files < 0, len(embedded), 2**31 - 1)
        if ((files < -1) | (files >= len(self._scene.sources)) | (numbers < 0) | (numbers >= limit)).any():
            raise ValueError("a mesh that is not there")
        if ((values < -1) | (values >= len(files))).any():
            raise ValueError("a reference that is not there")
        meshes = np.full(len(files) + 1, -1, dtype=np.int64)  # the last, for -1
        own, theirs = np.flatnonzero(files < 0), np.flatnonzero(files >= 0)
        meshes[own] = embedded[numbers[own]]
        meshes[theirs] = find_meshes(
            self._scene, files[theirs], objects[theirs], numbers[theirs], self._read, self._problems
        )
        lacking = (meshes[values] < 0) & (values >= 0)
        which = values[lacking]
        missing.append((ids[lacking], files[which], objects[which], numbers[which]))
        return meshes[values]

    def _material_list(self, holder: dict[str, object]) -> list[int]:
        """The scene's materials that are as written, added where there is none."""
        materials = holder.get("materials")
        if not isinstance(materials, list) or not set(map(type, materials)) <= {dict}:
            raise ValueError("materials that are none")
        return [self._material_id(material) for material in materials]

    def _material_id(self, written: dict[str, object]) -> int:
        material, unread = material_from(written, self._folder, self._problems)
        if unread:
            number = self._scene.add_material(material)
            self._scene.project.unread_textures[number] = unread
            return number
        if material not in self._material_ids:
            self._material_ids[material] = self._scene.add_material(material)
        return self._material_ids[material]


def _meant(record: dict[str, object], number: int) -> int | None:
    """The number of the record that an undo or redo, which has that number, means; None: it is none, or means none."""
    back = record.get("back")
    if record.get("kind") not in (UNDO, REDO) or type(back) is not int or not 0 < back <= number:
        return None
    return number - back


def _is_of(change: Change, rows: range) -> bool:
    """Whether a change is of some of the rows."""
    return len(change.ids) > 0 and int(change.ids.max()) >= rows.start


def _are_texts(names: object) -> bool:
    return isinstance(names, list) and set(map(type, names)) <= {str}
