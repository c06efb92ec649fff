"""A file's primitives as one table, and the meshes that only repeat another one in another material."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from octoscope.scene.formats.gltf import codes
from octoscope.scene.formats.gltf.accessors import NONE, Accessors
from octoscope.scene.formats.gltf.document import GltfDocument, broken, integers, is_vector, objects
from octoscope.scene.system.report import Problems

_REAL = (codes.FLOAT, codes.BYTE, codes.UNSIGNED_BYTE, codes.SHORT, codes.UNSIGNED_SHORT)  # KHR_mesh_quantization
_WHOLE = (codes.UNSIGNED_BYTE, codes.UNSIGNED_SHORT, codes.UNSIGNED_INT)


@dataclass(frozen=True)
class Primitives:
    """The primitives that can be read, in columns (p,)."""

    meshes: np.ndarray  # index of the mesh
    modes: np.ndarray  # glTF's codes
    materials: np.ndarray  # index of the material, or NONE
    indices: np.ndarray  # accessor, or NONE; so are the following ones
    positions: np.ndarray
    normals: np.ndarray
    uvs: np.ndarray
    second_uvs: np.ndarray
    colors: np.ndarray

    def chosen(self, rows: np.ndarray) -> Primitives:
        """Return some rows."""
        return Primitives(**{name: column[rows] for name, column in vars(self).items()})

    def geometry(self) -> np.ndarray:
        """Return all that does not depend on the material: (p, 7)."""
        uvs = self.uvs, self.second_uvs
        return np.stack([self.modes, self.indices, self.positions, self.normals, *uvs, self.colors], axis=1)


def primitives_of(
    document: GltfDocument,
    meshes: list[dict[str, object]],
    accessors: Accessors,
    uv_sets: np.ndarray,
    textured: np.ndarray,
    problems: Problems,
) -> Primitives:
    """Collect the primitives that can be read, and report the others; `uv_sets`, `textured`: as of `read_meshes`."""
    path = document.path
    lists = [objects(mesh, "primitives", path) for mesh in meshes]
    items = [item for primitives in lists for item in primitives]
    attributes = [held for item in items if isinstance(held := item.get("attributes"), dict)]
    if len(attributes) < len(items):
        raise broken(path, "a primitive has no 'attributes'")
    materials = integers(items, "material", NONE, path)
    unknown = (materials < NONE) | (materials >= len(uv_sets))
    problems.report("material", "a material that is not in the file", "shown in white", count=int(unknown.sum()))
    materials[unknown] = NONE
    found = Primitives(
        np.repeat(np.arange(len(meshes)), [len(primitives) for primitives in lists]),
        integers(items, "mode", codes.TRIANGLES, path),
        materials,
        integers(items, "indices", NONE, path),
        integers(attributes, "POSITION", NONE, path),
        integers(attributes, "NORMAL", NONE, path),
        *_uv_accessors(document, attributes, uv_sets, textured, materials, problems),
        integers(attributes, "COLOR_0", NONE, path),
    )
    sound = accessors.usable(found.positions, components=_REAL, widths=(3,))
    sound &= (found.indices == NONE) | accessors.usable(found.indices, components=_WHOLE, widths=(1,))
    sound &= (found.modes >= codes.POINTS) & (found.modes <= codes.TRIANGLE_FAN)
    if not sound.all():
        what = "a part of a mesh whose data lie outside the file, or cannot be decoded"
        problems.report("mesh-data", what, "skipped", count=int((~sound).sum()))
        found = found.chosen(np.flatnonzero(sound))
    for name, widths in (("normals", (3,)), ("uvs", (2,)), ("second_uvs", (2,)), ("colors", (3, 4))):
        column = getattr(found, name)
        usable = accessors.usable(column, components=_REAL, widths=widths)
        usable[usable] = accessors.counts[column[usable]] >= accessors.counts[found.positions[usable]]
        lost = int(((column != NONE) & ~usable).sum())
        what = f"{name.replace('_', ' ')} that do not fit their mesh"
        problems.report("mesh-data", what, "shown without them", count=lost)
        column[~usable] = NONE
    return found


def _uv_accessors(
    document: GltfDocument,
    attributes: list[dict[str, object]],
    uv_sets: np.ndarray,
    textured: np.ndarray,
    materials: np.ndarray,
    problems: Problems,
) -> tuple[np.ndarray, np.ndarray]:
    """Return (p,) the accessors of both sets of texture coordinates, also of a second one that no map uses."""
    wanted = np.append(uv_sets, [(0, NONE)], axis=0)[materials]
    unused = wanted[:, 1] == NONE
    used = np.stack([np.append(textured, False)[materials], ~unused], axis=1)
    wanted[unused, 1] = wanted[unused, 0] == 0  # the first two sets change places where only the second one is used
    found = np.full(wanted.shape, NONE)
    for number in np.unique(wanted).tolist():
        of_set = integers(attributes, f"TEXCOORD_{number}", NONE, document.path)
        found = np.where(wanted == number, of_set[:, None], found)
        lacking = int((used & (wanted == number) & (found == NONE)).any(axis=1).sum())
        if lacking and number > 0:  # without the first, a mesh has none, and says so by that
            what = f"a texture on a part of a mesh without its texture coordinates (TEXCOORD_{number})"
            problems.report("texture", what, "one pixel of it is shown everywhere", count=lacking)
    return found[:, 0].copy(), found[:, 1].copy()


def centers_of(meshes: list[dict[str, object]]) -> np.ndarray:
    """Return the centres that Octoscope noted in its own files, else zero: (m, 3)."""
    extras = [mesh.get("extras") for mesh in meshes]
    noted = [extra.get(codes.CENTER) if isinstance(extra, dict) else None for extra in extras]
    rows = [number for number, center in enumerate(noted) if is_vector(center, 3)]
    centers = np.zeros((len(meshes), 3))
    centers[rows] = np.array([noted[row] for row in rows], dtype=np.float64).reshape(-1, 3)
    return centers


def without_repeated(primitives: Primitives, centers: np.ndarray) -> tuple[Primitives, np.ndarray, np.ndarray]:
    """Remove meshes that repeat an earlier one, also in one other material for all of it; `centers`: (m, 3), of all.

    Returns:
        the primitives of the others; for each mesh (m,) which one it repeats, or itself; and (m,) the material of its
        own, or -1.
    """
    count = len(centers)
    ends = np.searchsorted(primitives.meshes, np.arange(count), side="right").tolist()
    geometry = np.ascontiguousarray(primitives.geometry())
    originals, overrides = np.arange(count), np.full(count, -1)
    known: dict[bytes, tuple[int, int]] = {}
    first = 0
    for mesh, end in enumerate(ends):
        key = geometry[first:end].tobytes() + centers[mesh].tobytes()
        original, original_first = known.setdefault(key, (mesh, first))
        if original != mesh:
            materials = primitives.materials[first:end]
            if (materials == primitives.materials[original_first : original_first + end - first]).all():
                originals[mesh] = original
            elif materials[0] != NONE and (materials == materials[0]).all():
                originals[mesh], overrides[mesh] = original, materials[0]
        first = end
    return primitives.chosen(np.flatnonzero(originals[primitives.meshes] == primitives.meshes)), originals, overrides
