"""GpuScene: the graphics card's copy of a scene's meshes and materials, and the textures that carry instances.

All of it can be made again from the scene.
"""

from __future__ import annotations

from collections.abc import Sequence

import moderngl
import numpy as np
from PIL import Image

from scene import DEFAULT_MATERIAL, Material, Texture
from viewer.frame.frame import INSTANCE_FLOATS, INSTANCES_PER_ROW
from viewer.rendering.gpu_meshes import GpuMeshes
from viewer.rendering.texture_layers import layer_room, layer_side, shrunk_message, textures_of

_MATERIALS_PER_ROW = 256
_TEXELS_PER_MATERIAL = 4
_DEFAULT_COLOR = -2  # in place of a texture's layer: a colour that nobody chose


class GpuScene:
    """Meshes, materials, textures and instances on the graphics card.

    Attributes:
        textures_left_out: number of textures that the card has no room for.
    """

    def __init__(self, ctx: moderngl.Context) -> None:
        self._ctx = ctx
        self._materials: Sequence[Material] | None = None
        self._material_state = (0, 0)  # count and revision
        self._layers: list[Texture] = []
        self.textures_left_out = 0
        self.texture_array: moderngl.TextureArray | None = None
        self.meshes = GpuMeshes(ctx)
        self.instance_ids = ctx.buffer(np.zeros(1, dtype=np.uint32))
        self.material_texture = self._texture(1)
        self.instance_texture = self._texture(1)

    @property
    def messages(self) -> list[str]:
        """Lines about textures that are not shown, or shown smaller than they are."""
        count = self.textures_left_out
        left_out = [f"{count:,} textures are not shown: there are more than this graphics card takes"] if count else []
        return left_out + shrunk_message(self._layers)

    def release(self) -> None:
        """Delete the buffers and textures."""
        for part in (self.meshes, self.instance_ids, self.material_texture, self.instance_texture):
            part.release()
        if self.texture_array is not None:
            self.texture_array.release()

    def update_materials(self, materials: Sequence[Material], revision: int) -> None:
        """Upload the materials if there are more than before, changed ones, or another scene's."""
        state = len(materials), revision
        if materials is self._materials and state == self._material_state:
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
        packed[: len(materials), 1, 3] = [
            _DEFAULT_COLOR if _has_default_color(material) else layers.get(material.base_color_texture, -1)
            for material in materials
        ]
        packed[: len(materials), 2, 3] = [layers.get(material.emission_texture, -1) for material in materials]
        if rows > self.material_texture.height:
            self.material_texture.release()
            self.material_texture = self._texture(rows)
        self.material_texture.write(packed, viewport=(0, 0, self.material_texture.width, rows))
        self._materials, self._material_state = materials, state

    def _update_layers(self, materials: Sequence[Material]) -> dict[Texture | None, int]:
        """Bring the materials' textures into one array of equal layers; return the layer of each texture."""
        named = textures_of(materials)
        textures = named[: self._ctx.info["GL_MAX_ARRAY_TEXTURE_LAYERS"]]
        self.textures_left_out = len(named) - len(textures)
        if textures and textures != self._layers:
            self._write_layers(textures)
        if not textures and self.texture_array is not None:  # another scene's
            self.texture_array.release()
            self.texture_array, self._layers = None, []
        return {texture: layer for layer, texture in enumerate(self._layers)}

    def _write_layers(self, textures: list[Texture]) -> None:
        """Write the new textures, or all of them to another array where they do not fit."""
        side, room = layer_side(textures), layer_room(textures)
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
        """Upload a frame's instances, lists of (padded, 16); return whether the id buffer was replaced."""
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


def _has_default_color(material: Material) -> bool:
    return material.base_color == DEFAULT_MATERIAL.base_color and not material.textures


def _highlights(materials: Sequence[Material]) -> np.ndarray:
    """Return (m, 2) float strength and exponent of each material's highlight, for the shader."""
    phong = np.array([(material.specular, material.shininess) for material in materials])
    roughness = np.array([np.nan if material.roughness is None else material.roughness for material in materials])
    # A rough surface's lobe: the exponent of a highlight of the same width, and its peak, dimmer the wider it is.
    width_squared = np.maximum(roughness, 0.2) ** 4
    lobe = np.stack([np.minimum(0.04 / width_squared, 1.0), np.clip(2.0 / width_squared - 2.0, 1.0, 1000.0)], axis=1)
    return np.where(np.isnan(roughness)[:, None], phong, lobe)
