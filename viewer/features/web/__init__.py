"""The scene in browsers: a server, what it sends, and what is done with what comes back. Needs viser (octoscope[web]).

Whatever a browser sends is checked by guard first, and then runs on the scene's own thread. Picking is
done here, with the same rays as in the window; viser and three.js only show.

Imports viewer.cli and below. Features with a part for browsers import `front`; nothing else knows this room or viser.

    command_line  the options of `octoscope serve`.
    serve     the command.
    server    WebServer: a viser server behind a guard, its address and token.
    guard     Guard: who may connect, and which messages of a browser are taken.
    geometry  meshes, transforms and frames as a browser takes them; what a section leaves of a mesh.
    page_light  PageLight, PageBackdrop: light of viser's page, for meshes and for points; its background and grid.
    detail    what is sent in place of objects that are far: simpler meshes, and points.
    pace      Pace: how quickly a browser draws, by the messages about its camera.
    pieces    Piece: a part of the scene that is sent at once; content_of: what it is sent as.
    mirror    SceneMirror: keeps what browsers show equal to the scene.
    controls  Controls: buttons, commands and fields, which act on the scene's thread; BrowserHand: whose a tool is.
    commands  BrowserCommands: the window's commands as menus, keys and a palette, but for those that need a window.
    forms     BrowserForms: boxes over the page of one browser, in which it fills in a form or a text.
    files     BrowserFiles: uploads and downloads, where commands ask for paths.
    front     BrowserFront: what a feature finds in browsers; Overlays: boxes of the selection, and what features add.
    others    Others: where other people are: their cameras, with names.
    gizmo     WebGizmo: handles that move and turn the selection.
    panel     WebPanel: commands, features, the tree of objects, messages.
    session   WebSession: one document in browsers: clicks and boxes that select, tools, commands.
    notebook  show_in_notebook: a scene in a cell of a Jupyter notebook.
"""
