"""From paths to a scene, and again when files change.

Imports scene.project, scene.formats and below.

    load              load: open files into a scene.
    joining           prepare a file's content on another thread to join a scene.
    reload            replace what was read of a file that changed.
    reload_materials  replace materials and textures that changed on disk.
    new_objects       match the nodes of a file that changed with those in the scene.
    relinking         point nodes at the file that they lack.
"""
