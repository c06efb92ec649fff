"""The look of a picture that is chosen: background, light, ways of seeing, sizes of strokes.

Imports nothing of the viewer.

    backdrop  colours of background and ground.
    lighting  Lighting: the key light, its shadow, and ambient occlusion.
    shading   Mode, MODES: ways of seeing, such as normals or depth; MATCAPS; sizes of lines and points.
"""
