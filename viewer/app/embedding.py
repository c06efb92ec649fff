"""Embedded: a scene drawn in another program's OpenGL context, into a framebuffer of it."""

from __future__ import annotations

import time
from collections.abc import Iterable
from functools import cached_property
from typing import Literal, Protocol

import numpy as np

from octoscope.scene import Hit, Node, Nodes
from octoscope.scene.measuring.near_cursor import NearHit
from octoscope.viewer.app.picture import Picture
from octoscope.viewer.frame.quality import SAMPLES
from octoscope.viewer.frame.redraw import Damage
from octoscope.viewer.frame.viewports import PointerLocation
from octoscope.viewer.rendering.canvas import Canvas
from octoscope.viewer.rendering.context.host_context import HostContext
from octoscope.viewer.rendering.host_drawing import Depth, HostDrawing
from octoscope.viewer.rendering.renderer import Renderer
from octoscope.viewer.rendering.still_drawing import draw_frames
from octoscope.viewer.tools import intents
from octoscope.viewer.tools.camera_tool import CameraTool
from octoscope.viewer.tools.held_button import HeldButton
from octoscope.viewer.window import drags

Button = Literal["left", "right", "middle"]
_BUTTONS = {"left": 1, "right": 2, "middle": 3}


class NamedFramebuffer(Protocol):
    """A framebuffer of moderngl, or what has the same attributes."""

    @property
    def glo(self) -> int:
        """Its name in OpenGL; 0 is the window's."""

    @property
    def viewport(self) -> tuple[int, int, int, int]:
        """Left, lower, width and height of the part that is drawn into, pixels."""


class _OnCard:
    """The OpenGL objects of an embedded scene in the host's context.

    Attributes:
        picture: progressive picture, as a window draws it; None: each picture is drawn in one call.
    """

    def __init__(self, *, at_once: bool) -> None:
        self.host = HostContext.current()
        self.host.users += 1
        self.drawn_version: int | None = None  # version of the scene in the last picture
        with self.host.in_use() as ctx:
            self.picture = None if at_once else Picture(ctx)
            self.renderer = Renderer(ctx) if self.picture is None else self.picture.renderer
            self.drawing = HostDrawing(ctx)

    def release(self) -> None:
        with self.host.in_use():
            (self.picture or self.renderer).release()
            self.drawing.release()
            self.host.leave()


class Embedded(Canvas):
    """A scene in the picture of another program that has an OpenGL context (3.3 or newer) and framebuffers of its own.

        view = octoscope.Embedded(scene)
        ...
        view.draw()  # where the program draws: its context is current, its framebuffer bound, its viewport set

    When a call returns, all state of the context is the program's again; objects of its own are left alone. No query,
    transform feedback or conditional rendering may be under way meanwhile. Several in one context share shaders.

    Arguments are those of Canvas. With `samples` each picture has that many for a pixel; None draws as a window does:
    as well as keeps up while something moves, then better and better while nothing does. With `transparent` what the
    program has drawn before is seen behind the scene. `size` is that of `render` before the first `draw`.
    """

    def __exit__(self, *_: object) -> None:
        """Release what is on the card, as `release`."""
        self.release()

    def release(self) -> None:
        """Delete every OpenGL object that was made in the program's context, which must be current, and exist still.

        A later `draw` would begin anew, also in another context.
        """
        if "_on_card" in vars(self):
            self._on_card.release()
            del self._on_card
        super().__exit__()

    @cached_property
    def _on_card(self) -> _OnCard:
        return _OnCard(at_once=self._samples is not None)

    @cached_property
    def _tool(self) -> CameraTool:
        return CameraTool(self._view)

    @cached_property
    def _held(self) -> HeldButton:
        return HeldButton()

    @property
    def selected(self) -> Nodes:
        """The selected nodes, which are outlined, the active one last; can be set to any nodes of the scene."""
        return Nodes(self._view.scene, self._view.selected_ids)

    @selected.setter
    def selected(self, nodes: Iterable[Node]) -> None:
        self._view.selection.ids = self._view.scene.checked_ids(list(nodes))

    def frame(self) -> None:
        """Move the camera so that everything that is shown fills the picture."""
        self._view.update()
        self._view.framing.frame_nodes(None)

    @property
    def clip_from_world(self) -> np.ndarray:
        """(4, 4) float64: from the world to OpenGL's clip space, as the last picture was drawn.

        What the program draws with it lies where the scene does, also in depth (see `draw`).
        """
        snapshot = self._view.snapshot
        return snapshot.camera.clip_from_world(snapshot.aspect)

    def draw(
        self,
        framebuffer: int | NamedFramebuffer | None = None,
        viewport: tuple[int, int, int, int] | None = None,
        *,
        pixel_ratio: float = 1.0,
        depth: Depth | None = None,
    ) -> bool:
        """Draw the scene as it is now over a part of a framebuffer.

        The framebuffer may have several samples a pixel, and hold sRGB. One of floats takes linear light. Of several
        targets the first is drawn into. With `depth` the scene is hidden by what the program has drawn nearer, pixel by
        pixel, and the depth of what is opaque is written for what it draws later, with a projection as
        `clip_from_world`. A translucent surface is as far away there as the opaque one behind it.

        Args:
            framebuffer: of the program: moderngl's object, or the number that OpenGL has for it; None: the one that is
                bound.
            viewport: left, lower, width and height of the part, framebuffer pixels; None: that of moderngl's object,
                or else the one that is set.
            pixel_ratio: framebuffer pixels to a logical one across.
            depth: "standard" where depths are 0 near and 1 far, "reversed" the other way round, in a depth range of 0
                to 1; None: what was drawn before is drawn over, and its depths stay.

        Returns:
            Whether there is a better picture to come, by another call.

        Raises:
            NoOpenGL: no context is current, at the first call.
            RuntimeError: another context is current than at the first call.
            DrawError: the picture is too much for this machine's OpenGL.
        """
        card = self._on_card
        name, place = card.host.in_view()
        if isinstance(framebuffer, int):
            name = framebuffer
        elif framebuffer is not None:
            name, place = framebuffer.glo, framebuffer.viewport
        place = viewport or place
        if min(place[2:]) < 1:  # a minimised window
            return False
        with card.host.in_use():
            self._draw_picture(card, place[2:], pixel_ratio)
            card.drawing.draw(card.renderer, name, place, transparent=self._transparent, depth=depth)
        redraw = self._view.redraw
        is_due = redraw.damage in (Damage.SCENE, Damage.REFINEMENT) or redraw.seconds_left < np.inf
        return is_due or card.renderer.has_pending_uploads

    def _draw_picture(self, card: _OnCard, size: tuple[int, int], pixel_ratio: float) -> None:
        """Draw what has changed since the last picture, or a piece of a better one."""
        view, redraw, picture = self._view, self._view.redraw, card.picture
        self._note_changes(card, size, pixel_ratio)
        redraw.request_due()
        if picture is None:
            if redraw.damage >= Damage.OVERLAY:
                draw_frames(card.renderer, view, view.build_frames(size), size, self._samples or SAMPLES[-1])
                redraw.note_picture()
            return
        picture.upload_pending(view)
        picture.take_card_time(view)
        begin = time.perf_counter()
        match redraw.damage:
            case Damage.SCENE:
                picture.draw(view)
                redraw.note_picture()
                picture.note_shown(1e3 * (time.perf_counter() - begin))
            case Damage.OVERLAY:
                picture.draw_outlines(view)
                redraw.note_picture()
            case Damage.REFINEMENT:
                picture.refine(view)

    def _note_changes(self, card: _OnCard, size: tuple[int, int], pixel_ratio: float) -> None:
        """Request another picture if the scene or the picture's size has changed."""
        view, scene = self._view, self._view.scene
        if (size, pixel_ratio) != (view.layout.last_size, view.layout.pixel_ratio):
            view.framing.refit(size, pixel_ratio)
            self._size = size
            view.redraw.request(Damage.SCENE)
        if scene.version != card.drawn_version:
            card.drawn_version = scene.version
            view.selection.ids = view.selected_ids[scene.alive[view.selected_ids]]
            view.redraw.request(Damage.SCENE)
        while view.redraw.damage == Damage.PANELS:  # there are none
            view.redraw.note_panels()

    # The mouse does what it does in a window. Places are logical pixels from the picture's top left corner, y down.

    def pick(self, x: float, y: float) -> Hit | NearHit | None:
        """Return what is seen at a place of the last picture, logical pixels from its top left corner, y down."""
        return self._locate(x, y).pick()

    def mouse_press(self, x: float, y: float, button: Button = "left") -> None:
        """Begin a click or a drag: a button goes down; places are those of `pick`."""
        if self._held.button is None:
            self._held.press(_BUTTONS[button], (x, y))

    def mouse_move(self, x: float, y: float, *, shift: bool = False) -> bool:
        """Move the pointer: the left button orbits about what it went down on, the middle one pans, the right looks.

        Args:
            x: logical pixels from the picture's left.
            y: logical pixels from its top.
            shift: True lets the left button pan.

        Returns:
            Whether the camera has moved.
        """
        piece = self._held.move((x, y))
        if piece is None:
            return False
        dx, dy, is_first = piece
        if self._held.button == 1:
            ends = self._locate(*self._held.pressed_at), self._locate(x, y)
            action = drags.PAN if shift else drags.ORBIT
            self._tool.follow(intents.Drag(dx, dy, *ends, is_first, action=action))
        else:
            action = drags.LOOK if self._held.button == 2 else drags.PAN
            self._tool.follow(intents.Steering(action, dx, dy))
        return True

    def mouse_release(self, x: float, y: float, button: Button = "left") -> Hit | NearHit | None:
        """End what `mouse_press` began; return what was hit, if it was a click of the left button on something."""
        if self._held.button != _BUTTONS[button]:
            return None
        self._held.button = None
        return self.pick(x, y) if button == "left" and not self._held.drags else None

    def scroll(self, x: float, y: float, steps: float) -> None:
        """Zoom towards what is seen at a place, or with steps below 0 away from it; places are those of `pick`."""
        self._tool.follow(intents.Zoom(steps, self._locate(x, y)))

    def _locate(self, x: float, y: float) -> PointerLocation:
        return self._view.locate((x + 0.5, y + 0.5))
