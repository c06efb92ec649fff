"""OpenGL: draws FrameData, on the screen or off it.

Imports viewer.camera, viewer.frame.

    renderer             Renderer: the passes of a picture.
    mesh_drawing         draw calls over the meshes of a scene.
    gpu_meshes           the graphics card's copy of the meshes.
    gpu_timer            how long the card takes.
    gpu_scene            the graphics card's materials, textures and instances.
    opengl               small helpers over moderngl: matrices, textures of framebuffers, blending.
    shader_library       programs from shaders/.
    annotation_drawing   draw strokes and labels.
    offscreen            an OpenGL context without a window.
    stills               pictures drawn off-screen; viewer.render.
    translucent_drawing  order-independent transparency (McGuire and Bavoil 2013).
    texture_layers       sizes and layers of textures on the card.
"""
