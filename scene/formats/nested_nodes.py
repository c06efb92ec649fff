"""Nodes of a file as the columns of a FileContent; one whose matrix shears becomes two."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, DTypeLike

from octoscope.scene.geometry.affine import Factors
from octoscope.scene.mesh.pool import NO_MESH
from octoscope.scene.system.report import Problems


@dataclass(frozen=True)
class NestedNodes:
    """Nodes in columns (n,), parents before children."""

    names: np.ndarray  # StringDType
    parents: np.ndarray  # int32
    meshes: np.ndarray  # int64
    translations: np.ndarray  # (n, 3) float64
    rotations: np.ndarray  # (n, 4) float64
    scales: np.ndarray  # (n, 3) float64
    sources: np.ndarray  # (n,) int64 which of all nodes each is


def nested(
    order: np.ndarray,
    parents: np.ndarray,
    names: np.ndarray,
    meshes: np.ndarray,
    translations: np.ndarray,
    rest: Factors,
    problems: Problems,
) -> NestedNodes:
    """Make columns of the chosen nodes; one that shears becomes two, the second of which has the mesh and the children.

    Args:
        order: (k,) which nodes, parents before children.
        parents, names, meshes: (n,) of all nodes.
        translations: (n, 3) of all nodes.
        rest: of all nodes, the factors of their other transforms.
    """
    sheared = rest.sheared[order]
    done = "opened as two nodes, one below the other"
    problems.report("shear", "a matrix that shears", done, count=int(sheared.sum()))
    outer = np.arange(len(order)) + np.cumsum(sheared) - sheared
    inner = outer + sheared  # the same node where there is only one
    row_of = np.full(len(parents) + 1, -1)
    row_of[order] = inner
    count = len(order) + int(sheared.sum())
    second = inner[sheared]

    def column(values: np.ndarray, further: ArrayLike, dtype: DTypeLike) -> np.ndarray:
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
        problems.report("transform", f"a {name} beyond what a number holds", "ignored", count=int(bad.sum()))
        values[bad] = (0.0, 0.0, 0.0, 1.0) if name == "rotation" else float(name == "scale")
    return NestedNodes(
        column(chosen_names, np.strings.add(chosen_names[sheared], " (shear)"), np.dtypes.StringDType()),
        column(row_of[parents[order]], outer[sheared], np.int32),
        column(np.where(sheared, NO_MESH, meshes[order]), meshes[order][sheared], np.int64),
        found["translation"],
        found["rotation"],
        found["scale"],
        column(order, order[sheared], np.int64),
    )
