"""OpenGL: draws FrameData, in a window or without one.

Imports viewer.window, viewer.camera, viewer.frame, and its own sub-packages: context, which deals with OpenGL,
resources, which lie on the card, and passes, which draw.

    renderer                Renderer: pictures of one or several viewports.
    refinement              Refinement: the samples of a picture that stands still.
    jitter                  frames moved by parts of a pixel, of which a refined picture is the mean.
    buffers                 Buffers: depth, ids and normals at every pixel.
    transparent_background  pictures through which one sees what lies behind them.
    drawn                   what can be shown: scenes, streamed ones, paths; sizes and cameras, checked.
    still_drawing           StillDrawing: pictures of a view without a window.
    canvas                  Canvas: pictures of one scene, again and again; viewer.Canvas.
    stills                  a picture of a scene in one call; viewer.render.
    host_drawing            HostDrawing: a picture over a part of another program's framebuffer.
    card_measuring          what the ways of drawing cost on this card, measured bit by bit.
    self_test               a cube, drawn to find out whether a context works, and what it offers.
"""
