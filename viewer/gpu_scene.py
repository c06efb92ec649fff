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
from viewer.frame import INSTANCE_FLOATS, INSTANCES_PER_ROW

_VERTEX = np.dtype([("position", "f4", 3), ("normal", "f2", 4), ("uv", "f4", 2), ("material", "u4")])
_MATERIALS_PER_ROW = 256
_TEXELS_PER_MATERIAL = 4
_TEXTURE_BYTES = 512 * 2**20


class GpuScene:
    """Vertex and index pools, material and instance textures of one context."""

    def __init__(self, ctx: moderngl.Context) -> None:
        self._ctx = ctx
        self._meshes: Meshes | None = None
        self._uploaded_meshes = 0
        self._materials: Sequence[Material] | None = None
        self._material_count = 0
        self._layers: list[Texture] = []
        self.texture_array: moderngl.TextureArray | None = None
        self.vertices = ctx.buffer(reserve=_VERTEX.itemsize)
        self.indices = ctx.buffer(reserve=4)
        self.instance_ids = ctx.buffer(np.zeros(1, dtype=np.uint32))
        self.material_texture = self._texture(1)
        self.instance_texture = self._texture(1)

    def release(self) -> None:
        """Give all of it back to the card."""
        for part in (self.vertices, self.indices, self.instance_ids, self.material_texture, self.instance_texture):
            part.release()
        if self.texture_array is not None:
            self.texture_array.release()

    def update_meshes(self, meshes: Meshes) -> bool:
        """Upload meshes that are not on the card yet. True when a buffer was replaced: its users must bind it anew."""
        if meshes is not self._meshes:
            self._meshes, self._uploaded_meshes = meshes, 0
        if self._uploaded_meshes == len(meshes):
            return False
        first = self._uploaded_meshes
        new = slice(first, len(meshes))
        rows = meshes.rows
        vertices = slice(int(rows["first_vertex"][first]), len(meshes.vertices))
        triangles = slice(int(rows["first_triangle"][first]), len(meshes.triangles))
        packed = np.zeros(vertices.stop - vertices.start, dtype=_VERTEX)
        # About each mesh's own centre: small numbers, which float32 keeps, wherever the mesh lies.
        centers = np.repeat(rows["sphere"][new, :3], rows["vertex_count"][new], axis=0)
        with np.errstate(over="ignore"):  # too large for float32: the index leaves such a mesh out
            packed["position"] = meshes.vertices["position"][vertices] - centers
        normals = meshes.vertices["normal"][vertices]
        packed["normal"][:, :3] = normals
        packed["normal"][:, 3] = normals.any(axis=1)
        packed["uv"] = meshes.vertices["uv"][vertices]
        packed["material"] = meshes.vertices["material"][vertices]
        corners = meshes.triangles["corners"][triangles].astype(np.uint32)
        corners += np.repeat(rows["first_vertex"][new], rows["triangle_count"][new]).astype(np.uint32)[:, None]
        self.vertices, replaced_vertices = self._write(self.vertices, packed, vertices.start * _VERTEX.itemsize)
        self.indices, replaced_indices = self._write(self.indices, corners, triangles.start * 12)
        self._uploaded_meshes = len(meshes)
        return replaced_vertices or replaced_indices

    def update_materials(self, materials: Sequence[Material]) -> None:
        """Upload the materials if there are more than before, or another scene's."""
        if materials is self._materials and len(materials) == self._material_count:
            return
        rows = -(-len(materials) // _MATERIALS_PER_ROW)
        packed = np.zeros((rows * _MATERIALS_PER_ROW, _TEXELS_PER_MATERIAL, 4), dtype=np.float32)
        packed[: len(materials), 0, :3] = [material.base_color for material in materials]
        packed[: len(materials), 0, 3] = [material.opacity for material in materials]
        packed[: len(materials), 1, 0] = [material.specular for material in materials]
        packed[: len(materials), 1, 1] = [material.shininess for material in materials]
        packed[: len(materials), 2, :3] = [material.emission for material in materials]
        packed[: len(materials), 3, 0] = self._update_layers(materials)
        if rows > self.material_texture.height:
            self.material_texture.release()
            self.material_texture = self._texture(rows)
        self.material_texture.write(packed, viewport=(0, 0, self.material_texture.width, rows))
        self._materials, self._material_count = materials, len(materials)

    def _update_layers(self, materials: Sequence[Material]) -> list[int]:
        """Bring the materials' textures into one array of equal layers; each material's layer, or -1."""
        named = dict.fromkeys(m.base_color_texture for m in materials if m.base_color_texture is not None)
        textures = list(named)[: self._ctx.info["GL_MAX_ARRAY_TEXTURE_LAYERS"]]
        if textures and textures != self._layers:
            self._write_layers(textures)
        if not textures and self.texture_array is not None:  # another scene's
            self.texture_array.release()
            self.texture_array, self._layers = None, []
        layer_of = {texture: layer for layer, texture in enumerate(self._layers)}
        return [layer_of.get(material.base_color_texture, -1) for material in materials]

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
