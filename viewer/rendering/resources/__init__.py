"""The card's copy of the scene: meshes, instances, materials and textures.

Imports viewer.frame, viewer.frame.look and viewer.rendering.context.

    gpu_caps        GpuCaps: the faces that close objects where a section cuts them open.
    gpu_environment GpuEnvironment: the card's copy of what is mirrored of the environment.
    gpu_meshes      GpuMeshes: the card's copy of the meshes; layout of a vertex.
    normal_folding  half the size of normals, for the card.
    gpu_scene       GpuScene: the card's materials and instances.
    gpu_textures    GpuTextures: the card's textures, scaled on other threads.
    texture_layers  how large textures are on the card, so that all fit its memory.
"""
