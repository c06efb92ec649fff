"""The project file (.octo.json) and its journal, which is the history of edits: write, read, recover.

Imports scene.editing, scene.formats and below.

    opening         open_project: read a project file into a scene.
    saving          save_project: replace the project file and start its journal over.
    writer          project_text: the text of a project file.
    nodes           nodes as columns; these as lines of JSON, checked and repaired when read, or as packed arrays.
    meshes          meshes of no file, from and to JSON.
    materials       materials from and to JSON.
    scene_values    what belongs to no node (up axis, bookmarks, measurements, colour scales), from and to JSON.
    clipboard       nodes as a text, and from a text.
    packing         arrays from and to JSON.
    paths           paths relative to the project file; the ending .octo.json.
    sources         find_meshes: read the files that a project refers to.
    journal         Journal: append lines that survive a crash; read_journal.
    recorder        Recorder: record edits, undo and redo in the journal.
    recorded_state  RecordedState: find what has changed in a scene since the last record.
    records         edit_to_json: an edit as a record of the journal.
    replaying       replay: read records and apply them.
"""
