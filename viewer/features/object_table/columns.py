"""Columns: what the table says of objects, each as an array for (k,) ids, no value being kept."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from octoscope.scene import Scene
from octoscope.scene.editing.material_use import NO_MATERIAL, SEVERAL, MaterialUse
from octoscope.scene.measuring import Lengths
from octoscope.scene.nodes.name_search import casefolded, fits_name
from octoscope.scene.system.memory import readable_bytes
from octoscope.scene.system.natural_order import natural_key
from octoscope.scene.system.text_file import printable
from octoscope.viewer.editing.memo import Memo

_SEVERAL_TEXT = "several"


class Column(NamedTuple):
    """A column of the table."""

    title: str
    hint: str
    of: Callable[[np.ndarray], np.ndarray]  # returns the numbers or texts of ids (k,): (k,)
    shown: Callable[[np.ndarray], Sequence[str]]  # returns what the table says of such values
    is_number: bool = True


class Columns:
    """The columns of a scene's objects."""

    def __init__(self, scene: Scene) -> None:
        self._scene = scene
        self._use = MaterialUse(scene)
        # Of the names of all nodes, which take a while to make:
        self._lowered = Memo[np.ndarray]()
        self._name_keys = Memo[np.ndarray]()
        self.all = (
            Column("Name", "double click a name to change it", self.names, _each(printable), is_number=False),
            Column("Triangles", "of its mesh", self.triangles, _each("{:,.0f}".format)),
            Column("Size", "the longest side of its box, along its own axes", self.sizes, self._lengths),
            Column("Material", "what it shows", self.materials, _each(printable), is_number=False),
            Column("File", "the file that it came from", self.files, _each(printable), is_number=False),
            Column("Memory", "of its mesh, which others may share", self.memory, _each(readable_bytes)),
        )

    def names(self, ids: np.ndarray) -> np.ndarray:
        """Return the names of objects."""
        return self._scene.names[ids]

    def triangles(self, ids: np.ndarray) -> np.ndarray:
        """Count triangles."""
        return self._scene.meshes.rows["triangle_count"][self._scene.mesh_ids[ids]]

    def sizes(self, ids: np.ndarray) -> np.ndarray:
        """Return the longest side of each object's box along its own axes, world units."""
        scene = self._scene
        rows, mesh_ids = scene.meshes.rows, scene.mesh_ids[ids]
        scales = np.linalg.norm(scene.world_from_local[ids, :3, :3], axis=1)
        return ((rows["upper"][mesh_ids] - rows["lower"][mesh_ids]) * scales).max(axis=1, initial=0.0)

    def materials(self, ids: np.ndarray) -> np.ndarray:
        """Return the names of the materials that objects show all over."""
        shown = self._use.shown(ids)
        used, places = np.unique(shown, return_inverse=True)
        materials, special = self._scene.materials, {NO_MATERIAL: "", SEVERAL: _SEVERAL_TEXT}
        names = [special[each] if each in special else materials[each].name for each in used.tolist()]
        return np.array(names, dtype=np.dtypes.StringDType())[places]

    def files(self, ids: np.ndarray) -> np.ndarray:
        """Return the names of the files that objects came from, or ""."""
        sources = self._scene.meshes.rows["source"][self._scene.mesh_ids[ids]]
        names = [source.name for source in self._scene.sources]
        return np.array([*names, ""], dtype=np.dtypes.StringDType())[sources]  # -1, of none, is the last

    def memory(self, ids: np.ndarray) -> np.ndarray:
        """Return the bytes of objects' meshes."""
        return self._scene.meshes.nbytes_each(self._scene.mesh_ids[ids])

    def fitting(self, ids: np.ndarray, query: str) -> np.ndarray:
        """Return (k,) bool: whose name, material or file contains a text, in any case, or fits it as a pattern."""
        fits = fits_name(self._of_names(self._lowered, casefolded)[ids], query)
        for column in (self.materials, self.files):
            texts, places = np.unique(column(ids), return_inverse=True)
            fits |= fits_name(casefolded(texts), query)[places]
        return fits

    def sort_keys(self, column: Column, ids: np.ndarray) -> np.ndarray:
        """Return (k,) values in whose order objects are sorted by a column."""
        if column.of == self.names:
            return self._of_names(self._name_keys, _natural_keys)[ids]
        values = column.of(ids)
        if column.is_number:
            return values
        texts, places = np.unique(values, return_inverse=True)
        return _natural_keys(texts)[places]

    def _of_names(self, memo: Memo[np.ndarray], make: Callable[[np.ndarray], np.ndarray]) -> np.ndarray:
        names = self._scene.names
        return memo.get(names, (self._scene.names_revision,), lambda: make(names))

    def _lengths(self, values: np.ndarray) -> list[str]:
        return list(map(Lengths.of(self._scene).text, values.tolist()))


def _natural_keys(texts: np.ndarray) -> np.ndarray:
    return np.array(list(map(natural_key, texts.tolist())), dtype=np.dtypes.StringDType())


def _each(text: Callable[..., str]) -> Callable[[np.ndarray], list[str]]:
    return lambda values: list(map(text, values.tolist()))
