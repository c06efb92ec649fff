"""Instances: the world transforms of a scene's nodes as the graphics card keeps them, and their drawing order.

They stay on the card. A frame sends the ids of what it shows, and rows only of nodes that have changed.
"""

from __future__ import annotations

import numpy as np

from octoscope.scene import Scene

INSTANCE_FLOATS = 16
SHAPES = ("box", "sphere", "axes")  # that can be drawn around objects


class Instances:
    """The nodes of a scene, as they were when `update` was called last.

    Attributes:
        scene: theirs.
        revision: of the scene's world; see NodeTable.world_revision.
        tree_revision: of the scene's tree, from which the two orders and `lone_nodes` follow.
        node_by_rank: (s,) int32 nodes that have a mesh in drawing order: by mesh, then by id.
        rank_of_node: (n,) int32 the inverse, by node id; meaningless without a mesh.
        lone_nodes: (meshes,) int32 by mesh id: the only node that shows the mesh; -1 where none or several do.
        is_lone: (n,) bool by node id: the node shows a mesh, and no other shows it.
    """

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self.revision = self.tree_revision = -1
        self.node_by_rank = self.rank_of_node = self.lone_nodes = np.empty(0, dtype=np.int32)
        self.is_lone = np.empty(0, dtype=bool)

    def __len__(self) -> int:
        """Return the number of rows: one for each node id, with or without a mesh."""
        return self.scene.row_count

    def update(self) -> None:
        """Take in what has changed in the scene."""
        scene = self.scene
        self.revision = scene.world_revision
        if self.tree_revision == scene.tree_revision:
            return
        shown = np.flatnonzero(scene.mesh_ids >= 0)
        self.node_by_rank = shown[np.argsort(scene.mesh_ids[shown], kind="stable")].astype(np.int32)
        self.rank_of_node = np.zeros(scene.row_count, dtype=np.int32)
        self.rank_of_node[self.node_by_rank] = np.arange(len(shown), dtype=np.int32)
        mesh_ids = scene.mesh_ids[self.node_by_rank]
        lone = self.node_by_rank[np.bincount(mesh_ids)[mesh_ids] == 1]
        self.is_lone = np.zeros(scene.row_count, dtype=bool)
        self.is_lone[lone] = True
        self.lone_nodes = np.full(len(scene.meshes), -1, dtype=np.int32)
        self.lone_nodes[scene.mesh_ids[lone]] = lone
        self.tree_revision = scene.tree_revision

    def packed(self, first: int, end: int) -> np.ndarray:
        """Pack the rows of the nodes `first` to `end` - 1.

        A mesh's vertices on the card are relative to the centre of its sphere: a row places that centre, as the sum of
        two numbers, so that the shader can subtract the camera's place far from the world's origin.

        Returns:
            (end - first, 16) float32: three rows of the linear part of world_from_local with, after each, a coordinate
            of the centre's high part; then the centre's low part and the material override.
        """
        scene, nodes = self.scene, slice(first, end)
        rows = np.empty((end - first, 4, 4), dtype=np.float32)
        with np.errstate(over="ignore", invalid="ignore"):  # too large for float32: the index leaves such nodes out
            rows[:, :3, :3] = scene.world_from_local[nodes, :3, :3]
            rows[:, :3, 3], rows[:, 3, :3] = high_low(scene.world_spheres[nodes, :3])
        rows[:, 3, 3] = scene.material_overrides[nodes]
        return rows.reshape(-1, INSTANCE_FLOATS)


def placed_shapes(scene: Scene, shape: str, node_ids: np.ndarray, camera_position: np.ndarray) -> np.ndarray:
    """Place a unit shape around nodes.

    Args:
        scene: of the nodes.
        shape: "box" and "sphere" reach from -1 to 1, around what the nodes show; "axes" from the nodes' origins to 1,
            half as long as their spheres' radii.
        node_ids: (k,) int32.
        camera_position: (3,) world, the origin of "relative".

    Returns:
        (k', 12) float32: x, y and z axis and the centre of the shape, relative; of the nodes with a mesh.
    """
    nodes = node_ids[scene.mesh_ids[node_ids] >= 0]
    world, spheres = scene.world_from_local[nodes], scene.world_spheres[nodes]
    columns = world[:, :3, :3].transpose(0, 2, 1)  # one axis a row
    if shape == "sphere":
        axes, centers = spheres[:, 3, None, None] * np.eye(3), spheres[:, :3]
    elif shape == "box":
        rows, mesh_ids = scene.meshes.rows, scene.mesh_ids[nodes]
        axes, centers = 0.5 * (rows["upper"] - rows["lower"])[mesh_ids][:, :, None] * columns, spheres[:, :3]
    else:
        lengths = np.linalg.norm(columns, axis=2, keepdims=True)
        axes = 0.5 * spheres[:, 3, None, None] * columns / np.where(lengths > 0.0, lengths, 1.0)
        centers = world[:, :3, 3]
    with np.errstate(over="ignore", invalid="ignore"):  # too large for float32: the index leaves such nodes out
        return np.concatenate([axes.reshape(-1, 9), centers - camera_position], axis=1).astype(np.float32)


def high_low(values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Split float64 numbers into pairs of float32 whose sums hold 48 bits of each."""
    high = values.astype(np.float32)
    return high, (values - high).astype(np.float32)
