"""Octoscope: view and edit big OBJ scenes, and see the octree that makes it fast.

`load` reads files as a `Scene`, `show` opens a window on it, `render` draws a picture. The public names are those that
`dir(octoscope)` lists; what they are made of are the packages `octoscope.octree`, `octoscope.scene` and
`octoscope.viewer`, of which anything may change.

    on_demand  the public names of a package, imported when they are first asked for.
"""

from __future__ import annotations

from pathlib import Path

from octoscope.on_demand import on_demand

# In a checkout the other packages are folders beside this one; installed, they are inside it.
_CHECKOUT = Path(__file__).parents[1]
if (_CHECKOUT / "pyproject.toml").is_file():
    __path__.append(str(_CHECKOUT))

__getattr__, __dir__ = on_demand(__name__, __file__)
__all__ = __dir__()
