"""Make the pictures of gallery.md: three scenes, each drawn by several programs with the same camera.

    .venv/bin/python -m docs.scripts.gallery_pictures

needs f3d, pyvista and bpy: Blender as a package, which wants an environment of its own; name its Python with --blender.
Each program draws in a process of its own, with its own defaults: what a user sees who opens the file. A program
that is missing is left out, with a line.
"""

from __future__ import annotations

import argparse
import json
import math
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

_FOLDER = Path(__file__).parents[1]
_SAMPLE = _FOLDER.parent / "assets" / "harbour.obj"
_SIZE = (640, 400)
_FOV_Y_DEG = 35.0
_CITY_OBJECTS = 2_000
_SECONDS = 900.0  # that a program may take: Cycles is slow without a graphics card


def main(arguments: Sequence[str] | None = None) -> None:
    """Draw all scenes with all programs, or one scene with one, as a process of its own does."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--blender", default=sys.executable, metavar="PYTHON", help="a Python that has bpy")
    parser.add_argument("--only", nargs=4, metavar=("PROGRAM", "FILE", "CAMERA", "PICTURE"), help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    if options.only:
        program, file, camera, picture = options.only
        _PROGRAMS[program](Path(file), json.loads(camera), Path(picture))
        return
    with tempfile.TemporaryDirectory() as folder:
        for name, path in _scenes(Path(folder)).items():
            camera = json.dumps(_camera(path))
            for program in _PROGRAMS:
                python = options.blender if program.startswith("blender") else sys.executable
                picture = _FOLDER / "pictures" / f"{name}-{program}.png"
                _draw_beside(python, program, path, camera, picture)


def _draw_beside(python: str, program: str, path: Path, camera: str, picture: Path) -> None:
    """Draw a picture in a process of its own, and make it small; a line says if that cannot be."""
    drawn = picture.with_suffix(".drawn.png")
    arguments = ["--only", program, str(path), camera, str(drawn)]
    done = subprocess.run(
        [python, "-m", "docs.scripts.gallery_pictures", *arguments],
        cwd=_FOLDER.parent,
        capture_output=True,
        text=True,
        timeout=_SECONDS,
        check=False,
    )
    if not drawn.exists():
        print(f"{program} drew nothing: {(done.stderr.strip().splitlines() or ['it says nothing'])[-1]}")
        return
    from PIL import Image

    Image.open(drawn).convert("RGB").quantize(256).save(picture, optimize=True)
    drawn.unlink()
    print(picture.name)


def _scenes(folder: Path) -> dict[str, Path]:
    """Return the file of each scene; those that are not in the repository are written into a folder."""
    from octoscope.scene.city import city
    from octoscope.scene.formats.writers import WRITERS

    paths = {"harbour": _SAMPLE, "materials": folder / "materials.glb", "city": folder / "city.glb"}
    WRITERS[".glb"](_materials(), paths["materials"])
    WRITERS[".glb"](city(_CITY_OBJECTS), paths["city"])
    return paths


def _materials() -> Any:
    """Return a scene of spheres: rough to smooth from left to right, metal behind, glass before, on a floor."""
    from octoscope import Material, Scene
    from octoscope.scene.mesh import primitives

    scene = Scene()
    ball, floor = primitives.sphere(0.45, 64, 32), primitives.plane(8.0)
    columns = 6

    def place(name: str, mesh: Any, position: tuple[float, float, float], material: Material) -> None:
        ids = np.full(len(mesh.positions), scene.add_material(material))
        scene.add_node(name, mesh=scene.meshes.add(replace(mesh, material_ids=ids)), translation=position)

    place("floor", floor, (0.0, 0.0, 0.0), Material("floor", base_color=(0.55, 0.55, 0.55), roughness=0.9))
    for column in range(columns):
        share = column / (columns - 1)
        x = 1.1 * (column - (columns - 1) / 2.0)
        place(
            f"metal {column}",
            ball,
            (x, 0.45, -1.1),
            Material(f"gold {column}", base_color=(1.0, 0.86, 0.57), metallic=1.0, roughness=max(1.0 - share, 0.05)),
        )
        place(
            f"plastic {column}",
            ball,
            (x, 0.45, 0.0),
            Material(f"red {column}", base_color=(0.75, 0.06, 0.05), roughness=max(1.0 - share, 0.05)),
        )
        place(
            f"glass {column}",
            ball,
            (x, 0.45, 1.1),
            Material(f"glass {column}", base_color=(0.3, 0.6, 0.9), opacity=0.2 + 0.8 * share, roughness=0.1),
        )
    scene.update_world()
    return scene


def _camera(path: Path) -> dict[str, Any]:
    """Return position, target and depth range of the three-quarter view of a file, world units."""
    from octoscope import load
    from octoscope.viewer.frame.view import View

    view = View(load(path))
    view.layout.resize(_SIZE)
    if path.suffix != ".obj":
        view.camera = replace(view.camera, yaw_rad=math.radians(15.0))
    view.framing.frame_nodes(None)
    camera = view.camera
    position = camera.pivot + (camera.position - camera.pivot) * 0.75  # the pictures are wide, the scenes flat
    return {"position": position.tolist(), "target": camera.pivot.tolist(), "far": 10.0 * camera.distance}


def _octoscope(path: Path, camera: dict[str, Any], picture: Path) -> None:
    from octoscope.viewer.cli import main as command_line

    place = [*("--position", *map(str, camera["position"])), *("--target", *map(str, camera["target"]))]
    size = ("--size", "{}x{}".format(*_SIZE), "--fov", str(_FOV_Y_DEG))
    command_line(["render", str(path), "-o", str(picture), *size, *place])


def _f3d(path: Path, camera: dict[str, Any], picture: Path) -> None:
    import f3d  # type: ignore[import-not-found,import-untyped,unused-ignore]

    f3d.Engine.autoload_plugins()
    engine = f3d.Engine.create(True)
    engine.scene.add(str(path))
    engine.window.size = _SIZE
    engine.window.camera.position = tuple(camera["position"])
    engine.window.camera.focal_point = tuple(camera["target"])
    engine.window.camera.view_up = (0.0, 1.0, 0.0)
    engine.window.camera.view_angle = _FOV_Y_DEG
    engine.window.render_to_image().save(str(picture))


def _pyvista(path: Path, camera: dict[str, Any], picture: Path) -> None:
    import pyvista

    plotter = pyvista.Plotter(off_screen=True, window_size=_SIZE)
    if path.suffix == ".obj":
        plotter.import_obj(path, path.with_suffix(".mtl"))
    else:
        plotter.import_gltf(path)
    plotter.camera.position = camera["position"]
    plotter.camera.focal_point = camera["target"]
    plotter.camera.up = (0.0, 1.0, 0.0)
    plotter.camera.view_angle = _FOV_Y_DEG
    plotter.renderer.reset_camera_clipping_range()
    plotter.screenshot(str(picture))


def _blender(engine: str) -> Callable[[Path, dict[str, Any], Path], None]:
    def draw(path: Path, camera: dict[str, Any], picture: Path) -> None:
        import bpy
        from mathutils import Vector

        bpy.ops.wm.read_factory_settings(use_empty=True)
        if path.suffix == ".obj":
            bpy.ops.wm.obj_import(filepath=str(path))
        else:
            bpy.ops.import_scene.gltf(filepath=str(path))
        scene = bpy.context.scene
        data = bpy.data.cameras.new("camera")
        data.sensor_fit, data.angle_y = "VERTICAL", math.radians(_FOV_Y_DEG)
        data.clip_end = camera["far"]
        placed = bpy.data.objects.new("camera", data)
        scene.collection.objects.link(placed)
        scene.camera = placed
        position, target = (Vector((x, -z, y)) for x, y, z in (camera["position"], camera["target"]))  # Z is up there
        placed.location = position
        placed.rotation_euler = (target - position).to_track_quat("-Z", "Y").to_euler()
        scene.render.engine = engine
        if engine == "BLENDER_WORKBENCH":  # as the viewport's solid mode, in the colours of the materials
            scene.display.shading.color_type = "MATERIAL"
            scene.display.shading.show_cavity = True
        else:
            _light(bpy)
            scene.cycles.samples, scene.cycles.use_denoising = 48, True
        scene.render.resolution_x, scene.render.resolution_y = _SIZE
        scene.render.filepath = str(picture)
        bpy.ops.render.render(write_still=True)

    return draw


def _light(bpy: Any) -> None:
    """Light Blender's scene as ours is: a grey sky and a soft sun from over the camera's left shoulder."""
    scene = bpy.context.scene
    world = bpy.data.worlds.new("world")
    world.use_nodes = True
    world.node_tree.nodes["Background"].inputs[0].default_value = (0.55, 0.6, 0.7, 1.0)
    world.node_tree.nodes["Background"].inputs[1].default_value = 0.7
    scene.world = world
    sun = bpy.data.lights.new("sun", "SUN")
    sun.energy, sun.angle = 3.0, math.radians(8.0)
    placed = bpy.data.objects.new("sun", sun)
    scene.collection.objects.link(placed)
    placed.rotation_euler = tuple(np.radians((45.0, 0.0, 10.0)))
    scene.view_settings.view_transform = "Standard"


_PROGRAMS: dict[str, Callable[[Path, dict[str, Any], Path], None]] = {
    "octoscope": _octoscope,
    "f3d": _f3d,
    "pyvista": _pyvista,
    "blender-workbench": _blender("BLENDER_WORKBENCH"),
    "blender-cycles": _blender("CYCLES"),
}


if __name__ == "__main__":
    main()
