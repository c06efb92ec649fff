"""Cards with limits as low as OpenGL 3.3 allows: what is beyond them becomes smaller, and a message says so."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import moderngl
import numpy as np
import pytest

from octoscope.scene import Material, Scene, Texture
from octoscope.viewer.doctor.comparison import difference, drawn
from octoscope.viewer.doctor.reference_scenes import REFERENCES
from octoscope.viewer.frame.frame import ViewportFrame
from octoscope.viewer.frame.look.shading import Strokes
from octoscope.viewer.frame.view import View
from octoscope.viewer.rendering.context.card_errors import NoMemory
from octoscope.viewer.rendering.context.offscreen import image_of
from octoscope.viewer.rendering.renderer import Renderer
from octoscope.viewer.rendering.resources import texture_layers
from octoscope.viewer.rendering.resources.gpu_textures import GpuTextures
from tests.viewer.rendering.test_mipmaps import texels
from tests.viewer.scenes import SIZE, add_mesh, add_quad, flat_view, picture

_LEAST = {  # from the tables of "The OpenGL Graphics System", version 3.3
    "GL_MAX_TEXTURE_SIZE": 1024,
    "GL_MAX_3D_TEXTURE_SIZE": 256,
    "GL_MAX_ARRAY_TEXTURE_LAYERS": 256,
    "GL_MAX_COLOR_TEXTURE_SAMPLES": 1,
    "GL_MAX_DEPTH_TEXTURE_SAMPLES": 1,
}
_MOST_UNITS = 16


@contextmanager
def limited(ctx: moderngl.Context, **limits: object) -> Iterator[None]:
    """Make the card tell these limits, and refuse textures beyond them."""
    info = {**ctx.info, **limits}

    def checked(name: str) -> Callable[..., object]:
        make = getattr(moderngl.Context, name)

        def checked_make(ctx: moderngl.Context, size: tuple[int, ...], *more: object, **options: object) -> object:
            assert max(size[:2]) <= info["GL_MAX_3D_TEXTURE_SIZE" if name == "texture3d" else "GL_MAX_TEXTURE_SIZE"]
            assert len(size) < 3 or size[2] <= info["GL_MAX_ARRAY_TEXTURE_LAYERS"]
            samples = "GL_MAX_DEPTH_TEXTURE_SAMPLES" if name == "depth_texture" else "GL_MAX_COLOR_TEXTURE_SAMPLES"
            assert options.get("samples", 0) <= info[samples]
            return make(ctx, size, *more, **options)

        return checked_make

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(moderngl.Context, "info", property(lambda _: info))
        for name in ("texture", "texture3d", "texture_array", "depth_texture"):
            patch.setattr(moderngl.Context, name, checked(name))
        yield


@pytest.mark.parametrize("name", ("textures", "maps", "shadow", "sunset", "outlines"))
def test_a_card_with_the_least_that_opengl_allows_draws_the_same_picture(ctx: moderngl.Context, name: str) -> None:
    reference = REFERENCES[name]
    usual = drawn(Renderer(ctx), reference)
    with limited(ctx, **_LEAST):
        apart = difference(drawn(Renderer(ctx), reference), usual)
    assert not apart.is_beyond(0.03), str(apart)


def _colored(number: int, side: int) -> Texture:
    return Texture(Path(f"{number}.png"), np.full((side, side, 4), number % 256, np.uint8), is_file=False)


def _textured(*textures: Texture) -> View:
    scene = Scene()
    for number, texture in enumerate(textures):
        material = scene.add_material(Material(str(number), base_color_texture=texture, unlit=True))
        uvs = np.array([(0, 0), (1, 0), (1, 1), (0, 1)], dtype=float)
        scene.add_node(str(number), mesh=add_quad(scene, 20.0, material, uvs=uvs), translation=(45 * number, 0, 0))
    scene.update_world()
    return flat_view(scene)


def test_textures_beyond_the_largest_of_the_card_are_shown_smaller(ctx: moderngl.Context) -> None:
    view = _textured(_colored(200, 64), _colored(100, 8))
    before = picture(Renderer(ctx), view)
    with limited(ctx, GL_MAX_TEXTURE_SIZE=1024):
        view = _textured(replace(_colored(200, 2048)), _colored(100, 8))
        renderer = Renderer(ctx)
        assert np.array_equal(picture(renderer, view), before)
    assert renderer.messages == [
        "1 of 2 textures are shown smaller than in the file, at most 1,024 pixels a side; it is 2,048 x 2,048"
    ]


def test_arrays_have_no_more_layers_than_the_card_allows(ctx: moderngl.Context) -> None:
    images = [_colored(number, 4) for number in range(1, 8)]
    with limited(ctx, GL_MAX_ARRAY_TEXTURE_LAYERS=5):
        textures = GpuTextures(ctx, holds_colors=False)
        for _ in range(2):
            textures.update(images)
            textures.upload_pending()
            (array,) = textures.arrays
            assert array.layers == 5 and len(textures.places) == 5
            assert textures.messages == ["2 textures are not shown: there are more than this graphics card takes"]
            ctx.framebuffer([ctx.texture((1, 1), 4)]).use()
            assert [round(255.0 * float(texels(ctx, array, n, 0).max())) for n in range(5)] == [1, 2, 3, 4, 5]
        textures.release()


def test_points_that_the_card_draws_smaller_are_told(ctx: moderngl.Context) -> None:
    scene = Scene()
    scene.add_node("point", mesh=add_mesh(scene, np.zeros((1, 3)), points=np.array([0])))
    scene.update_world()
    view = flat_view(scene)
    view.settings.strokes = Strokes(point_size=60.0)
    for largest, told in (
        (64.0, []),
        (50.0, ["points are shown 50 pixels wide: this graphics card has no larger ones"]),
    ):
        with limited(ctx, GL_POINT_SIZE_RANGE=(1.0, largest)):
            renderer = Renderer(ctx)
            picture(renderer, view)
            assert renderer.messages == told


def test_no_program_needs_more_textures_than_opengl_has_units(ctx: moderngl.Context) -> None:
    """Also where there are as many arrays of colours and maps as there can be."""
    scene = Scene()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(texture_layers, "_CHEAP_BYTES", 0)
        for number, side in enumerate((4, 8, 16, 32)):
            maps = {"normal_texture": _colored(50 + number, side), "surface_texture": _colored(60 + number, side)}
            color = _colored(number, side)
            for opacity in (1.0, 0.5):
                look = Material(f"{number} {opacity}", base_color_texture=color, opacity=opacity, **maps)
                uvs = np.array([(0, 0), (1, 0), (1, 1), (0, 1)], dtype=float)
                mesh = add_quad(scene, 20.0, scene.add_material(look), uvs=uvs)
                scene.add_node("square", mesh=mesh, translation=(20 * number - 40, 0, number))
        scene.update_world()
        view, renderer = flat_view(scene), Renderer(ctx, clip_control=False)
        renderer.render_best(view.with_occluders(view.build_frames(SIZE)), SIZE)
    found = 0
    for key, program in ctx.extra.items():
        if key[0] == "program":
            uniforms = [program[name] for name in program if isinstance(program[name], moderngl.Uniform)]
            # Numbers of OpenGL's samplers, of which there are many kinds: no other uniform has one of these.
            samplers = [each for each in uniforms if 0x8B5D <= each.gl_type <= 0x8B64 or each.gl_type >= 0x8DC0]
            samplers = [each for each in samplers if not 0x8DC6 <= each.gl_type <= 0x8DC8]  # those are vectors
            assert len(samplers) <= _MOST_UNITS and all(each.value < _MOST_UNITS for each in samplers), key
            found = max(found, len(samplers))
    assert found > 12, "the scene has many textures"


def test_without_memory_textures_are_halved_and_everything_is_uploaded_again(ctx, monkeypatch) -> None:
    view = _textured(_colored(200, 2048), _colored(100, 8))
    parts = [ViewportFrame(view.build_frames(SIZE)[0].frame, (0, 0))]
    renderer = Renderer(ctx)
    before = picture(renderer, view)
    most_bytes = 9 * 2**20

    def error(_: moderngl.Context) -> str:
        taken = renderer.passes.meshes._gpu_scene.textures.byte_count
        return "GL_OUT_OF_MEMORY" if taken > most_bytes else "GL_NO_ERROR"

    monkeypatch.setattr(moderngl.Context, "error", property(error))
    renderer.render_parts(parts, SIZE)
    assert np.array_equal(image_of(renderer.picture), before)
    renderer = Renderer(ctx)
    assert (renderer.buffers(parts, SIZE).ids >= 0).any(), "it is enough for these, too"
    renderer.render_parts(parts, SIZE)
    assert np.array_equal(image_of(renderer.picture), before)
    assert [message for message in renderer.messages if "textures" in message] == [
        "1 of 2 textures are shown smaller than in the file, at most 1,024 pixels a side; it is 2,048 x 2,048"
    ]
    most_bytes = 0  # the textures are halved until there is nothing to be had
    with pytest.raises(NoMemory):
        renderer.render_parts(parts, SIZE)
    most_bytes = 2**30
    assert np.array_equal(picture(renderer, view), before), "once there is memory again, it draws"
