"""AnnotationList: measurements and labels of an editor's scene: go to, rename, show, hide, remove, as a table."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from octoscope.scene import change_scene
from octoscope.scene.annotations.labels import Label, plain_text
from octoscope.scene.annotations.measurement import IN_WORLD, Measurement
from octoscope.scene.measuring import Lengths
from octoscope.scene.measuring.measurements import bare_figure_text, figure_text, figure_unit, figures_of, world_points
from octoscope.viewer.camera.bookmark_pose import bookmark_of, camera_at
from octoscope.viewer.editing.editor import Editor

Annotation = Measurement | Label
_AROUND = 0.1  # of the scene's size: so much is framed around a point at least


class AnnotationList:
    """What the panel lists, and what can be done to it, each with undo."""

    def __init__(self, editor: Editor) -> None:
        self.editor = editor
        self._kept: tuple[object, ...] = ()
        self._all: list[Annotation] = []

    @property
    def all(self) -> list[Annotation]:
        """Measurements, then labels, without those of deleted nodes."""
        scene = self.editor.scene
        state = scene.measurements, scene.labels, scene.tree_revision
        if state != self._kept:
            alive = scene.alive
            every: list[Annotation] = [*scene.measurements, *scene.labels]
            self._all = [
                each for each in every if all(anchor.node == IN_WORLD or alive[anchor.node] for anchor in each.anchors)
            ]
            self._kept = state
        return self._all

    def kind(self, annotation: Annotation) -> str:
        """Return what kind of annotation it is."""
        return annotation.kind if isinstance(annotation, Measurement) else "label"

    def name(self, annotation: Annotation) -> str:
        """Return the name of a measurement, or the text of a label as it was typed."""
        return annotation.name if isinstance(annotation, Measurement) else annotation.text

    def value(self, annotation: Annotation) -> str:
        """Return the figure of a measurement for a person; "" for a label."""
        if isinstance(annotation, Label):
            return ""
        return figure_text(annotation.kind, self._points(annotation), Lengths.of(self.editor.scene))

    def bare(self, annotation: Annotation) -> str:
        """Return what is copied: a figure with all its digits, or a label's text without markup."""
        if isinstance(annotation, Label):
            return plain_text(annotation.text)
        return bare_figure_text(annotation.kind, self._points(annotation))

    def go(self, annotation: Annotation) -> None:
        """Look from the camera of a label that has one, else frame the points."""
        view = self.editor.view
        if isinstance(annotation, Label) and annotation.camera is not None:
            view.camera = camera_at(annotation.camera, view.index.bounds())
        else:
            points = self._points(annotation)
            bounds = view.index.bounds()
            size = 1.0 if bounds is None else float((bounds[1] - bounds[0]).max())
            around = _AROUND * size / 2.0 if isinstance(annotation, Label) else 0.0
            if np.isfinite(points).all():
                view.framing.frame_box((points.min(axis=0) - around, points.max(axis=0) + around))
        view.layout.ease_cameras()

    def add_label(self, label: Label) -> None:
        """Add a label."""
        scene = self.editor.scene
        self.editor.do_annotations(change_scene(scene, labels=[*scene.labels, label], label="Add label"))

    def rename(self, annotation: Annotation, wanted: str) -> None:
        """Set the name of a measurement, which may be empty, or the text of a label, which may not."""
        wanted = wanted.strip()
        if isinstance(annotation, Measurement):
            self._replace(annotation, replace(annotation, name=wanted), "Rename measurement")
        elif wanted:
            self._replace(annotation, replace(annotation, text=wanted), "Edit label")

    def set_shown(self, annotation: Annotation, *, is_shown: bool) -> None:
        """Show or hide one."""
        label = f"{'Show' if is_shown else 'Hide'} {self.kind(annotation)}"
        self._replace(annotation, replace(annotation, is_shown=is_shown), label)

    def set_camera(self, label: Label) -> None:
        """Make where one looks from now the camera of a label."""
        self._replace(label, replace(label, camera=bookmark_of(self.editor.view.camera)), "Set label's view")

    def remove(self, annotation: Annotation) -> None:
        """Remove one."""
        self._replace(annotation, None, f"Remove {self.kind(annotation)}")

    def table(self) -> dict[str, list[object]]:
        """Return the columns of a table of all, by title: figures are plain numbers, points in world coordinates.

        The first point has columns of its own; of all of them the coordinates stand in one text.
        """
        names, length_unit = self.editor.scene.names, self.editor.scene.length_unit
        rows = []
        for each in self.all:
            points = self._points(each)
            figure, value, unit = "", "", length_unit
            if isinstance(each, Measurement):
                figure, value = next(iter(figures_of(each.kind, points))), bare_figure_text(each.kind, points)
                unit = figure_unit(figure, length_unit)
            nodes = dict.fromkeys(anchor.node for anchor in each.anchors if anchor.node != IN_WORLD)
            objects = ", ".join(str(names[node]) for node in nodes)
            text = each.name if isinstance(each, Measurement) else plain_text(each.text)
            every = " ".join(f"({' '.join(map(str, point))})" for point in points.tolist())
            facts = self.kind(each), text, figure, value, unit, objects, *points[0].tolist(), every, each.is_shown
            rows.append(facts)
        titles = ("kind", "name", "figure", "value", "unit", "objects", "x", "y", "z", "points", "shown")
        return {title: [row[place] for row in rows] for place, title in enumerate(titles)}

    def _points(self, annotation: Annotation) -> np.ndarray:
        return world_points(self.editor.scene, annotation.anchors)

    def _replace(self, old: Annotation, new: Annotation | None, label: str) -> None:
        """Replace the very object `old` in the scene's values; None: without it."""
        scene, name = self.editor.scene, "measurements" if isinstance(old, Measurement) else "labels"
        values = [new if each is old else each for each in getattr(scene, name)]
        edit = change_scene(scene, label=label, **{name: [each for each in values if each is not None]})
        self.editor.do_annotations(edit)
