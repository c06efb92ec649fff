"""Settings that outlive a run.

Imports viewer.window (names of keys).

    config         Config: what config.toml can hold, declared once; reading it, and window.json; the folders of both.
    config_text    the text of config.toml with a setting changed, and all else as a person wrote it.
    settings       Settings: config.toml as it is now; changes are written there.
    kept           Setting: a value that is kept between runs, and the values that it can have.
    recent_files   the list of recent files, and its length.
    settings_file  opening config.toml in an editor; its first contents.
    guide          opening the guide in a browser.
"""
