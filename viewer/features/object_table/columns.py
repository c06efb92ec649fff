"""Columns: what the table says of objects, each as an array for (k,) ids, no value being kept."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from octoscope.scene import Scene
from octoscope.scene.material_use import NO_MATERIAL, SEVERAL, MaterialUse
from octoscope.scene.measuring import Lengths
from octoscope.scene.nodes.name_search import casefolded, fits_name
from octoscope.scene.system.memory import readable_bytes
from octoscope.scene.system.natural_order import natural_key
from octoscope.scene.system.text_file import printable

_SEVERAL_TEXT = "several"


Coded = tuple[np.ndarray, np.ndarray]  # (u,) texts, and (k,) the place among them of what each object has


class Column(NamedTuple):
    """A column of the table."""

    title: str
    hint: str
    of: Callable[[np.ndarray], np.ndarray]  # returns the numbers or texts of ids (k,): (k,)
    shown: Callable[[np.ndarray], Sequence[str]]  # returns what the table says of such values
    is_number: bool = True
    coded: Callable[[np.ndarray], Coded] | None = None  # for texts that many objects have in common


class Columns:
    """The columns of a scene's objects."""

    def __init__(self, scene: Scene) -> None:
        self._scene = scene
        self._use = MaterialUse(scene)
        self._names = _Names(scene)
        self.all = (
            Column("Name", "double click a name to change it", self.names, _each(printable), is_number=False),
            Column("Triangles", "of its mesh", self.triangles, _each("{:,.0f}".format)),
            Column("Size", "the longest side of its box, along its own axes", self.sizes, self._lengths),
            _coded_column("Material", "what it shows", self._materials),
            _coded_column("File", "the file that it came from", self._files),
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
        axes = scene.world_from_local[ids, :3, :3]
        scales = np.sqrt(np.einsum("kij,kij->kj", axes, axes))  # faster than numpy's norm
        return ((rows["upper"][mesh_ids] - rows["lower"][mesh_ids]) * scales).max(axis=1, initial=0.0)

    def _materials(self, ids: np.ndarray) -> Coded:
        """Return the names of the materials that objects show all over."""
        shown = self._use.shown(ids)
        used, places = np.unique(shown, return_inverse=True)
        materials, special = self._scene.materials, {NO_MATERIAL: "", SEVERAL: _SEVERAL_TEXT}
        names = [special[each] if each in special else materials[each].name for each in used.tolist()]
        return np.array(names, dtype=np.dtypes.StringDType()), places

    def _files(self, ids: np.ndarray) -> Coded:
        """Return the names of the files that objects came from, or ""."""
        sources = self._scene.meshes.rows["source"][self._scene.mesh_ids[ids]]
        names = [source.name for source in self._scene.sources]
        return np.array([*names, ""], dtype=np.dtypes.StringDType()), sources  # -1, of none, is the last

    def memory(self, ids: np.ndarray) -> np.ndarray:
        """Return the bytes of objects' meshes."""
        return self._scene.meshes.nbytes_each(self._scene.mesh_ids[ids])

    def fitting(self, ids: np.ndarray, query: str) -> np.ndarray:
        """Return (k,) bool: whose name, material or file contains a text, in any case, or fits it as a pattern."""
        fits = fits_name(self._names.lowered(), query)[ids]
        for coded in (self._materials, self._files):
            texts, places = coded(ids)
            fits |= fits_name(casefolded(texts), query)[places]
        return fits

    def sort_keys(self, column: Column, ids: np.ndarray) -> np.ndarray:
        """Return (k,) values in whose order objects are sorted by a column."""
        if column.coded is not None:
            texts, places = column.coded(ids)
            return _ranks(_natural_keys(texts))[places]
        return column.of(ids) if column.is_number else self._names.ranks()[ids]

    def _lengths(self, values: np.ndarray) -> list[str]:
        return list(map(Lengths.of(self._scene).text, values.tolist()))


class _Names:
    """Values that are derived from the names of all nodes, computed again for changed names alone."""

    def __init__(self, scene: Scene) -> None:
        self._scene = scene
        self._revision: int | None = None
        none: np.ndarray = np.empty(0, dtype=np.dtypes.StringDType())
        self._known = self._lowered = self._keys = none
        self._ranks: np.ndarray | None = None

    def lowered(self) -> np.ndarray:
        """Return (n,) names as `fits_name` takes them."""
        self._update()
        return self._lowered

    def ranks(self) -> np.ndarray:
        """Return (n,) int64 numbers in whose order names are sorted."""
        self._update()
        if self._ranks is None:
            self._ranks = _ranks(self._keys)
        return self._ranks

    def _update(self) -> None:
        if self._revision == self._scene.names_revision and len(self._known) == self._scene.row_count:
            return
        self._revision, self._ranks = self._scene.names_revision, None
        names, columns = self._scene.names, (self._known, self._lowered, self._keys)
        if len(names) != len(self._known):  # none is known of what is new
            new = np.empty(len(names) - len(self._known), dtype=np.dtypes.StringDType())
            self._known, self._lowered, self._keys = (np.append(each, new) for each in columns)
        changed = np.flatnonzero(names != self._known)
        self._known[changed] = names[changed]
        self._lowered[changed] = casefolded(names[changed])
        self._keys[changed] = _natural_keys(names[changed])


def _coded_column(title: str, hint: str, coded: Callable[[np.ndarray], Coded]) -> Column:
    def of(ids: np.ndarray) -> np.ndarray:
        texts, places = coded(ids)
        return texts[places]

    return Column(title, hint, of, _each(printable), is_number=False, coded=coded)


def _ranks(keys: np.ndarray) -> np.ndarray:
    """Return the place of each key among the different ones; for texts np.unique takes twice as long."""
    order = np.argsort(keys, kind="stable")
    ordered, ranks = keys[order], np.zeros(len(keys), dtype=np.int64)
    ranks[order[1:]] = np.cumsum(ordered[1:] != ordered[:-1])
    return ranks


def _natural_keys(texts: np.ndarray) -> np.ndarray:
    return np.array(list(map(natural_key, texts.tolist())), dtype=np.dtypes.StringDType())


def _each(text: Callable[..., str]) -> Callable[[np.ndarray], list[str]]:
    return lambda values: list(map(text, values.tolist()))
