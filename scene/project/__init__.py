"""The project file (.octo.json) and its journal, which is the history of edits: write, read, recover.

Imports scene.editing, scene.formats and below.

    opening         open_project.
    saving          save_project.
    writer          a scene as the text of a project file.
    nodes           nodes from and to JSON.
    meshes          meshes that come from no file.
    materials       materials from and to JSON.
    measurements    measurements from and to JSON.
    bookmarks       bookmarks from and to JSON.
    fields          check the fields of JSON objects, report unknown ones.
    packing         arrays in JSON.
    paths           paths relative to the project file.
    sources         read the files that a project refers to.
    text_in_pieces  read JSON in pieces, so that other threads go on.
    journal         Journal: append lines that survive a crash.
    recorder        Recorder: write down what is done to a scene.
    recorded_state  RecordedState: what file and journal say of a scene, and how it differs.
    records         edits as records.
    replaying       take a journal's steps again.
"""
