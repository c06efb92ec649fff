"""py3dtiles, an implementation that is not ours, reads a tileset and all its contents.

It is no library of ours: the test installs it in an environment of its own, from the package index.
"""

from __future__ import annotations

import json
import subprocess
import sys
import venv

import numpy as np
import pytest

from octoscope.scene import write_glb
from octoscope.scene.mesh.data import MeshData
from octoscope.scene.tiling.tiling import write_tiles
from tests.scene.tiling.checks import tileset_of
from tests.scene.tiling.test_tiling import many_boxes

VERSION = "12.1.1"
READING = """
import json, sys
from pathlib import Path
from py3dtiles.tileset.content.gltf import Gltf
from py3dtiles.tileset.tileset import TileSet

folder = Path(sys.argv[1])
root = TileSet.from_file(folder / "tileset.json").root_tile
found = {}
for path in (folder / "content").glob("*.glb"):
    content = Gltf.from_file(path)
    vertices = content.get_vertices()
    found[path.stem] = [content.get_vertex_count(), vertices.min(axis=0).tolist(), vertices.max(axis=0).tolist()]
print(json.dumps({"error": root.geometric_error, "contents": found}))
"""


@pytest.mark.slow
def test_py3dtiles_reads_a_tileset_and_its_contents(tmp_path):
    venv.create(tmp_path / "venv", with_pip=True)
    python = tmp_path / "venv" / ("Scripts" if sys.platform == "win32" else "bin") / "python"
    installed = subprocess.run([python, "-m", "pip", "install", "-q", f"py3dtiles=={VERSION}"], check=False)
    if installed.returncode:
        pytest.skip(f"py3dtiles {VERSION} cannot be installed here")
    made = many_boxes(60)
    rows = np.arange(3000)
    positions = np.random.default_rng(0).uniform(-20.0, 20.0, (len(rows), 3))
    none = np.empty((0, 3), np.int64)
    cloud = MeshData(positions, none, None, np.zeros(len(rows), np.int32), points=rows)
    made.add_node("cloud", mesh=made.meshes.add(cloud))
    write_glb(made, tmp_path / "scene.glb")
    write_tiles([tmp_path / "scene.glb"], tmp_path / "tiles", leaf_elements=300)
    done = subprocess.run([python, "-c", READING, tmp_path / "tiles"], check=True, stdout=subprocess.PIPE, text=True)
    read = json.loads(done.stdout)
    tiles = tileset_of(tmp_path / "tiles").tiles
    assert read["error"] == json.loads((tmp_path / "tiles" / "tileset.json").read_text())["root"]["geometricError"]
    assert sorted(read["contents"]) == sorted(
        "{}_{}_{}_{}".format(*tile) for tile, facts in tiles.items() if facts.has_content
    )
    assert all(count > 0 for count, _, _ in read["contents"].values())
