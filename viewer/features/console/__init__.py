"""Scripts in the window: a console of Python, the controls that scripts add, and `octoscope run`.

The API that scripts use is the core's: viewer/app/open_window.py, viewer/editing/script.py.
Imports viewer.app, viewer.cli, viewer.commands, viewer.editing, viewer.ui, and the front of the feature `web`.

    console       Console: runs what is typed, completes names, keeps outputs and what was typed before.
    panel         ConsolePanel: its output, and a field of several lines.
    script_panel  ScriptPanel: buttons, sliders ... of scripts.
    feature       what the feature adds to a window.
    browser       the controls of scripts in browsers.
    command_line  the options of `octoscope run`.
    run           `octoscope run SCRIPT FILE...`.
"""
