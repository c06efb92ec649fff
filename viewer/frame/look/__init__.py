"""The look of a picture that is chosen: background, light, ways of seeing, sizes of strokes, texts and bars.

Imports viewer.features, the table of their names.

    backdrop    colours of background and ground.
    studios     STUDIOS: environments to choose from, by formulas.
    environment light from all around, from formulas; what smooth surfaces mirror of it.
    environment_names  environments by name; EnvironmentPart: a feature that reads them from files.
    marks       colours of outlines of selected objects, and of axes.
    lighting    Lighting: the key light, its shadow, and ambient occlusion.
    shading     Mode, MODES: ways of seeing, such as normals or depth; MATCAPS; sizes of lines and points.
    fonts       files of fonts; LabelFont: draws texts in pictures, each character by a font that has it.
    labels      short texts as small pictures; their font size and colours.
    round_steps steps of scales and rulers: 1, 2 or 5 times a power of ten.
"""
