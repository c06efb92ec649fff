"""The View menu: where the camera looks from, what the picture shows, viewports."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from octoscope.viewer.camera import controls
from octoscope.viewer.camera.views import ViewName
from octoscope.viewer.commands.context import Context
from octoscope.viewer.commands.switches import choice, steps, switch
from octoscope.viewer.commands.table import Declarations
from octoscope.viewer.frame.look.backdrop import BACKGROUNDS
from octoscope.viewer.frame.look.environment import built_in
from octoscope.viewer.frame.look.shading import MATCAPS, MODES, MatcapName, ModeName
from octoscope.viewer.frame.look.studios import ENVIRONMENT, STUDIOS

command = Declarations("View")


# The camera.


@command(
    "view.frame",
    "Frame selection",
    "fit the selection in the view, or everything",
    keys=("F",),
    blender_keys=("F", "."),
    synonyms=("zoom to selection", "focus"),
)
def frame_selection(context: Context) -> None:
    ids = context.selected_ids
    context.view.framing.frame_nodes(ids if len(ids) else None)


command(
    "view.frame_all",
    "Frame all",
    "fit everything in the view",
    keys=("Home",),
    synonyms=("zoom all", "fit", "reset view", "home"),
)(lambda context: context.view.framing.frame_nodes(None))


_LOOKS: tuple[tuple[ViewName, str, tuple[str, ...]], ...] = (
    ("front", "Front", ("1", "Num 1")),
    ("right", "Right", ("3", "Num 3")),
    ("top", "Top", ("7", "Num 7")),
    ("iso", "Three quarters", ("0", "Num 0")),
    ("back", "Back", ("Ctrl+Num 1", "Alt+1", "Alt+Num 1")),
    ("left", "Left", ("Ctrl+Num 3", "Alt+3", "Alt+Num 3")),
    ("bottom", "Bottom", ("Ctrl+Num 7", "Alt+7", "Alt+Num 7")),
)
for _view, _label, _keys in _LOOKS:
    command(
        f"view.{_view}",
        _label,
        menu="View/Look from",
        keys=_keys,
        synonyms=("isometric", "three-quarter") if _view == "iso" else (),
    )(lambda context, name=_view: context.view.framing.reorient(controls.look_from(context.view.camera, name)))


@command(
    "view.orthographic",
    "Orthographic",
    "perspective or orthographic",
    keys=("5", "Num 5"),
    checked=lambda context: context.view.camera.orthographic,
    needs_window=True,
    synonyms=("perspective", "projection", "field of view", "fov", "lens", "parallel"),
)
def toggle_orthographic(context: Context) -> None:
    camera = context.view.camera
    context.view.framing.reorient(replace(camera, orthographic=not camera.orthographic))


command(
    "view.trackball",
    "Trackball",
    "orbit freely over the poles, or keep the horizon level",
    menu="View/Camera",
    checked=lambda context: context.tools.camera.trackball,
    needs_window=True,
    synonyms=("turntable", "orbit", "arcball"),
)(lambda context: context.tools.camera.toggle_trackball())


# What the picture shows.


def _see(mode: ModeName, context: Context) -> None:
    view = context.view
    view.settings.mode = "shaded" if view.settings.mode == mode else mode
    view.times.reset()


for _way in MODES.values():
    command(
        f"view.see_{_way.name}",
        _way.label,
        _way.description,
        menu="View/Shading",
        keys={"wireframe": ("Shift+Z",), "xray": ("Alt+Z",)}.get(_way.name, ()),
        checked=lambda context, mode=_way.name: context.view.settings.mode == mode,
        needs_window=True,
        separated=_way.name == next(iter(MODES)),
        synonyms=_way.synonyms,
    )(partial(_see, _way.name))


def _see_matcap(matcap: MatcapName, context: Context) -> None:
    view = context.view
    if _sees_matcap(matcap, context):
        view.settings.show_as("shaded")
    else:
        view.settings.show_matcap(matcap)
    view.times.reset()


def _sees_matcap(matcap: MatcapName, context: Context) -> bool:
    return context.view.settings.mode == "matcap" and context.view.settings.matcap == matcap


for _name, _matcap in MATCAPS.items():
    command(
        f"view.matcap_{_name}",
        _matcap.label,
        "a material that follows the camera",
        menu="View/Shading/Matcaps",
        checked=partial(_sees_matcap, _name),
        needs_window=True,
        synonyms=("matcap", *MODES["matcap"].synonyms),
    )(partial(_see_matcap, _name))

switch(
    command,
    "view.settings.show_edges",
    "view.edges",
    "Polygon edges",
    "edges of the files' polygons over any shading, on or off",
    menu="View/Shading",
    keys=("Z", "Shift+E"),
    blender_keys=("Z",),
    separated=True,
    synonyms=("shaded with edges", "wireframe overlay", "wires", "outlines of polygons"),
)
switch(
    command,
    "view.settings.is_flat",
    "view.flat",
    "Flat shading",
    "every triangle in its own direction, or with the normals that files have",
    menu="View/Shading",
    synonyms=("smooth shading", "shade flat", "facets", "normals"),
)
switch(
    command,
    "view.settings.culls_back_faces",
    "view.backface_culling",
    "Backface culling",
    "leave out back faces where a glTF material is single-sided; off shows both sides of everything",
    menu="View/Shading",
    synonyms=("double sided", "single sided", "two sided", "back faces"),
)


_STROKE_STEPS = (1.0, 2.0, 3.0, 4.0, 6.0, 8.0, 12.0, 16.0, 24.0, 32.0)  # logical pixels
for _name, _id, _labels, _words in (
    ("line_width", "lines", ("Thicker lines", "Thinner lines"), ("line width", "line thickness")),
    ("point_size", "points", ("Larger points", "Smaller points"), ("point size", "point radius", "point cloud")),
):
    of_strokes = partial(command, menu="View/Shading/Lines and points", synonyms=_words)
    steps(of_strokes, f"view.settings.strokes.{_name}", _STROKE_STEPS, f"view.{_id}", _labels, "{:g} px")
switch(
    command,
    "view.settings.strokes.round_points",
    "view.round_points",
    "Round points",
    "discs in place of squares",
    menu="View/Shading/Lines and points",
    synonyms=("point shape", "spheres", "discs", "point cloud"),
)

for _attribute, _id, _label, _words in (
    ("show_boxes", "object_boxes", "Bounding boxes", ("bounds", "box", "extent")),
    ("show_spheres", "object_spheres", "Bounding spheres", ("bounds", "radius")),
    ("show_axes", "object_axes", "Local axes", ("object origins", "object axes", "frames", "coordinate system")),
):
    switch(
        command,
        f"view.settings.{_attribute}",
        f"view.{_id}",
        _label,
        f"{_label.lower()} of all objects on or off",
        menu="View/Overlays",
        synonyms=_words,
    )

switch(
    command,
    "view.settings.show_grid",
    "view.grid",
    "Ground grid",
    "ground grid on or off",
    menu="View/Overlays",
    keys=("Shift+G",),
    separated=True,
    synonyms=("floor",),
)


# The light from all around, and the background.


for _name, _studio in STUDIOS.items():
    command(
        f"view.environment_{_name}",
        _studio.label,
        "light from all around, which smooth surfaces mirror",
        menu="View/Environment",
        checked=lambda context, name=_name: context.view.settings.environment.name == name,
        needs_window=True,
        separated=_name == next(iter(STUDIOS)),
        synonyms=("environment", "hdri lighting", "sky", "world", "image based lighting", "reflections"),
    )(lambda context, name=_name: setattr(context.view.settings, "environment", built_in(name)))


for _id, _label, _description, _background in (
    ("gradient", "Gradient", "in the colours of the theme", None),
    ("environment", "Environment", "the light from all around, as it looks", ENVIRONMENT),
    *((name, label, "one colour", color) for name, (label, color) in BACKGROUNDS.items()),
):
    choice(
        command,
        "view.settings.background",
        _background,
        f"view.background_{_id}",
        _label,
        f"behind the scene: {_description}",
        menu="View/Background",
        separated=_id == next(iter(BACKGROUNDS)),
        synonyms=("background colour", "background color", "backdrop", "skybox"),
    )


# How well pictures are drawn.


for _mode, _description in (
    ("automatic", "reduced while the picture moves, where it would be slow, and refined when it stands still"),
    ("best", "never reduced, and refined when the picture stands still"),
    ("constant", "neither reduced nor refined"),
):
    choice(
        command,
        "settings.config.quality",
        _mode,
        f"view.quality_{_mode}",
        _mode.capitalize(),
        _description,
        menu="View/Quality",
        synonyms=("anti-aliasing", "samples", "render quality", "performance"),
    )


# Viewports.


def _divide(count: int, context: Context) -> None:
    context.view.layout.set_count(count)
    context.view.times.reset()


for _count, _name in ((1, "one"), (2, "two"), (4, "four")):
    _views = f"{_name} view{'s' if _count > 1 else ''}"
    command(
        f"view.{_name}",
        _views.capitalize(),
        f"{_views} of the scene",
        menu="View/Viewports",
        keys=(f"Ctrl+Alt+{_count}",),
        checked=lambda context, count=_count: len(context.view.viewports) == count,
        needs_window=True,
        separated=_count == 1,
    )(partial(_divide, _count))


@command(
    "view.maximise",
    "Maximise view",
    "show only the viewport under the mouse, or all again",
    menu="View/Viewports",
    keys=("Ctrl+Alt+Q", "Shift+Space"),
    needs_window=True,
    synonyms=("toggle quad view",),
)
def maximise(context: Context) -> None:
    context.view.layout.maximise(context.tools.camera.pointed)
    context.view.times.reset()
