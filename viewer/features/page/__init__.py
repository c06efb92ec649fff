"""File > Share as web page: the scene as a page of one file, as the window shows it.

scene/formats/page/ writes the page, for `octoscope convert` and scripts, too.
Imports viewer.app.contribution, viewer.commands, viewer.frame, viewer.camera.

    look     page_look_of: camera, light, background and section of a view.
    feature  the command.
    browser  the command in browsers.
    notebook show_page: the page in a cell of a Jupyter notebook.
"""
