"""The commands that draw: what is in the pictures, and that they are written whole or not at all."""

import json
import os
import re
import stat

import numpy as np
import pytest
from PIL import Image

from tests.cases import quick
from tests.limits import largest_file
from tests.viewer.cli.cli_steps import PALETTE, TRIANGLE, box
from tests.viewer.needs import needs

pytestmark = pytest.mark.usefixtures("in_folder")


# render


def test_picture_has_the_default_size(write, run):
    status, out, err = run("render", write("a.obj", box("a")), "-o", "out.png")
    assert (status, out.count("\n"), err) == (0, 1, [])
    assert "out.png" in out
    with Image.open("out.png") as image:
        assert (image.format, image.size) == ("PNG", (1280, 720))


@pytest.fixture
def colours(write):
    write("palette.mtl", PALETTE)
    return write("colours.obj", "mtllib palette.mtl\n" + box("a", right="red", top="green", front="blue"))


@pytest.mark.parametrize(("mode", "expected"), [("normals", (255, 127.5, 127.5)), ("clay", None), ("edges", None)])
def test_a_mode_shows_more_or_other_than_materials(colours, picture, mode, expected):
    shaded, seen = (
        picture("render", colours, "--view", "right", "--no-grid", "--mode", each) for each in ("shaded", mode)
    )
    assert (shaded != seen).any()
    if expected is not None:
        assert np.abs(seen[24, 32] - np.array(expected)).max() <= 2
    if mode == "edges":
        assert (seen == picture("render", colours, "--view", "right", "--no-grid", "--edges")).all()


def test_a_matcap_is_a_mode_and_the_uv_checker_says_that_there_is_nothing_to_check(colours, run):
    assert run("render", colours, "--matcap", "gold", "-o", "gold.png")[0] == 0
    with Image.open("gold.png") as image:
        red, _, blue = np.asarray(image)[360, 640].astype(int)
        assert red > blue + 60
    status, _, err = run("render", colours, "--mode", "uv", "-o", "uv.png")
    assert status == 0 and "no mesh has texture coordinates" in "".join(err)


def test_buffers_are_written_beside_the_picture(colours, run):
    names = {name: f"{name}.npy" for name in ("depth", "ids", "normals")}
    options = [part for name, path in names.items() for part in (f"--{name}", path)]
    assert run("render", colours, "--size", "64x48", "--view", "front", "-o", "out.png", *options)[0] == 0
    depth, ids, normals = (np.load(path) for path in names.values())
    assert (depth.dtype, ids.dtype, normals.dtype) == (np.float32, np.int32, np.float32)
    assert depth.shape == ids.shape == (48, 64) and normals.shape == (48, 64, 3)
    assert (np.isfinite(depth) == (ids >= 0)).all() and ids[24, 32] >= 0 > ids[0, 0]
    assert np.abs(normals[24, 32] - (0.0, 0.0, 1.0)).max() < 1e-3
    images = pytest.importorskip("OpenImageIO")
    options = [part for name in names for part in (f"--{name}", f"{name}.exr")]
    assert run("render", colours, "--size", "64x48", "--view", "front", "-o", "out.png", *options)[0] == 0
    for name, array in (("depth", depth), ("ids", ids), ("normals", normals)):
        file = images.ImageBuf(f"{name}.exr")
        assert np.array_equal(np.squeeze(file.get_pixels(images.FLOAT)), array)
        assert file.spec().channelnames == {"depth": ("Z",), "ids": ("id",), "normals": ("N.X", "N.Y", "N.Z")}[name]
    status, _, err = run("render", colours, "-o", "other.png", "--ids", "ids.txt")
    assert status == 2 and "end the name in .npy" in "".join(err) and not os.path.exists("other.png")


def test_a_background_has_one_colour_and_samples_are_as_many_as_asked_for(colours, picture):
    options = ("render", colours, "--no-grid", "--view", "front", "--background")
    white, few, none = (picture(*options, "white", "--samples", str(count)) for count in (16, 4, 1))
    assert (white[0, 0] == 255).all() and (picture(*options, "#102030")[0, 0] == (16, 32, 48)).all()
    colours_of = [len(np.unique(each.reshape(-1, 3), axis=0)) for each in (white, few, none)]
    assert colours_of[0] >= colours_of[1] >= colours_of[2]
    assert (picture("render", colours, "--no-grid", "--samples", "1") != picture("render", colours, "--no-grid")).any()


def test_planes_of_a_section_are_given_one_by_one(colours, picture, run):
    options = ("render", colours, "--no-grid", "--view", "front")
    whole, empty = picture(*options), picture(*options, "--section", "x<-1000")
    left, right, none = (
        (picture(*options, *(part for plane in planes for part in ("--section", plane))) != empty).any(axis=2)
        for planes in (["x=0.2"], ["x>0.2"], ["x=0.2", "x>0.3"])
    )
    is_seen = (whole != empty).any(axis=2)
    assert left.any() and right.any() and not none.any()
    assert ((left | right) == is_seen).mean() > 0.999 and left.sum() < is_seen.sum() > right.sum()
    for planes in (["q<1"], ["x<1"] * 7):
        status, _, err = run(*options, "-o", "no.png", *(part for plane in planes for part in ("--section", plane)))
        assert status == 2 and "--section" in "".join(err) and not os.path.exists("no.png")


def test_a_transparent_picture_has_opacity_in_the_formats_that_can(colours, run):
    assert run("render", colours, "--size", "64x48", "--no-grid", "--transparent", "-o", "out.png")[0] == 0
    with Image.open("out.png") as image:
        opacity = np.asarray(image)[..., 3]
        assert image.mode == "RGBA" and opacity[0, 0] == 0 and opacity[24, 32] == 255
    status, _, err = run("render", colours, "--size", "64x48", "--transparent", "-o", "out.jpg")
    assert status == 2 and "try .png" in "".join(err)
    assert run("render", colours, "--transparent", "--background", "white", "-o", "out.png")[0] == 2


def test_lines_and_points_are_as_large_as_asked_for(write, picture, run):
    name = write("lines.obj", "v -1 0 0\nv 1 0 0\nv 0 1 0\nv 0 -1 0\nl 1 2\np 3 4\n")
    options = ("render", name, "--no-grid", "--view", "front")
    thin, wide, large = (
        picture(*options, *more)[..., 0] > 100
        for more in ((), ("--line-width", "9"), ("--point-size", "11", "--round-points"))
    )
    assert thin[:, 20].sum() in (1, 2) and wide[:, 20].sum() in (8, 9, 10)
    assert large.sum() - thin.sum() == pytest.approx(np.pi * 11**2 / 4 - 4**2, rel=0.3)  # half of each of two
    assert run(*options, "--line-width", "1000", "-o", "out.png")[0] == 2


@pytest.mark.parametrize(("view", "channel"), [("right", 0), ("top", 1), ("front", 2)])
@pytest.mark.parametrize("lens", [[], ["--ortho"]])
def test_axis_views_show_their_side_and_no_other(colours, picture, view, channel, lens):
    pixels = picture("render", colours, "--view", view, "--no-grid", *lens)
    middle = pixels[24, 32]
    others = np.delete(np.arange(3), channel)
    assert middle[channel] > 100 and middle[channel] > 3 * middle[others].max()
    assert pixels.std(axis=(0, 1)).max() > 5
    for other in others:  # hidden, not even at the border
        rest = np.delete(pixels, other, axis=2).max(axis=2)
        assert not (pixels[:, :, other] > 2 * rest + 40).any()


def test_iso_view_shows_three_sides(colours, picture):
    pixels = picture("render", colours, "--no-grid")
    for channel in range(3):
        strong = pixels[:, :, channel] > 2 * np.delete(pixels, channel, axis=2).max(axis=2) + 20
        assert strong.sum() > 50


def test_box_is_red_at_the_centre_wherever_it_lies(write, picture):
    write("palette.mtl", PALETTE)
    near = write("near.obj", "mtllib palette.mtl\n" + box("a", all="red"))
    far = write("far.obj", "mtllib palette.mtl\n" + box("a", (2e6, 3e6, -1e6), all="red"))
    first, second = (picture("render", name, "--no-grid") for name in (near, far))
    assert first[24, 32, 0] > 80 and first[24, 32, 0] > 3 * first[24, 32, 1:].max()
    assert np.abs(first - second).max() <= 2


@needs("octree_view")
def test_octree_and_grid_add_pixels(write, picture):
    name = write("two.obj", box("a") + box("b", (8, 3, -5), 1, 8))
    plain, grid, octree = (picture("render", name, *more) for more in (["--no-grid"], [], ["--no-grid", "--octree"]))
    assert (plain != grid).any(axis=2).sum() > 50
    assert (plain != octree).any(axis=2).sum() > 50


def test_edges_are_drawn_when_asked_for(write, picture):
    name = write("a.obj", box("a"))
    plain, edges = (picture("render", name, "--no-grid", *more).sum(axis=2) for more in ([], ["--edges"]))
    assert (plain - edges > 60).sum() > 50 and (edges <= plain).all()


@pytest.mark.parametrize("view", quick(["iso", "front", "right", "top"], 2))
def test_culling_does_not_change_the_picture(picture, run, view):
    options = ["demo", "--objects", 3000, "--view", view]
    culled, whole = picture(*options), picture(*options, "--no-culling")
    assert (culled == whole).all()
    assert len(np.unique(culled.reshape(-1, 3), axis=0)) > 50


def test_culling_drops_what_is_out_of_the_picture(run):
    counts = []
    for more in ([], ["--no-culling"]):
        _, out, _ = run("demo", "--objects", 20000, "-o", "out.png", "--size", "32x32", *more)
        counts += [re.search(r"drawn ([\d,]+) of ([\d,]+) objects", out).groups()]
    assert counts[1] == ("20,000", "20,000")
    assert int(counts[0][0].replace(",", "")) < 20000


def test_what_is_smaller_than_a_pixel_is_drawn_unless_nobody_wants_it(run):
    counts = []
    for more in ([], ["--cull-tiny"], ["--cull-tiny", "--no-culling"]):
        _, out, _ = run("demo", "--objects", 200, "-o", "out.png", "--size", "64x48", *more)
        counts += [int(re.search(r"drawn ([\d,]+) of 200 objects", out)[1])]
    assert counts[0] == counts[2] == 200 > counts[1] > 1


def test_several_views_are_drawn_beside_each_other(colours, picture):
    pixels = picture("render", colours, "--no-grid", "--views", 4, size="129x96")
    alone = picture("render", colours, "--no-grid", size="63x47")
    assert np.array_equal(pixels[:47, :63], alone)
    middles = {"top": pixels[23, 96], "front": pixels[72, 32], "right": pixels[72, 96]}
    for side, channel in (("top", 1), ("front", 2), ("right", 0)):
        others = np.delete(middles[side], channel)
        assert middles[side][channel] > 100 and middles[side][channel] > 3 * others.max(), side


def test_views_are_one_two_or_four(colours, run, refused):
    assert "--views" in refused("render", colours, "-o", "out.png", "--views", 3)
    status, out, _ = run("render", colours, "-o", "out.png", "--size", "1x1", "--views", 2)
    views = out.splitlines()[1:]
    assert status == 0 and [line.split(": ")[0] for line in views] == ["iso", "top"]
    assert all("drawn 1 of 1 objects" in line for line in views)


@pytest.fixture
def bookmarked(colours, write):
    bookmark = {"name": "gate", "translation": [0, 0, 6], "distance": 3}
    write(
        "scene.octo.json",
        json.dumps(
            {
                "octoscope": {"version": 1},
                "files": [{"path": colours}],
                "nodes": [{"mesh": {"file": 0, "object": "a"}}],
                "bookmarks": [bookmark, bookmark | {"name": "far", "translation": [0.5, 0.5, 1e15]}],
            }
        ),
    )
    return "scene.octo.json"


def test_a_picture_can_be_taken_from_a_bookmark(bookmarked, picture):
    pixels = picture("render", bookmarked, "--no-grid", "--bookmark", "gate")
    middle = pixels[24, 32]
    assert middle[2] > 100 and middle[2] > 3 * middle[:2].max(), "its front"
    height = (pixels[:, :, 2] > 2 * pixels[:, :, :2].max(axis=2) + 40).any(axis=1).sum()
    assert height == pytest.approx(48 / (5 * np.tan(np.radians(17.5))), abs=2), "its lens is the default one"
    four = picture("render", bookmarked, "--no-grid", "--bookmark", "gate", "--views", 4, size="130x98")
    assert np.array_equal(four[:48, :64], pixels)
    assert len(np.unique(picture("render", bookmarked, "--no-grid", "--bookmark", "far"))) < 60, "nothing there"


def test_a_bookmark_that_is_not_there_is_refused(bookmarked, colours, refused, facts):
    assert facts("info", bookmarked)["bookmarks"] == ["gate", "far"]
    assert "'tower'; there are 'gate', 'far'" in refused("render", bookmarked, "-o", "out.png", "--bookmark", "tower")
    assert "there are none" in refused("render", colours, "-o", "out.png", "--bookmark", "tower")


def test_a_camera_is_given_as_json_as_a_file_or_by_its_parts(colours, write, picture):
    camera = json.dumps({"position": [0, 0, 6], "target": [0, 0, 0]})
    front = picture("render", colours, "--no-grid", "--camera", camera)
    long = camera.replace(" ", " " * 5000)  # more than a name of a file may have
    assert (picture("render", colours, "--no-grid", "--camera", long) == front).all()
    assert front[24, 32, 2] > 3 * front[24, 32, :2].max(), "its front"
    given = (
        ("--camera", write("camera.json", camera)),
        ("--position", 0, 0, 6, "--target", 0, 0, 0),
        ("--position", 0, 0, 6),  # the target is the middle of the scene
        ("--camera", camera, "--target", 0, 0, 0),
    )
    for options in given:
        assert np.abs(picture("render", colours, "--no-grid", *options).astype(int) - front).max() <= 2, options
    wide = picture("render", colours, "--no-grid", "--position", 0, 0, 6, "--fov", 90)
    heights = [(each[:, :, 2] > 2 * each[:, :, :2].max(axis=2) + 40).any(axis=1).sum() for each in (front, wide)]
    assert heights[1] == pytest.approx(heights[0] * np.tan(np.radians(17.5)), abs=2)
    beside = picture("render", colours, "--no-grid", "--view", "front", "--target", 50, 0, 0)
    assert not np.array_equal(beside, front) and len(np.unique(beside)) < 60, "nothing there"


def test_another_lens_frames_the_scene_again(colours, picture):
    for fov in (10, 100):
        seen = picture("render", colours, "--no-grid", "--view", "front", "--fov", fov)
        rows = np.flatnonzero((seen[:, :, 2] > 2 * seen[:, :, :2].max(axis=2) + 40).any(axis=1))
        assert len(rows) > 0.8 * len(seen)


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (("--camera", "missing.json"), "--camera: missing.json: no such file"),
        (("--camera", "{"), "--camera: '{' is no camera"),
        (("--camera", ""), "--camera: '' is no camera, such as {"),
        (("--camera", "[]"), "--camera: '[]' is no camera, such as {"),
        (("--camera", '{"position": [0, 1, 5], "target": [0, 0, 0], "up": [0, 0, 0]}'), "--camera: up is a direction"),
        (("--camera", "palette.mtl"), "--camera: palette.mtl: "),
        (("--position", 0, 0, 0, "--target", 0, 0, 0), "--position: a camera cannot look at the point"),
        (("--position", 0, 0, "x"), "'x' is not a coordinate"),
        (("--position", 0, 0, "nan"), "'nan' is not a coordinate"),
        (("--fov", 180), "'180' is not an angle of view"),
        (("--camera", "{}", "--bookmark", "gate"), "not allowed with"),
        (("--camera", "{}", "--view", "iso"), "--view: looks from a side, --camera from a place of its own"),
        (("--bookmark", "gate", "--view", "top"), "--view: looks from a side, --bookmark from a place of its own"),
    ],
)
def test_a_camera_that_is_none_is_refused(colours, refused, options, says):
    assert says in refused("render", colours, "-o", "out.png", *options)


@pytest.mark.parametrize("size", ["1x1", "1x300", "300x1", "33X77"])
def test_sizes(write, picture, size):
    width, height = map(int, size.lower().split("x"))
    assert picture("render", write("a.obj", box("a")), size=size).shape == (height, width, 3)


@pytest.mark.parametrize(
    "size", ["0x5", "5x0", "-5x5", "1280", "x", "axb", "5x5x5", "1e3x5", "16385x1", "9" * 30 + "x5", "nanxinf", ""]
)
def test_nonsense_sizes(write, run, size):
    status, out, err = run("render", write("a.obj", box("a")), "-o", "out.png", f"--size={size}")
    assert (status, out, os.path.exists("out.png")) == (2, "", False)
    assert "--size" in err[-1]


@needs("octree_view")
@pytest.mark.parametrize("name", ["a.obj", "flat.obj", "point.obj", "tiny.obj"])
def test_degenerate_scenes_are_drawn(write, picture, name):
    write("a.obj", box("a"))
    write("flat.obj", TRIANGLE)
    write("point.obj", "v 5 5 5\nf 1 1 1\n")
    write("tiny.obj", box("a", half_size=1e-20))
    assert picture("render", name, "--octree").shape == (48, 64, 3)


@pytest.mark.parametrize("size", [1e20, 1e30, 1e200, 1e308])
def test_huge_scenes_are_refused(write, run, size):
    status, out, err = run("render", write("a.obj", f"v {-size} 0 0\nv {size} 0 0\nv 0 1 0\nf 1 2 3\n"), "-o", "a.png")
    assert (status, out) == (2, "") and all(line.startswith("octoscope: ") for line in err)


# Writing pictures: whole or not at all.


@pytest.mark.parametrize("output", ["missing/out.png", "a.obj/out.png", "folder.png", "out.unknown", "out", "out.psd"])
def test_output_that_cannot_be_written(write, refused, tmp_path, output):
    write("a.obj", box("a"))
    (tmp_path / "folder.png").mkdir()
    before = sorted(os.listdir())
    assert output in refused("render", "a.obj", "-o", output, "--size", "16x16")
    assert sorted(os.listdir()) == before


@pytest.mark.parametrize("arguments", [["missing.obj"], ["a.obj", "--size", "0x0"]])
def test_failure_keeps_an_existing_picture(write, run, arguments):
    write("a.obj", box("a"))
    write("out.png", b"precious")
    assert run("render", *arguments, "-o", "out.png")[0] == 2
    with open("out.png", "rb") as file:
        assert file.read() == b"precious"


def test_failure_while_writing_keeps_an_existing_picture(write, run, refused):
    write("a.obj", box("a"))
    assert run("render", "a.obj", "-o", "out.png", "--size", "16x16")[0] == 0  # everything is compiled
    write("out.png", b"precious")
    with largest_file(40):
        assert "File too large" in refused("render", "a.obj", "-o", "out.png", "--size", "16x16")
    assert sorted(os.listdir()) == ["a.obj", "out.png"]
    with open("out.png", "rb") as file:
        assert file.read() == b"precious"


@pytest.mark.skipif(os.name != "posix", reason="needs POSIX permissions")
def test_picture_has_the_permissions_of_a_new_file(write, picture):
    with open("plain", "w"):
        pass
    picture("render", write("a.obj", box("a")))
    assert stat.S_IMODE(os.stat("out.png").st_mode) == stat.S_IMODE(os.stat("plain").st_mode)


def test_an_output_that_cannot_be_written_is_refused_before_the_files_are_read(write, refused):
    assert "missing.obj" not in refused("render", "missing.obj", "-o", "no/such/folder.png")


def test_a_picture_is_written_through_a_link(write, picture):
    os.symlink("elsewhere.png", "out.png")
    picture("render", write("a.obj", box("a")))
    assert os.path.islink("out.png") and os.path.getsize("elsewhere.png") > 0


# demo


@pytest.mark.parametrize(("count", "says"), [("1", "1"), ("1000", "1,000"), ("1_000", "1,000"), ("1,000", "1,000")])
def test_demo_makes_as_many_objects_as_asked_for(run, count, says):
    status, out, err = run("demo", "--objects", count, "-o", "out.png", "--size", "32x24", "--no-culling")
    assert status == 0 and all("made in" in line for line in err)
    assert f"drawn {says} of {says} objects" in out


def test_a_large_city_is_seen_from_within(picture):
    """Nothing but sky was drawn from a camera that stood below the ground."""
    sky = picture("demo", "--objects", 1, "--no-grid")[0]
    pixels = picture("demo", "--objects", 100_000, "--no-grid")
    assert (np.abs(pixels - sky.mean(axis=0)).max(axis=2) > 20).mean() > 0.8


@pytest.mark.parametrize("count", ["0", "-1", "2_000_000", "1000001", "12.5", "1e7", "nan", "", "many"])
def test_demo_refuses_impossible_counts(run, count):
    status, out, err = run("demo", f"--objects={count}", "-o", "out.png")
    assert (status, out) == (2, "")
    assert "--objects" in err[-1] and "1,000,000" in err[-1]


def test_a_file_with_z_up_stands_upright(write, picture):
    tower = {"center": (0, 0, 4), "half_size": 1.0}
    standing = {"center": (0, 4, 0), "half_size": 1.0}
    # Without occlusion: rounding decides what occludes a face that is seen from its side, some six pixels.
    views = ("--view", "front", "--size", "64x48", "--occlusion", "0")
    upright = picture("render", write("y.obj", box("base") + box("top", **standing, first=8)), *views)
    lying = write("z.obj", box("base") + box("top", **tower, first=8))
    assert np.abs(picture("render", lying, "--up", "z", *views).astype(int) - upright).max() <= 2
    assert np.abs(picture("render", lying, *views).astype(int) - upright).max() > 40


ROUND = "".join(
    f"v {np.cos(a):.6f} -1 {np.sin(a):.6f}\nv {np.cos(a):.6f} 1 {np.sin(a):.6f}\n" for a in np.arange(16) * np.pi / 8
) + "".join(f"f {2 * k + 1} {2 * k + 2} {2 * ((k + 1) % 16) + 2} {2 * ((k + 1) % 16) + 1}\n" for k in range(16))


def test_files_without_normals_are_shaded_smoothly_on_request(write, picture, refused):
    tube = write("tube.obj", ROUND)
    views = ("--view", "front", "--ortho", "--no-grid", "--shadow", "0", "--occlusion", "0")
    flat, sharp, smooth = (
        picture("render", tube, *views, *each).astype(int)[24, 12:52]
        for each in ((), ("--smooth", "20"), ("--smooth", "30"))
    )
    assert (flat == sharp).all(), "its sides meet at 22.5 degrees"
    assert len(np.unique(flat, axis=0)) < 16 < 24 < len(np.unique(smooth, axis=0)), "a colour for each side, or many"
    given = write("given.obj", ROUND.replace("f ", "vn 0 0 1\nf ", 1).replace("f 1 2", "f 1//1 2//1"))
    assert (picture("render", given, *views) == picture("render", given, "--smooth", "30", *views)).all()
    assert "is not an angle, 0 to 180 degrees" in refused("render", tube, "--smooth", "200", "-o", "a.png")
