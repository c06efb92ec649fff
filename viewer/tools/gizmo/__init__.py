"""The gizmo: move, rotate and scale the selection with the mouse, by handles or by keys, and by numbers.

Why not ImGuizmo: it knows one matrix of float32 and no pivot of each object's own, no numbers, no Esc and no targets to
snap to, and works only while it is drawn. Moving by keys needs all the arithmetic of a drag anyway; this is it.

Imports what viewer.tools may.

    tool               GizmoTool: intents in, edits out.
    settings           what the user chose: mode, space, pivot, snapping.
    frames             where the gizmo stands, and along which axes.
    handles            what the mouse can take hold of.
    drag_solver        DragSolver: from mouse positions to distances, angles and factors, and their matrices.
    transform_session  one move, rotation or scaling, from its begin to its end.
    typed_numbers      numbers that are typed during a drag.
"""
