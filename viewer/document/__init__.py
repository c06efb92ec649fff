"""The scene as a file: open, save, export, autosave, watch, recover.

Imports viewer.editing, viewer.settings.

    document         Document: save, save as, export, close, open another.
    source_files     SourceFiles: the files of the scene, read and read again when they change.
    document_loader  read the file that is to replace the document.
    autosaving       keep journal and autosave of the document.
    autosave_files   the folder of autosaves.
    file_names       file types and default names.
    path_input       what a path box lists, and what typed text means.
    flow             Flow: what asks the user in between, as generators.
    questions        questions that the user must answer first.
    image_files      write pictures.
    watch            find out which files changed on disk.
    import_report    what opening files brought, as rows of a list.
    reloader         read files again when they change on disk.
    sample           the sample scene.
"""
