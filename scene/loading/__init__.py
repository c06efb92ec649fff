"""From paths to a scene, and again when files change.

A path becomes what its reader makes of it (`read_path`, `BackgroundReader`), and that becomes a part of the scene
(`add_file`, `FileImport`) or takes the place of what the file held before (`FileReload`).
Imports scene.project, scene.formats and below.

    load              load: open files into a new scene.
    save              save: write a scene to a file of any format.
    folders           files of a folder that can be opened.
    read              read_path, BackgroundReader: read a file or a project, here or on a thread.
    file_import       add_file, FileImport: add what was read to a scene, at once or prepared on another thread.
    reload            FileReload: replace what came from a file that changed on disk.
    reload_materials  replace materials and textures that changed on disk.
    new_objects       nodes for objects that a changed file did not have before.
    relinking         relink: point nodes without meshes at the file where these are now.
"""
