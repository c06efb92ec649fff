"""Reading OBJ files, from a path to a scene with its objects, names and materials, and other readers in Python.

Competitors that are not installed are left out; the bench extra installs them. They keep different things:
tinyobjloader and trimesh with split_objects keep objects and names; rapidobj, pyvista and Open3D keep one mesh.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from pathlib import Path

import numpy as np

from octoscope.scene import Scene, load
from tests.benchmarks.harness import Result, compare, installed
from tests.benchmarks.obj_files import ObjFile, write_objects, write_terrain

_ROUNDS = 3
_SLOW = ("trimesh", "open3d")  # left out of the largest file: minutes each


def run() -> Iterator[Result]:
    """Write the files into a temporary folder, check what is read from each, then measure."""
    with tempfile.TemporaryDirectory() as folder:
        for number, (name, make) in enumerate(_FILES.items()):
            file = make(Path(folder) / f"{number}.obj")
            size = file.path.stat().st_size
            _assert_right(load(file.path), file)
            peak = _in_a_process_of_its_own(_peak_times_kept, file.path)
            largest = size > 400e6
            competitors = {
                competitor: partial(read, file.path)
                for competitor, read in _readers().items()
                if not (largest and competitor.startswith(_SLOW))
            }
            result = compare(name, partial(load, file.path), competitors, rounds=_ROUNDS)
            rate = size / 1e3 / result.ours
            memory = "" if peak is None else f", peak {peak:.1f} times what is kept"
            yield Result(
                result.name, result.ours, result.others, note=f"{size / 1e6:.0f} MB at {rate:.0f} MB/s{memory}"
            )
            file.path.unlink()


_FILES: dict[str, Callable[[Path], ObjFile]] = {
    "10,000 objects of 80 triangles": lambda path: write_objects(path, 10_000, 6, 8),
    "100,000 objects of 12 triangles": lambda path: write_objects(path, 100_000, 3, 3),
    "one mesh of 1 M triangles, v/vt/vn": lambda path: write_terrain(path, 1_000_000),
    "1 M triangles, as triangles, quads, hexagons": lambda path: write_terrain(path, 1_000_000, polygons=True),
    "one mesh of 5 M triangles, v/vt/vn": lambda path: write_terrain(path, 5_000_000),
}


def _assert_right(scene: Scene, file: ObjFile) -> None:
    """Check objects, names, vertices, triangles and their area, and that no problem is reported."""
    assert not scene.report.problems, scene.report.warnings
    assert scene.report.vertex_count == file.vertices
    shown = np.flatnonzero(scene.mesh_ids >= 0)
    assert len(shown) == file.objects == len(np.unique(scene.names[shown]))
    assert scene.element_count("triangle") == file.triangles
    meshes = scene.meshes
    first = np.repeat(meshes.rows["first_vertex"], meshes.rows["triangle_count"])
    a, b, c = meshes.vertices["position"][meshes.triangles["corners"] + first[:, None]].swapaxes(0, 1)
    area = np.linalg.norm(np.cross(b - a, c - a), axis=1).sum() / 2.0
    assert abs(area / file.area - 1.0) < 1e-3


def _kept_bytes(scene: Scene) -> int:
    """Return the size of the arrays that hold the meshes."""
    pools = (scene.meshes.rows, scene.meshes.vertices, scene.meshes.triangles, scene.meshes.lines, scene.meshes.points)
    return sum(pool.nbytes for pool in pools)


def _in_a_process_of_its_own(measure: Callable[[Path], float | None], path: Path) -> float | None:
    """Return the result from a new process: here, memory that was freed before would be used again and not count."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as executor:
        return executor.submit(measure, path).result()


def _peak_times_kept(path: Path) -> float | None:
    """Return the peak memory of loading a file, divided by what is kept; None if the system does not report it."""
    with tempfile.TemporaryDirectory() as folder:  # first everything that comes with the first file of a process
        load(write_objects(Path(folder) / "objects.obj", 2, 3, 3).path)
        load(write_terrain(Path(folder) / "terrain.obj", 1000, polygons=True).path)
    try:
        Path("/proc/self/clear_refs").write_text("5")  # begin to watch the highest anew
        before = _status_bytes("VmRSS")
        scene = load(path)
        return (_status_bytes("VmHWM") - before) / _kept_bytes(scene)
    except OSError:
        return None


def _status_bytes(name: str) -> int:
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith(f"{name}:"))


def _readers() -> dict[str, Callable[[Path], object]]:
    """Return the competitors that are installed, each with the call that comes nearest to ours."""
    readers = {
        "trimesh, split_objects": ("trimesh", _read_trimesh),
        "tinyobjloader, arrays fetched": ("tinyobjloader", _read_tinyobjloader),
        "rapidobj, one mesh": ("rapidobj", _read_rapidobj),
        "pyvista, one mesh": ("pyvista", _read_pyvista),
        "open3d, one mesh": ("open3d", _read_open3d),
    }
    return installed(readers)


def _read_trimesh(path: Path) -> object:
    import trimesh

    return trimesh.load_scene(path, split_objects=True, group_material=False)


def _read_tinyobjloader(path: Path) -> object:
    import tinyobjloader

    reader = tinyobjloader.ObjReader()
    config = tinyobjloader.ObjReaderConfig()
    config.triangulate = True
    assert reader.ParseFromFile(str(path), config), reader.Error()
    attributes = reader.GetAttrib()
    arrays = [
        attributes.numpy_vertices(),
        *([attributes.numpy_normals()] if len(attributes.normals) else []),
        *([attributes.numpy_texcoords()] if len(attributes.texcoords) else []),
    ]
    return arrays, [(s.name, s.mesh.numpy_indices(), s.mesh.numpy_material_ids()) for s in reader.GetShapes()]


def _read_rapidobj(path: Path) -> object:
    import rapidobj

    return rapidobj.parse_file(str(path))


def _read_pyvista(path: Path) -> object:
    import pyvista

    return pyvista.read(path)


def _read_open3d(path: Path) -> object:
    import open3d

    return open3d.io.read_triangle_mesh(str(path))
