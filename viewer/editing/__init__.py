"""Change the scene: the editor, the selection, work in the background, messages.

Imports viewer.frame, viewer.camera.

    editor            Editor: the only door through which panels, tools and commands change a scene.
    jobs              Jobs: all that runs in the background, with progress and cancel.
    writing           write the scene to files in the background.
    log               Log: messages of the program.
    selection         selections as arrays of node ids.
    selection_facts   what commands ask of the selection.
    material_editing  change materials, textures and colours of the selection.
    missing_meshes    objects whose meshes lie in a file that is missing.
    bookmark_list     add, visit, rename and remove bookmarks.
    memo              Memo values: computed once as long as the scene is the same.
    euler             convert between Euler angles and quaternions.
"""
