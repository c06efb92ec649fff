"""LoadedSource: what a scene keeps of a file that its meshes came from, to take in what changes of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from scene.content import FileContent, MaterialContent
from scene.mesh.material import Material

MaterialKey = tuple[str, int]  # name, and number among those of that name


@dataclass(frozen=True)
class LoadedSource:
    """One file as it was read last.

    Attributes:
        dependencies, read_materials: as in FileContent.
        material_ids: which of the scene's materials are the file's; those that are no longer in it, too.
        added_ids: nodes that reloading has made, for objects that were not in the file before.
        withdrawn_ids: those of them that reloading has deleted again, since nobody had touched them.
    """

    dependencies: frozenset[Path] = frozenset()
    read_materials: Callable[[], MaterialContent] | None = None
    material_ids: dict[MaterialKey, int] = field(default_factory=dict)
    added_ids: frozenset[int] = frozenset()
    withdrawn_ids: frozenset[int] = frozenset()

    @classmethod
    def of(cls, content: FileContent, material_ids: Iterable[int]) -> LoadedSource:
        """A file that was read for the first time; `material_ids`: what its materials are in the scene."""
        ids = dict(zip(material_keys(content.materials), material_ids, strict=True))
        return cls(content.dependencies, content.read_materials, ids)


def material_keys(materials: Sequence[Material]) -> list[MaterialKey]:
    """What the materials of a file are known again by."""
    counts: dict[str, int] = {}
    keys = []
    for material in materials:
        number = counts.get(material.name, 0)
        counts[material.name] = number + 1
        keys.append((material.name, number))
    return keys
