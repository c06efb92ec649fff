"""Every kind of mesh that can be read, exported to GLB, before the Khronos glTF validator: no error and no warning.

Node and the validator are not among what the tests need: `make validator` fetches it where npm is, and .ci/run does.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from contextlib import suppress
from pathlib import Path

import pytest

from octoscope.scene import Scene, WriteError, load, write_glb
from octoscope.scene.formats.writers import WRITERS
from octoscope.scene.tiling.tiling import write_tiles
from tests.cases import quick
from tests.scene.formats.gltf.mesh_kinds import SCENES, files_of

ROOT = Path(__file__).parents[4]
PACKAGE = Path(os.environ.get("OCTOSCOPE_GLTF_VALIDATOR", ROOT / ".node" / "node_modules" / "gltf-validator"))

# Pieces of information that are meant, and where: what a scene holds is written, though a file is valid without it.
MEANT = {
    "ACCESSOR_INDEX_TRIANGLE_DEGENERATE": "/indices$",  # triangles without area, as they were read
    "IMAGE_NPOT_DIMENSIONS": "",  # images keep their size
    "NODE_EMPTY": "",  # groups of nothing
    "UNUSED_OBJECT": "/attributes/TEXCOORD_0$",  # texture coordinates for textures to come
}
# In contents of tiles: extensions that the validator does not know, the buffer views of their tables, shared textures.
MEANT_IN_TILES = MEANT | {
    "UNSUPPORTED_EXTENSION": "",
    "UNUSED_OBJECT": "/attributes/TEXCOORD_0$|^/bufferViews/",
    "URI_GLB": "^/images/",
}
ERROR, WARNING = 0, 1

pytestmark = pytest.mark.skipif(
    shutil.which("node") is None or not PACKAGE.is_dir(), reason="needs node and the glTF validator: make validator"
)


def is_meant(message: dict, meant: dict[str, str]) -> bool:
    place = meant.get(message["code"])
    return message["severity"] > WARNING and place is not None and bool(re.search(place, message.get("pointer", "")))


def said_of(paths: list[Path], meant: dict[str, str] = MEANT) -> dict[str, list[str]]:
    """Return the validator's unexpected messages on files, by their names."""
    command = ["node", str(Path(__file__).with_name("validate.cjs")), str(PACKAGE)]
    told = subprocess.run(command, input="\n".join(map(str, paths)), capture_output=True, text=True, check=True)
    reports = [json.loads(line) for line in told.stdout.splitlines()]
    assert [report["path"] for report in reports] == list(map(str, paths))
    return {
        Path(report["path"]).name: lines
        for report in reports
        if (
            lines := [
                f"{message['code']} {message.get('pointer')}: {message['message']}"
                for message in report["messages"]
                if not is_meant(message, meant)
            ]
        )
    }


@pytest.fixture
def export(tmp_path):
    """Write a scene to a GLB file in a folder of its own."""
    (tmp_path / "exported").mkdir()

    def write(scene: Scene, name: str) -> Path:
        write_glb(scene, tmp_path / "exported" / f"{name}.glb")
        return tmp_path / "exported" / f"{name}.glb"

    return write


def test_the_validator_finds_what_is_wrong(tmp_path):
    (tmp_path / "bad.glb").write_bytes(b"glTF")
    assert "GLB" in said_of([tmp_path / "bad.glb"])["bad.glb"][0]


def test_files_of_every_format_are_exported_without_fault(tmp_path, export):
    exported = [export(load(path), path.name) for path in files_of(tmp_path)]
    assert len(exported) > 30 and said_of(exported) == {}


def test_scenes_of_every_kind_are_exported_without_fault(export):
    assert said_of([export(make(), name) for name, make in SCENES.items()]) == {}


@pytest.mark.parametrize("ending", quick(WRITERS, 1))
def test_what_was_exported_and_read_is_exported_again_without_fault(tmp_path, export, ending):
    exported = []
    for name in ("dressed 0", "random 0", "city", "bookmarks", *(f"looks {seed}" for seed in range(8))):
        path = tmp_path / f"{name}{ending}"
        with suppress(WriteError):  # an STL of lines alone
            WRITERS[ending](SCENES[name](), path)
            exported.append(export(load(path), name))
    assert len(exported) >= 8 and said_of(exported) == {}


@pytest.mark.parametrize("compresses", quick([False, True], 1))
def test_contents_of_tiles_are_without_fault(tmp_path, compresses):
    if compresses:
        pytest.importorskip("DracoPy", reason="octoscope[draco] is not installed")
    paths = []
    for name in ("dressed 0", "random 0", "city", *(f"looks {seed}" for seed in range(4)))[: 1 if compresses else None]:
        folder = tmp_path / name
        folder.mkdir()
        write_glb(SCENES[name](), folder / "scene.glb")
        write_tiles([folder / "scene.glb"], folder / "tiles", leaf_elements=100, compresses=compresses)
        for number, path in enumerate(sorted((folder / "tiles" / "content").glob("*.glb"))[:20]):
            paths.append(path.rename(path.with_name(f"{name} {number}.glb")))
    assert len(paths) > 3 and said_of(paths, MEANT_IN_TILES) == {}
