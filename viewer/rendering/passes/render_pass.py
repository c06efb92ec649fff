"""Programs and render passes of meshes, as values: a draw of MeshDrawing is one of each."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import moderngl

from octoscope.viewer.frame.frame import SURFACES
from octoscope.viewer.rendering.context.opengl import ALPHA_BLENDING


@dataclass(frozen=True)
class MeshProgram:
    """A shader program of meshes: the elements that it draws, and the variant of mesh.glsl."""

    elements: tuple[str, ...]  # of viewer.frame.frame.INDICES_OF that are drawn, or "dot"
    defines: tuple[str, ...] = ()  # of mesh.glsl
    is_lit: bool = False  # whether surfaces are shown as the frame's mode says
    reads_materials: bool = True  # whether it reads materials, unless the frame's mode shows something else

    @property
    def has_full_light(self) -> bool:
        """True if surfaces are lit as well as can be."""
        return self.is_lit and not self.defines

    @property
    def has_normals(self) -> bool:
        """True if it depends on the directions of surfaces."""
        return self.reads_materials and "UNLIT" not in self.defines

    @property
    def draws_ids(self) -> bool:
        """True if it draws object ids in place of colours."""
        return "OBJECTS" in self.defines


LIT = MeshProgram(SURFACES, is_lit=True)
# In a simpler light, calculated at each pixel, or at the corners of triangles.
FAST = replace(LIT, defines=("FAST",))
FAST_AT_CORNERS = replace(LIT, defines=("FAST", "AT_CORNERS"))
UNLIT = MeshProgram(("line", "point"), ("UNLIT",))
WIREFRAME = MeshProgram(("edge",), ("UNLIT", "WIREFRAME"))
POLYGON_EDGES = MeshProgram(("edge",), ("EDGES",), reads_materials=False)
OBJECT_IDS = MeshProgram(("dot", *SURFACES, "line", "point"), ("OBJECTS",), reads_materials=False)
OBJECT_IDS_OF_DOTS = MeshProgram(("dot",), ("OBJECTS", "IN_FRONT"), reads_materials=False)
GBUFFER = MeshProgram(SURFACES, ("MODE", "GBUFFER"))
FACETS = replace(GBUFFER, reads_materials=False)  # without normals: each triangle faces in its own direction
GBUFFER_OF_LINES = MeshProgram(("line", "point"), ("UNLIT", "MODE", "GBUFFER"))
SHADOW_CASTERS = MeshProgram(SURFACES, ("UNLIT", "SHADOW_CASTER"))


@dataclass(frozen=True)
class RenderPass:
    """Which objects of a list are drawn, which of their fragments, and how these are blended."""

    are_opaque: bool | None = None  # of the objects that are drawn; None: all of them
    defines: tuple[str, ...] = ()  # of mesh.glsl
    blending: Any = None  # moderngl's blend function; None: fragments replace what is there


ALL = RenderPass()
OPAQUE = RenderPass(are_opaque=True)
OPAQUE_WITH_IDS = RenderPass(are_opaque=True, defines=("WITH_IDS",))  # which go into a second target
OPAQUE_PARTS = RenderPass(are_opaque=False, defines=("OPAQUE_PARTS",))  # of translucent objects
# Gathered by TranslucentTarget: colours add up, and alpha is the product of what each fragment lets through. OpenGL 3.3
# has one blend function for all targets, so the sum of weights stands in a texture of its own.
TRANSLUCENT = RenderPass(
    are_opaque=False,
    defines=("TRANSLUCENT",),
    blending=(moderngl.ONE, moderngl.ONE, moderngl.ZERO, moderngl.ONE_MINUS_SRC_ALPHA),
)
# Of DepthPeeling: the next layer's depth; its colours, under those before it; and all that lies behind the last layer.
LAYER_DEPTHS = RenderPass(are_opaque=False, defines=("PEEL",))
LAYER = replace(LAYER_DEPTHS, blending=(moderngl.ONE_MINUS_DST_ALPHA, moderngl.ONE))
BEHIND_LAYERS = replace(TRANSLUCENT, defines=("TRANSLUCENT", "PEEL"))
OVER_OPAQUE = RenderPass(are_opaque=True, blending=ALPHA_BLENDING)
OVER_TRANSLUCENT = RenderPass(are_opaque=False, blending=ALPHA_BLENDING)
