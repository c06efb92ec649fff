"""The gizmo: move, rotate and scale the selection by handles, modally after a key, and by typed numbers.

It is not ImGuizmo, which works on one float32 matrix while it is drawn and has no individual pivots, typed numbers, Esc
or targets to snap to. A modal transformation needs all the arithmetic of a drag anyway; this is it.

Imports what viewer.tools may.

    tool               GizmoTool: which intents begin, continue, commit and cancel a transformation.
    settings           GizmoSettings: mode, space, pivot; snapping and its steps.
    frames             GizmoFrame: origin and axes of the gizmo.
    handles            arms, planes, rings: their size in pixels, and how near the mouse takes hold of them.
    drag_solver        DragSolver: from mouse positions to distances, angles and factors, and their matrices.
    transform_session  TransformSession: one transformation, from its beginning to its end; its text; snapping; typing.
"""
