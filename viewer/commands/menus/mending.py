"""Object > Mesh: mends of meshes, and their forms."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from octoscope.scene import Edit, editing
from octoscope.scene.editing.mending import USUAL_HOLE, USUAL_WELD
from octoscope.viewer.commands.context import Context
from octoscope.viewer.commands.edit_preview import EditPreview
from octoscope.viewer.commands.forms import ChoiceField, Form, NumberField, Outcome, Values
from octoscope.viewer.commands.table import Declarations
from octoscope.viewer.editing.editor import Editor

_LARGE_MESHES = 100_000  # triangles: what is done to more of them takes longer than a user waits
_MENDS = "mend", "repair", "fix"  # synonyms of what the mesh checks offer

command = Declarations("Object/Mesh", after="object.smooth", repeats=True)
of_meshes = partial(command, enabled=lambda context: context.facts.shown > 0, refusal="select an object with a mesh")


def run_on_meshes(
    editor: Editor, ids: np.ndarray, doing: str, operation: Callable[..., Edit], **options: object
) -> None:
    """Run an operation on the meshes of nodes, in the background where they are large."""
    meshes = np.unique(editor.scene.mesh_ids[ids])
    if editor.scene.meshes.rows["triangle_count"][meshes[meshes >= 0]].sum() > _LARGE_MESHES:
        editor.run_in_background(doing, operation, ids, **options)
    else:
        editor.run_on_nodes(ids, operation, **options)


def _mend(context: Context, doing: str, operation: Callable[..., Edit], **options: object) -> None:
    run_on_meshes(context.editor, context.selected_ids, doing, operation, **options)


def _ask(
    context: Context,
    title: str,
    doing: str,
    operation: Callable[..., Edit],
    option: str,
    label: str,
    field: NumberField,
) -> None:
    """Ask for the one number that a mend takes, and run it on what is selected now."""
    editor, ids = context.editor, context.selected_ids
    context.ask(
        Form(
            title,
            ((label, (field,)),),
            lambda values: run_on_meshes(editor, ids, doing, operation, **{option: values[option]}),
            title.split()[0],
        )
    )


of_meshes(
    "object.flip_faces",
    "Flip faces",
    "turn all faces over, with their normals",
    synonyms=("invert normals", "flip normals"),
)(lambda context: _mend(context, "flipping faces", editing.flip_faces))

of_meshes(
    "object.face_outward",
    "Face outward",
    "turn faces over so that neighbours look to the same side, and closed surfaces outward",
    synonyms=("recalculate outside", "recalculate normals", "consistent winding", "orient faces coherently", *_MENDS),
)(lambda context: _mend(context, "turning faces outward", editing.face_outward))


@of_meshes(
    "object.weld",
    "Weld vertices",
    "make vertices within a distance one; seams of normals and textures stay",
    asks=True,
    synonyms=("merge by distance", "remove doubles", "merge close vertices", *_MENDS),
)
def weld(context: Context) -> None:
    field = NumberField("distance", USUAL_WELD, least=1e-300)
    label = "Distance (the mesh's own units)"
    _ask(context, "Weld vertices", "welding vertices", editing.weld, "distance", label, field)


of_meshes(
    "object.remove_bad_faces",
    "Remove bad faces",
    "remove faces without an area, and those that are there twice",
    synonyms=("degenerate faces", "duplicate faces", "zero area faces", "limited dissolve", *_MENDS),
)(lambda context: _mend(context, "removing bad faces", editing.remove_bad_faces))


@of_meshes(
    "object.fill_holes",
    "Fill holes",
    "close small holes with flat faces",
    asks=True,
    synonyms=("close holes", "cap", "watertight", "open edges", *_MENDS),
)
def fill_holes(context: Context) -> None:
    field = NumberField("most_edges", USUAL_HOLE, whole=True, least=3, most=10**6)
    _ask(context, "Fill holes", "filling holes", editing.fill_holes, "most_edges", "Holes of up to (edges)", field)


@of_meshes(
    "object.decimate",
    "Decimate",
    "fewer triangles, a share of them or a number: vertices in one cell of a grid become one",
    asks=True,
    synonyms=("simplify", "reduce", "low poly", "clustering decimation"),
)
def decimate(context: Context) -> None:
    editor, ids = context.editor, context.selected_ids
    meshes = editor.scene.mesh_ids[ids]
    count = int(editor.scene.meshes.rows["triangle_count"][meshes[meshes >= 0]].sum())

    def share(values: Values) -> float:
        return float(values["amount"]) / (100.0 if values["by"] == "percent" else max(count, 1))

    def outcome(values: Values) -> Outcome:
        kept = share(values)
        if not 0.0 < kept < 1.0:
            return Outcome(f"enter less than {'100' if values['by'] == 'percent' else f'{count:,}'}", is_possible=False)
        unseen = "; the result is shown after Decimate" if count > _LARGE_MESHES else ""
        return Outcome(f"at most {kept * count:,.0f} of {count:,} triangles stay{unseen}")

    def preview(values: Values) -> Edit | None:
        return None if count > _LARGE_MESHES else editing.decimate(editor.scene, ids, share=share(values))

    by = ChoiceField("by", (("percent", "% of the triangles"), ("count", "triangles in all")), "percent")
    context.ask(
        Form(
            "Decimate",
            (("Keep", (NumberField("amount", 50.0, least=1e-6), by)),),
            lambda values: run_on_meshes(editor, ids, "decimating", editing.decimate, share=share(values)),
            "Decimate",
            outcome,
            EditPreview(editor, preview),
        )
    )
