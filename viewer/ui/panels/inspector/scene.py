"""The section about the scene, while nothing is selected: what is in it, how large it is, where it comes from."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from octoscope.scene import Scene
from octoscope.scene.measuring import Lengths
from octoscope.scene.system.text_file import printable
from octoscope.viewer.editing.editor import Editor
from octoscope.viewer.editing.memo import Memo, State
from octoscope.viewer.frame.stats import counts_text
from octoscope.viewer.ui.imgui.theme import Theme
from octoscope.viewer.ui.panels.inspector.rows import draw_box, fact

_MOST_NAMED = 8  # files
_EVERYTHING = np.empty(0, dtype=np.int32)


@dataclass(frozen=True)
class _Facts:
    """Counts over the whole scene; those of meshes count once for each object that shows them."""

    objects: int
    groups: int
    shows: str
    vertices: int
    materials: int
    files: tuple[str, ...]


class SceneSection:
    """The section about the scene of an editor."""

    def __init__(self, editor: Editor) -> None:
        self._editor = editor
        self._facts: Memo[_Facts] = Memo()

    def draw(self, state: State, theme: Theme) -> None:
        """Draw the section."""
        scene = self._editor.scene
        key = (*state, scene.materials_revision, len(scene.materials), len(scene.sources))
        facts = self._facts.get(_EVERYTHING, key, lambda: _facts_of(scene))
        fact(theme, "objects", f"{facts.objects:,}")
        if facts.groups:
            fact(theme, "groups", f"{facts.groups:,}")
        fact(theme, "shows", facts.shows)
        fact(theme, "vertices", f"{facts.vertices:,}")
        fact(theme, "materials", f"{facts.materials:,}")
        draw_box(theme, self._editor.view.index.bounds(), Lengths.of(scene))
        fact(theme, "units", "those of the files")
        fact(theme, "up axis", scene.up_axis.upper())
        for place, name in enumerate(facts.files[:_MOST_NAMED]):
            fact(theme, "" if place else "file" if len(facts.files) == 1 else "files", name)
        if len(facts.files) > _MOST_NAMED:
            fact(theme, "", f"and {len(facts.files) - _MOST_NAMED:,} more")


def _facts_of(scene: Scene) -> _Facts:
    objects = int((scene.mesh_ids >= 0).sum())
    triangles, lines, points = (scene.element_count(element) for element in ("triangle", "line", "point"))
    return _Facts(
        objects=objects,
        groups=len(scene) - objects,
        shows=counts_text(triangles, lines, points),
        vertices=scene.element_count("vertex"),
        materials=len(scene.used_materials),
        files=tuple(printable(path.name) for path in scene.sources),
    )
