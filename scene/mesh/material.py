"""Material: the look of a surface, in the terms of an .mtl file that a viewer can show."""

from __future__ import annotations

from dataclasses import dataclass

from scene.mesh.texture import Texture


@dataclass(frozen=True)
class Material:
    """A surface.

    Attributes:
        name: as its file calls it.
        base_color: sRGB, each 0 to 1 (Kd).
        opacity: 0 to 1 (d, or 1 - Tr).
        specular: strength of the highlight, 0 to 1 (mean of Ks).
        shininess: exponent of the highlight (Ns).
        metallic: 0 to 1 (Pm).
        roughness: 0 to 1 (Pr), or None: it follows from shininess.
        emission: sRGB added to the lit colour (Ke).
        base_color_texture: multiplies base_color and opacity (map_Kd, map_d), or None.
        emission_texture: multiplies emission (map_Ke), or None.
        uv_scale: a texture is looked up at uv * scale + offset (-s).
        uv_offset: a texture is looked up at uv * scale + offset (-o).
        unlit: shown in base_color without light (illum 0).
    """

    name: str
    base_color: tuple[float, float, float] = (0.8, 0.8, 0.8)
    opacity: float = 1.0
    specular: float = 0.2
    shininess: float = 32.0
    metallic: float = 0.0
    roughness: float | None = None
    emission: tuple[float, float, float] = (0.0, 0.0, 0.0)
    base_color_texture: Texture | None = None
    emission_texture: Texture | None = None
    uv_scale: tuple[float, float] = (1.0, 1.0)
    uv_offset: tuple[float, float] = (0.0, 0.0)
    unlit: bool = False

    @property
    def textures(self) -> list[Texture]:
        """Its textures, without None."""
        return [texture for texture in (self.base_color_texture, self.emission_texture) if texture is not None]


DEFAULT_MATERIAL = Material("default")
