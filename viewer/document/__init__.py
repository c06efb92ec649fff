"""The scene as a file: open, save, export, autosave, watch, recover.

Imports viewer.editing, viewer.settings.

    document         Document: save, save as, export, close, open another; offer what a crash left.
    source_files     SourceFiles: read files into the scene, and again when they change.
    reloader         Reloader: read changed files again and replace what came from them.
    watch            Watcher: notice that files on disk have changed.
    document_loader  DocumentLoader: read the file that is to replace the document.
    autosaving       Autosaver: keep the journal, and autosaves of scenes that were never saved.
    autosave_files   names and folder of autosaves; find those of killed programs.
    file_names       file types, default names, PathRequest.
    path_input       rows of the path box, and the path that typed text stands for.
    flow             Flow: operations that ask the user in between, as generators.
    questions        texts and answers of all questions.
    image_files      write pictures and screenshots.
    import_report    problems of opened files, as rows of the messages panel.
    sample           path of the sample scene.
"""
