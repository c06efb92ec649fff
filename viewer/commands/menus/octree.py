"""The Octree menu: what the tree leaves out of the picture."""

from __future__ import annotations

from octoscope.viewer.commands.context import Context
from octoscope.viewer.commands.switches import switch
from octoscope.viewer.commands.table import Declarations

command = Declarations("Octree")

switch(
    command,
    "view.settings.culling",
    "octree.culling",
    "Culling",
    "draw only what is in view, or everything",
    keys=("C",),
    synonyms=("frustum culling",),
)
switch(
    command,
    "view.settings.tiny_culling",
    "octree.tiny",
    "Cull tiny objects",
    "leave out objects smaller than a pixel, where they are few",
    synonyms=("contribution culling", "small objects", "subpixel"),
)
switch(
    command,
    "view.settings.simplifying",
    "octree.simplify",
    "Simplify small objects",
    "draw small objects with fewer triangles while the picture moves, off by less than a pixel",
    synonyms=("levels of detail", "lod", "decimate"),
)
switch(
    command,
    "view.settings.occlusion_culling",
    "octree.occlusion",
    "Cull hidden objects",
    "leave out objects that others hide, where that saves time",
    synonyms=("occlusion culling", "covered objects", "behind"),
)


@command(
    "octree.freeze",
    "Freeze culling",
    "freeze or release the culling frustum",
    keys=("X",),
    blender_keys=("Shift+X",),
    checked=lambda context: context.view.visibility.frozen is not None,
    needs_window=True,
)
def toggle_freeze(context: Context) -> None:
    context.view.visibility.toggle_freeze(context.view.snapshot.frustum)
    context.view.times.reset()
