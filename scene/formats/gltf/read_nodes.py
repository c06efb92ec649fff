"""Read the nodes of a glTF file: its tree, names and transforms."""

from __future__ import annotations

import numpy as np

from octoscope.scene.formats.gltf.accessors import NONE
from octoscope.scene.formats.gltf.document import GltfDocument, broken, integers, is_vector, names_of, whole_numbers
from octoscope.scene.formats.gltf.instances import Instances
from octoscope.scene.formats.nested_nodes import NestedNodes, nested
from octoscope.scene.geometry.affine import Factors, factorize, unit_rotations
from octoscope.scene.geometry.forest import preorder
from octoscope.scene.system.report import Problems


def read_nodes(document: GltfDocument, instances: Instances, centers: np.ndarray, problems: Problems) -> NestedNodes:
    """Read the nodes of the scene that the file shows, and of each that has instances a child for each.

    A node with nothing but a camera is left out: it is a bookmark (read_cameras). A node whose matrix shears becomes
    two: the second, below the first, has its mesh and children.

    Args:
        centers: (m, 3) of each mesh, what was subtracted from its positions; nodes are placed as if nothing was.
    """
    nodes = document.objects("nodes")
    parents, order = node_tree(document, problems, instances.owners)
    meshes = integers(nodes, "mesh", NONE, document.path)
    unknown = (meshes < NONE) | (meshes >= len(centers))
    problems.report("mesh", "a mesh that is not in the file", "shown without it", count=int(unknown.sum()))
    meshes[unknown] = NONE
    of_instances = meshes[instances.owners]
    meshes[instances.owners] = NONE
    # Otherwise a scene's bookmarks would become nodes as well whenever it is written and read.
    cameras = integers(nodes, "camera", NONE, document.path)
    holds_camera = np.zeros(len(parents), dtype=np.bool_)
    holds_camera[: len(nodes)] = (cameras >= 0) & (cameras < len(document.objects("cameras"))) & (meshes < 0)
    holds_camera[parents[order][parents[order] >= 0]] = False
    order = order[~holds_camera[order]]
    meshes = np.concatenate([meshes, of_instances])
    translations, rest = node_transforms(nodes, problems, instances)
    if centers.any():
        own = np.where(meshes[:, None] < 0, 0.0, centers[meshes])
        above = np.where(parents[:, None] < 0, 0.0, own[parents])
        with np.errstate(over="ignore", invalid="ignore"):
            translations += above - (rest.matrices() @ own[:, :, None])[:, :, 0]
    return nested(order, parents, _names(document, instances, meshes), meshes, translations, rest, problems)


def _names(document: GltfDocument, instances: Instances, meshes: np.ndarray) -> np.ndarray:
    """Return the names of nodes and, behind them, of instances: their own, else their meshes', else a number."""
    nodes, known = document.objects("nodes"), document.objects("meshes")
    names = names_of(nodes, [""] * len(nodes))
    is_named = np.array([isinstance(node.get("name"), str) for node in nodes], dtype=np.bool_)
    names = np.concatenate([names, names[instances.owners]])
    unnamed = np.flatnonzero(~np.concatenate([is_named, is_named[instances.owners]]))
    of_meshes = np.append(names_of(known, [""] * len(known)), "")
    names[unnamed] = of_meshes[meshes[unnamed]]  # NONE is the last
    numbered = unnamed[names[unnamed] == ""]
    names[numbered] = np.strings.add("node ", numbered.astype(names.dtype))
    return names


def node_tree(
    document: GltfDocument, problems: Problems, instance_owners: np.ndarray | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """Read the tree of nodes.

    Args:
        instance_owners: (i,) ascending node of each instance; these follow the nodes, and the children of theirs.

    Returns:
        (n + i,) parents, and the indices of the nodes that the scene shows, parents first.
    """
    nodes = document.objects("nodes")
    count = len(nodes)
    lists = [of_one for node in nodes if isinstance(of_one := node.get("children", []), list)]
    if len(lists) < count:
        raise broken(document.path, "a node's 'children' is not a list")
    children = whole_numbers([child for of_one in lists for child in of_one], "children", document.path)
    owners = np.repeat(np.arange(count), np.array([len(of_one) for of_one in lists], dtype=np.int64))
    children, owners = _known(children, owners, count, problems)
    if instance_owners is not None and len(instance_owners):
        behind = np.searchsorted(owners, instance_owners, side="right")
        children = np.insert(children, behind, np.arange(count, count + len(instance_owners)))
        owners = np.insert(owners, behind, instance_owners)
        count += len(instance_owners)
    different, firsts = np.unique(children, return_index=True)
    repeated = len(children) - len(different)
    problems.report("node-tree", "a node below several others", "kept below the first", count=repeated)
    parents = np.full(count, -1)
    parents[different] = owners[firsts]
    tops = _tops(document, parents, problems)
    below = int(np.count_nonzero(parents[tops] >= 0))
    problems.report("node-tree", "a topmost node of the scene below another", "taken from there", count=below)
    parents[tops] = -1
    edges = np.sort(firsts)
    edges = edges[parents[children[edges]] == owners[edges]]
    starts = np.zeros(count + 2, dtype=np.int64)
    np.cumsum(np.bincount(owners[edges], minlength=count), out=starts[1:-1])
    starts[-1] = starts[-2] + len(tops)
    order = preorder(starts, np.concatenate([children[edges], tops]))
    problems.report("node-tree", "a node that is not in the scene", "left out", count=count - len(order))
    return parents, order


def _tops(document: GltfDocument, parents: np.ndarray, problems: Problems) -> np.ndarray:
    """Return the topmost nodes of the scene that the file shows."""
    scenes = document.objects("scenes")
    if not scenes:
        return np.flatnonzero(parents < 0)
    number = int(integers([document.json], "scene", 0, document.path)[0])
    if not 0 <= number < len(scenes):
        problems.report("scene", f"scene {number} is not in the file", "the first is shown")
        number = 0
    if len(scenes) > 1:
        problems.report("scene", "several scenes", "one is shown, the others are left out", count=len(scenes))
    tops = scenes[number].get("nodes", [])
    if not isinstance(tops, list):
        raise broken(document.path, "a scene's 'nodes' is not a list")
    tops = whole_numbers(tops, "nodes", document.path)
    tops, _ = _known(tops, tops, len(document.objects("nodes")), problems)
    return tops[np.sort(np.unique(tops, return_index=True)[1])]


def _known(numbers: np.ndarray, beside: np.ndarray, count: int, problems: Problems) -> tuple[np.ndarray, np.ndarray]:
    """Remove the indices of nodes that do not exist, and the values beside them."""
    known = (numbers >= 0) & (numbers < count)
    problems.report("node-tree", "a node that is not in the file", "left out", count=int((~known).sum()))
    return numbers[known], beside[known]


def node_transforms(
    nodes: list[dict[str, object]], problems: Problems, instances: Instances | None = None
) -> tuple[np.ndarray, Factors]:
    """Return translations (n + i, 3), and other factors, of nodes and of instances behind them, in parents' frames."""
    translations = _vectors(nodes, "translation", (0.0, 0.0, 0.0), problems)
    rotations = _vectors(nodes, "rotation", (0.0, 0.0, 0.0, 1.0), problems)
    scales = _vectors(nodes, "scale", (1.0, 1.0, 1.0), problems)
    if instances is not None and len(instances):
        translations = np.concatenate([translations, instances.translations])
        rotations = np.concatenate([rotations, instances.rotations])
        scales = np.concatenate([scales, instances.scales])
    none = ~rotations.any(axis=1)
    problems.report("transform", "a rotation of length zero", "ignored", count=int(none.sum()))
    rotations[none] = (0.0, 0.0, 0.0, 1.0)
    rest = Factors(
        unit_rotations(rotations),
        scales,
        np.tile((0.0, 0.0, 0.0, 1.0), (len(scales), 1)),
        np.zeros(len(scales), dtype=np.bool_),
    )
    rows = np.array([number for number, node in enumerate(nodes) if "matrix" in node], dtype=np.int64)
    if len(rows):
        chosen = [nodes[number] for number in rows.tolist()]
        whole = _vectors(chosen, "matrix", tuple(np.eye(4).ravel()), problems).reshape(-1, 4, 4).transpose(0, 2, 1)
        projective = (np.abs(whole[:, 3] - (0.0, 0.0, 0.0, 1.0)) > 1e-6).any(axis=1)
        done = "its last row ignored"
        problems.report("transform", "a matrix that is not affine", done, count=int(projective.sum()))
        translations[rows] = whole[:, :3, 3]
        for column, part in zip(rest, factorize(whole[:, :3, :3]), strict=True):
            column[rows] = part
    return translations, rest


def _vectors(nodes: list[dict[str, object]], key: str, default: tuple[float, ...], problems: Problems) -> np.ndarray:
    """Read a field of k finite numbers, (n, k) float64, with the default where it is something else."""
    out = np.full((len(nodes), len(default)), default)
    rows = [number for number, node in enumerate(nodes) if key in node]
    values = [nodes[number][key] for number in rows]
    given = len(rows)
    try:
        array = np.array(values, dtype=np.float64)
    except (ValueError, TypeError, OverflowError):
        array = np.empty(0)
    if array.shape != (given, len(default)):
        sound = [is_vector(value, len(default)) for value in values]
        rows = [row for row, good in zip(rows, sound, strict=True) if good]
        array = np.array([value for value, good in zip(values, sound, strict=True) if good], dtype=np.float64)
        array = array.reshape(-1, len(default))
    finite = np.isfinite(array).all(axis=1)
    out[np.array(rows, dtype=np.int64)[finite]] = array[finite]
    bad = given - int(finite.sum())
    problems.report("transform", f"a {key} that is not {len(default)} finite numbers", "ignored", count=bad)
    return out
