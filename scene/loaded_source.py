"""LoadedSource: data about a file that a scene keeps so that the file can be read again."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from octoscope.scene.content import FileContent, MaterialContent
from octoscope.scene.mesh.material import Material

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

    @classmethod
    def of(cls, content: FileContent, material_ids: Iterable[int]) -> LoadedSource:
        """Return the data of a file that was read for the first time; `material_ids` are those of its materials."""
        ids = dict(zip(material_keys(content.materials), material_ids, strict=True))
        return cls(content.dependencies, content.read_materials, ids)


def material_keys(materials: Sequence[Material]) -> list[MaterialKey]:
    """Return keys by which the materials of a file are recognised when it is read again."""
    counts: dict[str, int] = {}
    keys = []
    for material in materials:
        number = counts.get(material.name, 0)
        counts[material.name] = number + 1
        keys.append((material.name, number))
    return keys
