"""Settings that outlive a run.

Imports viewer.window (names of keys).

    config         read config.toml (theme, scale, keys) and window.json; the folders of settings and data.
    kept           Setting: a value that is kept between runs, and the values that it can have.
    recent_files   the list of recent files, and its length.
    settings_file  opening config.toml in an editor; its first contents.
"""
