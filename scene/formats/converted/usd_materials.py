"""Materials of USD: UsdPreviewSurface, with the images of its base colour, glow, normals, roughness and metallic."""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import quote

from pxr import Ar, Sdf, UsdGeom, UsdShade

from octoscope.scene.formats.converted.glb_builder import GlbBuilder
from octoscope.scene.formats.gltf.codes import TEXTURE_TRANSFORM
from octoscope.scene.mesh.images import channel_of, decode_texture, png_of, surface_map
from octoscope.scene.mesh.texture import Texture, Wrap
from octoscope.scene.system.text_file import ReadError, read_bytes, reason_of

_LARGEST_IMAGE_BYTES = 2**29
# useMetadata, the default, leaves it to the image file: hardly any says it, and other programs repeat the image.
_WRAPS: Mapping[str, Wrap] = {"clamp": "clamp", "black": "clamp", "mirror": "mirror"}
_NO_COLOR = (0.18, 0.18, 0.18)  # UsdPreviewSurface's own, where none is stated


class Materials:
    """The materials of a stage, each converted once."""

    def __init__(self, builder: GlbBuilder, path: Path) -> None:
        self._builder = builder
        self._folder = path.parent
        self._numbers: dict[object, int | None] = {}
        self._images: dict[str, int | None] = {}
        self._primvars: dict[int | None, list[str]] = {}

    def subsets(self, prim: Any) -> list[Any]:
        """Return the groups of faces of a mesh that have materials of their own."""
        return list(UsdShade.MaterialBindingAPI(prim).GetMaterialBindSubsets())

    def number_of(self, prim: Any, *, has_colors: bool) -> int | None:
        """Return the builder's number of the material bound to a prim or a group of faces; None: none can be shown."""
        material = UsdShade.MaterialBindingAPI(prim).ComputeBoundMaterial()[0]
        key = material.GetPath() if material else has_colors
        if key not in self._numbers:
            primvars: list[str] = []
            fields = self._converted(material, primvars) if material else _plain(has_colors=has_colors)
            self._numbers[key] = None if fields is None else self._builder.add_material(fields)
            self._primvars[self._numbers[key]] = primvars
        return self._numbers[key]

    def primvars_of(self, number: int | None) -> list[str]:
        """Return the primvars that are a material's sets of texture coordinates, in their order."""
        return self._primvars[number]

    def _converted(self, material: Any, primvars: list[str]) -> dict[str, Any] | None:
        """Describe a material, whose UV sets' names `primvars` receives; None where it has no UsdPreviewSurface."""
        shader = material.ComputeSurfaceSource()[0]
        if not shader or shader.GetIdAttr().Get() != "UsdPreviewSurface":
            self._builder.report("a material without a UsdPreviewSurface", "shown without it")
            return None
        color = self._value(shader, "diffuseColor", _NO_COLOR, primvars)
        glow = self._value(shader, "emissiveColor", (0.0, 0.0, 0.0), primvars)
        opacity = self._number(shader, "opacity", 1.0)
        threshold = self._number(shader, "opacityThreshold", 0.0)
        surface = self._surface(shader, primvars)
        fields: dict[str, Any] = {
            "name": material.GetPrim().GetName(),
            "pbrMetallicRoughness": surface,
            "doubleSided": True,
        }
        surface["baseColorFactor"] = [*([1.0] * 3 if isinstance(color, dict) else color), opacity]
        if isinstance(color, dict):
            surface["baseColorTexture"] = color
        if isinstance(glow, dict):
            fields |= {"emissiveTexture": glow, "emissiveFactor": [1.0, 1.0, 1.0]}
        elif any(glow):
            fields["emissiveFactor"] = glow
        normal = self._value(shader, "normal", (0.0, 0.0, 1.0), primvars)
        if isinstance(normal, dict):
            fields["normalTexture"] = normal
        is_mapped = shader.GetInput("opacity") and shader.GetInput("opacity").HasConnectedSource()
        if threshold > 0.0:
            fields |= {"alphaMode": "MASK", "alphaCutoff": threshold}
        elif opacity < 1.0 or is_mapped:
            fields["alphaMode"] = "BLEND"
        return fields

    def _value(
        self, shader: Any, name: str, default: tuple[float, ...], primvars: list[str]
    ) -> list[float] | dict[str, Any]:
        """Return a colour in linear light, or the texture in its place."""
        attribute, texture = self._source(shader, name)
        if texture is not None:
            image = self._image(texture.GetInput("file").Get() if texture.GetInput("file") else None)
            return self._use(image, texture, primvars) if image is not None else [1.0] * len(default)
        value = attribute.Get() if attribute else None
        return [float(one) for one in (default if value is None else value)]

    def _use(self, image: int, texture: Any, primvars: list[str]) -> dict[str, Any]:
        """Return an image as a texture in a material, with its wrap, place and set of texture coordinates."""
        stated = [given.Get() if (given := texture.GetInput(name)) else None for name in ("wrapS", "wrapT")]
        if "black" in stated:
            self._builder.report("a texture that is black beyond its borders", "shown with the pixels there")
        along_u, along_v = (_WRAPS.get(str(each), "repeat") for each in stated)
        name = _primvar_of(texture)
        if name not in primvars:
            primvars.append(name)
        use = self._builder.texture(image, (along_u, along_v)) | {"texCoord": primvars.index(name)}
        return use | _placement(texture)

    def _surface(self, shader: Any, primvars: list[str]) -> dict[str, Any]:
        """Return roughness and metallic as glTF has them; an image of each becomes a channel of one."""
        channels = [self._channel(shader, name) for name in ("roughness", "metallic")]
        surface: dict[str, Any] = {
            "roughnessFactor": 1.0 if channels[0] else self._number(shader, "roughness", 0.5),
            "metallicFactor": 1.0 if channels[1] else self._number(shader, "metallic", 0.0),
        }
        if any(channels):
            key = str(channels)
            if key not in self._images:
                decoded = [None if each is None else self._decoded(*each) for each in channels]
                is_there = any(texture is not None for texture in decoded)
                self._images[key] = self._builder.add_image(png_of(surface_map(*decoded).pixels)) if is_there else None
            image = self._images[key]
            if image is not None:
                shaders = (self._source(shader, name)[1] for name in ("roughness", "metallic"))
                surface["metallicRoughnessTexture"] = self._use(image, next(filter(None, shaders)), primvars)
        return surface

    def _channel(self, shader: Any, name: str) -> tuple[str, int] | None:
        """Return the image in place of a number, and which of its channels; None where there is none."""
        attribute, texture = self._source(shader, name)
        asset = texture.GetInput("file").Get() if texture is not None and texture.GetInput("file") else None
        if asset is None or not str(asset.resolvedPath):
            return None
        return str(asset.resolvedPath), max("rgba".find(attribute.GetBaseName()), 0)

    def _decoded(self, name: str, channel: int) -> Texture | None:
        """Decode a channel of an image, as grey; None where it cannot be read."""
        data = self._bytes_of(name)
        if data is None:
            return None
        try:
            return channel_of(decode_texture(data, Path(name)), channel)
        except OSError as error:
            self._report_unreadable(name, reason_of(error))
            return None

    def _number(self, shader: Any, name: str, default: float) -> float:
        """Return a number between 0 and 1; the default where an image stands in its place."""
        attribute, texture = self._source(shader, name)
        if texture is not None:
            return default
        value = attribute.Get() if attribute else None
        return default if value is None else min(max(float(value), 0.0), 1.0)

    def _source(self, shader: Any, name: str) -> tuple[Any, Any]:
        """Return the attribute from which an input has its value, or None, and its shader where that is a texture."""
        given = shader.GetInput(name)
        if not given:
            return None, None
        attributes = given.GetValueProducingAttributes()
        attribute = attributes[0] if attributes else None
        producer = UsdShade.Shader(attribute.GetPrim()) if attribute else None
        if producer and producer.GetPath() != shader.GetPath() and producer.GetIdAttr().Get() == "UsdUVTexture":
            return attribute, producer
        return attribute, None

    def _image(self, asset: Any) -> int | None:
        """Return the builder's number of an image file; one in a .usdz is copied. None where there is none."""
        name = str(asset.resolvedPath) if asset is not None else ""
        if not name:
            shown = asset.path[:60] if asset is not None else "no file"
            self._builder.report(f"texture '{shown}' is not found", "shown without it")
            return None
        if name not in self._images:
            self._images[name] = self._opened(name)
        return self._images[name]

    def _opened(self, name: str) -> int | None:
        path = Path(name)
        if path.is_relative_to(self._folder) and not Ar.IsPackageRelativePath(name):
            return self._builder.add_image(quote(path.relative_to(self._folder).as_posix()))
        data = self._bytes_of(name)  # stages use images of folders beside their own, too, which glTF files cannot name
        return None if data is None else self._builder.add_image(data)

    def _bytes_of(self, name: str) -> bytes | None:
        """Read an image file, or one in a .usdz; None where it cannot be read, which is reported."""
        if Ar.IsPackageRelativePath(name):
            file = Ar.GetResolver().OpenAsset(Ar.ResolvedPath(name))
            if file is not None and file.GetSize() <= _LARGEST_IMAGE_BYTES:
                return bytes(file.GetBuffer())
        else:
            self._builder.dependencies.add(name)
            try:
                return read_bytes(Path(name), largest_bytes=_LARGEST_IMAGE_BYTES)
            except ReadError as error:
                self._report_unreadable(name, error.beside(name))
                return None
        self._report_unreadable(name, "not in the package, or too large")
        return None

    def _report_unreadable(self, name: str, reason: str) -> None:
        self._builder.report(f"texture '{Path(name).name[:60]}' cannot be read ({reason})", "shown without it")


def uvs_of(prim: Any) -> list[Any]:
    """Return the primvars of a mesh that may be texture coordinates, the likeliest one first: "st"."""
    names = Sdf.ValueTypeNames
    coordinates = (names.TexCoord2fArray, names.TexCoord2hArray)
    pairs = {kind.cppTypeName for kind in (names.Float2Array, names.Half2Array)}
    found = [
        each for each in UsdGeom.PrimvarsAPI(prim).GetPrimvarsWithValues() if each.GetTypeName().cppTypeName in pairs
    ]
    return sorted(found, key=lambda each: (each.GetPrimvarName() != "st", each.GetTypeName() not in coordinates))


def _primvar_of(texture: Any) -> str:
    """Return the name of the primvar that an image is looked up by; empty where none is stated."""
    shader, name = texture, "st"
    while shader and shader.GetIdAttr().Get() in ("UsdUVTexture", "UsdTransform2d"):
        given = shader.GetInput(name)
        attributes = given.GetValueProducingAttributes() if given else []
        above = UsdShade.Shader(attributes[0].GetPrim()) if attributes else None
        if above and above.GetPath() == shader.GetPath():
            return ""
        shader, name = above, "in"
    given = shader.GetInput("varname") if shader else None
    attributes = given.GetValueProducingAttributes() if given else []
    return str(attributes[0].Get() or "") if attributes else ""


def _placement(texture: Any) -> dict[str, Any]:
    """Return where an image lies on a surface, as a texture's field of glTF; empty where nothing moves it.

    UsdTransform2d scales, turns counter-clockwise and moves coordinates whose v is 1 at the top of the image, which is
    0 in glTF.
    """
    given = texture.GetInput("st")
    attributes = given.GetValueProducingAttributes() if given else []
    mover = UsdShade.Shader(attributes[0].GetPrim()) if attributes else None
    if not mover or mover.GetIdAttr().Get() != "UsdTransform2d":
        return {}

    def value(name: str, default: Any) -> Any:
        own = mover.GetInput(name)
        found = own.Get() if own else None
        return default if found is None else found

    scale, moved = value("scale", (1.0, 1.0)), value("translation", (0.0, 0.0))
    angle = math.radians(value("rotation", 0.0))
    offset = (moved[0] - scale[1] * math.sin(angle), 1.0 - moved[1] - scale[1] * math.cos(angle))
    fields = {"offset": list(offset), "rotation": angle, "scale": [float(scale[0]), float(scale[1])]}
    return {"extensions": {TEXTURE_TRANSFORM: fields}}


def _plain(*, has_colors: bool) -> dict[str, Any]:
    """Describe what is shown of a prim without a material: its own colours, or UsdPreviewSurface's grey."""
    color = (1.0, 1.0, 1.0) if has_colors else _NO_COLOR
    surface = {"baseColorFactor": [*color, 1.0], "metallicFactor": 0.0, "roughnessFactor": 0.5}
    return {"name": "default", "pbrMetallicRoughness": surface, "doubleSided": True}
