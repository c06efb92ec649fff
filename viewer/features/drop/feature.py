"""Object > Drop: objects fall to the ground, or onto what lies below them."""

from __future__ import annotations

from functools import partial

from octoscope.scene import editing
from octoscope.scene.nodes.hierarchy import with_all_below
from octoscope.viewer.app.contribution import Contribution, WindowPart
from octoscope.viewer.commands.context import Context, has_selection
from octoscope.viewer.commands.table import Declarations
from octoscope.viewer.editing.selection import AN_OBJECT

# Objects that fall, or triangles of a mesh, from which on it takes longer than a user waits.
_MANY, _LARGE_MESH = 1_000, 100_000

command = Declarations("Object/Drop", after="object.to_root", repeats=True)
of_selection = partial(command, enabled=has_selection, refusal=AN_OBJECT)


of_selection(
    "object.drop",
    "Drop to ground",
    "each falls to the ground, where the grid lies",
    keys=("End",),
    synonyms=("snap to ground", "floor"),
)(lambda context: context.change(editing.drop_to_ground, height=_ground_height(context)))


def _ground_height(context: Context) -> float:
    return context.view.visibility.ground_height_without(context.selected_ids)


@of_selection(
    "object.drop_onto",
    "Drop onto what is below",
    "each falls until it touches something below, or the ground",
    keys=("Shift+End",),
    synonyms=("gravity", "fall"),
)
def drop_onto(context: Context, *, as_one: bool = False) -> None:
    editor, scene, ids = context.editor, context.scene, context.selected_ids
    largest = scene.meshes.rows["triangle_count"].max(initial=0)  # a tree of its triangles may be missing
    is_long = len(with_all_below(scene, ids)) > _MANY or largest > _LARGE_MESH
    make = partial(editor.run_in_background, "dropping objects") if is_long else editor.run
    make(editing.drop, ids, as_one=as_one, height=_ground_height(context), among=context.is_shown)


of_selection("object.drop_as_one", "Drop as one", "all fall together until the first touches something below")(
    partial(drop_onto, as_one=True)
)


PART = WindowPart(lambda context: Contribution(commands=command.bound_to(context)))
