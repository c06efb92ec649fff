"""The options of every command.

Imports nothing that takes long: --help needs no more than this file.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from octoscope.scene.conventions.length_unit import METRES, NO_UNIT
from octoscope.scene.conventions.up_axis import UP_AXES
from octoscope.scene.formats.endings import FORMATS
from octoscope.scene.formats.writers import PAGE_WRITERS, WRITERS
from octoscope.scene.project.paths import PROJECT_ENDINGS
from octoscope.viewer.camera.views import VIEWS
from octoscope.viewer.cli.arguments import values
from octoscope.viewer.cli.arguments.command_line import Command
from octoscope.viewer.features import parts
from octoscope.viewer.frame.look.environment_names import EnvironmentPart
from octoscope.viewer.frame.look.shading import EDGES, MATCAPS, MODES
from octoscope.viewer.frame.look.studios import STUDIOS
from octoscope.viewer.frame.points import COUNTS
from octoscope.viewer.frame.quality import SAMPLES
from octoscope.viewer.window.opengl_request import DEBUG, NEWEST, NO_FAST_PATH
from octoscope.viewer.window.place import USUAL_SIZE

_FILE_HELP = {
    "+": f"{', '.join(FORMATS)} or .octo.json, or folders of them; an OBJ may be packed (.obj.gz); "
    "- reads one from standard input",
    "*": "files of the formats that `octoscope info --help` lists (default: the sample scene)",
}

_PICTURES = ".png, .jpg, .bmp and others"


def _open_options(parser: argparse.ArgumentParser) -> None:
    add_file_options(parser, files="*")
    _add_smooth_option(parser)
    add_watch_option(parser)
    _add_picture_options(parser, for_window=True)
    _add_background_option(parser)
    add_octree_options(parser)
    _add_opengl_options(parser)


def _render_options(parser: argparse.ArgumentParser) -> None:
    add_file_options(parser)
    _add_smooth_option(parser)
    parser.add_argument(
        "-o", "--output", type=Path, required=True, metavar="PICTURE", help=f"where to write it ({_PICTURES})"
    )
    _add_picture_options(parser)
    parser.add_argument(
        "--views",
        type=int,
        choices=COUNTS,
        default=1,
        help="number of views, side by side: --view, then from the top, the front and the right (default: 1)",
    )
    _add_camera_options(parser)
    parser.add_argument(
        "--turntable",
        type=values.turntable,
        metavar="N",
        help="turn the camera once round, in N pictures: -o a .gif, an .mp4 (needs the extra octoscope[video]), or "
        "numbered pictures, such as frames/%%03d.png",
    )
    parser.add_argument(
        "--samples", type=int, choices=SAMPLES, help="samples a pixel (default: 16, and 4 for scenes of many triangles)"
    )
    behind = parser.add_mutually_exclusive_group()
    behind.add_argument("--transparent", action="store_true", help="leave out the background (.png with opacity)")
    _add_background_option(behind)
    for name, content in (
        ("depth", "distances along the view (float32, world units, infinite where nothing is)"),
        ("ids", "numbers of objects (int32, -1 where nothing is)"),
        ("normals", "world normals (float32, 0 where nothing is)"),
    ):
        parser.add_argument(f"--{name}", type=Path, metavar="FILE", help=f"also write {content} as .npy or .exr")
    add_octree_options(parser)
    _add_opengl_options(parser)


def _info_options(parser: argparse.ArgumentParser) -> None:
    add_file_options(parser)
    parser.add_argument("--json", action="store_true", help="print JSON")
    add_octree_options(parser)


def _convert_options(parser: argparse.ArgumentParser) -> None:
    add_file_options(parser)
    _add_smooth_option(parser)
    endings = ", ".join((*PROJECT_ENDINGS, *WRITERS, *PAGE_WRITERS))
    parser.add_argument("-o", "--output", type=Path, required=True, metavar="OUT", help=f"what to write ({endings})")
    add_up_option(parser)
    parser.add_argument(
        "--unit",
        choices=tuple(METRES),
        default=NO_UNIT,
        help="the unit of length of files that do not say theirs; others are converted to it",
    )
    parser.add_argument(
        "--to-unit",
        choices=tuple(METRES),
        default=NO_UNIT,
        help="the unit of length to convert to (default: none; .glb is in metres where the unit is known)",
    )
    parser.add_argument("--lay-out", action="store_true", help="put what the files hold side by side into a grid")
    parser.add_argument("--json", action="store_true", help="print what was written as JSON")


def _pick_options(parser: argparse.ArgumentParser) -> None:
    add_file_options(parser)
    parser.add_argument(
        "--ray",
        nargs=6,
        type=float,
        required=True,
        metavar=("OX", "OY", "OZ", "DX", "DY", "DZ"),
        help="origin and direction in world coordinates; t is in world units, whatever the direction's length; "
        "a ray meets triangles, not lines or points, which have no width",
    )
    parser.add_argument("--all", action="store_true", help="every triangle on the ray, nearest first")
    parser.add_argument("--json", action="store_true", help="print JSON")
    add_octree_options(parser)


def _demo_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--objects", type=values.count, default=100_000, metavar="N", help="how many, 1 to a million (default: 100000)"
    )
    parser.add_argument(
        "-o", "--output", type=Path, metavar="PICTURE", help=f"draw to this file instead of a window ({_PICTURES})"
    )
    _add_picture_options(parser)
    _add_background_option(parser)
    add_octree_options(parser)
    _add_opengl_options(parser)


def _compile_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--first",
        action="store_true",
        help="only what the first picture of an OBJ file and the first acts in its window need",
    )


def _doctor_options(parser: argparse.ArgumentParser) -> None:
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="print JSON")
    form.add_argument(
        "--full",
        action="store_true",
        help="also draw pictures, compare them with those that they should be, and time frames: about a minute; "
        "what was found is written to a file, which helps with a report",
    )
    parser.add_argument(
        "-o",
        "--output",
        type=Path,
        default=Path("octoscope-doctor.html"),
        metavar="FILE",
        help="the file of --full (default: octoscope-doctor.html)",
    )
    _add_opengl_options(parser)


def _add_opengl_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of which viewer/window/opengl_request.py says what they do; each adds a word to `opengl`."""
    parser.add_argument(
        "--opengl",
        action="append",
        choices=tuple(NEWEST),
        help="use no later version of OpenGL (default: the newest of use)",
    )
    for name, word, text in (
        ("no-fast-path", NO_FAST_PATH, "use nothing of OpenGL that only makes drawing faster"),
        ("debug-gl", DEBUG, "print what the graphics driver says about calls of OpenGL"),
    ):
        parser.add_argument(f"--{name}", dest="opengl", action="append_const", const=word, help=text)


def add_octree_options(parser: argparse.ArgumentParser) -> None:
    """Add --split-level and --octree-size."""
    parser.add_argument(
        "--split-level",
        type=values.split_level,
        metavar="N",
        help="level of the octree's leaves, 0 for a single cell (default: from the number of objects)",
    )
    parser.add_argument(
        "--octree-size",
        type=values.octree_size,
        metavar="UNITS",
        help="edge length of the octree (default: from the scene's bounds)",
    )


def add_watch_option(parser: argparse.ArgumentParser) -> None:
    """Add --watch."""
    parser.add_argument(
        "--watch",
        action=argparse.BooleanOptionalAction,
        default=True,
        help="read a file again when it changes on disk, keeping the camera and the edits (default: yes)",
    )


def add_file_options(parser: argparse.ArgumentParser, *, files: str = "+") -> None:
    """Add the files and --max-memory; `files` is the number of files, as argparse's nargs."""
    parser.add_argument("files", nargs=files, metavar="FILE", help=_FILE_HELP[files])
    parser.add_argument(
        "--max-memory",
        type=values.byte_count,
        metavar="SIZE",
        help="most memory that reading may use, such as 500M or 2G (default: most of what is free)",
    )


def _add_camera_options(parser: argparse.ArgumentParser) -> None:
    whole = parser.add_mutually_exclusive_group()
    whole.add_argument("--bookmark", metavar="NAME", help="look from a bookmark of the project, or a camera of a glTF")
    whole.add_argument(
        "--camera",
        metavar="FILE|JSON",
        help="look from a camera as JSON, or a file of one: what View > Camera > Copy camera puts on the clipboard, "
        """such as '{"position": [0, 1, 5], "target": [0, 0, 0]}'""",
    )
    point = ("X", "Y", "Z")
    parser.add_argument(
        "--position", nargs=3, type=values.coordinate, metavar=point, help="stand there, world coordinates"
    )
    parser.add_argument(
        "--target", nargs=3, type=values.coordinate, metavar=point, help="look at this point (default: the middle)"
    )
    parser.add_argument("--fov", type=values.fov, metavar="DEGREES", help="full vertical angle of view (default: 35)")


def _add_picture_options(parser: argparse.ArgumentParser, *, for_window: bool = False) -> None:
    """Add the options of commands that draw a picture or open a window, which by default has its last size."""
    size, named = (None, "as it was when last closed") if for_window else (USUAL_SIZE, "{}x{}".format(*USUAL_SIZE))
    parser.add_argument("--size", type=values.size, default=size, metavar="WxH", help=f"pixels (default: {named})")
    parser.add_argument(
        "--view", choices=tuple(VIEWS), help="where to look from (default: iso, or as the project says)"
    )
    add_up_option(parser)
    parser.add_argument("--ortho", action="store_true", help="orthographic instead of perspective")
    parser.set_defaults(shown=None)
    parser.add_argument("--edges", action="store_true", help="draw the edges of the files' polygons")
    parser.add_argument(
        "--mode",
        choices=(*MODES, EDGES),
        help="way of seeing (default: shaded" + (", or as it was when last closed)" if for_window else ")"),
    )
    parser.add_argument("--matcap", choices=tuple(MATCAPS), help="material of the mode matcap (implies that mode)")
    parser.add_argument("--flat", action="store_true", help="shade every triangle flat, whatever normals there are")
    parser.add_argument("--line-width", type=values.stroke_size, metavar="PX", help="width of lines (default: 1)")
    parser.add_argument("--point-size", type=values.stroke_size, metavar="PX", help="size of points (default: 4)")
    parser.add_argument("--round-points", action="store_true", help="draw points as discs, not squares")
    files = "".join(f"; or {part.description}" for part in parts(EnvironmentPart))
    parser.add_argument(
        "--environment",
        metavar="NAME|FILE" if files else "NAME",
        help=f"the light from all around: {', '.join(STUDIOS)}{files} (default: studio)",
    )
    parser.add_argument(
        "--environment-rotation",
        type=values.angle,
        metavar="DEGREES",
        help="turn the environment about the vertical, counterclockwise seen from above (default: 0)",
    )
    parser.add_argument(
        "--light",
        nargs=2,
        type=values.angle,
        metavar=("AZIMUTH", "ELEVATION"),
        help="fix the key light to the world, degrees: 0 0 shines from the front, 90 0 from the right, 0 90 from above "
        "(default: it follows the camera)",
    )
    for name, dimmed in (("shadow", "shadows"), ("occlusion", "ambient occlusion")):
        parser.add_argument(
            f"--{name}", type=values.share, metavar="STRENGTH", help=f"strength of {dimmed}, 0 (none) to 1 (default: 1)"
        )
    parser.add_argument(
        "--section",
        type=values.section_plane,
        action="append",
        metavar="PLANE",
        help="show only what lies on one side of a plane: 'x<1.5', 'y>0', or '1,1,0<2.5' across any direction "
        "(in quotes; x=1.5 is x<1.5); up to six times",
    )
    parser.add_argument("--no-grid", action="store_true", help="leave out the ground grid")
    parser.add_argument("--no-culling", action="store_true", help="draw every object, visible or not")
    parser.add_argument(
        "--cull-tiny", action="store_true", help="leave out objects smaller than a pixel, where they are few"
    )


def _add_background_option(parser: argparse._ActionsContainer) -> None:
    """Add --background to a parser, or to a group of options of which only one may be given."""
    parser.add_argument(
        "--background",
        type=values.background,
        metavar="COLOR",
        help="one colour in place of the gradient: a name, or as #1e2226; or 'environment', to see that",
    )


def contradiction_in(options: argparse.Namespace) -> str | None:
    """Return what is wrong with options of which each alone is right, or None."""
    mode, matcap = (vars(options).get(name) for name in ("mode", "matcap"))
    if matcap is not None and mode not in (None, "matcap"):
        return f"--matcap: shows the mode matcap, not {mode}; leave one of them out"
    for name in ("bookmark", "camera"):
        if vars(options).get("view") is not None and vars(options).get(name) is not None:
            return f"--view: looks from a side, --{name} from a place of its own; leave one of them out"
    return None


def _add_smooth_option(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--smooth",
        type=values.smoothing_angle,
        metavar="DEGREES",
        help="shade meshes without normals smoothly, but for edges sharper than this, such as 30 (default: flat)",
    )


def add_up_option(parser: argparse.ArgumentParser) -> None:
    """Add --up."""
    parser.add_argument("--up", choices=UP_AXES, help="the axis that points up (default: y, or as the project says)")


COMMANDS: dict[str, Command] = {
    "open": Command("open files in a window (the default: `octoscope FILE...`)", _open_options),
    "render": Command("draw files to a picture, without a window", _render_options),
    "info": Command("show what files contain, and the octree over them", _info_options),
    "convert": Command("write files as one file of another format: GLB, OBJ, PLY, STL or a project", _convert_options),
    "pick": Command("cast a ray at files and show what it hits", _pick_options),
    "demo": Command("make a city of many separate objects, and open or draw it", _demo_options),
    "compile": Command("compile what runs as machine code, once, for faster starts", _compile_options),
    "doctor": Command("try every way to OpenGL here, and say what works and what helps", _doctor_options),
}
