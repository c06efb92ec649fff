"""OBJ and MTL text for the tests of the command line."""

import numpy as np

_CORNERS = np.array([(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)])
_SIDES = {  # corners of _CORNERS, counted from 1, counter-clockwise from outside
    "-x": (1, 2, 4, 3),
    "+x": (5, 7, 8, 6),
    "-y": (1, 5, 6, 2),
    "+y": (3, 4, 8, 7),
    "-z": (1, 3, 7, 5),
    "+z": (2, 6, 8, 4),
}
PALETTE = "newmtl red\nKd 1 0 0\nKs 0 0 0\nnewmtl green\nKd 0 1 0\nKs 0 0 0\nnewmtl blue\nKd 0 0 1\nKs 0 0 0\n"
TRIANGLE = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"


def box(name, center=(0, 0, 0), half_size=1.0, first=0, **materials):
    """OBJ statements of a box; `first` vertices come before it; materials by side, or `all`."""
    lines = [f"o {name}"]
    lines += ["v " + " ".join(map(repr, corner)) for corner in (np.array(center) + half_size * _CORNERS).tolist()]
    for side, corners in _SIDES.items():
        material = materials.get({"+x": "right", "+y": "top", "+z": "front"}.get(side, ""), materials.get("all"))
        if material:
            lines.append(f"usemtl {material}")
        lines.append("f " + " ".join(str(first + corner) for corner in corners))
    return "\n".join(lines) + "\n"
