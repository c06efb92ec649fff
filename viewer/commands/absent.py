"""What people look for in the palette and Octoscope does not have, with what there is in its place."""

from __future__ import annotations

_LEAST_LETTERS = 3  # of a query
# What the palette answers, by the words that are looked for; each line says what there is in its place.
NOT_THERE = {
    ("units", "unit", "millimetres", "metres", "meters", "inches", "feet"): (
        "There are no units: lengths are those of the files. Apply rotation and scale changes a mesh's."
    ),
    ("copy objects", "paste objects", "paste", "cut objects"): (
        "Objects are not pasted: Duplicate copies them, Import adds those of a file."
    ),
    ("subdivide", "subdivision", "subsurf", "remesh", "tessellate"): (
        "Meshes are not subdivided: Smooth by angle makes them look round."
    ),
    ("decimate", "decimation", "reduce", "simplify mesh", "optimise mesh"): (
        "Meshes are not decimated; Simplify small objects draws them with fewer triangles while the picture moves."
    ),
    ("boolean", "union", "subtract", "intersect"): (
        "Solids are not united or subtracted: Merge joins meshes, a section cuts the picture alone."
    ),
    (
        "extrude",
        "edit mode",
        "bevel",
        "sculpt",
        "model",
    ): "Meshes are not modelled: objects are placed, joined, separated.",
    ("animation", "timeline", "keyframe", "play"): (
        "Animations are not shown; octoscope render --turntable, in a terminal, films the scene."
    ),
}


def not_there(query: str) -> str:
    """Return a line about what a query of the palette looks for and Octoscope does not have, or ""."""
    words = " ".join(query.lower().split())
    if len(words) < _LEAST_LETTERS:
        return ""
    return next((line for names, line in NOT_THERE.items() if any(name.startswith(words) for name in names)), "")
