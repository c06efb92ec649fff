"""What is kept between runs.

Imports viewer.window (names of keys).

    config         config.toml, which the user writes, and window.json, which the program writes.
    recent_files   files that were opened or saved last.
    settings_file  open config.toml in an editor.
"""
