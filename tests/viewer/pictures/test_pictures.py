"""Small pictures of all that the renderer does, beside those that are kept in assets/references and tests/images.

CONTRIBUTING.md says how to keep others in their place.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import combinations

import moderngl
import numpy as np
import pytest

from octoscope.scene.geometry.colors import linear_from_srgb
from octoscope.viewer.doctor.comparison import difference, drawn
from octoscope.viewer.frame.section import Section
from octoscope.viewer.frame.view import View
from octoscope.viewer.rendering.context import shader_library
from octoscope.viewer.rendering.renderer import Renderer
from tests.viewer.pictures.comparison import FOLDERS, kept, path_of, report_failed
from tests.viewer.pictures.scenes import REFERENCES


@pytest.fixture(scope="module")
def renderers(shared_ctx: moderngl.Context) -> Iterator[dict[str, Renderer]]:
    """One renderer for each way through OpenGL, for all pictures: most of the time goes into compiling its programs."""
    if "llvmpipe" not in shared_ctx.info["GL_RENDERER"]:
        pytest.skip("references are compared on the software renderer only")
    shared_ctx.__enter__()  # a window test may have made another context current
    renderers = {
        "opengl 4.5": Renderer(shared_ctx),
        "opengl 3.3": Renderer(shared_ctx, indirect=False, clip_control=False),
    }
    yield renderers
    shared_ctx.__enter__()
    for renderer in renderers.values():
        renderer.release()


# Pictures that the ways through OpenGL may tell apart: by depth, by lists of draw calls, by transparency.
_BY_OPENGL_3 = (
    "materials",
    "textures",
    "glass_over_glass",
    "glass_while_it_moves",
    "shadow",
    "ground",
    "outlines",
    "octree",
    "lines_and_points",
    "section",
    "harbour",
    "mode_wireframe",
    "mode_normals",
    "mode_edges",
)


@pytest.mark.parametrize(
    ("name", "way"), [*((name, "opengl 4.5") for name in REFERENCES), *((name, "opengl 3.3") for name in _BY_OPENGL_3)]
)
def test_a_picture_looks_as_it_did(ctx: moderngl.Context, renderers: dict[str, Renderer], name: str, way: str) -> None:
    picture = drawn(renderers[way], REFERENCES[name])
    apart = difference(picture, kept(name))
    if apart.is_seen:
        pytest.fail(f"{name} changed: {apart}; see {report_failed(name, picture)}: it, the kept one, their difference")


def test_each_reference_is_kept_and_no_other() -> None:
    assert {path for folder in FOLDERS for path in folder.glob("*.png")} == {path_of(name) for name in REFERENCES}
    assert len(REFERENCES) >= 24


# The comparison: rounding passes, and what is wrong does not.


@pytest.mark.parametrize("name", REFERENCES)
def test_rounding_is_no_difference(name: str) -> None:
    """Two of 255 up or down at each pixel, and edges that lie a tenth of a pixel beside."""
    picture = kept(name).astype(float)
    beside = 0.9 * picture + 0.1 * np.roll(picture, 1, axis=1)
    rounded = beside + np.random.default_rng(0).integers(-2, 3, picture.shape)
    assert not difference(np.rint(rounded).clip(0, 255).astype(np.uint8), kept(name)).is_seen


@pytest.mark.parametrize("name", REFERENCES)
def test_a_picture_without_gamma_or_mirrored_or_of_other_channels_is_another(name: str) -> None:
    picture = kept(name)
    linear = np.rint(255.0 * linear_from_srgb(picture / 255.0)).astype(np.uint8)
    for wrong in (linear, picture[::-1], picture[:, ::-1]):
        assert difference(wrong, picture).is_seen
    if not (name.startswith("mode_") or name == "occlusion"):  # some of which are grey
        assert difference(picture[..., ::-1], picture).is_seen


def test_ways_of_seeing_are_told_apart() -> None:
    modes = [name for name in REFERENCES if name.startswith("mode_")]
    for first, second in combinations([*modes, "while_it_moves"], 2):
        assert difference(kept(first), kept(second)).is_seen, (first, second)


def _with_light(**changes: object) -> Callable[[View], None]:
    def change(view: View) -> None:
        view.settings.lighting = replace(view.settings.lighting, **changes)

    return change


def _mirrored_light(view: View) -> None:
    x, y, z = view.settings.lighting.direction
    view.settings.lighting = replace(view.settings.lighting, direction=(-x, y, z))


def _with(**attributes: object) -> Callable[[View], None]:
    def change(view: View) -> None:
        for name, value in attributes.items():
            setattr(view if hasattr(view, name) else view.settings, name, value)

    return change


def _without_decorations(view: View) -> None:
    for each in view.decorations:
        each.is_shown = False


def _with_materials(**changes: object) -> Callable[[View], None]:
    def change(view: View) -> None:
        for number, material in enumerate(view.scene.materials):
            view.scene.replace_materials({number: replace(material, **changes)})

    return change


def _unselected(view: View) -> None:
    view.selection.ids = np.empty(0, dtype=np.int32)


def _unmeasured(view: View) -> None:
    view.scene.measurements = []


# The picture, what is wrong, and how a view of it is made so.
_WRONG: tuple[tuple[str, str, Callable[[View], None]], ...] = (
    ("materials", "light from the other side", _mirrored_light),
    ("shadow", "light from the other side", _mirrored_light),
    ("materials", "no key light", _with_light(strength=0.0)),
    ("shadow", "no shadow", _with_light(has_shadow=False)),
    ("ground", "no shadow", _with_light(has_shadow=False)),
    ("z_up", "no shadow", _with_light(has_shadow=False)),
    ("occlusion", "no ambient occlusion", _with_light(has_occlusion=False)),
    ("occlusion", "half of it", _with_light(occlusion_strength=0.5)),
    ("maps", "normals bent the other way", _with_materials(normal_scale=-1.0)),
    ("maps", "no map of roughness and metal", _with_materials(surface_texture=None)),
    ("maps", "no map of occlusion", _with_materials(occlusion_texture=None)),
    ("maps", "no map of emission", _with_materials(emission_texture=None)),
    ("emission", "no emission", _with_materials(emission=(0.0, 0.0, 0.0))),
    ("metals", "no metal", _with_materials(metallic=0.0)),
    ("materials", "all as rough", _with_materials(roughness=0.5)),
    ("textures", "not repeated", _with_materials(uv_scale=(1.0, 1.0))),
    ("glass_over_glass", "all as opaque", _with_materials(opacity=0.5)),
    ("glass_while_it_moves", "all as opaque", _with_materials(opacity=0.5)),
    ("outlines", "no outlines", _unselected),
    ("outlines", "nothing under the pointer", _with(hovered=None)),
    ("light_theme", "no grid", _with(show_grid=False)),
    ("labels", "no measurements", _unmeasured),
    ("color_bar", "no bar", _without_decorations),
    ("octree", "no cells", _without_decorations),
    ("octree", "no frustum", lambda view: setattr(view.visibility, "frozen", None)),
    ("bounds", "no boxes", _with(show_boxes=False)),
    ("section", "the other side", _with(section=Section.of(["z>0.75", "x<0.9"]))),
    ("flat", "smooth", _with(is_flat=False)),
    ("mode_edges", "no edges", _with(show_edges=False)),
    ("sunset", "no environment behind", _with(background=None)),
)


@pytest.mark.parametrize(("name", "wrong", "change"), _WRONG, ids=[f"{name}, {wrong}" for name, wrong, _ in _WRONG])
def test_what_is_missing_or_wrong_is_seen(
    ctx: moderngl.Context, renderers: dict[str, Renderer], name: str, wrong: str, change: Callable[[View], None]
) -> None:
    reference = REFERENCES[name]
    view = reference.make_view()
    change(view)
    apart = difference(drawn(renderers["opengl 4.5"], reference, view), kept(name))
    assert apart.is_seen, str(apart)


@pytest.mark.parametrize(
    ("name", "head", "body"),
    (
        ("vertex_colors", "vec3 srgb_from_linear(vec3 color) {", "return color;"),
        ("metals", "vec3 environment_light(vec3 direction, float roughness) {", "direction = -direction;"),
        ("mode_normals", "vec3 normal_from_octahedral(vec2 place) {", "place.x = -place.x;"),
    ),
)
def test_a_wrong_line_in_a_shader_is_seen(
    ctx: moderngl.Context,
    renderers: dict[str, Renderer],
    monkeypatch: pytest.MonkeyPatch,
    name: str,
    head: str,
    body: str,
) -> None:
    """A function of the shaders, which begins with `head`, gets another first line."""
    read = shader_library._source
    changed = []

    def source(file: str) -> str:
        text = read(file)  # with what it includes, which is changed already
        if head in text and body not in text:
            changed.append(file)
            text = text.replace(head, f"{head} {body}")
        return text

    monkeypatch.setattr(shader_library, "_source", source)
    monkeypatch.setattr(ctx, "extra", None)  # the programs that are compiled already
    renderer = Renderer(ctx)
    try:
        apart = difference(drawn(renderer, REFERENCES[name]), kept(name))
    finally:
        renderer.release()
        read.cache_clear()  # it has read files whose includes were changed: later tests would draw with them
    assert changed, f"no shader has {head!r} any more"
    assert apart.is_seen, str(apart)
