"""GpuScene: the graphics card's copy of a scene's meshes, materials and instances.

All of it can be made again from the scene.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import moderngl
import numpy as np

from octoscope.scene import DEFAULT_MATERIAL, Material
from octoscope.scene.geometry.colors import linear_from_srgb
from octoscope.scene.mesh.texture import REPEATED, WRAPS
from octoscope.viewer.frame.instances import INSTANCE_FLOATS, Instances
from octoscope.viewer.rendering.resources.gpu_meshes import GpuMeshes
from octoscope.viewer.rendering.resources.gpu_textures import GpuTextures
from octoscope.viewer.rendering.resources.texture_layers import colors_of, maps_of

TEXELS_PER_ROW, TEXELS_PER_MATERIAL = 1024, 32  # of the textures that carry what shaders look up by number
_PER_ROW = 4 * TEXELS_PER_ROW // INSTANCE_FLOATS  # instances
_MATERIALS_PER_ROW = TEXELS_PER_ROW // TEXELS_PER_MATERIAL
_ROWS_AT_ONCE = 64  # of instances, in a piece that is packed and uploaded
_FIRST_LINEAR, _FIRST_OFFSETS, _END = 8, 15, 19  # texels of the placements of textures
_FRONT_ALONE = 2.0  # is added to another number where only front sides are seen
_ON_SECOND_UVS = 0.5  # is added to the place of a texture that is looked up by the second set of coordinates
# Is added to the place of a texture for its wrap along u, and three times as much for that along v.
_WRAP_STEP = 1.0 / 32.0
_PLACED = (
    "base_color_texture",
    "emission_texture",
    "normal_texture",
    "surface_texture",
    "occlusion_texture",
    "clearcoat_texture",
    "specular_texture",
)
# What shaders have to know of the texels of a material; PLACE_OF_... is the order of the placements of textures.
MATERIAL_DEFINES = (
    f"TEXELS_PER_ROW {TEXELS_PER_ROW}",
    f"TEXELS_PER_MATERIAL {TEXELS_PER_MATERIAL}",
    f"FIRST_LINEAR {_FIRST_LINEAR}",
    f"FIRST_OFFSETS {_FIRST_OFFSETS}",
    f"FRONT_ALONE {_FRONT_ALONE}",
    f"ON_SECOND_UVS {_ON_SECOND_UVS}",
    f"WRAP_STEP {_WRAP_STEP}",
    *(f"PLACE_OF_{name.removesuffix('_texture').upper()} {place}" for place, name in enumerate(_PLACED)),
)
_COAT_MIRROR = 0.04  # share that a clear coat mirrors straight back: in simple light it is a part of its surface
_DEFAULT_COLOR = -2  # in place of a texture's place: a colour that nobody chose


class GpuScene:
    """Meshes, materials, textures and instances on the graphics card.

    Args:
        most_bytes: that colours, and other maps, may take, if the card has less memory than is usual.

    Attributes:
        textures: the colours of the materials.
        maps: the other textures of the materials, which hold numbers.
        has_emission: True if a material shines by itself.
        has_single_sided: True if a material shows only the front sides of its triangles.
        has_turned: True if a texture is turned, or lies otherwise than the others of its material.
        has_second_uvs: True if a texture is looked up by the second set of texture coordinates.
        has_wraps: True if a texture is not repeated beyond its borders.
        has_coats: True if a material has a clear coat, or mirrors otherwise than glass does.
        has_metals: True if a material is a metal that mirrors, and not all around alike.
        node_ids: buffer of the node ids of a frame's lists, one list after another.
    """

    def __init__(self, ctx: moderngl.Context, most_bytes: float = math.inf) -> None:
        self._ctx = ctx
        self._materials: Sequence[Material] | None = None
        self._material_state = (0, 0, 0, 0)  # count, revision, and those of textures and maps
        self.textures = GpuTextures(ctx, most_bytes=most_bytes)
        self.maps = GpuTextures(ctx, holds_colors=False, most_bytes=most_bytes)
        self.has_emission = self.has_coats = self.has_metals = self.has_turned = self.has_single_sided = False
        self.has_second_uvs = self.has_wraps = False
        self.meshes = GpuMeshes(ctx)
        self.material_texture = self._texture(1)
        self.instance_texture = self._texture(1)
        self.lone_node_texture = self._texture(1, components=1, dtype="i4")
        self.active_node_texture = self._texture(1, components=1, dtype="f1")
        self.node_ids = ctx.buffer(reserve=4)
        self._instances: Instances | None = None
        self._instances_revision = self._tree_revision = -1

    @property
    def messages(self) -> list[str]:
        """Lines about textures that are not shown, or shown smaller than they are."""
        return self.textures.messages + self.maps.messages

    @property
    def has_pending_uploads(self) -> bool:
        """True if meshes or textures were left out for lack of time."""
        return self.meshes.has_pending_uploads or self.textures.has_pending or self.maps.has_pending

    def release(self) -> None:
        """Delete the buffers and textures."""
        textures = (self.material_texture, self.instance_texture, self.lone_node_texture, self.active_node_texture)
        for part in (self.meshes, self.node_ids, self.textures, self.maps, *textures):
            part.release()

    def update_materials(self, materials: Sequence[Material], revision: int, *, waits: bool = True) -> None:
        """Upload the materials if there are more than before, changed ones, or another scene's.

        Args:
            materials: of the scene.
            revision: counts their changes.
            waits: whether to wait for textures; if not, they are left out until `textures` has them all.
        """
        if materials is not self._materials or (len(materials), revision) != self._material_state[:2]:
            self.textures.update(colors_of(materials))
            self.maps.update(maps_of(materials))
        if waits:
            self.textures.upload_pending()
            self.maps.upload_pending()
        state = len(materials), revision, self.textures.revision, self.maps.revision
        if materials is self._materials and state == self._material_state:
            return
        rows = -(-len(materials) // _MATERIALS_PER_ROW)
        packed = np.zeros((rows * _MATERIALS_PER_ROW, TEXELS_PER_MATERIAL, 4), dtype=np.float32)
        packed[: len(materials), 0, :3] = linear_from_srgb([material.base_color for material in materials])
        packed[: len(materials), 0, 3] = [material.opacity for material in materials]
        packed[: len(materials), 1, :2] = [
            (min(material.mirror + _COAT_MIRROR * material.clearcoat, 1.0), material.shown_roughness)
            for material in materials
        ]
        packed[: len(materials), 1, 2] = [-1.0 if material.unlit else material.metallic for material in materials]
        packed[: len(materials), 2, :3] = [material.emitted_light for material in materials]
        packed[: len(materials), 3] = [(*material.uv_scale, *material.uv_offset) for material in materials]
        self.has_wraps = any(texture.wrap != REPEATED for each in materials for texture in each.textures)
        self.has_second_uvs = any(material.uv_set_count > 1 for material in materials)
        packed[: len(materials), 4] = [
            (
                _place(self.maps, material, "normal_texture"),
                material.normal_scale,
                _place(self.maps, material, "surface_texture"),
                _place(self.maps, material, "occlusion_texture"),
            )
            for material in materials
        ]
        packed[: len(materials), 5] = [
            (
                material.occlusion_strength + (0.0 if material.double_sided else _FRONT_ALONE),
                material.clearcoat,
                material.clearcoat_roughness,
                _place(self.maps, material, "clearcoat_texture"),
            )
            for material in materials
        ]
        tints = linear_from_srgb([material.specular_color for material in materials])
        straight = np.array([[material.mirror] for material in materials])
        packed[: len(materials), 6, :3] = np.minimum(straight * tints, 1.0)
        packed[: len(materials), 6, 3] = [material.rim for material in materials]
        packed[: len(materials), 7, 0] = [_place(self.textures, material, "specular_texture") for material in materials]
        packed[: len(materials), 7, 1] = [material.roughness is None for material in materials]
        self.has_emission = bool(packed[:, 2, :3].any())
        self.has_coats = any(material.is_coated for material in materials)
        _, roughness, metallic = packed[: len(materials), 1, :3].T
        self.has_metals = bool(((metallic > 0.0) & (roughness < 1.0)).any())
        self.has_single_sided = not all(material.double_sided for material in materials)
        self.has_turned = any(material.is_turned for material in materials)
        if self.has_turned:
            _pack_placements(packed[: len(materials)], materials)
        packed[: len(materials), 1, 3] = [
            _DEFAULT_COLOR if _has_default_color(material) else _place(self.textures, material, "base_color_texture")
            for material in materials
        ]
        packed[: len(materials), 2, 3] = [_place(self.textures, material, "emission_texture") for material in materials]
        self.material_texture = self._with_room(self.material_texture, rows)
        self.material_texture.write(packed, viewport=(0, 0, self.material_texture.width, rows))
        self._materials, self._material_state = materials, state

    def update_instances(self, instances: Instances) -> None:
        """Upload the rows that have changed, or all of another scene's.

        Raises:
            MemoryError: there are more nodes than this card has room for.
        """
        texture_rows = -(-len(instances) // _PER_ROW)
        if instances is not self._instances or texture_rows > self.instance_texture.height:
            self.instance_texture = self._with_room(self.instance_texture, texture_rows)
            changed = np.arange(texture_rows)
        elif instances.revision != self._instances_revision:
            changed = np.unique(instances.scene.changed_since(self._instances_revision) // _PER_ROW)
        else:
            changed = np.empty(0, dtype=np.int32)
        for run in _runs(changed):
            first, end = run[0] * _PER_ROW, min((run[-1] + 1) * _PER_ROW, len(instances))
            packed = np.zeros((len(run) * _PER_ROW, INSTANCE_FLOATS), dtype=np.float32)
            packed[: end - first] = instances.packed(first, end)
            self.instance_texture.write(packed, viewport=(0, run[0], TEXELS_PER_ROW, len(run)))
        if instances is not self._instances or instances.tree_revision != self._tree_revision:
            self._write_lone_nodes(instances.lone_nodes)
        self._instances = instances
        self._instances_revision, self._tree_revision = instances.revision, instances.tree_revision

    def _write_lone_nodes(self, lone_nodes: np.ndarray) -> None:
        rows = max(1, -(-len(lone_nodes) // TEXELS_PER_ROW))
        self.lone_node_texture = self._with_room(self.lone_node_texture, rows)
        padded = np.resize(lone_nodes, rows * TEXELS_PER_ROW)
        self.lone_node_texture.write(padded, viewport=(0, 0, TEXELS_PER_ROW, rows))

    def update_active_nodes(self, nodes: np.ndarray, count: int) -> None:
        """Upload which nodes, (k,) int32, of `count` in all are active."""
        rows = max(1, -(-count // TEXELS_PER_ROW))
        self.active_node_texture = self._with_room(self.active_node_texture, rows)
        is_active = np.zeros(rows * TEXELS_PER_ROW, dtype=np.uint8)
        is_active[nodes] = 255
        self.active_node_texture.write(is_active, viewport=(0, 0, TEXELS_PER_ROW, rows))

    def update_node_ids(self, *lists: np.ndarray) -> None:
        """Upload the nodes of a frame's lists, (k,) int32 each."""
        ids = np.concatenate(lists)
        if ids.nbytes > self.node_ids.size:
            self.node_ids.orphan(2 * ids.nbytes)
        if len(ids):
            self.node_ids.write(ids)

    def _texture(self, rows: int, *, components: int = 4, dtype: str = "f4") -> moderngl.Texture:
        texture = self._ctx.texture((TEXELS_PER_ROW, rows), components, dtype=dtype)
        texture.filter = (moderngl.NEAREST, moderngl.NEAREST)
        return texture

    def _with_room(self, texture: moderngl.Texture, rows: int) -> moderngl.Texture:
        """Return a texture that has so many rows: the same, or a larger one of unknown content."""
        if rows <= texture.height:
            return texture
        room = min(max(rows, 2 * texture.height), self._ctx.info["GL_MAX_TEXTURE_SIZE"])
        if rows > room:
            raise MemoryError(f"the scene needs a texture of {rows} rows, and this graphics card has {room} at most")
        grown = self._texture(room, components=texture.components, dtype=texture.dtype)
        texture.release()
        return grown


def _pack_placements(packed: np.ndarray, materials: Sequence[Material]) -> None:
    """Pack where each texture lies, as mesh.glsl has it: (m, texels, 4) of the materials."""
    placements = np.array([[material.placement_of(name) for name in _PLACED] for material in materials])
    scale_u, scale_v, turn = placements[..., 0], placements[..., 1], placements[..., 2]
    linear = np.stack(
        [scale_u * np.cos(turn), scale_u * np.sin(turn), -scale_v * np.sin(turn), scale_v * np.cos(turn)], axis=-1
    )
    packed[:, _FIRST_LINEAR:_FIRST_OFFSETS] = linear
    offsets = np.pad(placements[..., 3:], ((0, 0), (0, len(_PLACED) % 2), (0, 0)))
    packed[:, _FIRST_OFFSETS:_END] = offsets.reshape(len(materials), -1, 4)


def _place(textures: GpuTextures, material: Material, name: str) -> float:
    """Return the place of a texture, by its field, or -1; with a part below 1 that says how it is looked up."""
    texture = getattr(material, name)
    place = textures.places.get(texture, -1)
    if place < 0:
        return place
    along_u, along_v = map(WRAPS.index, texture.wrap)
    return place + _WRAP_STEP * (along_u + 3 * along_v) + _ON_SECOND_UVS * material.is_on_second_uvs(name)


def _runs(rows: np.ndarray) -> list[np.ndarray]:
    """Split ascending numbers into runs without a gap, of _ROWS_AT_ONCE at most."""
    if len(rows) == 0:  # as in most pictures
        return []
    runs = np.split(rows, np.flatnonzero(np.diff(rows) != 1) + 1)
    return [run[i : i + _ROWS_AT_ONCE] for run in runs for i in range(0, len(run), _ROWS_AT_ONCE)]


def _has_default_color(material: Material) -> bool:
    return material.base_color == DEFAULT_MATERIAL.base_color and not material.textures
