"""What one picture shows, computed without OpenGL.

Imports viewer.camera.

    frame         FrameData, and FrameBuilder, which culls and packs it.
    view          View: viewports on a scene; visibility, overlays, the stages of a frame.
    viewports     Viewport: a part of the picture with a camera; PointerLocation: where in it a person points.
    points        points and rectangles of a picture.
    projection    ViewProjection: from world points to pixels, and back to rays.
    redraw        Redraw: how much is to be drawn again, asked for by whoever changes something.
    stats         FrameStats: counts of one frame.
    timing        times of the stages of a frame.
    picking       what lies under a pixel or in a box of the last picture.
    annotations   measurements as strokes and labels in pixels.
    labels        text as small pictures.
    backdrop      colours of background and ground.
    translucency  which objects can be seen through.
"""
