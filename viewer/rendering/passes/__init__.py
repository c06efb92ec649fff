"""The passes of a picture that have a file of their own, and the framebuffers that they draw into.

Imports viewer.frame, viewer.frame.look, viewer.rendering.context and viewer.rendering.resources.

    viewport_target      ViewportTarget: the framebuffers that a viewport is drawn into.
    shadow_maps          ShadowMaps: depths that the key light sees.
    light_target         LightTarget: the framebuffers for the light that reaches surfaces.
    scene_passes         ScenePasses: all of them, in order.
    render_pass          programs and passes of meshes, as values.
    mesh_drawing         MeshDrawing: draw calls over the meshes of a scene.
    unoccluded_drawing   UnoccludedDrawing: draws what is not hidden.
    translucent_drawing  order-independent transparency (McGuire and Bavoil 2013).
    depth_peeling        DepthPeeling: translucent surfaces layer by layer, exactly.
    background_drawing   BackgroundDrawing: a gradient or the environment, behind everything; the ground.
    light_visibility_drawing  LightVisibilityDrawing: shadows and ambient occlusion.
    outline_drawing      OutlineDrawing: lines around objects.
    line_drawing         LineDrawing: octree cells, the frozen frustum and shapes around objects as lines.
    annotation_drawing   AnnotationDrawing: line segments and labels over a picture.
"""
