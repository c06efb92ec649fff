"""TileStream: reads tiles beside the window, and shows them once they are on the graphics card.

They are coarser while the cameras move, and finer step by step once they rest. The time of a picture grows with its
triangles, and these with the inverse square of the pixels by which a tile may be off: half of these pixels is up to
four times as many triangles.
"""

from __future__ import annotations

import math
from collections import deque

import numpy as np

from octoscope.scene import ReadError
from octoscope.scene.formats.tiles.tileset_columns import TilesetColumns
from octoscope.scene.streaming.streamed_tiles import READ_ONLY, Eviction, StreamedTiles
from octoscope.scene.streaming.tile_content import TileContent
from octoscope.viewer.app.contribution import StreamPart
from octoscope.viewer.camera.camera import Camera
from octoscope.viewer.editing.editor import Editor
from octoscope.viewer.editing.jobs import JobKind, Progress
from octoscope.viewer.frame.redraw import Damage
from octoscope.viewer.frame.streamed_scene import StreamedScene, UploadMeshes, lod_views_of

COARSEST = 16.0  # times as coarse as the picture at rest, at most
REST_SECONDS = 0.25  # from the last move to the first finer picture
_TRIANGLES_A_STEP = 4.0  # times as many, at most, for half the pixels
_USUAL_GROWTH = 2.0  # in place of that, where no step was measured yet
# Of a picture at rest, which nothing interrupts: half a second where the processor draws.
_LONGEST_LOAD = 5.0
_BATCH_BYTES = 2**22  # of files that are read in one go: what is seen may be another thing after them
_ADDING_SECONDS = 0.005  # in one frame, for contents that were read
_SUBJECT = "tiles"  # of messages

ReadTile = tuple[int, TileContent | TilesetColumns | ReadError]


class Coarseness:
    """Chooses by how many pixels tiles may be off, by the load of pictures: their time as a share of what it may be."""

    def __init__(self, finest_pixels: float) -> None:
        self.pixels = finest_pixels  # by which tiles may be off now
        self._finest_pixels = finest_pixels
        self._moving_pixels = finest_pixels
        self._resting_pixels = finest_pixels  # of what is seen now: finer pictures would take too long
        self._last_move = -math.inf
        self._last_load = 0.0  # of the last picture with these pixels
        self._triangles = self._triangles_before = 0  # of the last picture, and of the last one a step coarser

    @property
    def is_finest(self) -> bool:
        """True where tiles are as fine as they become at rest."""
        return self.pixels <= self._resting_pixels

    @property
    def is_held_back(self) -> bool:
        """True where tiles stay coarser than they should be, as pictures would take too long."""
        return self.is_finest and self.pixels > self._finest_pixels

    @property
    def is_refining(self) -> bool:
        """True where tiles are finer than pictures of cameras that move could show them."""
        return self.pixels < self._moving_pixels

    def note_move(self, seconds: float) -> None:
        """Note that the cameras moved, at a time in seconds by any clock."""
        self._last_move = seconds
        self._resting_pixels = self._finest_pixels
        self._change(self._moving_pixels)

    def refine(self, seconds: float) -> bool:
        """Go a step finer if the cameras have rested for long enough, and return whether they have."""
        if self.is_finest or seconds < self._last_move + REST_SECONDS:
            return False
        before = self._triangles
        self._change(max(self.pixels / 2.0, self._finest_pixels))
        self._triangles_before = before
        return True

    def note_picture(self, load: float, *, is_whole: bool, triangles: int = 0) -> None:
        """Note how long a picture took, and choose what cameras that move see next, and how fine this becomes at rest.

        Args:
            load: its time as a share of what a picture may take while the cameras move.
            is_whole: whether it showed all tiles that are as fine as `pixels` asks for.
            triangles: that it showed; 0: unknown.
        """
        load_of_two, self._last_load = min(load, self._last_load), load
        self._triangles = triangles
        if load_of_two > 1.0:  # one that is slow alone may have added tiles, or waited for another program
            steps = max(1, round(math.log(load_of_two, _TRIANGLES_A_STEP)))
            coarser = min(self.pixels * 2.0**steps, COARSEST * self._finest_pixels)
            self._moving_pixels = max(self._moving_pixels, coarser)
        elif load <= 1.0 and is_whole:
            finer = self.pixels / 2.0 if load * _TRIANGLES_A_STEP < 1.0 else self.pixels
            self._moving_pixels = max(min(self._moving_pixels, finer), self._finest_pixels)
        if load_of_two > _LONGEST_LOAD:
            steps = math.ceil(math.log(load_of_two / _LONGEST_LOAD, _TRIANGLES_A_STEP))
            self._resting_pixels = min(self.pixels * 2.0**steps, COARSEST * self._finest_pixels)
            self._change(self._resting_pixels)
        elif is_whole and load * self._growth > _LONGEST_LOAD:
            self._resting_pixels = self.pixels

    @property
    def _growth(self) -> float:
        """Times as many triangles as the last picture had that the next step is expected to have: as the last step."""
        if not (self._triangles and self._triangles_before):
            return _USUAL_GROWTH
        return min(max(self._triangles / self._triangles_before, 1.0), _TRIANGLES_A_STEP)

    def _change(self, pixels: float) -> None:
        if pixels != self.pixels:
            self.pixels = pixels
            self._last_load = 0.0
            self._triangles_before = 0


class TileStream:
    """A tileset that streams into the scene of an editor, which refuses edits from now on."""

    def __init__(self, editor: Editor, tiles: StreamedTiles, upload: UploadMeshes) -> None:
        self._editor = editor
        self._view = editor.view
        self.tiles = tiles
        self._upload = upload
        self._coarseness = Coarseness(tiles.threshold_pixels)
        self._seen: tuple[object, ...] = ()
        self._cameras: list[Camera] = []
        self._has_news = True
        self._arrived: deque[ReadTile] = deque()  # to be added, a few in each frame
        self._is_evicting = False  # on another thread; nothing is added meanwhile
        self._broken = 0
        self._selected, self._isolated = _Followed(tiles), _Followed(tiles)
        editor.read_only = READ_ONLY
        editor.view.settings.simplifying = False  # tiles are levels of detail themselves

    @property
    def is_going(self) -> bool:
        """True while finer tiles are on their way, or on the way to the graphics card."""
        return self._has_news or self._is_waiting or self._is_evicting or not self._coarseness.is_finest

    @property
    def _is_waiting(self) -> bool:
        """True while tiles that were selected are not in memory."""
        selection = self.tiles.selection
        return selection is not None and len(selection.missing) > 0

    @property
    def text(self) -> str:
        """The line of the status bar about tiles to come; "" where all that is seen is as fine as it should be."""
        selection = self.tiles.selection
        if selection is not None and len(selection.missing):
            count = len(selection.missing)
            return f"{count:,} finer tile{'s' if count > 1 else ''} to come"
        if not self._coarseness.is_finest:
            return "finer tiles come when the camera rests"
        if self._coarseness.is_held_back:
            return "coarser than a pixel: finer pictures would take too long"
        if selection is not None and selection.is_held_back:
            return "coarser than a pixel: --budget is full"
        return ""

    def poll(self) -> bool:
        """Select for what is seen now, show what is there, have the next tiles read; return if panels have changed."""
        before = self.text
        self._add_arrived()
        self._select_whole()
        if self._sees_anew():
            self._has_news = True
            if self._view.settings.quality == "automatic":
                self._coarseness.note_move(self._view.redraw.clock())
            else:
                self._coarseness = Coarseness(self.tiles.threshold_pixels)
        elif self._is_shown and self._coarseness.refine(self._view.redraw.clock()):
            self._has_news = True
        if self._has_news:
            self._has_news = False
            selection = self.tiles.select(lod_views_of(self._view), self._coarseness.pixels)
            if not self._upload(self._editor.scene.meshes, False):
                self._has_news = True  # the rest in the next frames
            elif self._arrived and not (self._is_evicting or self.tiles.has_room()):
                self._show(selection.shown)  # all of it stays, and nothing else that is not wanted
                self._begin_eviction()
            elif not (self._coarseness.is_refining and self._is_waiting):  # slow pictures show whole steps
                self._show(selection.shown)
            self._read_next()
        return self.text != before

    def note_picture(self, load: float) -> None:
        """Note the time that a picture took, as a share of what it may take while the cameras move."""
        if self._view.settings.quality != "automatic":
            return
        before = self._coarseness.pixels
        is_whole = not (self._has_news or self._is_waiting)
        triangles = self._editor.scene.element_count("triangle")
        self._coarseness.note_picture(load, is_whole=is_whole, triangles=triangles)
        self._has_news |= self._coarseness.pixels != before

    @property
    def _is_shown(self) -> bool:
        """True once a picture shows all that was selected."""
        return not (self._has_news or self._is_waiting) and self._view.redraw.damage < Damage.SCENE

    def _sees_anew(self) -> bool:
        """Return whether what the cameras see has changed since the last call."""
        view = self._view
        seen = view.layout.last_size, view.layout.pixel_ratio, view.viewports, view.settings.quality
        cameras = [camera for each in view.viewports for camera in (each.camera, each.shown_camera)]
        is_same = seen == self._seen and all(map(Camera.shows_as, cameras, self._cameras))
        self._seen, self._cameras = seen, cameras
        return not is_same

    def _select_whole(self) -> None:
        """Select all parts of an object that lies in several tiles, as soon as one was selected."""
        selection = self._editor.history.selection
        if selection.ids is not self._selected.ids:
            self._selected.note(selection.ids)
            others = np.setdiff1d(self._selected.found(), selection.ids)
            if len(others):
                selection.ids = np.concatenate([others, selection.ids])
            self._selected.ids = selection.ids

    def _show(self, shown: np.ndarray) -> None:
        view, selection, hit = self._view, self._editor.history.selection, self._editor.clicked_hit
        clicked_tile = None if hit is None else self.tiles.tile_of(hit.node)
        self._isolated.note(view.visibility.isolated_ids)
        if not self.tiles.show(shown):
            return
        if not np.array_equal(found := self._selected.found(), selection.ids):
            selection.ids = found
            self._selected.ids = selection.ids
        if view.visibility.isolated_ids is not None:
            view.visibility.isolated_ids = self._isolated.ids = self._isolated.found()
        view.hovered = None
        if clicked_tile is not None and clicked_tile not in self.tiles.shown:  # its nodes will be those of others
            self._editor.clicked_hit = None
        view.redraw.request(Damage.SCENE)

    def _read_next(self) -> None:
        """Begin to read the most urgent of what is missing, if nothing is being read and all that was read is added."""
        jobs, selection = self._editor.jobs, self.tiles.selection
        if selection is None or len(selection.missing) == 0 or self._arrived or jobs.is_busy(JobKind.STREAM):
            return
        tiles, sizes = self.tiles, self.tiles.tiles.file_bytes
        count = max(1, int(np.searchsorted(np.cumsum(sizes[selection.missing]), _BATCH_BYTES)))
        chosen = selection.missing[:count].tolist()

        def read(tell: Progress) -> list[ReadTile]:
            found: list[ReadTile] = []
            tiles.fetch(np.array(chosen))
            for content in chosen:
                tell(len(found), len(chosen))
                try:
                    found.append((content, tiles.read(content)))
                except ReadError as error:
                    found.append((content, error))
            return found

        jobs.begin(JobKind.STREAM, "reading tiles", read, self._arrived.extend)

    def _add_arrived(self) -> None:
        """Add contents that were read as far as there is room, one at least, until a frame's share of time is over."""
        clock = self._view.redraw.clock
        end = clock() + _ADDING_SECONDS
        while self._arrived and not self._is_evicting:
            if not self.tiles.has_room():
                self._has_news = True
                return
            self._add(*self._arrived.popleft())
            self._has_news = True
            if clock() >= end:
                break

    def _add(self, content: int, found: TileContent | TilesetColumns | ReadError) -> None:
        if isinstance(found, ReadError):
            self.tiles.give_up(content)
            self._broken += 1
            more = f" (and {self._broken - 1:,} before it)" if self._broken > 1 else ""
            self._editor.log.say(
                "warning", f"{found}{more}; a coarser tile stays in its place, if there is one", _SUBJECT
            )
            return
        self.tiles.add(content, found)

    def _begin_eviction(self) -> None:
        """Free the least recently seen contents on another thread; what stays is shown meanwhile."""
        eviction = self.tiles.begin_eviction()
        self._is_evicting = True

        def copy(tell: Progress) -> Eviction:
            eviction.copy()
            return eviction

        self._editor.jobs.begin(JobKind.STREAM, "making room for tiles", copy, self._commit_eviction)

    def _commit_eviction(self, eviction: Eviction) -> None:
        """Show what stays from its new pool, which is uploaded again, a part in each frame."""
        self._is_evicting = False
        self._has_news = True
        self.tiles.commit_eviction(eviction)
        if self._arrived:  # one fits in any case, so that all of them come, however small the budget is
            self._add(*self._arrived.popleft())
        self._upload(eviction.pool, True)
        self._view.redraw.request(Damage.SCENE)


class _Followed:
    """Nodes that somebody chose, in whichever tiles their objects are shown."""

    def __init__(self, tiles: StreamedTiles) -> None:
        self._tiles = tiles
        self.ids: np.ndarray | None = None  # the nodes, as they were chosen or found last
        self._objects = np.empty(0, dtype=np.int64)

    def note(self, ids: np.ndarray | None) -> None:
        """Note which nodes they are, before other tiles are shown; the objects are others only if these are."""
        if ids is not self.ids:
            self.ids = ids
            self._objects = np.empty(0, dtype=np.int64) if ids is None else self._tiles.objects_of(ids)

    def found(self) -> np.ndarray:
        """Return (k,) int32 the nodes that show the objects now: none while they are shown in one mesh with others."""
        return self._tiles.nodes_of(self._objects)


def _begin(editor: Editor, streamed: StreamedScene, upload: UploadMeshes) -> TileStream | None:
    return TileStream(editor, streamed, upload) if isinstance(streamed, StreamedTiles) else None


PART = StreamPart(_begin)
