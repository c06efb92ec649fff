"""Objects fall to the ground, or onto what lies below them.

The rules are edits of a scene (scene/editing/dropping.py), the distances lie in scene/drop/.
Imports viewer.app.contribution, viewer.commands, viewer.editing, and the front of `web`.

    feature   the commands of Object > Drop.
    browser   the commands in browsers.
"""
