"""The content of one picture, computed without OpenGL.

Imports the table of features, viewer.camera, viewer.frame.look, which has the choices of a look, and
viewer.frame.detail, which says how much of each object is drawn.

    frame         FrameData: everything that the renderer needs for one picture.
    view_settings ViewSettings: how a view shows its scene, as one value.
    visibility    Visibility: which nodes are shown and seen: hidden, isolated, cut away, culled, tiny.
    draw_lists    DrawLists: sorts nodes and makes the draws of them; which objects are outlined by dots.
    frame_builder FrameBuilder: packs a FrameData; spacing of the ground grid.
    instances     Instances: world transforms of all nodes as the card keeps them; their drawing order; bounds.
    view          View: viewports on a scene and their settings; the stages of a frame.
    framing       Framing: brings nodes and boxes into the picture, and again when its size changes.
    occluders     finds what keeps light from surfaces; what the key light sees, for its shadow maps.
    streamed_scene  StreamedScene: a scene that reads what pictures need; the cameras by which it selects that.
    viewports     Viewport: a part of the picture with a camera; ViewportLayout: where each lies; PointerLocation.
    points        points and rectangles of a picture; its division into viewports.
    projection    ViewProjection: from world points to pixels, and back to rays.
    section       Section: planes that cut away a part of what is seen.
    quality       Quality: how well a picture is drawn; CardTimes: what that costs on a card; QualityController.
    redraw        Redraw: how much is to be drawn again, asked for by whoever changes something.
    stats         FrameStats: counts of one frame; StageTimes: how long its stages took.
    picking       PickSnapshot: what lies under a pixel or in a box of the last picture; the tolerance of clicks.
    annotations   line segments, labels and images over a picture, in its pixels.
    decoration    Decoration: what a feature draws in the pictures of a view.
"""
