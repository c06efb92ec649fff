"""Free-form curves and surfaces of OBJ files: Bezier, B-spline, Cardinal, Taylor and basis matrix, rational too.

Imports what scene.formats.obj may.

    keywords      the statements that are kept as text.
    definitions   statements become curves and surfaces.
    axes          Axis: each type as polynomials between joints.
    patches       Patches: many surfaces evaluated at many parameters.
    refining      edges are divided until they are near enough.
    regions       what trimming loops leave, as triangles.
    tessellation  curves and surfaces become lines and triangles.
    insertion     insert_free_form: those are put among the file's own.
    keeping       curves and surfaces that are kept for OBJ files, and written again.
"""
