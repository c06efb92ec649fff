"""Nodes of a file as the columns of a FileContent; one whose matrix shears becomes two."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from scene.geometry.affine import Factors
from scene.mesh.pool import NO_MESH
from scene.system.report import Problems


@dataclass(frozen=True)
class NodeColumns:
    """Nodes in columns (n,), parents before children: names StringDType, parents int32, meshes int64, and float64
    translations (n, 3), rotations (n, 4), scales (n, 3)."""

    names: np.ndarray
    parents: np.ndarray
    meshes: np.ndarray
    translations: np.ndarray
    rotations: np.ndarray
    scales: np.ndarray


def nested(
    order: np.ndarray,
    parents: np.ndarray,
    names: np.ndarray,
    meshes: np.ndarray,
    translations: np.ndarray,
    rest: Factors,
    problems: Problems,
) -> NodeColumns:
    """The chosen nodes, those that shear as two: the second, which carries the mesh and the children, below the first.

    Args:
        order: (k,) which nodes, parents before children. The other columns: (n,), of all nodes.
        rest: what stands behind the translation. problems: what was guessed goes here.
    """
    sheared = rest.sheared[order]
    if sheared.any():
        done = "opened as two nodes, one below the other"
        problems.report("shear", "a matrix that shears", done, count=int(sheared.sum()))
    outer = np.arange(len(order)) + np.cumsum(sheared) - sheared
    inner = outer + sheared  # the same node where there is only one
    place = np.full(len(parents) + 1, -1)
    place[order] = inner
    count = len(order) + int(sheared.sum())
    second = inner[sheared]

    def column(values: np.ndarray, further: object, dtype: object) -> np.ndarray:
        out = np.empty((count, *values.shape[1:]), dtype=dtype)
        out[outer] = values
        out[second] = further
        return out

    chosen_names = names[order]
    found = {
        "translation": column(translations[order], 0.0, np.float64),
        "rotation": column(rest.rotations[order], rest.inner_rotations[order][sheared], np.float64),
        "scale": column(rest.scales[order], 1.0, np.float64),
    }
    for name, values in found.items():
        bad = ~np.isfinite(values).all(axis=1)
        if bad.any():
            problems.report("transform", f"a {name} beyond what a number holds", "ignored", count=int(bad.sum()))
            values[bad] = (0.0, 0.0, 0.0, 1.0) if name == "rotation" else float(name == "scale")
    return NodeColumns(
        column(chosen_names, np.strings.add(chosen_names[sheared], " (shear)"), np.dtypes.StringDType()),
        column(place[parents[order]], outer[sheared], np.int32),
        column(np.where(sheared, NO_MESH, meshes[order]), meshes[order][sheared], np.int64),
        found["translation"],
        found["rotation"],
        found["scale"],
    )
