"""Octoscope: view and edit big OBJ scenes, and see the octree that makes it fast.

`load` reads files as a `Scene`, `show` opens a window on it, `render` draws a picture. The public names are those that
`dir(octoscope)` lists; what they are made of are the packages `octoscope.octree`, `octoscope.scene` and
`octoscope.viewer`, of which anything may change.

    on_demand  the public names of a package, imported when they are first asked for.
"""

from __future__ import annotations

import sys
from difflib import get_close_matches
from pathlib import Path

from octoscope.on_demand import is_there, on_demand

# In a checkout the other packages are folders beside this one; installed, they are inside it.
_CHECKOUT = Path(__file__).parents[1]
if (_CHECKOUT / "pyproject.toml").is_file():
    __path__.append(str(_CHECKOUT))

_SHAPE = "octoscope.editing.add_primitive adds shapes; scene.add_mesh takes those of trimesh.creation"
_GUESSES = {
    **dict.fromkeys(("Box", "Cone", "Cube", "Cylinder", "Plane", "Sphere"), _SHAPE),
    **dict.fromkeys(("depth", "ids", "normals", "render_depth"), "octoscope.render_buffers(scene, size) has them"),
    **dict.fromkeys(("from_trimesh", "to_trimesh"), "scene.add_mesh(name, mesh); node.mesh.to_trimesh()"),
    **dict.fromkeys(
        ("distance", "distances"), "numpy.linalg.norm(a - b) of two points, such as node.world_from_local[:3, 3]"
    ),
    **dict.fromkeys(("Light", "lights"), "octoscope.Lighting, or octoscope.world_light"),
    **dict.fromkeys(("copy", "merge"), "scene.copy(nodes); octoscope.load([path, other])"),
    "Measurer": "octoscope.measure(scene, nodes)",
    "Plotter": "octoscope.show(scene), or octoscope.Canvas(scene) for pictures",
    "Viewer": "octoscope.show(scene), or octoscope.Window(scene)",
    "delete": "scene.delete(nodes)",
    "edit": "it is called octoscope.editing",
    "export": "octoscope.save(scene, path)",
    "open": "octoscope.load(path)",
    "camera": "octoscope.Camera.looking_at(eye, target)",
    "pick": "scene.raycast(*camera.ray_through_pixel(pixel, size))",
    "plot": "octoscope.show(scene), or octoscope.render(scene)",
    "read": "octoscope.load(path)",
    "screenshot": "octoscope.render(scene).save(path)",
    "turntable": "octoscope.Canvas(scene).along(cameras), or octoscope render --turntable",
    "write": "octoscope.save(scene, path)",
    "write_tiles": "octoscope tiles FILE -o DIR, a command",
}
_find, __dir__ = on_demand(__name__, __file__, _GUESSES)


def __getattr__(name: str) -> object:
    if name == "__version__":
        from importlib.metadata import version  # only here: it takes long to import

        return version("octoscope")
    try:
        return _find(name)
    except AttributeError as error:
        # `from octoscope import name` would drop the advice. It looks whether there is a sub-package next.
        if sys._getframe(1).f_code.co_name != "_handle_fromlist" or is_there(f"{__name__}.{name}"):
            raise
        near = () if name in _GUESSES else get_close_matches(name, __all__, n=1)
        said = str(error) + "".join(f"; did you mean {each!r}?" for each in near)
        raise ImportError(said, name=__name__) from None


__all__ = __dir__()
