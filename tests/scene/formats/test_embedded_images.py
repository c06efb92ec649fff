"""Images inside a file: whatever they are called they are shown, and an export has them as they were there."""

from __future__ import annotations

import base64
import io
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from octoscope.scene import Scene, load, open_project, save_project, write_glb, write_obj
from octoscope.scene.mesh.images import channel_of, decode_texture
from tests.scene.formats.gltf.files import CORNERS, Gltf, document_of

SIZE = (1536, 32)  # longer than what is kept to be shown


def image_file(kind: str) -> bytes:
    pixels = np.random.default_rng(5).integers(0, 256, (SIZE[1], SIZE[0], 3), dtype=np.uint8)
    out = io.BytesIO()
    Image.fromarray(pixels).save(out, format=kind, **({"lossless": True} if kind == "WEBP" else {}))
    return out.getvalue()


def with_image(data: bytes, path: Path, *, mode: str = "BLEND", **fields: object) -> Scene:
    gltf = Gltf()
    uvs = gltf.accessor(CORNERS[:, :2].copy())
    gltf.node(mesh=gltf.mesh(gltf.primitive(CORNERS, material=0, TEXCOORD_0=uvs)))
    uri = "data:application/octet-stream;base64," + base64.b64encode(data).decode()
    gltf.glb(
        path,
        images=[{"uri": uri} | fields],
        textures=[{"source": 0}],
        materials=[{"pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}, "alphaMode": mode}],
    )
    return load(path)


def only_image(path: Path) -> bytes:
    (image,) = document_of(path)["images"]
    view = document_of(path)["bufferViews"][image["bufferView"]]
    data = path.read_bytes()
    first = 28 + int.from_bytes(data[12:16], "little") + view.get("byteOffset", 0)
    return data[first : first + view["byteLength"]]


@pytest.mark.parametrize("kind", ["PNG", "JPEG"])
def test_an_export_has_the_bytes_that_were_inside_the_file(kind, tmp_path):
    data = image_file(kind)
    scene = with_image(data, tmp_path / "in.glb")
    assert write_glb(scene, tmp_path / "out.glb") == []
    assert only_image(tmp_path / "out.glb") == data
    assert not [note for note in write_obj(scene, tmp_path / "out.obj") if "texture" in note]
    (image,) = (tmp_path / "out_textures").iterdir()
    assert image.read_bytes() == data and image.suffix == {"PNG": ".png", "JPEG": ".jpg"}[kind]
    assert save_project(scene, tmp_path / "out.octo.json") == []
    write_glb(open_project(tmp_path / "out.octo.json"), tmp_path / "again.glb")
    assert only_image(tmp_path / "again.glb") == data


def test_what_gltf_cannot_hold_has_all_its_pixels_as_a_png(tmp_path):
    data = image_file("WEBP")
    assert write_glb(with_image(data, tmp_path / "in.glb"), tmp_path / "out.glb") == []
    written, read = (np.asarray(Image.open(io.BytesIO(each))) for each in (only_image(tmp_path / "out.glb"), data))
    np.testing.assert_array_equal(written, read)


@pytest.mark.parametrize("mode", ["OPAQUE", "MASK"])
def test_what_is_cut_out_has_all_its_pixels_too(mode, tmp_path):
    pixels = np.random.default_rng(6).integers(0, 256, (SIZE[1], SIZE[0], 4), dtype=np.uint8)
    out = io.BytesIO()
    Image.fromarray(pixels).save(out, format="PNG")
    scene = with_image(out.getvalue(), tmp_path / "in.glb", mode=mode)
    expected = pixels.copy()
    expected[..., 3] = 255 if mode == "OPAQUE" else np.where(pixels[..., 3] >= 127.5, 255, 0)
    assert write_glb(scene, tmp_path / "out.glb") == []
    written = Image.open(io.BytesIO(only_image(tmp_path / "out.glb"))).convert("RGBA")
    np.testing.assert_array_equal(np.asarray(written), expected)
    save_project(scene, tmp_path / "out.octo.json")
    (texture,) = open_project(tmp_path / "out.octo.json").materials[-1].textures
    assert texture.full_size == SIZE


@pytest.mark.parametrize(
    "name", ["a/b", "/", "..", "../../up.png", "C:\\up", "\0", "x" * 5000, "", ".", "\ud800", "a\nb", "con"]
)
def test_an_image_may_have_any_name(name, tmp_path):
    scene = with_image(image_file("PNG"), tmp_path / "in.glb", name=name)
    assert [problem.what for problem in scene.report.problems] == []
    (texture,) = scene.materials[1].textures if len(scene.materials) > 1 else scene.materials[0].textures
    assert texture.path.parent == tmp_path  # nowhere else, as what is inside the file
    write_obj(scene, tmp_path / "out.obj")
    assert len(list((tmp_path / "out_textures").iterdir())) == 1
    save_project(scene, tmp_path / "out.octo.json")
    assert open_project(tmp_path / "out.octo.json").report.problems == []


def test_a_channel_of_an_image_without_a_name_is_one_and_names_do_not_grow_with_each_save():
    assert channel_of(decode_texture(image_file("PNG"), Path("/")), 1).path.name == "_green"
    green = channel_of(decode_texture(image_file("PNG"), Path("/a.png")), 1)
    assert [channel_of(green, channel).path.name for channel in (1, 2)] == ["a_green.png", "a_blue.png"]
