"""GpuTextures: the graphics card's copy of textures, in a few arrays whose layers are squares of one size each.

They are scaled to the size of their layers on other threads, beside the window, and shown when all are there.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait

import moderngl
import numpy as np

from octoscope.scene import Texture
from octoscope.viewer.rendering.context.opengl import is_software, srgb_texture_array
from octoscope.viewer.rendering.resources.texture_layers import MOST_ARRAYS, layer_room, layer_sides, shrunk_message

_ANISOTROPY = 8.0  # samples at most along the direction in which a surface is seen at a slant
_THREADS = 2


class GpuTextures:
    """Texture arrays on the graphics card.

    Args:
        ctx: to upload with.
        holds_colors: whether texels are sRGB; if not, they are numbers from 0 to 1.
        most_bytes: that they may take, if the card has less memory than is usual.

    Attributes:
        most_bytes: as it was given.
    """

    def __init__(self, ctx: moderngl.Context, *, holds_colors: bool = True, most_bytes: float = math.inf) -> None:
        self._ctx = ctx
        self.most_bytes = most_bytes
        self._holds_colors = holds_colors
        # With samples at a slant a software renderer takes several times as long.
        self._anisotropy = 1.0 if is_software(ctx) else min(_ANISOTROPY, ctx.max_anisotropy)
        self._textures: list[Texture] = []
        self._shrunk: list[str] = []  # a line about them
        self._coming: list[moderngl.TextureArray] = []  # in place of `arrays` once all textures are there
        self._content: list[list[Texture]] = []  # of each of these, in the order of its layers
        self._pending: dict[Future[np.ndarray], tuple[moderngl.TextureArray, int]] = {}  # and the layer to write to
        self._threads: ThreadPoolExecutor | None = None
        self.arrays: list[moderngl.TextureArray] = []  # MOST_ARRAYS at most
        self.left_out = 0  # number of textures that the card has no room for
        # of the textures that are on the card: the number of the array, plus MOST_ARRAYS times the layer
        self.places: Mapping[Texture | None, int] = {}
        self.revision = 0  # counts the changes of `places`

    @property
    def has_pending(self) -> bool:
        """True while textures are still being scaled."""
        return bool(self._pending)

    @property
    def messages(self) -> list[str]:
        """Lines about textures that are not shown, or shown smaller than they are."""
        count = self.left_out
        left_out = [f"{count:,} textures are not shown: there are more than this graphics card takes"] if count else []
        return left_out + self._shrunk

    @property
    def byte_count(self) -> int:
        """Bytes that the arrays take on the card, without those of smaller pictures of them."""
        return sum(4 * array.width * array.height * array.layers for array in {*self.arrays, *self._coming})

    def release(self) -> None:
        """Delete the OpenGL objects."""
        self._forget()

    def _forget(self) -> None:
        """Delete the arrays."""
        self._end_threads()
        for array in {*self.arrays, *self._coming}:
            array.release()
        self.arrays, self._coming, self._content, self._textures, self.places = [], [], [], [], {}

    def update(self, textures: Sequence[Texture]) -> None:
        """Begin to bring textures to the card; those that are there stay. `upload_pending` does the rest.

        Those that were there are shown until all are, also if they are not wanted any more.
        """
        if list(textures) == self._textures:
            return
        self._end_threads()
        for array in {*self._coming} - {*self.arrays}:
            array.release()
        sides = layer_sides(textures, self.most_bytes, self._ctx.info["GL_MAX_TEXTURE_SIZE"])
        most = self._ctx.info["GL_MAX_ARRAY_TEXTURE_LAYERS"]
        content = [
            [texture for texture, its_side in zip(textures, sides, strict=True) if its_side == side][:most]
            for side in sorted(set(sides))
        ]
        old = {array.width: array for array in self.arrays}
        shown = self._shown()
        self._threads = ThreadPoolExecutor(_THREADS, thread_name_prefix="textures")
        self._coming = []
        for side, wanted in zip(sorted(set(sides)), content, strict=True):
            array, there = old.get(side), shown.get(side, [])
            if array is None or array.layers != min(layer_room(wanted), most) or wanted[: len(there)] != there:
                array, there = self._new_array((side, side, min(layer_room(wanted), most))), []
            self._coming.append(array)
            for layer, texture in enumerate(wanted[len(there) :], start=len(there)):
                self._pending[self._threads.submit(_scaled, texture.pixels, side)] = array, layer
        self._textures, self._content, self._shrunk = list(textures), content, shrunk_message(textures, sides)
        self.left_out = len(textures) - sum(map(len, content))
        self._finish()

    def _shown(self) -> dict[int, list[Texture]]:
        """Return the textures that are shown, by the side of their array, in the order of its layers."""
        found: dict[int, list[Texture]] = {}
        for texture, place in sorted(self.places.items(), key=lambda item: item[1]):
            if texture is not None:
                found.setdefault(self.arrays[place % MOST_ARRAYS].width, []).append(texture)
        return found

    def _new_array(self, size: tuple[int, int, int]) -> moderngl.TextureArray:
        return srgb_texture_array(self._ctx, size) if self._holds_colors else self._ctx.texture_array(size, 4)

    def upload_pending(self, seconds: float | None = None) -> None:
        """Upload what has been scaled; wait for more for some seconds at most, or for all (None)."""
        if not self._pending:
            return
        wait(self._pending, timeout=seconds)
        for done in [future for future in self._pending if future.done()]:
            array, layer = self._pending.pop(done)
            array.write(done.result(), viewport=(0, 0, layer, array.width, array.height, 1))
        self._finish()

    def _finish(self) -> None:
        """Make all textures ready to be shown once none is missing."""
        if self._pending:
            return
        self._end_threads()
        for array in {*self.arrays} - {*self._coming}:
            array.release()
        self.arrays = list(self._coming)
        for array in self.arrays:
            array.build_mipmaps()
            array.filter = (moderngl.LINEAR_MIPMAP_LINEAR, moderngl.LINEAR)
            array.anisotropy = self._anisotropy
        self.places = {
            texture: number + MOST_ARRAYS * layer
            for number, textures in enumerate(self._content)
            for layer, texture in enumerate(textures)
        }
        self.revision += 1

    def _end_threads(self) -> None:
        if self._threads is not None:
            self._threads.shutdown(wait=False, cancel_futures=True)
        self._threads, self._pending = None, {}

    def use(self, name: str, unit: int) -> Iterable[tuple[str, int]]:
        """Bind the arrays to units from `unit` on, and yield the name and unit of each sampler of mesh.glsl.

        The names are `name` and a number.

        Samplers without an array of their own share another's: OpenGL wants no two kinds of samplers on one unit.
        """
        for number, array in enumerate(self.arrays):
            array.use(unit + number)
        for number in range(MOST_ARRAYS):
            yield f"{name}_{number}", unit + min(number, len(self.arrays) - 1)


def _scaled(pixels: np.ndarray, side: int) -> np.ndarray:
    """Return RGBA pixels as a square, the bottom row first as OpenGL counts them."""
    if pixels.shape[:2] != (side, side):
        from PIL import Image  # only here: many scenes have no textures

        pixels = np.asarray(Image.fromarray(pixels).resize((side, side), Image.Resampling.BILINEAR))
    return np.ascontiguousarray(pixels[::-1])
