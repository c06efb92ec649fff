"""The window of settings: what config.toml holds, on pages; each change takes effect at once and is written there.

The settings themselves are declared in viewer/settings/config.py, from which rows, labels and choices follow.
Imports viewer.app.contribution, viewer.commands, viewer.settings, viewer.tools, viewer.window.

    key_changes    config.toml's keys after a command gets a key, loses its keys, or has the preset's again.
    key_capture    KeyCapture: the tool that takes the next key for a command.
    pages          the rows of a page, and drags of the mouse.
    keys_page      the table of commands and their keys.
    panel          SettingsPanel: the window with its pages.
    feature        what the feature adds to a window, and its command.
"""
