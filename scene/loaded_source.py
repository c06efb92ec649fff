"""LoadedSource: data about a file that a scene keeps so that the file can be read again."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from octoscope.scene.content import FileContent, FreeForm, MaterialContent, Properties
from octoscope.scene.mesh.material import Material
from octoscope.scene.mesh.pool import Meshes
from octoscope.scene.system.paths import StrPath, abspath

MaterialKey = tuple[str, int]  # name, and number among those of that name


@dataclass(frozen=True)
class LoadedSource:
    """A file as it was read last."""

    dependencies: frozenset[Path] = frozenset()  # as in FileContent
    read_materials: Callable[[], MaterialContent] | None = None  # as in FileContent
    # the scene's materials that came from the file, also those that are no longer in it
    material_ids: dict[MaterialKey, int] = field(default_factory=dict)
    added_ids: frozenset[int] = frozenset()  # nodes that were added when the file was read again, for new objects
    # those of them that were deleted again because the objects are gone and nobody had edited them
    withdrawn_ids: frozenset[int] = frozenset()
    free_form: Mapping[tuple[str, int], FreeForm | None] = field(default_factory=dict)  # as in FileContent
    properties: Properties | None = None  # as in FileContent

    @classmethod
    def of(cls, content: FileContent, material_ids: Iterable[int]) -> LoadedSource:
        """Return the data of a file that was read for the first time; `material_ids` are those of its materials."""
        ids = dict(zip(material_keys(content.materials), material_ids, strict=True))
        return cls(
            content.dependencies,
            content.read_materials,
            ids,
            free_form=content.free_form,
            properties=content.properties,
        )


def free_form_of(
    meshes: Meshes, loaded: Mapping[int, LoadedSource], ids: np.ndarray
) -> dict[int, tuple[int, FreeForm | None]]:
    """Return the curves and surfaces of meshes with their source, by place in (k,) ids; None: as in FileContent."""
    found, rows = {}, meshes.rows
    sources = [source for source, each in loaded.items() if each.free_form]
    for place in np.flatnonzero(np.isin(rows["source"][ids], sources) & (ids >= 0)).tolist():
        source, name, occurrence = (rows[column][ids[place]] for column in ("source", "name", "occurrence"))
        forms = loaded[int(source)].free_form
        if (str(name), int(occurrence)) in forms:
            found[place] = int(source), forms[str(name), int(occurrence)]
    return found


def material_keys(materials: Sequence[Material]) -> list[MaterialKey]:
    """Return keys by which the materials of a file are recognised when it is read again."""
    counts: dict[str, int] = {}
    keys = []
    for material in materials:
        number = counts.get(material.name, 0)
        counts[material.name] = number + 1
        keys.append((material.name, number))
    return keys


def read_before(
    content: FileContent, path: StrPath, sources: Sequence[Path], loaded: Mapping[int, LoadedSource], meshes: Meshes
) -> tuple[np.ndarray, np.ndarray] | None:
    """Look for what a scene has of a file that is added once more: nodes can share it as long as the file is the same.

    Args:
        sources, loaded, meshes: of the scene, with `loaded` by index in `sources`.

    Returns:
        the (m,) ids of the file's meshes and (n,) of its materials; None where the scene lacks some, or has others.
    """
    wanted, keys = abspath(path), material_keys(content.materials)
    for source in (place for place, each in enumerate(sources) if abspath(each) == wanted and place in loaded):
        known = loaded[source].material_ids
        ids = np.flatnonzero(meshes.rows["source"] == source)
        material_ids = np.array([known.get(key, -1) for key in keys], dtype=np.int64)
        if (material_ids >= 0).all() and meshes.hold(ids, content.meshes, material_ids):
            return ids, material_ids
    return None
