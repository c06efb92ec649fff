"""ViewSettings: how a view shows its scene."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from octoscope.scene.geometry.colors import colors_of
from octoscope.viewer.frame.instances import SHAPES
from octoscope.viewer.frame.look.backdrop import DARK_BACKDROP, Backdrop, Color, plain_backdrop
from octoscope.viewer.frame.look.environment import Environment, built_in
from octoscope.viewer.frame.look.lighting import LIGHTING, Lighting
from octoscope.viewer.frame.look.shading import (
    EDGES,
    MATCAPS,
    MODES,
    STROKES,
    MatcapName,
    Mode,
    ModeName,
    ModeOrEdges,
    Shading,
    Strokes,
)
from octoscope.viewer.frame.look.studios import ENVIRONMENT, USUAL
from octoscope.viewer.frame.quality import MODES as QUALITY_MODES
from octoscope.viewer.frame.redraw import Damage, Redraw, differs
from octoscope.viewer.frame.section import NO_SECTION, Section

# What another value of a setting requests where it is not the whole picture.
_DAMAGE = {"quality": Damage.REFINEMENT}


@dataclass(eq=False)
class ViewSettings:
    """The settings of a view: another value of one requests a redraw."""

    culling: bool = True  # False draws every object, seen or not
    tiny_culling: bool = False  # True leaves objects smaller than a pixel out of the picture, and of nothing else
    simplifying: bool = False  # True draws small objects with fewer triangles, as far as there are levels of detail
    occlusion_culling: bool = False  # True leaves out triangles of objects that others hide, where they are many
    show_grid: bool = True  # draws the ground
    show_boxes: bool = False  # draws each object's box
    show_spheres: bool = False  # draws each object's sphere
    show_axes: bool = False  # draws each object's local axes
    show_edges: bool = False  # draws the sides of the files' polygons, over whatever the mode shows
    mode: ModeName = "shaded"  # the way of seeing, a name of viewer.frame.look.shading.MODES
    matcap: MatcapName = "plaster"  # the material of the mode matcap, a name of MATCAPS
    strokes: Strokes = STROKES  # sizes of lines and points
    is_flat: bool = False  # shades every triangle in its own direction
    culls_back_faces: bool = True  # leaves out back faces of single-sided materials; they are not picked, either
    # colours of the theme's gradient and ground, where the background is no single colour
    backdrop: Backdrop = DARK_BACKDROP
    lighting: Lighting = LIGHTING  # the key light, and what dims light
    environment: Environment = field(default_factory=lambda: built_in(USUAL))  # the light from all around
    environment_rotation_deg: float = 0.0  # of the environment about the vertical, counterclockwise seen from above
    # ENVIRONMENT shows the environment behind the scene; a colour, sRGB, 0 to 1, shows only that; None shows the
    # backdrop's gradient
    background: str | Color | None = None
    quality: str = QUALITY_MODES[0]  # one of viewer.frame.quality.MODES
    section: Section = NO_SECTION  # planes that cut away a part of what is seen
    redraw: Redraw = field(default_factory=Redraw, repr=False)  # gets the requests

    if not TYPE_CHECKING:  # else mypy lets any name be set

        def __setattr__(self, name: str, value: object) -> None:
            """Set a field; another value than before requests a redraw."""
            if name not in self.__dataclass_fields__:
                raise AttributeError(f"a view has no setting {name!r}")
            is_new, before = name not in vars(self), vars(self).get(name)
            super().__setattr__(name, value)
            if not is_new and differs(before, value):
                self.redraw.request(_DAMAGE.get(name, Damage.SCENE))

    def show_as(self, name: ModeOrEdges) -> None:
        """Choose a way of seeing by its name, as options and scripts give it: of MODES, or EDGES."""
        _check_name("mode", name, (*MODES, EDGES))
        self.mode = "shaded" if name == EDGES else name
        self.show_edges |= name == EDGES

    def show_matcap(self, name: MatcapName) -> None:
        """Show everything in a material of MATCAPS."""
        _check_name("matcap", name, tuple(MATCAPS))
        self.mode, self.matcap = "matcap", name

    def show_before(self, background: str | Color | None) -> None:
        """Choose the background: "environment", a colour as colors_of reads it, or None for the gradient."""
        if background is not None and not (isinstance(background, str) and background == ENVIRONMENT):
            red, green, blue, _ = colors_of(background, 1, name="background")[0].tolist()
            background = red, green, blue
        self.background = background

    @property
    def seen_as(self) -> Mode:
        """The way of seeing that `mode` names."""
        return MODES[self.mode]

    @property
    def shading(self) -> Shading:
        """The way in which surfaces are shown."""
        return Shading(self.seen_as, MATCAPS[self.matcap], self.is_flat, self.culls_back_faces)

    @property
    def draws_edges(self) -> bool:
        """True if the sides of polygons are drawn."""
        return self.show_edges or not self.seen_as.draws_faces

    @property
    def leaves_out_hidden(self) -> bool:
        """True if objects that others hide are left out; without faces they would be seen."""
        return self.occlusion_culling and self.culling and self.seen_as.draws_faces

    @property
    def shapes(self) -> Sequence[str]:
        """Those of SHAPES that are drawn around objects."""
        is_shown = (self.show_boxes, self.show_spheres, self.show_axes)
        return [shape for shape, shows in zip(SHAPES, is_shown, strict=True) if shows]

    @property
    def shown_backdrop(self) -> Backdrop:
        """The backdrop that `background` asks for."""
        if self.background is None or isinstance(self.background, str):
            return replace(self.backdrop, shows_environment=self.background == ENVIRONMENT)
        return replace(plain_backdrop(self.background), is_transparent=self.backdrop.is_transparent)


def _check_name(kind: str, name: str, names: Sequence[str]) -> None:
    if name not in names:
        raise ValueError(f"there is no such {kind} as {name!r}; there are {', '.join(names)}")
