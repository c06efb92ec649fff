"""The gizmo: moving, turning and scaling what is selected with the mouse, by handles or by keys, and by numbers.

    settings    what a person chose: mode, space, pivot, snapping
    frames      where the gizmo stands, and along which axes
    eye         from the world to pixels and back
    motions     from where the mouse is to how far it goes; matrices of that
    typed       numbers typed meanwhile
    handles     what of it the mouse can take hold of
    run         something that goes on, from its beginning to its end
    tool        intents in, edits out
    commands    its part of the table of commands

Why not ImGuizmo: it knows one matrix of float32 and no pivot of each object's own, no numbers, no Esc and no targets to
snap to, and works only while it is drawn. Moving by keys needs all the arithmetic of a drag anyway; this is it.
"""
