"""Picture: what a window shows of its scene: drawn in the quality that keeps up while it moves, then refined.

A picture that nothing has replaced for a moment is refined piece by piece, between which events are handled, and then
drawn no more. Objects that a moving picture leaves out or simplifies are whole in a refined one.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Sequence
from contextlib import nullcontext
from dataclasses import replace

import numpy as np

from octoscope.viewer.app.card_memory import CardMemory
from octoscope.viewer.frame.frame import NO_OUTLINES, ViewportFrame
from octoscope.viewer.frame.quality import BEST, BUDGET_MS, CardTimes, Quality, QualityController
from octoscope.viewer.frame.redraw import Damage
from octoscope.viewer.frame.view import View
from octoscope.viewer.rendering.card_measuring import measure_card
from octoscope.viewer.rendering.context.card_errors import DrawError, DriverReset
from octoscope.viewer.rendering.context.gpu_timer import GpuTimer
from octoscope.viewer.rendering.context.offscreen import image_of
from octoscope.viewer.rendering.context.opengl import Context, is_software
from octoscope.viewer.rendering.renderer import Renderer
from octoscope.viewer.rendering.transparent_background import transparent_image_of, without_background

_UPLOAD_SECONDS = 0.03  # for uploading new meshes, in one frame
_LOAD_BUDGET_ON_SOFTWARE_MS = 100.0  # pixels and panels alone take BUDGET_MS there, however few triangles there are
_ENDED = False  # what a card that tells no times has in place of them
_REST_SECONDS = 0.12  # from the last change to the first piece: a hand that drags pauses longer than this


class Picture:
    """The picture of a window, or of another program.

    Args:
        note_load: called with the time that a picture took, as a share of what triangles and pixels together may take
            while it moves, once that is known.
    """

    def __init__(self, ctx: Context, note_load: Callable[[float], object] = lambda load: None) -> None:
        self.renderer = Renderer(ctx, upload_seconds=_UPLOAD_SECONDS)
        software = is_software(ctx)
        self._note_load = note_load
        self._load_budget_ms = _LOAD_BUDGET_ON_SOFTWARE_MS if software else BUDGET_MS
        self._memory = CardMemory(ctx)
        self._controller = QualityController(self.renderer.passes.times, is_software=software)
        # by quality, with the milliseconds that the processor took for shadows before
        self._timer = None if software else GpuTimer[tuple[Quality, float]](ctx)
        # On software renderers the usual times were measured: there the controller sees how fast this one is.
        self._measuring: Generator[CardTimes | None] | None = None
        if self._timer is not None and (times := self._memory.times()) is not None:
            self._take_times(times)
        elif self._timer is not None:
            self._measuring = measure_card(ctx)
        self._frames: tuple[ViewportFrame, ...] = ()  # as drawn last, with the latest outlines
        self._drawn_now: Quality | None = None  # in the present frame of the window

    @property
    def is_drawn(self) -> bool:
        """True once there is a picture of the document."""
        return bool(self._frames)

    def release(self) -> None:
        """Delete every OpenGL object of the picture."""
        self._end_measuring()
        self.renderer.release()
        if self._timer is not None:
            self._timer.release()

    def forget(self) -> None:
        """Begin with another document."""
        self._frames = ()

    def draw(self, view: View) -> None:
        """Draw a view in the quality that keeps up, to be refined when nothing else comes."""
        self._frames = view.build_frames(view.layout.last_size)
        quality = self._drawn_now = self._controller.quality(view.settings.quality)
        begin = time.perf_counter()
        if quality.has_shadows and not self.renderer.has_pending_uploads:
            self._frames = view.with_occluders(self._frames)
        label = quality, 1e3 * (time.perf_counter() - begin)
        with view.times.stage("render"), nullcontext() if self._timer is None else self._timer.measure(label):
            self.renderer.render_parts(self._frames, view.layout.last_size, quality)
        if view.settings.quality != "constant" and not self.renderer.has_pending_uploads:
            view.redraw.request_in(Damage.REFINEMENT, _REST_SECONDS)

    def upload_pending(self, view: View) -> None:
        """Upload more of what the last picture had no time for, and request another once all is there."""
        if self.renderer.has_pending_uploads:
            self.renderer.upload_pending()
            if not self.renderer.has_pending_uploads:
                view.redraw.request(Damage.SCENE)

    def draw_outlines(self, view: View) -> None:
        """Draw outlines and measurements of a view again, over its picture as it is."""
        self._frames = view.with_outlines(self._frames)
        self.renderer.render_outlines(self._frames)

    def refine(self, view: View) -> bool:
        """Draw the next piece of a better picture, and return whether there is something new to show."""
        if view.settings.quality == "constant":
            view.redraw.note_refined()
            return False
        is_better = self.renderer.is_refined or self._refine(view, self._controller.bands())
        if self.renderer.is_refined:
            view.redraw.note_refined()
        return is_better

    def image(self, view: View, *, transparent: bool = False) -> np.ndarray:
        """Return (height, width, 3) uint8 RGB, or RGBA if transparent: the scene, refined, without outlines."""
        if transparent:
            return self._image_without_background(view)
        if self.is_drawn and view.settings.quality != "constant" and not self.renderer.has_pending_uploads:
            while not self.renderer.is_refined:
                self._refine(view)
        if not self.is_drawn:
            return image_of(self.renderer.picture)
        self.renderer.render_outlines(_without_outlines(self._frames))
        pixels = image_of(self.renderer.picture)
        self.renderer.render_outlines(self._frames)  # as the window shows it
        return pixels

    def _image_without_background(self, view: View) -> np.ndarray:
        while self.renderer.has_pending_uploads:
            self.renderer.upload_pending()
        refines = view.settings.quality != "constant"
        frames = _without_outlines(self._frames or view.build_frames(view.layout.last_size))
        frames = without_background(view.with_everything(frames) if refines else frames)
        self.renderer.render_parts(frames, view.layout.last_size, BEST)
        while refines and not self.renderer.is_refined:
            self.renderer.refine(frames)
        pixels = transparent_image_of(self.renderer.picture)
        self.draw(view)  # the window's picture was drawn over
        return pixels

    def _refine(self, view: View, bands: int = 1) -> bool:
        """Draw the next piece of a better picture of everything in view, as Renderer.refine."""
        if not self.renderer.is_refining:
            self._frames = view.with_everything(self._frames)
        return self.renderer.refine(self._frames, bands)

    def note_shown(self, milliseconds: float) -> None:
        """Note how long a frame of the window took, until it was shown."""
        # Where there is a card, the time includes a wait for the screen, and the card's own timer tells more.
        if self._drawn_now is not None and self._timer is None:
            self._note(self._drawn_now, milliseconds)
        self._drawn_now = None

    def take_card_time(self, view: View) -> None:
        """Note how long the card took for one of the last pictures. Call it in each turn of the window's loop."""
        measured = None if self._timer is None else self._timer.take()
        if measured is not None:
            (quality, finding_ms), card_ms = measured
            self._note(quality, finding_ms + card_ms)
            view.times.add("card", card_ms)

    @property
    def measures_card(self) -> bool:
        """True until it is known what ways of drawing cost on this card."""
        return self._measuring is not None

    def measure_card(self) -> None:
        """Go on measuring the card, for a turn in which there is nothing else to do."""
        if self._measuring is None:
            return
        try:
            times = next(self._measuring, _ENDED)
        except DriverReset:  # of which the driver may not tell again
            raise
        except DrawError:  # too little memory: who draws the picture will tell
            times = _ENDED
        if isinstance(times, CardTimes):
            self._memory.keep(times)
            self._take_times(times)
        if times is not None:
            self._end_measuring()

    def _end_measuring(self) -> None:
        if self._measuring is not None:
            self._measuring.close()
            self._measuring = None

    def _take_times(self, times: CardTimes) -> None:
        self._controller.times = self.renderer.passes.times = times

    def _note(self, quality: Quality, milliseconds: float) -> None:
        self._controller.note(quality, milliseconds)
        if not quality.has_shadows:  # which are left out before anything else
            self._note_load(milliseconds / self._load_budget_ms)


def _without_outlines(frames: Sequence[ViewportFrame]) -> tuple[ViewportFrame, ...]:
    return tuple(replace(part, frame=replace(part.frame, outlined=NO_OUTLINES)) for part in frames)
