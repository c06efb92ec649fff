"""SceneSources: the files that a scene's meshes came from, and what these state of its objects."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike

from octoscope.arguments import kind_of
from octoscope.guesses import advises
from octoscope.octree.arguments import checked_point
from octoscope.scene.colors import SceneColors
from octoscope.scene.content import FileContent, Properties
from octoscope.scene.loaded_source import LoadedSource, read_before
from octoscope.scene.mesh.pool import NO_MESH
from octoscope.scene.node import Node
from octoscope.scene.nodes.attributes import Versioned, read_only
from octoscope.scene.system.paths import StrPath
from octoscope.scene.system.text_file import printable, shortened

_MOST_ROWS = 200  # of properties
_LONGEST_TEXT = 300  # characters
NO_SOURCE = -1  # of meshes of no file; of nodes without a mesh, too


class SceneSources(SceneColors):
    """A table of nodes that come from files; a Scene is one."""

    sources = Versioned[tuple[Path, ...]](tuple, kind_of(Sequence[Path]))
    loaded_sources = Versioned[Mapping[int, LoadedSource]](read_only)

    def shared_with(self, content: FileContent, path: StrPath | None) -> tuple[np.ndarray, np.ndarray] | None:
        """Return the ids of meshes and materials that a file brings along but are here already, as `read_before`."""
        if path is None:
            return None
        return read_before(content, Path(path), self.sources, self.loaded_sources, self.meshes)

    def add_source(self, path: StrPath) -> int:
        """Append a file that meshes come from, and return its index in `sources`."""
        self.check_editable()
        self.sources = (*self.sources, Path(path))
        return len(self.sources) - 1

    def nodes_with_properties(self) -> np.ndarray:
        """Return (k,) ids of nodes whose files were read and state something of their objects, maybe not of each."""
        sources = np.append(self.meshes.rows["source"], NO_SOURCE)[self.stating_meshes(self.ids)]
        return self.ids[np.isin(sources, list(self.loaded_sources))]

    def stating_meshes(self, ids: np.ndarray) -> np.ndarray:
        """Return what that of NodeTable does, where the file states something, or could not be read."""
        sources = {NO_SOURCE: LoadedSource(), **self.loaded_sources}
        silent = [source for source, loaded in sources.items() if loaded.properties is None]
        shown, kept = self.mesh_ids[ids], self.file_mesh_ids[ids]
        meshes = np.where((kept == NO_MESH) | (shown == NO_MESH), shown, kept)
        return np.where(np.isin(np.append(self.meshes.rows["source"], NO_SOURCE)[meshes], silent), NO_MESH, meshes)

    @advises()
    def properties(self, node: ArrayLike) -> dict[str, object]:
        """Return what a node's file states of it in property tables and metadata, by name; empty where it has none.

        What is said of the object itself comes before that of its tile and tileset, if they have properties of the same
        names.

        Examples:
            >>> scene.properties(scene["lighthouse_tower"])
            {}

        Args:
            node: one node, or its id.
        """
        groups = reversed(self.grouped_properties(node).values())
        return {name: value for said in groups for name, value in said.items()}

    def grouped_properties(self, node: ArrayLike) -> dict[str, Mapping[str, object]]:
        """Return what `properties` does, below a heading for what it is said of, the object first."""
        handle, properties = self._stated(node)
        groups = {} if properties is None else properties.grouped_properties(handle)
        return {heading: said for heading, said in groups.items() if said}

    @advises()
    def properties_at(self, node: ArrayLike, point: ArrayLike) -> dict[str, object]:
        """Return what a node's file states of a point of it, beside `properties`: in textures and of vertices.

        The file is read again, which may raise ReadError.

        Args:
            node: one node, or its id.
            point: in the world, such as `raycast` returns it.
        """
        handle, properties = self._stated(node)
        return {} if properties is None else dict(properties.properties_at(handle, checked_point(point, "a point")))

    def _stated(self, node: ArrayLike) -> tuple[Node, Properties | None]:
        (node_id,) = self.checked_ids(node).tolist()
        (mesh,) = self.stating_meshes(np.array([node_id]))
        source = NO_SOURCE if mesh == NO_MESH else int(self.meshes.rows["source"][mesh])
        loaded = self.loaded_sources.get(source)
        return Node(self, node_id), None if loaded is None else loaded.properties


def rows_of(groups: Mapping[str, Mapping[str, object]]) -> list[tuple[str, str]]:
    """Return what `Scene.grouped_properties` does as names and texts for people; headings have no text."""
    rows: list[tuple[str, str]] = []
    for heading, said in groups.items():
        values = list(said.items())
        rows.append((heading, ""))
        rows += [(printable(name), _text(value) or "-") for name, value in values[:_MOST_ROWS]]
        if len(values) > _MOST_ROWS:
            rows.append(("more", f"{len(values) - _MOST_ROWS:,}"))
    return rows


def _text(value: object) -> str:
    if isinstance(value, bool):
        text = "yes" if value else "no"
    elif isinstance(value, float):
        text = f"{value:.7g}"
    elif isinstance(value, int):
        text = f"{value:,}" if abs(value) >= 10_000 else f"{value}"
    elif isinstance(value, (list, tuple)):
        text = ", ".join(_text(each) for each in value)
    else:
        text = str(value)
    return shortened(text, _LONGEST_TEXT)
