"""GpuScene: the graphics card's copy of a scene's meshes and materials, and the textures that carry instances.

Everything here can be thrown away and made again from the scene. Meshes only grow, so only what is new is uploaded.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import moderngl
import numpy as np
from PIL import Image

from scene import Material, Meshes, Texture
from scene.columns import Columns
from scene.mesh_data import WHITE
from scene.polygon_edges import PolygonEdges
from viewer.frame import INDICES_OF, INSTANCE_FLOATS, INSTANCES_PER_ROW

_VERTEX = np.dtype(
    [("position", "f4", 3), ("normal", "f2", 2), ("uv", "f4", 2), ("color", "u1", 4), ("material", "u4")]
)
_FORMATS = {"position": "3f4", "normal": "2f2", "uv": "2f4", "color": "4f1", "material": "1u4"}  # as moderngl says it
_FLAT = 2.0  # in place of a normal: no direction on the octahedron reaches it
_MATERIALS_PER_ROW = 256
_TEXELS_PER_MATERIAL = 4
_TEXTURE_BYTES = 512 * 2**20


class GpuScene:
    """Vertex and index pools, material and instance textures of one context.

    Attributes:
        indices: by element of INDICES_OF, a buffer of uint32 into all vertices.
        colored: whether any vertex has a colour of its own.
        textures_left_out: how many of the materials' textures the card has no room for.
    """

    def __init__(self, ctx: moderngl.Context) -> None:
        self._ctx = ctx
        self._meshes: Meshes | None = None
        self._uploaded_meshes = 0
        self._uploaded_edges = 0  # meshes whose polygons' edges are on the card
        self._materials: Sequence[Material] | None = None
        self._material_count = 0
        self._layers: list[Texture] = []
        self.textures_left_out = 0
        self.texture_array: moderngl.TextureArray | None = None
        self.vertices = ctx.buffer(reserve=_VERTEX.itemsize)
        self.indices = {element: ctx.buffer(reserve=4) for element in INDICES_OF}
        self.colored = False
        self.instance_ids = ctx.buffer(np.zeros(1, dtype=np.uint32))
        self.material_texture = self._texture(1)
        self.instance_texture = self._texture(1)

    def release(self) -> None:
        """Give all of it back to the card."""
        for part in (self.vertices, self.instance_ids, self.material_texture, self.instance_texture):
            part.release()
        for buffer in self.indices.values():
            buffer.release()
        if self.texture_array is not None:
            self.texture_array.release()

    def vertex_layout(self, program: moderngl.Program) -> tuple[str, ...]:
        """The format of the vertices and the names of those attributes that a program has, as moderngl wants them."""
        used = [name for name in _VERTEX.names if f"in_{name}" in program]
        parts = [_FORMATS[name] if name in used else f"{_VERTEX[name].itemsize}x" for name in _VERTEX.names]
        return (" ".join(parts), *(f"in_{name}" for name in used))

    def update_meshes(self, meshes: Meshes, edges: PolygonEdges | None) -> bool:
        """Upload meshes, and polygons' edges where those are wanted, that are not on the card yet.

        Returns:
            True when a buffer was replaced: its users must bind it anew.
        """
        if meshes is not self._meshes:
            self._meshes, self._uploaded_meshes, self._uploaded_edges = meshes, 0, 0
            self.colored = False
        replaced = False
        if self._uploaded_meshes < len(meshes):
            first = self._uploaded_meshes
            replaced |= self._write_vertices(meshes, first)
            for element, pool in (
                ("triangle", meshes.triangles["corners"]),
                ("line", meshes.lines["ends"]),
                ("point", meshes.points["vertex"]),
            ):
                replaced |= self._write_indices(element, meshes.rows, pool, first)
            self._uploaded_meshes = len(meshes)
        if edges is not None and self._uploaded_edges < len(meshes):
            replaced |= self._write_indices("edge", edges.rows, edges.edges["ends"], self._uploaded_edges)
            self._uploaded_edges = len(meshes)
        return replaced

    def _write_vertices(self, meshes: Meshes, first_mesh: int) -> bool:
        """Upload the vertices of meshes from the given one on. True when the buffer was replaced."""
        rows = meshes.rows
        vertices = slice(int(rows["first_vertex"][first_mesh]), len(meshes.vertices))
        packed = np.zeros(vertices.stop - vertices.start, dtype=_VERTEX)
        # About each mesh's own centre: small numbers, which float32 keeps, wherever the mesh lies.
        centers = np.repeat(rows["sphere"][first_mesh:, :3], rows["vertex_count"][first_mesh:], axis=0)
        with np.errstate(over="ignore"):  # too large for float32: the index leaves such a mesh out
            packed["position"] = meshes.vertices["position"][vertices] - centers
        packed["normal"] = _octahedral(meshes.vertices["normal"][vertices])
        packed["uv"] = meshes.vertices["uv"][vertices]
        packed["color"] = colors = meshes.vertices["color"][vertices]
        packed["material"] = meshes.vertices["material"][vertices]
        self.colored |= bool((colors != WHITE).any())
        self.vertices, replaced = self._write(self.vertices, packed, vertices.start * _VERTEX.itemsize)
        return replaced

    def _write_indices(self, element: str, rows: Columns, pool: np.ndarray, first_mesh: int) -> bool:
        """Upload an element's indices of meshes from the given one on. True when the buffer was replaced."""
        first = int(rows[f"first_{element}"][first_mesh])
        if first == len(pool):
            return False
        indices = pool[first:].reshape(-1, INDICES_OF[element]).astype(np.uint32)
        first_vertices = self._meshes.rows["first_vertex"][first_mesh:].astype(np.uint32)
        indices += np.repeat(first_vertices, rows[f"{element}_count"][first_mesh:])[:, None]
        buffer, replaced = self._write(self.indices[element], indices, 4 * INDICES_OF[element] * first)
        self.indices[element] = buffer
        return replaced

    def update_materials(self, materials: Sequence[Material]) -> None:
        """Upload the materials if there are more than before, or another scene's."""
        if materials is self._materials and len(materials) == self._material_count:
            return
        rows = -(-len(materials) // _MATERIALS_PER_ROW)
        packed = np.zeros((rows * _MATERIALS_PER_ROW, _TEXELS_PER_MATERIAL, 4), dtype=np.float32)
        packed[: len(materials), 0, :3] = [material.base_color for material in materials]
        packed[: len(materials), 0, 3] = [material.opacity for material in materials]
        packed[: len(materials), 1, :2] = _highlights(materials)
        packed[: len(materials), 1, 2] = [-1.0 if material.unlit else material.metallic for material in materials]
        packed[: len(materials), 2, :3] = [material.emission for material in materials]
        packed[: len(materials), 3] = [(*material.uv_scale, *material.uv_offset) for material in materials]
        layers = self._update_layers(materials)
        packed[: len(materials), 1, 3] = [layers.get(material.base_color_texture, -1) for material in materials]
        packed[: len(materials), 2, 3] = [layers.get(material.emission_texture, -1) for material in materials]
        if rows > self.material_texture.height:
            self.material_texture.release()
            self.material_texture = self._texture(rows)
        self.material_texture.write(packed, viewport=(0, 0, self.material_texture.width, rows))
        self._materials, self._material_count = materials, len(materials)

    def _update_layers(self, materials: Sequence[Material]) -> dict[Texture, int]:
        """Bring the materials' textures into one array of equal layers; each texture's layer."""
        named = dict.fromkeys(t for m in materials for t in (m.base_color_texture, m.emission_texture))
        named.pop(None, None)
        textures = list(named)[: self._ctx.info["GL_MAX_ARRAY_TEXTURE_LAYERS"]]
        self.textures_left_out = len(named) - len(textures)
        if textures and textures != self._layers:
            self._write_layers(textures)
        if not textures and self.texture_array is not None:  # another scene's
            self.texture_array.release()
            self.texture_array, self._layers = None, []
        return {texture: layer for layer, texture in enumerate(self._layers)}

    def _write_layers(self, textures: list[Texture]) -> None:
        """Write the textures that are new, or all of them to a larger array where they do not fit the one there is."""
        side = 2 ** math.ceil(math.log2(max(max(texture.pixels.shape[:2]) for texture in textures)))
        room = 2 ** math.ceil(math.log2(len(textures)))
        while side > 1 and 4 * side * side * room > _TEXTURE_BYTES:
            side //= 2
        array = self.texture_array
        first = len(self._layers)
        if array is None or (array.width, array.layers) != (side, room) or textures[:first] != self._layers:
            if array is not None:
                array.release()
            array = self.texture_array = self._ctx.texture_array((side, side, room), 4)
            first = 0
        for layer, texture in enumerate(textures[first:], start=first):
            image = Image.fromarray(texture.pixels).resize((side, side), Image.Resampling.BILINEAR)
            flipped = image.transpose(Image.Transpose.FLIP_TOP_BOTTOM)  # OpenGL counts rows from below
            array.write(flipped.tobytes(), viewport=(0, 0, layer, side, side, 1))
        array.build_mipmaps()
        array.filter = (moderngl.LINEAR_MIPMAP_LINEAR, moderngl.LINEAR)
        self._layers = textures

    def update_instances(self, *lists: np.ndarray) -> bool:
        """Upload a frame's instances, (padded, 16) each, one after the other. True when the id buffer was replaced."""
        count = sum(map(len, lists))
        rows = count // INSTANCES_PER_ROW
        replaced = rows > self.instance_texture.height or self.instance_ids.size < 4 * count
        if replaced:
            rows_of_room = min(max(rows, 2 * self.instance_texture.height), self._ctx.info["GL_MAX_TEXTURE_SIZE"])
            if rows > rows_of_room:
                raise MemoryError(f"{count} instances do not fit in a texture of this graphics card")
            self.instance_texture.release()
            self.instance_texture = self._texture(rows_of_room)
            self.instance_ids.release()
            self.instance_ids = self._ctx.buffer(np.arange(rows_of_room * INSTANCES_PER_ROW, dtype=np.uint32))
        first_row = 0
        for instances in lists:
            rows = len(instances) // INSTANCES_PER_ROW
            if rows:
                self.instance_texture.write(instances, viewport=(0, first_row, self.instance_texture.width, rows))
            first_row += rows
        return replaced

    def _texture(self, rows: int) -> moderngl.Texture:
        texture = self._ctx.texture((INSTANCES_PER_ROW * INSTANCE_FLOATS // 4, rows), 4, dtype="f4")
        texture.filter = (moderngl.NEAREST, moderngl.NEAREST)
        return texture

    def _write(self, buffer: moderngl.Buffer, data: np.ndarray, offset: int) -> tuple[moderngl.Buffer, bool]:
        replaced = offset + data.nbytes > buffer.size
        if replaced:
            grown = self._ctx.buffer(reserve=max(offset + data.nbytes, 2 * buffer.size if offset else 0))
            if offset:
                self._ctx.copy_buffer(grown, buffer, offset)
            buffer.release()
            buffer = grown
        buffer.write(data, offset=offset)
        return buffer, replaced


def _octahedral(normals: np.ndarray) -> np.ndarray:
    """(v, 2) float32, each -1 to 1: unit normals (v, 3) as places on a square; (_FLAT, _FLAT) for a normal of zero.

    The square is the octahedron |x| + |y| + |z| = 1 from above, its lower faces folded out (Meyer et al., "On
    Floating-Point Normal Vectors", 2010): half the size of three numbers and as exact.
    """
    size = np.abs(normals).sum(axis=1, keepdims=True)
    with np.errstate(invalid="ignore"):
        x_y = normals[:, :2] / size
    below = normals[:, 2] < 0.0
    x_y[below] = (1.0 - np.abs(x_y[below, ::-1])) * np.where(x_y[below] < 0.0, -1.0, 1.0)
    x_y[size[:, 0] == 0.0] = _FLAT
    return x_y


def _highlights(materials: Sequence[Material]) -> np.ndarray:
    """(m, 2) float: strength and exponent of each material's highlight, as the shader takes them."""
    phong = np.array([(material.specular, material.shininess) for material in materials])
    roughness = np.array([np.nan if material.roughness is None else material.roughness for material in materials])
    # A microfacet surface's lobe: the exponent that is as wide, and its peak, dim where the light is spread.
    width_squared = np.maximum(roughness, 0.2) ** 4
    lobe = np.stack([np.minimum(0.04 / width_squared, 1.0), np.clip(2.0 / width_squared - 2.0, 1.0, 1000.0)], axis=1)
    return np.where(np.isnan(roughness)[:, None], phong, lobe)
