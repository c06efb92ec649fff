"""Images: read by Pillow under limits, made small enough to show, shared by all who name the same file; and encoded."""

from __future__ import annotations

import io
import os
import re
import stat
import threading
import weakref
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image, ImageFile, UnidentifiedImageError

from octoscope.scene.mesh.material import roughness_of_shininess
from octoscope.scene.mesh.texture import Texture
from octoscope.scene.system.paths import realpath
from octoscope.scene.system.processes import processor_count
from octoscope.scene.system.quiet import quiet_warnings
from octoscope.scene.system.read_limits import current_limits
from octoscope.scene.system.text_file import ReadError, reason_of

TEXTURE_ENDINGS = (
    *(".png", ".jpg", ".jpeg", ".tga", ".bmp", ".tif", ".tiff", ".dds", ".webp", ".gif", ".psd"),
    *(".ppm", ".pgm", ".pcx", ".sgi", ".jp2", ".ico", ".ktx2"),
)
_LONGEST_SIDE = 1024  # pixels that are kept; a picture of a whole scene shows no more
_CHANNELS = {"L": "grey", "LA": "grey, alpha", "1": "black and white", "P": "palette"}  # of Pillow's modes
_BUMP_TEXELS = 8.0
_LARGEST_FILE_BYTES = 256 * 2**20
_MOST_THREADS = 8
_MANY_PIXELS = 32 * 2**20  # such images are decoded one at a time: each takes hundreds of megabytes
_DECODED_BYTES = 5  # that a pixel takes while it is decoded
_CONVERTED_BYTES = 9  # of an image with a palette
_NUMBER_BYTES = 30  # of an image of larger numbers than bytes
# Formats that Pillow decodes itself; of others it asks programs on this machine. It imports its decoders for the first
# five, and those for all others, which takes 20 ms, when a file is none of these.
_FORMATS = (
    *("PNG", "JPEG", "BMP", "GIF", "PPM", "KTX2"),
    *("TGA", "TIFF", "DDS", "WEBP", "PSD", "PCX", "SGI", "JPEG2000", "ICO"),
)
_KTX2_MAGIC = b"\xabKTX 20\xbb\r\n\x1a\n"

# By path, time of change and size: a file is read once as long as its texture is in use.
_in_use: weakref.WeakValueDictionary[tuple[Path, int, int], Texture] = weakref.WeakValueDictionary()
_decoded: weakref.WeakValueDictionary[tuple[Path, bytes], Texture] = weakref.WeakValueDictionary()
_one_large = threading.Lock()


def read_texture(path: Path) -> Texture:
    """Read an image file, or raise OSError; an unchanged file gives the same object as long as that is in use."""
    (texture,) = read_textures([path]).values()
    if isinstance(texture, OSError):
        raise texture
    return texture


def not_a_texture(path: Path, error: OSError) -> ReadError:
    """Return the error that refuses a file for what `read_texture` raised."""
    return ReadError(path, f"cannot be read as a texture ({reason_of(error)})")


def read_textures(paths: Iterable[Path]) -> dict[Path, Texture | OSError]:
    """Read image files on several threads, as `read_texture` does; an error stands in place of a texture."""
    paths_of: dict[tuple[Path, int, int], list[Path]] = {}
    results: dict[Path, Texture | OSError] = {}
    for path in paths:
        try:
            paths_of.setdefault(_file_key(path), []).append(path)
        except OSError as error:
            results[path] = error
    read: dict[tuple[Path, int, int], Texture | OSError] = {
        key: texture for key in paths_of if (texture := _in_use.get(key)) is not None
    }
    new = []
    for key in paths_of:
        if key not in read:
            try:
                _count(key[0], key[2])
                new.append(key)
            except OSError as error:
                read[key] = error
    read |= _decoded_side_by_side(new)
    for key, texture in read.items():
        if isinstance(texture, Texture):
            _in_use[key] = texture
        results |= dict.fromkeys(paths_of[key], texture)
    return results


def describe_texture(texture: Texture) -> str:
    """Write the size and channels of a texture for a person: the file's own if it can be read."""
    height, width = texture.pixels.shape[:2]
    try:
        with quiet_warnings(), Image.open(texture.path, formats=_FORMATS) as image:
            size, mode = image.size, image.mode
    except Exception:  # it may be gone or another by now, and Pillow raises whatever that makes it raise
        size, mode = (width, height), "RGB" if texture.is_opaque else "RGBA"
    shown = "" if max(size) <= max(width, height) else f", shown at {width} x {height}"
    return f"{size[0]} x {size[1]}, {_CHANNELS.get(mode, mode)}{shown}"


def with_opacity(texture: Texture | None, mask: Texture) -> Texture:
    """Give a texture, or white, the opacity of a mask: the mask's own opacity, or its brightness where it is opaque."""
    opacity = np.asarray(Image.fromarray(mask.pixels).convert("L")) if mask.is_opaque else mask.pixels[..., 3]
    if texture is None:
        color = np.full((*opacity.shape, 3), 255, dtype=np.uint8)
    else:
        color = texture.pixels[..., :3]
        if opacity.shape != color.shape[:2]:
            size = (color.shape[1], color.shape[0])
            opacity = np.asarray(Image.fromarray(opacity).resize(size, Image.Resampling.BILINEAR))
    return _made_of(mask if texture is None else texture, np.dstack([color, opacity]))


def cut_out(texture: Texture, least_alpha: float) -> Texture:
    """Return a texture with each pixel opaque, or transparent below an opacity, 0 to 1; itself where it is opaque."""
    if texture.is_opaque and least_alpha <= 1.0:
        return texture
    return Texture(
        Path(f"{texture.path} opaque"),
        _cut(texture.pixels, least_alpha),
        is_file=False,
        read_size=texture.read_size,
        data=texture.file_bytes,
        least_alpha=least_alpha,
        wrap=texture.wrap,
    )


def _cut(pixels: np.ndarray, least_alpha: float) -> np.ndarray:
    """Return pixels of which each is opaque or transparent."""
    pixels = pixels.copy()
    pixels[..., 3] = np.where(pixels[..., 3] >= least_alpha * 255.0, 255, 0)
    pixels.flags.writeable = False
    return pixels


def surface_map(roughness: Texture | None, metallic: Texture | None) -> Texture:
    """Return a texture with the red of one as green and of another as blue; None stands for white."""
    return _gathered((1, roughness, 0), (2, metallic, 0))


def clearcoat_map(share: Texture | None, roughness: Texture | None) -> Texture:
    """Return a texture with the red of one and the green of another, or itself if they are one; None: white."""
    return share if share is roughness and share is not None else _gathered((0, share, 0), (1, roughness, 1))


def specular_map(color: Texture | None, weight: Texture | None) -> Texture:
    """Return a texture with the colours of one and the opacity of another, or itself if they are one; None: white."""
    if color is not None and (weight is color or (weight is None and color.is_opaque)):
        return color
    return _gathered((0, color, 0), (1, color, 1), (2, color, 2), (3, weight, 3))


def _gathered(*channels: tuple[int, Texture | None, int]) -> Texture:
    """Return a texture of channels of others: each has its own number, the other texture, and the number in that."""
    first = next(each for _, each, _ in channels if each is not None)
    height, width = first.pixels.shape[:2]
    pixels = np.full((height, width, 4), 255, dtype=np.uint8)
    for channel, each, source in channels:
        if each is not None:
            values = each.pixels[..., source]
            if values.shape != (height, width):
                values = np.asarray(Image.fromarray(values).resize((width, height), Image.Resampling.BILINEAR))
            pixels[..., channel] = values
    return _made_of(first, pixels)


def _made_of(texture: Texture, pixels: np.ndarray, path: Path | None = None) -> Texture:
    """Return a texture with other pixels in place of those of another one."""
    pixels.flags.writeable = False
    path = texture.path if path is None else path
    return Texture(path, pixels, is_file=False, read_size=texture.read_size, wrap=texture.wrap)


def roughness_map(exponents: Texture, largest: float) -> Texture:
    """Return a grey texture of roughness for a map of shares of the largest exponent of highlights."""
    levels = [roughness_of_shininess(max(largest, 0.0) * level / 255.0) for level in range(256)]
    pixels = np.full_like(exponents.pixels, 255)
    shares = np.rint(exponents.pixels[..., :3].mean(axis=2)).astype(np.uint8)
    pixels[..., :3] = np.rint(255.0 * np.array(levels))[shares][..., None]
    return _made_of(exponents, pixels)


def channel_of(texture: Texture, channel: int) -> Texture:
    """Return a grey texture of one channel of another."""
    pixels = np.full_like(texture.pixels, 255)
    pixels[..., :3] = texture.pixels[..., channel : channel + 1]
    channels = "red", "green", "blue", "alpha"
    stem = re.sub(f"_({'|'.join(channels)})$", "", texture.path.stem)  # of one that was made here
    name = f"{stem}_{channels[channel]}{texture.path.suffix}"
    return _made_of(texture, pixels, texture.path.parent / name)


def normals_of(bumps: Texture) -> Texture:
    """Return the directions, as Material.normal_texture has them, of a map of heights, or of one that has them already.

    Programs write either after map_Bump. Heights are grey; white is as high as _BUMP_TEXELS texels are wide.
    """
    colors = bumps.pixels[..., :3].astype(np.float32)
    red, green, blue = colors.reshape(-1, 3).mean(axis=0) / 255.0
    if blue > 0.7 and abs(red - 0.5) < 0.15 and abs(green - 0.5) < 0.15:
        return bumps
    heights = colors.mean(axis=2) * (_BUMP_TEXELS / 255.0)
    # Maps are repeated. Rows are counted from the top, and v from the bottom.
    along_u = (np.roll(heights, -1, axis=1) - np.roll(heights, 1, axis=1)) / 2.0
    along_v = (np.roll(heights, 1, axis=0) - np.roll(heights, -1, axis=0)) / 2.0
    normals = np.stack([-along_u, -along_v, np.ones_like(heights)], axis=2)
    normals /= np.linalg.norm(normals, axis=2, keepdims=True)
    pixels = np.full((*heights.shape, 4), 255, dtype=np.uint8)
    pixels[..., :3] = np.rint(127.5 + 127.5 * normals)
    return _made_of(bumps, pixels)


def _file_key(path: Path) -> tuple[Path, int, int]:
    try:
        status = os.stat(path)
        resolved = Path(realpath(path))
    except ValueError as error:  # no name that a system takes
        raise OSError(str(error)) from None
    if not stat.S_ISREG(status.st_mode):
        raise OSError("not a regular file")
    if status.st_size > _LARGEST_FILE_BYTES:
        raise OSError("too large")
    return resolved, status.st_mtime_ns, status.st_size


def _decoded_side_by_side(keys: list[tuple[Path, int, int]]) -> dict[tuple[Path, int, int], Texture | OSError]:
    results: dict[tuple[Path, int, int], Texture | OSError] = {}
    unexpected: list[Exception] = []
    waiting = iter(keys)

    def decode() -> None:
        for key in waiting:
            try:
                pixels, size = _pixels(key[0])
                results[key] = Texture(key[0], pixels, read_size=size)
            except OSError as error:
                results[key] = error
            except Exception as error:  # it must not vanish with this thread
                unexpected.append(error)

    # Daemons, unlike those of concurrent.futures: a program that ends does not wait for images nobody will look at.
    helpers = [threading.Thread(target=decode, name="texture", daemon=True) for _ in keys[1 : _threads()]]
    for thread in helpers:
        thread.start()
    decode()
    for thread in helpers:
        thread.join()
    if unexpected:
        raise unexpected[0]
    return results


def _threads() -> int:
    return min(_MOST_THREADS, processor_count())


def decode_texture(data: bytes, path: Path, name: str = "") -> Texture:
    """Decode an image that is inside another file; the same bytes give the same object as long as it is in use.

    Its path is that of the file, with `name` behind it.
    """
    import hashlib  # only here: it takes long to import

    if name:
        path = path.parent / f"{path.name} {name}".replace("/", "_").replace("\\", "_")
    key = path, hashlib.sha256(data).digest()
    texture = _decoded.get(key)
    if texture is None:
        current_limits().take(len(data))
        _count(io.BytesIO(data), len(data))
        pixels, size = _pixels(io.BytesIO(data))
        texture = _decoded[key] = Texture(path, pixels, is_file=False, read_size=size, data=data)
    return texture


def encoded(texture: Texture, formats: tuple[str, ...]) -> tuple[bytes, str]:
    """Return a texture as an image file that holds all its pixels, and its format, by Pillow's name.

    These are the bytes of its own file, if that still exists and is of one of the formats, else those of a PNG.
    """
    data: bytes | None = None
    with suppress(OSError, Image.DecompressionBombError), quiet_warnings():
        data = texture.file_bytes
        if data is not None and texture.least_alpha is None:
            with Image.open(io.BytesIO(data), formats=formats) as image:
                if image.mode != "CMYK":  # a JPEG for print, which few programs show
                    return data, str(image.format)
    pixels = texture.pixels
    if texture.is_shrunk and data is not None:
        with suppress(OSError):
            pixels, _ = _pixels(io.BytesIO(data), longest_side=max(texture.full_size))
            if texture.least_alpha is not None:
                pixels = _cut(pixels, texture.least_alpha)
    return png_of(pixels), "PNG"


def png_of(pixels: np.ndarray) -> bytes:
    """Encode pixels, (height, width, 4) uint8, as a PNG file."""
    out = io.BytesIO()
    is_opaque = pixels[..., 3].min(initial=255) == 255
    Image.fromarray(np.ascontiguousarray(pixels[..., : 3 if is_opaque else 4])).save(out, format="PNG")
    return out.getvalue()


def webp_of(data: bytes) -> bytes:
    """Encode an image file anew as a WebP, in which no eye sees a loss; opacity is kept as it is."""
    out = io.BytesIO()
    with quiet_warnings(), Image.open(io.BytesIO(data)) as image:
        mode = "RGBA" if "A" in image.mode or "transparency" in image.info else "RGB"
        image.convert(mode).save(out, format="WEBP", quality=90, method=4)
    return out.getvalue()


def _pixels(source: Path | io.BytesIO, *, longest_side: int = _LONGEST_SIDE) -> tuple[np.ndarray, tuple[int, int]]:
    """Read the pixels of an image, made so small that no side is longer, and its own width and height."""
    with _opened(source) as image:
        size = image.size
        if image.width * image.height > _MANY_PIXELS:
            with _one_large:
                pixels = _shrunk(image, longest_side)
        else:
            pixels = _shrunk(image, longest_side)
    pixels.flags.writeable = False
    return pixels, size


@contextmanager
def _opened(source: Path | io.BytesIO) -> Iterator[Image.Image]:
    """Open an image; whatever is wrong within is an OSError."""
    try:
        # Pillow warns of much that is said here as an error, or that does not matter.
        with quiet_warnings(), Image.open(source, formats=_FORMATS) as image:
            yield image
    except UnidentifiedImageError:
        raise OSError("not an image, or of an unknown format") from None
    except Image.DecompressionBombError:
        raise OSError("more pixels than are safe to open") from None
    except (OSError, ReadError):
        raise
    except Exception as error:  # Pillow's decoders raise whatever a broken file makes them raise
        raise OSError(reason_of(error)) from None


def _count(source: Path | io.BytesIO, packed_bytes: int) -> None:
    limits = current_limits()
    with _opened(source) as image:
        width, height = image.size
        image.draft("RGB", (_LONGEST_SIDE, _LONGEST_SIDE))
        count = image.width * image.height
        limits.take_pixels(count, packed_bytes)
        at_once = 1 if count > _MANY_PIXELS else _threads()
        each = _DECODED_BYTES
        if image.mode.startswith(("I", "F")):
            each = _NUMBER_BYTES
        elif image.mode in ("1", "P", "PA") or "transparency" in image.info:
            each = _CONVERTED_BYTES
        limits.check(at_once * each * count)
        share = min(1.0, _LONGEST_SIDE / max(width, height, 1))
        limits.take(4 * width * height * share * share)


def _shrunk(image: Image.Image, longest_side: int) -> np.ndarray:
    image.draft("RGB", (longest_side, longest_side))  # lets JPEG decode small from the start
    if image.mode.startswith(("I", "F")):
        image = _of_eight_bits(image)
    elif image.mode in ("1", "P", "PA") or "transparency" in image.info:
        image = image.convert("RGBA")  # before it shrinks: there are no colours between those of a palette
    image.thumbnail((longest_side, longest_side))
    return np.asarray(image if image.mode == "RGBA" else image.convert("RGBA"))  # each copy takes milliseconds


def _of_eight_bits(image: Image.Image) -> Image.Image:
    """Convert grey of more bits to eight; Pillow would clip it at 255."""
    values = np.nan_to_num(np.asarray(image, dtype=np.float32))
    brightest = 1.0 if image.mode == "F" else 65535.0
    return Image.fromarray((values.clip(0.0, brightest) * (255.0 / brightest) + 0.5).astype(np.uint8))


class _Ktx2File(ImageFile.ImageFile):
    """The largest image of a KTX 2 file that Basis Universal has compressed, as Pillow has images."""

    format = "KTX2"

    def _open(self) -> None:
        try:
            import opengl_basisu  # here: an extra, and few files need it
        except ModuleNotFoundError:
            raise OSError("KTX 2 needs an extra: pip install 'octoscope[ktx2]'") from None
        assert self.fp is not None
        self._texture = opengl_basisu.open(self.fp.read())
        self._size = self._texture.width, self._texture.height
        self._mode = "RGBA" if self._texture.has_alpha else "RGB"
        self._is_decoded = False

    def load(self) -> Any:
        if not self._is_decoded:
            self.im = Image.fromarray(self._texture.transcode("rgba8").data).convert(self.mode).im
            self._is_decoded = True
        return Image.Image.load(self)


Image.register_open("KTX2", _Ktx2File, lambda prefix: prefix.startswith(_KTX2_MAGIC))
