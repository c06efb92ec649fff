"""The command line's promises: what it prints where, with which exit status, and what is in the pictures."""

import json
import os
import re
import stat
import subprocess
import sys

import numpy as np
import pytest
from PIL import Image

from viewer import offscreen
from viewer.cli import main

_CORNERS = np.array([(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)])
_SIDES = {  # corners of _CORNERS, counted from 1, counter-clockwise from outside
    "-x": (1, 2, 4, 3),
    "+x": (5, 7, 8, 6),
    "-y": (1, 5, 6, 2),
    "+y": (3, 4, 8, 7),
    "-z": (1, 3, 7, 5),
    "+z": (2, 6, 8, 4),
}
_PALETTE = "newmtl red\nKd 1 0 0\nKs 0 0 0\nnewmtl green\nKd 0 1 0\nKs 0 0 0\nnewmtl blue\nKd 0 0 1\nKs 0 0 0\n"
_TRIANGLE = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"


def box(name, center=(0, 0, 0), half_size=1.0, first=0, **materials):
    """OBJ statements of a box; `first` vertices come before it; materials by side, or `all`."""
    lines = [f"o {name}"]
    lines += ["v " + " ".join(map(repr, corner)) for corner in (np.array(center) + half_size * _CORNERS).tolist()]
    for side, corners in _SIDES.items():
        material = materials.get({"+x": "right", "+y": "top", "+z": "front"}.get(side, ""), materials.get("all"))
        if material:
            lines.append(f"usemtl {material}")
        lines.append("f " + " ".join(str(first + corner) for corner in corners))
    return "\n".join(lines) + "\n"


@pytest.fixture(autouse=True)
def in_folder(tmp_path, monkeypatch):
    """Each test runs in a folder of its own, without a display."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("DISPLAY", raising=False)


@pytest.fixture
def write(tmp_path):
    def write(name, text):
        (tmp_path / name).write_bytes(text if isinstance(text, bytes) else text.encode())
        return name

    return write


@pytest.fixture
def run(capsys):
    """Run the program here: exit status, standard output, lines of standard error."""

    def run(*arguments):
        capsys.readouterr()
        try:
            status = main([str(argument) for argument in arguments])
        except SystemExit as leaving:  # argparse
            status = leaving.code
        out, err = capsys.readouterr()
        assert "Traceback" not in err
        return status, out, err.splitlines()

    return run


@pytest.fixture
def facts(run):
    """The JSON of a command that must succeed."""

    def facts(*arguments):
        status, out, _ = run(*arguments, "--json")
        assert status == 0
        return json.loads(out)

    return facts


@pytest.fixture
def refused(run):
    """The one line of a command that must be refused with status 2, nothing on standard output."""

    def refused(*arguments):
        status, out, err = run(*arguments)
        assert (status, out) == (2, "")
        assert len(err) == 1 and err[0].startswith("octoscope: "), err
        return err[0]

    return refused


@pytest.fixture
def picture(run):
    """(height, width, 3) int pixels of a command that draws."""

    def picture(*arguments, size="64x48"):
        status, out, _ = run(*arguments, "-o", "out.png", "--size", size)
        assert (status, out) == (0, "")
        return np.asarray(Image.open("out.png").convert("RGB")).astype(int)

    return picture


def as_process(*arguments, environment=None, before=(), stdout=subprocess.PIPE):
    """Run the program as another process; buffered, as it is where nobody set PYTHONUNBUFFERED."""
    code = "import sys; from viewer.cli import main; sys.exit(main())"
    command = [*before, sys.executable, "-c", code, *map(str, arguments)]
    environment = os.environ | (environment or {})
    environment.pop("PYTHONUNBUFFERED", None)
    return subprocess.run(command, stdout=stdout, stderr=subprocess.PIPE, timeout=60, env=environment)


# info


def test_info_says_what_a_file_holds(write, facts):
    write("palette.mtl", _PALETTE)
    name = write("scene.obj", "mtllib palette.mtl\n" + box("a", front="red", right="blue") + box("b", (5, 0, 0), 1, 8))
    info = facts("info", name)
    assert info["nodes"] == 3  # the file and its objects
    assert info["meshes"] == 2
    assert info["triangles"] == 24
    assert info["vertices"] == 16
    assert info["materials"] == 2
    assert info["bounds"] == {"min": [-1, -1, -1], "max": [6, 1, 1]}
    assert info["load_seconds"] > 0
    assert info["warnings"] == []
    assert info["octree"]["split_level"] >= 0 and info["octree"]["occupied"] >= 1


def test_info_of_a_box_a_million_units_away_is_exact(write, facts):
    info = facts("info", write("far.obj", box("far", (1e6, -2e6, 3e6), 0.5)))
    assert info["bounds"] == {"min": [999999.5, -2000000.5, 2999999.5], "max": [1000000.5, -1999999.5, 3000000.5]}


def test_bounds_leave_out_vertices_that_no_face_uses(write, facts):
    info = facts("info", write("stray.obj", _TRIANGLE + "v 100 100 100\n"))
    assert (info["bounds"]["max"], info["vertices"]) == ([1, 1, 0], 4)


@pytest.mark.parametrize("level", [0, 1, 9])
def test_split_level_is_taken(write, facts, level):
    assert facts("info", write("a.obj", box("a")), "--split-level", level)["octree"]["split_level"] == level


def test_without_json_standard_output_is_empty(write, run):
    status, out, err = run("info", write("a.obj", box("a")))
    assert (status, out) == (0, "")
    assert any(re.fullmatch(r"\s*triangles\s+12\s*", line) for line in err)


def test_good_files_open_beside_bad_ones(write, run):
    good, bad = write("good.obj", box("a")), write("bad.obj", "hello\n")
    status, out, err = run("info", "missing.obj", good, bad, "--json")
    info = json.loads(out)
    assert (status, info["files"], info["triangles"]) == (0, ["good.obj"], 12)
    assert [line.split(":")[0] for line in info["warnings"]] == ["missing.obj", "bad.obj"]
    assert [line.removeprefix("octoscope: ") for line in err] == info["warnings"]


def test_when_all_files_are_bad_each_gets_its_line(run):
    status, out, err = run("info", "one.obj", "two.obj", "--json")
    assert (status, out) == (2, "")
    assert [line.split(":")[1].strip() for line in err] == ["one.obj", "two.obj"]


# Bad input: one line that names the file and says what to do.


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (None, "no such file"),
        (b"", "empty"),
        (b" \n\t\n", "empty"),
        (b"# only a comment\n", "not an OBJ"),
        (b"hello world\nthis is no scene\n", "not an OBJ"),
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "not an OBJ"),
        (b"v 0 0 0\0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", "not an OBJ"),
        (b"v 0 0 0\nv 1 0 0\nv 0 1 0\n", "no faces"),
        (b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 9\n", "refers to a vertex"),
        (b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 99999999999999999999\n", "refers to a vertex"),
        (b"f 1 2 3\n", "none of its"),
        (b"v nan 0 0\nv nan 0 0\nv 0 nan 0\nf 1 2 3\n", "none of its"),
        (b"v 0 0\nv 1 0\nv 0 1\nf 1 2 3\n", "broken"),
        (b"v 0 0 0\nv 1 0\nv 0 1 0\nf 1 2 3\n", "broken"),
        (b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 x\n", "broken"),
        (b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 \\", ""),
        (b"v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nf 1/1 2/1 usemtl 3/1\n", "broken"),
    ],
)
@pytest.mark.parametrize("command", ["info", "pick", "render"])
def test_bad_file_is_one_line(write, refused, command, content, says):
    if content is not None:
        write("bad name.obj", content)
    more = {"info": ["--json"], "pick": ["--json", "--ray", 0, 0, 5, 0, 0, -1], "render": ["-o", "out.png"]}[command]
    line = refused(command, "bad name.obj", *more)
    assert line.startswith("octoscope: bad name.obj: ") and says in line
    assert not os.path.exists("out.png")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs FIFOs")
def test_what_is_no_file_does_not_hang(refused, tmp_path):
    os.mkfifo("fifo.obj")
    (tmp_path / "folder.obj").mkdir()
    os.symlink("loop.obj", "loop.obj")
    assert "not a regular file" in refused("info", "fifo.obj")
    assert "a folder" in refused("info", "folder.obj")
    assert "symbolic links" in refused("info", "loop.obj")
    assert "/dev/zero" in refused("info", "/dev/zero")
    assert "too long" in refused("info", "x" * 300 + ".obj")


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may read everything")
def test_unreadable_file(write, refused):
    os.chmod(write("secret.obj", _TRIANGLE), 0)
    assert "secret.obj" in refused("info", "secret.obj")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs FIFOs")
@pytest.mark.parametrize(
    "library", ["missing.mtl", "folder", "fifo", "/dev/zero", "scene.obj", "big.mtl", "x" * 300, "a.mtl missing.mtl"]
)
def test_bad_material_library_is_a_warning(write, facts, tmp_path, library):
    (tmp_path / "folder").mkdir()
    os.mkfifo("fifo")
    write("a.mtl", _PALETTE)
    with open("big.mtl", "wb") as file:
        file.truncate(200 * 2**20)
    info = facts("info", write("scene.obj", f"mtllib {library}\nusemtl red\n" + _TRIANGLE))
    assert info["triangles"] == 1
    assert any("missing.mtl" in line for line in info["warnings"]) if "a.mtl" in library else info["warnings"]


def test_latin_1_material_library_is_read(write, facts):
    write("latin.mtl", "# matériaux\nnewmtl red\nKd 1 0 0\n".encode("latin-1"))
    assert facts("info", write("scene.obj", "mtllib latin.mtl\nusemtl red\n" + _TRIANGLE))["warnings"] == []


@pytest.mark.parametrize(
    ("statements", "triangles"),
    [
        ("g\nf 1 2 3\n", 1),
        ("usemtl\nf 1 2 3\n", 1),
        ("o\nf 1 2 3\ng a b\nf 2 3 4\n", 2),
        ("  f 1 2 3\n\tf\t2\t3\t4\n", 2),
        ("f 1 2 3 # comment\nf 2 3 \\\n 4", 2),
        ("f -4 -3 -2\nf 0 1 2\nf 1 2\n", 1),
        ("f 1/1 2/1 3/1\nf 1//1 2//1 3//1\nf 1 2 3 4\n", 4),
        ("l 1 2\np 1\ns off\ncstype bezier\nf 1 2 3\n", 1),
    ],
)
def test_odd_statements_are_understood(write, facts, statements, triangles):
    text = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nvt 0 0\nvn 0 0 1\n" + statements
    info = facts("info", write("odd.obj", text))
    assert info["triangles"] == triangles
    assert info["bounds"] == {"min": [0, 0, 0], "max": [1, 1, 0]}


@pytest.mark.parametrize("face", ["1/1/1 2//1 3", "1/1 2 3", "1 2/1 3", "1//1 2 3", "1//1 2/1 3/1", "1/1/1 2/2 3/3"])
def test_corners_of_one_face_may_be_written_differently(write, facts, face):
    """Either understood or skipped with a warning, never another triangle."""
    text = "v 0 0 0\nv 4 0 0\nv 0 2 0\nvt 0 0\nvt 1 0\nvt 0 1\nvn 0 0 1\n"
    name = write("mixed.obj", text + f"o mixed\nf {face}\no plain\nv 9 9 9\nv 8 9 9\nv 9 8 9\nf 4 5 6\n")
    info = facts("info", name)
    hit = facts("pick", name, "--ray", 0.5, 0.5, 5, 0, 0, -1)
    assert (info["triangles"], hit["hit"]) == (2, True) or (info["triangles"] == 1 and info["warnings"])


@pytest.mark.parametrize("line", ["v 1 0\nv 1 1 0 7", "v 1 0\nv 1 1 0", "v\nv 1 0 0"])
def test_vertex_of_too_few_coordinates_is_not_passed_over(write, run, line):
    """It must not lend numbers from its neighbours, nor vanish and move the indices of all that follow."""
    status, out, err = run("info", write("short.obj", f"v 0 0 0\n{line}\nv 0 1 0\nf 1 3 4\n"), "--json")
    if status == 0:
        assert json.loads(out)["warnings"]
    else:
        assert (status, out, len(err)) == (2, "", 1)


def test_object_too_far_away_for_the_octree_is_reported(write, facts):
    text = _TRIANGLE + "o far\nv 1e30 0 0\nv 1e30 1 0\nv 1e30 0 1\nf 4 5 6\n"
    info = facts("info", write("far.obj", text))
    assert info["octree"]["spheres"] == 2 or info["warnings"]


# Names of files.


@pytest.mark.parametrize("name", ["render", "two  blanks.obj", "ümläut-文字-😀.obj", "[bold]red[/].obj", "UP.OBJ"])
def test_names_of_files(write, facts, tmp_path, name):
    name = write(name.replace("/", ""), box("a"))
    assert facts("info", name)["files"] == [name]
    assert facts("info", f"./{name}")["triangles"] == 12
    assert facts("info", tmp_path / name)["files"] == [str(tmp_path / name)]


def test_name_with_a_leading_dash(write, facts):
    write("-dash.obj", box("a"))
    assert facts("info", "./-dash.obj")["triangles"] == 12
    json_first = facts("info", "--json", "--split-level", 1, "./-dash.obj")
    assert json_first["triangles"] == 12


def test_file_named_like_a_command_opens_by_its_path(write, run, tmp_path):
    write("render", box("a"))
    assert run("./render", "--size", "20x20")[0] == 0
    assert (tmp_path / "octoscope-render.png").exists()


@pytest.mark.skipif(sys.platform != "linux", reason="names are bytes on Linux only")
def test_name_that_is_not_utf_8(facts):
    name = os.fsdecode(b"bad\xff.obj")
    with open(name, "w") as file:
        file.write(_TRIANGLE)
    assert facts("info", name)["triangles"] == 1


# pick


@pytest.fixture
def two(write):
    return write("two.obj", box("near") + box("behind", (0, 0, -10), 2.0, 8))


def test_pick_hits_the_nearest(two, facts):
    hit = facts("pick", two, "--ray", 0.25, 0.5, 5, 0, 0, -1)
    assert (hit["hit"], hit["node"], hit["t"]) == (True, "near", 4.0)
    assert (hit["point"], hit["normal"]) == ([0.25, 0.5, 1.0], [0.0, 0.0, 1.0])
    assert hit["triangle"] in range(12)


def test_pick_all_is_by_ascending_t(two, facts):
    answer = facts("pick", two, "--ray", 0.25, 0.5, 5, 0, 0, -2, "--all")
    hits = [(hit["node"], hit["t"], hit["point"][2], hit["normal"][2]) for hit in answer["hits"]]
    assert hits == [("near", 4, 1, 1), ("near", 6, -1, -1), ("behind", 13, -8, 1), ("behind", 17, -12, -1)]
    assert {key: answer[key] for key in answer["hits"][0]} == answer["hits"][0]


def test_pick_from_inside_and_backwards(two, facts):
    hits = facts("pick", two, "--ray", 0.25, 0.5, 0, 0, 0, 1, "--all")["hits"]
    assert [(hit["node"], hit["t"]) for hit in hits] == [("near", 1.0)]


@pytest.mark.parametrize("half_size", [0.1, 0.3, 1.1, 1e3 / 3, 1e15])
def test_no_ray_slips_between_two_triangles(write, facts, half_size):
    name = write("box.obj", box("a", half_size=half_size))
    hits = facts("pick", name, "--ray", 0, 0, 2 * half_size, 0, 0, -1, "--all")["hits"]
    assert [hit["t"] for hit in hits] == pytest.approx([half_size, 3 * half_size])


def test_pick_that_hits_nothing(two, facts, run):
    assert facts("pick", two, "--ray", 50, 0, 5, 0, 0, -1) == {"hit": False}
    assert facts("pick", two, "--ray", 0, 0, 5, 0, 0, 1, "--all") == {"hit": False, "hits": []}
    assert run("pick", two, "--ray", 50, 0, 5, 0, 0, -1) == (0, "", ["octoscope: nothing on that ray"])


@pytest.mark.parametrize("number", ["-1e-3", "-1E-3", "-.001", "-1.0e-03", "-0.001"])
def test_pick_takes_negative_numbers_in_every_form(two, facts, number):
    hit = facts("pick", two, "--ray", number, number, 5, 0, 0, "-1.")
    assert (hit["node"], hit["point"]) == ("near", [-0.001, -0.001, 1.0])


def test_pick_takes_files_after_the_ray(two, facts):
    assert facts("pick", "--ray", 0, 0, 5, 0, 0, -1, two)["t"] == 4.0


@pytest.mark.parametrize("ray", ["nan 0 5 0 0 -1", "0 0 inf 0 0 -1", "0 0 -inf 0 0 1", "0 0 5 0 0 0", "0 0 5 0 nan 1"])
def test_pick_refuses_impossible_rays(two, refused, ray):
    assert "--ray" in refused("pick", two, "--json", "--ray", *ray.split())


@pytest.mark.parametrize("ray", ["", "0 0 5 0 0", "0 0 5 0 0 x"])
def test_pick_refuses_incomplete_rays(two, run, ray):
    status, out, err = run("pick", two, "--json", "--ray", *ray.split())
    assert (status, out) == (2, "")
    assert "--ray" in err[-1]


# render


def test_picture_has_the_default_size(write, run):
    status, out, err = run("render", write("a.obj", box("a")), "-o", "out.png")
    assert (status, out, len(err)) == (0, "", 1)
    assert "out.png" in err[0]
    with Image.open("out.png") as image:
        assert (image.format, image.size) == ("PNG", (1280, 720))


@pytest.fixture
def colours(write):
    write("palette.mtl", _PALETTE)
    return write("colours.obj", "mtllib palette.mtl\n" + box("a", right="red", top="green", front="blue"))


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
    write("palette.mtl", _PALETTE)
    near = write("near.obj", "mtllib palette.mtl\n" + box("a", all="red"))
    far = write("far.obj", "mtllib palette.mtl\n" + box("a", (2e6, 3e6, -1e6), all="red"))
    first, second = (picture("render", name, "--no-grid") for name in (near, far))
    assert first[24, 32, 0] > 80 and first[24, 32, 0] > 3 * first[24, 32, 1:].max()
    assert np.abs(first - second).max() <= 2


def test_octree_and_grid_add_pixels(write, picture):
    name = write("two.obj", box("a") + box("b", (8, 3, -5), 1, 8))
    plain, grid, octree = (picture("render", name, *more) for more in (["--no-grid"], [], ["--no-grid", "--octree"]))
    assert (plain != grid).any(axis=2).sum() > 50
    assert (plain != octree).any(axis=2).sum() > 50


@pytest.mark.parametrize("view", ["iso", "front", "right", "top"])
def test_culling_does_not_change_the_picture(picture, run, view):
    options = ["demo", "--objects", 3000, "--view", view]
    culled, whole = picture(*options), picture(*options, "--no-culling")
    assert (culled == whole).all()
    assert len(np.unique(culled.reshape(-1, 3), axis=0)) > 50


def test_culling_drops_what_is_out_of_the_picture(run):
    counts = []
    for more in ([], ["--no-culling"]):
        _, _, err = run("demo", "--objects", 20000, "-o", "out.png", "--size", "32x32", *more)
        counts += [re.search(r"drawn ([\d,]+) of ([\d,]+) objects", err[-1]).groups()]
    assert counts[1] == ("20,000", "20,000")
    assert int(counts[0][0].replace(",", "")) < 20000


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


@pytest.mark.parametrize("name", ["a.obj", "flat.obj", "point.obj", "tiny.obj"])
def test_degenerate_scenes_are_drawn(write, picture, name):
    write("a.obj", box("a"))
    write("flat.obj", _TRIANGLE)
    write("point.obj", "v 5 5 5\nf 1 1 1\n")
    write("tiny.obj", box("a", half_size=1e-20))
    assert picture("render", name, "--octree").shape == (48, 64, 3)


@pytest.mark.parametrize("size", [1e20, 1e30, 1e200, 1e308])
def test_huge_scenes_are_drawn_or_refused_in_one_line(write, run, size):
    status, out, err = run("render", write("a.obj", f"v {-size} 0 0\nv {size} 0 0\nv 0 1 0\nf 1 2 3\n"), "-o", "a.png")
    assert status in (0, 2) and out == ""
    assert all(line.startswith("octoscope: ") for line in err)


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


def test_failure_while_writing_keeps_an_existing_picture(write, refused, monkeypatch):
    def save(image, path, *_, **__):
        path.write_bytes(b"half a picture")
        raise OSError(28, "No space left on device")

    write("a.obj", box("a"))
    write("out.png", b"precious")
    monkeypatch.setattr(Image.Image, "save", save)
    assert "No space left" in refused("render", "a.obj", "-o", "out.png", "--size", "16x16")
    assert sorted(os.listdir()) == ["a.obj", "out.png"]
    with open("out.png", "rb") as file:
        assert file.read() == b"precious"


@pytest.mark.skipif(os.name != "posix", reason="needs POSIX permissions")
def test_picture_has_the_permissions_of_a_new_file(write, picture):
    with open("plain", "w"):
        pass
    picture("render", write("a.obj", box("a")))
    assert stat.S_IMODE(os.stat("out.png").st_mode) == stat.S_IMODE(os.stat("plain").st_mode)


# demo


@pytest.mark.parametrize(("count", "says"), [("1", "1"), ("1000", "1,000"), ("1_000", "1,000"), ("1,000", "1,000")])
def test_demo_makes_as_many_objects_as_asked_for(run, count, says):
    status, out, err = run("demo", "--objects", count, "-o", "out.png", "--size", "32x24", "--no-culling")
    assert (status, out) == (0, "")
    assert f"drawn {says} of {says} objects" in err[-1]


@pytest.mark.parametrize("count", ["0", "-1", "2_000_000", "1000001", "12.5", "1e7", "nan", "", "many"])
def test_demo_refuses_impossible_counts(run, count):
    status, out, err = run("demo", f"--objects={count}", "-o", "out.png")
    assert (status, out) == (2, "")
    assert "--objects" in err[-1] and "1,000,000" in err[-1]


# Help and typing errors.


def test_help_names_every_command(run):
    status, out, _ = run("--help")
    assert status == 0
    assert all(re.search(rf"^ +{name} ", out, re.M) for name in ("open", "render", "info", "pick", "demo", "bench"))


@pytest.mark.parametrize("command", ["open", "render", "info", "pick", "demo", "bench"])
def test_commands_have_help(run, command):
    status, out, err = run(command, "--help")
    assert (status, err) == (0, [])
    assert f"octoscope {command}" in out


def test_version(run):
    status, out, _ = run("--version")
    assert status == 0 and re.fullmatch(r"octoscope \d+\.\d+\.\d+\n", out)


@pytest.mark.parametrize("arguments", [["render", "a.obj"], ["info"], ["pick", "a.obj"], ["info", "--nonsense"]])
def test_incomplete_commands(run, arguments):
    status, out, err = run(*arguments)
    assert (status, out, len(err)) == (2, "", 1)
    assert err[0].startswith("octoscope: ") and err[0].endswith(f"see octoscope {arguments[0]} --help")


def test_a_misspelt_command_is_not_taken_for_a_file(write, run):
    status, _, err = run("rendr", write("a.obj", box("a")))
    assert status == 2 and len(err) == 1 and "did you mean octoscope render?" in err[0]


def test_an_output_that_cannot_be_written_is_refused_before_the_files_are_read(write, refused):
    assert "missing.obj" not in refused("render", "missing.obj", "-o", "no/such/folder.png")


def test_a_picture_is_written_through_a_link(write, picture):
    os.symlink("elsewhere.png", "out.png")
    picture("render", write("a.obj", box("a")))
    assert os.path.islink("out.png") and os.path.getsize("elsewhere.png") > 0


# No OpenGL, and no reader.


def test_no_opengl_is_one_line(write, refused, monkeypatch):
    def create_context(**_):
        raise Exception("cannot\ncreate context")

    monkeypatch.setattr(offscreen.moderngl, "create_context", create_context)
    line = refused("render", write("a.obj", box("a")), "-o", "out.png")
    assert "OpenGL" in line and "install" in line
    assert not os.path.exists("out.png")


@pytest.mark.skipif(sys.platform != "linux", reason="hides Mesa's drivers")
def test_no_opengl_at_all(write):
    nothing = dict.fromkeys(("__EGL_VENDOR_LIBRARY_FILENAMES", "LIBGL_DRIVERS_PATH", "GBM_BACKENDS_PATH"), "/nowhere")
    environment = nothing | {"DISPLAY": ":9999", "GALLIUM_DRIVER": "none"}
    write("a.obj", box("a"))
    process = as_process("render", "a.obj", "-o", "out.png", environment=environment)
    assert (process.returncode, process.stdout) == (2, b"")
    lines = process.stderr.decode().splitlines()  # the driver says a word or two of its own
    assert lines[-1].startswith("octoscope: no OpenGL") and "Traceback" not in lines[0]
    assert sum(line.startswith("octoscope: ") for line in lines) == 1
    info = as_process("info", "a.obj", "--json", environment=environment)  # needs none
    assert json.loads(info.stdout)["triangles"] == 12


def test_json_is_alone_on_standard_output(write):
    write("a.obj", "mtllib missing.mtl\nusemtl none\n" + box("a"))
    process = as_process("info", "a.obj", "missing.obj", "--json")
    assert process.returncode == 0
    assert process.stdout.startswith(b"{") and json.loads(process.stdout)["triangles"] == 12
    assert len(process.stderr.splitlines()) == 3


@pytest.mark.skipif(os.name != "posix", reason="needs POSIX pipes")
def test_reader_that_went_away(write):
    write("a.obj", box("a"))
    read_end, write_end = os.pipe()
    os.close(read_end)
    process = as_process("info", "a.obj", "--json", stdout=write_end)
    os.close(write_end)
    assert (process.returncode, process.stderr) == (0, b"")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")
def test_full_disk_behind_standard_output(write):
    write("a.obj", box("a"))
    with open("/dev/full", "w") as full:
        process = as_process("info", "a.obj", "--json", stdout=full)
    assert process.returncode == 2
    (line,) = process.stderr.splitlines()
    assert line.startswith(b"octoscope: ") and b"No space left" in line


@pytest.mark.skipif(os.name != "posix", reason="needs a shell")
def test_closed_standard_error(write):
    write("a.obj", box("a"))
    process = as_process("info", "a.obj", "--json", before=["sh", "-c", 'exec "$@" 2>&-', "sh"])
    assert process.returncode == 0
    assert json.loads(process.stdout)["triangles"] == 12
