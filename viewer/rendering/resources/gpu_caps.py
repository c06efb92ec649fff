"""GpuCaps: the graphics card's copy of the faces that close objects where a section cuts them open."""

from __future__ import annotations

import moderngl
import numpy as np

from octoscope.scene import Meshes
from octoscope.scene.cutting.caps import Caps
from octoscope.viewer.rendering.resources.gpu_meshes import SECOND_UV_BYTES, VERTEX
from octoscope.viewer.rendering.resources.normal_folding import FLAT


class GpuCaps:
    """Vertices and indices of caps, as those of meshes: a cap is drawn with the transform of its node."""

    def __init__(self, ctx: moderngl.Context) -> None:
        self._ctx = ctx
        self._caps: Caps | None = None
        self.vertices = ctx.buffer(reserve=VERTEX.itemsize)  # buffer of VERTEX
        self.indices = ctx.buffer(reserve=4)  # buffer of uint32, three for each triangle
        # buffer of their second texture coordinates, or None: no mesh has any
        self.second_uvs: moderngl.Buffer | None = None

    def release(self) -> None:
        """Delete the buffers."""
        for buffer in (self.vertices, self.indices, self.second_uvs):
            if buffer is not None:
                buffer.release()

    def update(self, caps: Caps, meshes: Meshes) -> bool:
        """Upload caps unless they are there.

        Args:
            caps: to be drawn.
            meshes: of the scene.

        Returns:
            True if a buffer was replaced and vertex arrays must be made anew.
        """
        if caps is self._caps or not len(caps.nodes):
            return False
        self._caps = caps
        packed = _packed(caps, meshes)
        replaced = packed.nbytes > self.vertices.size
        if replaced:
            self.release()
            self.second_uvs = None
            self.vertices = self._ctx.buffer(reserve=2 * packed.nbytes)
            self.indices = self._ctx.buffer(np.arange(self.vertices.size // VERTEX.itemsize, dtype=np.uint32))
        self.vertices.write(packed)
        if "second_uv" not in meshes.vertices.names:
            return replaced
        if replaced or self.second_uvs is None:
            replaced = True
            self.second_uvs = self._ctx.buffer(reserve=self.vertices.size // VERTEX.itemsize * SECOND_UV_BYTES)
        vertices = np.repeat(caps.vertices, caps.counts)
        self.second_uvs.write(np.repeat(meshes.vertices["second_uv"][vertices], 3, axis=0))
        return replaced


def _packed(caps: Caps, meshes: Meshes) -> np.ndarray:
    """Return the corners of caps, one after another, as VERTEX."""
    packed = np.zeros((len(caps.corners), 3), dtype=VERTEX)
    mesh_ids = np.repeat(caps.meshes, caps.counts)
    vertices = np.repeat(caps.vertices, caps.counts)
    # As the meshes' own vertices: relative to the centre of each mesh's sphere.
    packed["position"] = caps.corners - meshes.rows["sphere"][mesh_ids, None, :3]
    packed["normal"] = FLAT
    for name in ("uv", "color", "material"):
        packed[name] = meshes.vertices[name][vertices][:, None]
    packed["mesh"] = mesh_ids[:, None]
    return packed.ravel()
