"""OpenGL: draws FrameData, in a window or without one.

Imports viewer.camera, viewer.frame.

    renderer             Renderer: the passes of a picture in their order; width and colours of outlines.
    viewport_target      ViewportTarget: the framebuffers that a viewport is drawn into.
    buffers              Buffers: depth, ids and normals at every pixel.
    mesh_drawing         MeshDrawing: draw calls over the meshes of a scene.
    gpu_meshes           GpuMeshes: the card's copy of the meshes; layout of a vertex.
    gpu_timer            GpuTimer: the time that the card takes.
    gpu_scene            GpuScene: the card's materials and instances.
    opengl               small helpers over moderngl, and functions of OpenGL that it lacks.
    reversed_depth       ReversedDepth: depth in floats, 1 at the near plane and 0 at the far one.
    shader_library       programs from shaders/.
    annotation_drawing   AnnotationDrawing: strokes and labels over a picture.
    line_drawing         LineDrawing: octree nodes, the frozen frustum and shapes around objects as lines.
    offscreen            an OpenGL context without a window.
    self_test            a cube, drawn to find out whether a context works, and what it offers.
    stills               pictures without a window; viewer.render.
    occlusion_drawing    OcclusionDrawing: draws what is not hidden.
    translucent_drawing  order-independent transparency (McGuire and Bavoil 2013).
    texture_layers       how large textures are on the card, so that all fit its memory.
    gpu_textures         GpuTextures: the card's textures, scaled on other threads.
"""
