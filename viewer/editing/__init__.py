"""Change the scene: the editor, the selection, work in the background, messages.

Imports viewer.frame, viewer.frame.look.

    editor            Editor: the only way to change a scene: edits, undo, locks; LiveEdit: a drag.
    jobs              Jobs: background jobs with progress and cancel.
    background_pictures  BackgroundPictures: pictures made by jobs for those rows of a list that are in sight.
    writing           writing files in the background.
    controls          Control: a button, slider, check box ... of a script, as data.
    script            Script: what scripts and the console have in a window; each thing that they do is one undo.
    interrupting      ending a script that runs for too long.
    log               Log: messages of the program, how many are kept, and how long toasts stay.
    selection         selections as arrays of node ids; SelectionFacts, which enable commands.
    findings          Findings: what a search found, gone through one after the other.
    material_editing  MaterialEditing: change materials, textures and colours of the selection.
    missing_meshes    MissingMeshFinder: objects whose meshes lie in a file that is missing.
    object_properties  ObjectProperties: what files state of objects, and of the point that was clicked.
    memo              Memo: a value that is computed once for as long as the scene stays the same.
    euler             Euler angles of quaternions.
"""
