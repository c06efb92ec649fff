"""The project file (.octo.json) and its journal, which is the history of edits: write, read, recover.

Imports scene.editing, scene.formats and below.

    opening         open_project: read a project file into a scene.
    saving          save_project: replace the project file and start its journal over.
    writer          project_text: the text of a project file.
    node_columns    nodes as columns; these as lines of JSON and as packed arrays.
    nodes           nodes from lines of JSON, checked and repaired.
    meshes          meshes of no file, from and to JSON.
    materials       materials from and to JSON.
    color_scales    colour scales from and to JSON.
    measurements    measurements from and to JSON.
    scene_values    values of the scene that belong to no node (up axis, bookmarks, measurements), from and to JSON.
    bookmarks       bookmarks from and to JSON.
    fields          check values read from JSON; MalformedError; report unknown fields.
    packing         arrays from and to JSON.
    paths           paths relative to the project file; the ending .octo.json.
    sources         find_meshes: read the files that a project refers to.
    journal         Journal: append lines that survive a crash; read_journal.
    recorder        Recorder: record edits, undo and redo in the journal.
    recorded_state  RecordedState: find what has changed in a scene since the last record.
    records         edit_to_json: an edit as a record of the journal.
    replaying       replay: read records and apply them.
"""
