"""Ways of seeing a scene: modes, such as normals or depth; materials of the mode matcap; sizes of lines and points.

A mode belongs to the picture: every quality, viewport and still shows the same one. The table MODES says of each what
is drawn, and how shaders/mesh.glsl and shaders/modes.glsl colour it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from octoscope.guesses import public

Color = tuple[float, float, float]
ModeName = Literal[
    "shaded", "wireframe", "matcap", "clay", "xray", "facing", "normals", "uv", "depth", "objects", "materials"
]
MatcapName = Literal[
    "plaster",
    "terracotta",
    "wax",
    "skin",
    "jade",
    "porcelain",
    "plastic",
    "graphite",
    "chrome",
    "gold",
    "copper",
    "rim",
    "zebra",
]
EDGES: Final = "edges"  # as the name of a mode: shaded, with the polygons' edges over it
ModeOrEdges = ModeName | Literal["edges"]
# How much is seen through: as much as materials say, nothing, or everything.
BY_MATERIAL, OPAQUE, SEE_THROUGH = range(3)


@dataclass(frozen=True)
class Mode:
    """A way of seeing."""

    name: ModeName  # in the command line, in scripts and in what is kept between runs
    label: str  # in menus
    description: str  # what it is good for, or what its colours mean
    synonyms: tuple[str, ...]  # names in other programs, in small letters
    define: str  # of mesh.glsl, for triangles; "" for materials in the light
    # True if the define changes how materials are lit, False if it is one of modes.glsl in their place
    is_lit: bool = False
    # True if the define is for lines and points too; they are drawn in their own colours otherwise
    colors_lines: bool = False
    draws_faces: bool = True  # False draws the polygons' edges in place of triangles
    opacity: int = OPAQUE  # BY_MATERIAL, OPAQUE or SEE_THROUGH
    is_dimmed: bool = False  # True if there are shadows and ambient occlusion
    shows_backs: bool = False  # True if back faces are seen whatever materials say

    @property
    def shows_materials(self) -> bool:
        """True if surfaces have the colours of their materials, which colour bars explain."""
        return self.is_lit or not self.define


_ALL_MODES = (
    Mode(
        "shaded",
        "Shaded",
        "materials in the light",
        ("solid", "rendered", "material preview", "smooth"),
        "",
        is_lit=True,
        opacity=BY_MATERIAL,
        is_dimmed=True,
    ),
    Mode(
        "wireframe",
        "Wireframe",
        "edges of the files' polygons without faces, hidden ones too",
        ("wires", "wire", "lines", "edges only", "hidden lines"),
        "",
        draws_faces=False,
        shows_backs=True,
    ),
    Mode("matcap", "Matcap", "a material that follows the camera", ("material capture", "lit sphere"), "MATCAP"),
    Mode(
        "clay",
        "Clay",
        "white, to see nothing but shape",
        ("white", "flat white", "grey", "gray"),
        "CLAY",
        is_dimmed=True,
    ),
    Mode(
        "xray",
        "X-ray",
        "all faces translucent",
        ("xray", "x ray", "transparent", "see through", "translucent"),
        "XRAY",
        is_lit=True,
        opacity=SEE_THROUGH,
    ),
    Mode(
        "facing",
        "Face orientation",
        "front faces blue, back faces red",
        ("back face", "winding", "flipped normals", "inside out"),
        "FACING",
        shows_backs=True,
    ),
    Mode(
        "normals",
        "Normals",
        "world directions of surfaces on the side that is seen: x red, y green, z blue; -1 is black, 1 full",
        ("normal", "world normals", "show normals", "vertex normals"),
        "NORMALS",
    ),
    Mode(
        "uv",
        "UV checker",
        "eight squares along each side of the texture; red along u, green along v",
        ("uvs", "texture coordinates", "checkerboard", "unwrap"),
        "UV",
    ),
    Mode(
        "depth",
        "Depth",
        "the nearest object white, the farthest black, evenly along the view",
        ("z buffer", "z-buffer", "distance", "mist"),
        "DEPTH",
        colors_lines=True,
    ),
    Mode(
        "objects",
        "Object ids",
        "a colour for each object",
        ("ids", "random colors", "object colors", "segmentation", "mask"),
        "OBJECT_IDS",
        colors_lines=True,
    ),
    Mode(
        "materials",
        "Material ids",
        "a colour for each material",
        ("material index", "material colors", "clown"),
        "MATERIAL_IDS",
        colors_lines=True,
    ),
)
MODES: dict[ModeName, Mode] = {mode.name: mode for mode in _ALL_MODES}


@dataclass(frozen=True)
class Matcap:
    """A material and its light in one formula of the surface's direction about the line of sight.

    Colours are as they come to the display; the three are added, and light above 1 is cut off.
    """

    label: str  # in menus
    dark: Color  # colour of what is turned away from the light, which is at the upper left
    bright: Color  # colour of what faces the light
    highlight: Color = (0.0, 0.0, 0.0)  # colour of the highlight
    exponent: float = 1.0  # of the highlight; the higher, the smaller it is
    rim: Color = (0.0, 0.0, 0.0)  # colour that is added towards silhouettes
    rim_exponent: float = 3.0  # the higher, the thinner the rim
    mirror: float = 0.0  # share of a reflected horizon, 0 to 1
    stripes: float = 0.0  # number of reflected stripes; 0 for none


MATCAPS: dict[MatcapName, Matcap] = {
    "plaster": Matcap("Plaster", (0.28, 0.27, 0.27), (0.90, 0.88, 0.85)),
    "terracotta": Matcap("Terracotta", (0.30, 0.12, 0.08), (0.86, 0.50, 0.36), (0.10, 0.08, 0.06), 8.0),
    "wax": Matcap("Red wax", (0.33, 0.07, 0.06), (0.80, 0.28, 0.20), (0.45, 0.35, 0.30), 24.0, (0.25, 0.05, 0.03), 2.0),
    "skin": Matcap("Skin", (0.42, 0.20, 0.16), (0.93, 0.72, 0.60), (0.18, 0.16, 0.14), 14.0, (0.30, 0.08, 0.05), 2.5),
    "jade": Matcap("Jade", (0.03, 0.22, 0.16), (0.38, 0.74, 0.55), (0.60, 0.65, 0.60), 40.0, (0.20, 0.35, 0.25), 2.0),
    "porcelain": Matcap("Porcelain", (0.55, 0.58, 0.66), (0.93, 0.94, 0.95), (0.50, 0.50, 0.50), 90.0),
    "plastic": Matcap("Blue plastic", (0.05, 0.10, 0.28), (0.22, 0.46, 0.84), (0.75, 0.78, 0.80), 60.0),
    "graphite": Matcap("Graphite", (0.05, 0.05, 0.06), (0.34, 0.35, 0.37), (0.30, 0.30, 0.32), 10.0),
    "chrome": Matcap("Chrome", (0.42, 0.44, 0.48), (0.80, 0.82, 0.86), (0.45, 0.45, 0.45), 50.0, mirror=1.0),
    "gold": Matcap("Gold", (0.48, 0.28, 0.05), (0.95, 0.74, 0.32), (0.60, 0.52, 0.35), 30.0, mirror=0.7),
    "copper": Matcap("Copper", (0.40, 0.17, 0.09), (0.88, 0.52, 0.36), (0.50, 0.40, 0.34), 26.0, mirror=0.6),
    "rim": Matcap("Dark with a rim", (0.03, 0.03, 0.05), (0.16, 0.17, 0.22), rim=(0.55, 0.80, 1.00), rim_exponent=2.0),
    "zebra": Matcap("Zebra stripes", (0.75, 0.75, 0.75), (0.95, 0.95, 0.95), stripes=9.0),
}


@dataclass(frozen=True)
class Shading:
    """The way in which a picture shows surfaces."""

    mode: Mode = MODES["shaded"]  # the way of seeing
    matcap: Matcap = MATCAPS["plaster"]  # the material of the mode matcap
    is_flat: bool = False  # True shows every triangle with its own direction, whatever normals its vertices have
    culls_back_faces: bool = True  # whether back faces are left out where a material is single-sided

    @property
    def culls(self) -> bool:
        """True if back faces of single-sided materials are not seen in this mode."""
        return self.culls_back_faces and not self.mode.shows_backs


_NEARER_PIXELS = 2.0


@public(
    instead={"width": "it is called line_width"},
    arguments={"width": "it is called line_width"},
)
@dataclass(frozen=True)
class Strokes:
    """The sizes of what has none in the world; logical pixels."""

    line_width: float = 1.0  # of meshes' lines, drawn a pixel wide at least. Edges of polygons have a width of 1.
    point_size: float = 4.0  # width and height of points
    round_points: bool = False  # False draws squares

    @property
    def widest(self) -> float:
        """The larger of the two sizes."""
        return max(self.line_width, self.point_size)

    @property
    def nearer(self) -> float:
        """Lines and points are drawn nearer by the world size of so many pixels.

        They usually lie on surfaces, which would cut them up. More would show those that are just behind a surface;
        this leaves a line of one pixel whole until its surface is turned 75 degrees away, and wide ones until 45.
        """
        return max(_NEARER_PIXELS, self.widest / 2.0)


STROKES = Strokes()
STROKE_SIZES = (0.5, 64.0)  # the smallest and the largest, logical pixels
