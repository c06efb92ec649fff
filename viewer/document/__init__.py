"""The scene as a file: open, save, export, autosave, watch, recover.

Imports viewer.editing, viewer.frame, viewer.settings.

    document         Document: save, save as, export, close, open another; files dropped on the window.
    new_scene        empty scenes, with the unit and decimals of config.toml.
    options          DocumentOptions: how a document is opened.
    load             Load: files that are read on a thread, and taken in one after the other.
    source_files     SourceFiles: read files into the scene, and again when they change.
    reloader         Reloader: choose which files are watched; read changed ones again and replace what came from them.
    watch            Watcher: notice that one of the files it was given has changed on disk.
    document_loader  DocumentLoader: read the file that is to replace the document.
    autosaving       Autosaver: the journal, begun at the first edit, and autosaves; those of killed programs.
    recovery         Recovery: ask what is to become of unsaved changes of killed programs.
    file_names       file types, default names, PathRequest; folders as lists, typed paths; the sample scene.
    flow             Flow: operations that ask the user in between, as generators.
    questions        texts and answers of all questions.
    image_files      write pictures and screenshots.
    table_file       write a table as CSV.
    import_report    problems of opened files, as rows of the messages panel.
"""
