"""The foldout about meshes: sizes, bounds, measurements, source file, and other objects that show them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from imgui_bundle import imgui, imgui_ctx

from octoscope.scene.measuring import Lengths, Measurer, size_rows
from octoscope.scene.mesh.polygon_edges import PolygonEdges
from octoscope.scene.mesh.pool import Meshes
from octoscope.scene.nodes.hierarchy import with_all_below
from octoscope.scene.scene import Scene
from octoscope.scene.system.text_file import printable
from octoscope.viewer.editing.editor import Editor
from octoscope.viewer.editing.memo import Memo, State
from octoscope.viewer.editing.missing_meshes import MissingMeshFinder
from octoscope.viewer.frame.stats import counts_text
from octoscope.viewer.ui.imgui.items import button, item, sentence_case
from octoscope.viewer.ui.imgui.theme import Theme
from octoscope.viewer.ui.panels.inspector.rows import draw_box, fact, link, quiet

_QUICKLY_MEASURED = 200_000  # triangles; more are measured only on request


@dataclass(frozen=True, eq=False)
class _Facts:
    """Sums over nodes and all of their descendants."""

    below: int
    objects: int
    mesh_ids: np.ndarray  # (j,) ids of their meshes, each once
    counts: tuple[int, int, int]
    vertices: int
    box: tuple[np.ndarray, np.ndarray] | None  # bounds in the world, or None


@dataclass(frozen=True)
class _OneMesh:
    """Numbers of one mesh; 0 polygons if all are triangles."""

    edges: int
    polygons: int
    users: int


class MeshFoldout:
    """The foldout for objects and groups. `run` runs a command by its id."""

    def __init__(self, editor: Editor, run: Callable[[str], object]) -> None:
        self._editor = editor
        self._run = run
        self._measurer = Measurer(editor.scene)
        self._missing_meshes = MissingMeshFinder(editor.scene)
        self._facts: Memo[_Facts] = Memo()
        self._one: Memo[_OneMesh] = Memo()
        self._sizes: Memo[list[tuple[str, str]]] = Memo()
        self._measures: tuple[np.ndarray, State] | None = None  # the selection whose measurement was requested

    def facts_of(self, ids: np.ndarray, state: State) -> _Facts:
        """Return the sums over nodes, computed once for each state of the scene."""
        return self._facts.get(ids, state, lambda: _facts_of(self._editor.scene, ids))

    def draw(self, ids: np.ndarray, state: State, theme: Theme) -> None:
        """Draw the foldout for nodes and their descendants."""
        facts = self.facts_of(ids, state)
        self._draw_lacking(ids, theme)
        if facts.below:
            fact(theme, "holds", f"{facts.below:,} {'node' if facts.below == 1 else 'nodes'}")
            fact(theme, "objects", f"{facts.objects:,}")
        if not facts.objects:
            quiet(theme, "no mesh")
            return
        fact(theme, "shows", counts_text(*facts.counts))
        fact(theme, "vertices", f"{facts.vertices:,}")
        if len(facts.mesh_ids) == 1 and not facts.below:
            self._draw_one(int(facts.mesh_ids[0]), facts, theme)
        else:
            fact(theme, "meshes", f"{len(facts.mesh_ids):,}")
        draw_box(theme, facts.box, Lengths.of(self._editor.scene), with_centre=True)
        is_wanted = self._measures is not None and self._measures[0] is ids and self._measures[1] == state
        if facts.counts[0] > _QUICKLY_MEASURED and not is_wanted:
            if imgui.button("Measure area and volume", (-1.0, 0.0)):
                self._measures = ids, state
        elif facts.counts[0] or facts.counts[1]:
            for name, text in self._sizes.get(ids, state, lambda: self._sizes_of(ids)):
                fact(theme, name, sentence_case(text))

    def _draw_lacking(self, ids: np.ndarray, theme: Theme) -> None:
        lacking = self._missing_meshes.among(ids)
        if not len(lacking):
            return
        with imgui_ctx.push_style_color(imgui.Col_.text, imgui.ImVec4(*theme.warm)):
            fact(theme, "missing", self._missing_meshes.text_of(int(lacking[-1])))
            if len(lacking) > 1:
                fact(theme, "", f"and {len(lacking) - 1:,} more")
        if button(item("Relink…", "relink"), "choose where the file is now", (-1.0, 0.0)):
            self._run("file.relink")

    def _draw_one(self, mesh_id: int, facts: _Facts, theme: Theme) -> None:
        scene = self._editor.scene
        key = (mesh_id, id(scene.meshes), len(scene.meshes), scene.tree_revision)
        one = self._one.get(facts.mesh_ids, key, lambda: _one_mesh(scene, mesh_id))
        if one.polygons and facts.objects == 1:
            fact(theme, "polygons", f"{one.polygons:,}")
        if one.edges and facts.objects == 1:
            fact(theme, "edges", f"{one.edges:,}")
        if one.users > 1 and link(theme, "shown by", f"{one.users:,} objects", "instances; click to select them all"):
            self._run("select.same_mesh")
        source = int(scene.meshes.rows["source"][mesh_id])
        if source >= 0:
            self._draw_source(mesh_id, scene.sources[source], theme)

    def _draw_source(self, mesh_id: int, path: Path, theme: Theme) -> None:
        rows = self._editor.scene.meshes.rows
        line = int(rows["source_line"][mesh_id])
        place = f":{line}" if line else ""
        if link(theme, "file", printable(path.name) + place, f"{printable(path)}{place}\na click copies that"):
            imgui.set_clipboard_text(f"{path}{place}")
            self._editor.log.say("info", f"copied {printable(path)}{place}")
        fact(theme, "name in file", printable(str(rows["name"][mesh_id])) or "(no name)")

    def _sizes_of(self, ids: np.ndarray) -> list[tuple[str, str]]:
        rows = size_rows(self._measurer.measure(ids), Lengths.of(self._editor.scene))
        return [row for row in rows if row[0] in ("length", "area", "volume", "watertight")]


def _facts_of(scene: Scene, ids: np.ndarray) -> _Facts:
    nodes = with_all_below(scene, ids)
    shown = scene.mesh_ids[nodes]
    shown = shown[shown >= 0]
    times = np.bincount(shown, minlength=len(scene.meshes))
    used = np.flatnonzero(times)

    def count(element: str) -> int:
        return int((scene.meshes.rows[f"{element}_count"][used] * times[used]).sum())

    counts = count("triangle"), count("line"), count("point")
    return _Facts(len(nodes) - len(ids), len(shown), used, counts, count("vertex"), scene.bounds(ids))


def _one_mesh(scene: Scene, mesh_id: int) -> _OneMesh:
    users = int((scene.mesh_ids == mesh_id).sum())
    count = int(scene.meshes.rows["triangle_count"][mesh_id])
    if not 0 < count <= _QUICKLY_MEASURED:
        return _OneMesh(0, 0, users)
    alone = Meshes()
    alone.copy_of(scene.meshes, np.array([mesh_id]))
    edges = PolygonEdges(alone)
    edges.update()
    # Each diagonal that two triangles of a polygon share makes one triangle more than polygons.
    sides = np.unpackbits(alone.triangles["edges"][:, None], axis=1, bitorder="little")[:, :3]
    diagonals = int((sides == 0).sum()) // 2
    return _OneMesh(len(edges.edges), count - diagonals if diagonals else 0, users)
