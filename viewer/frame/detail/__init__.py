"""The share of each object in view that is drawn: nothing of what is too small or hidden, less of what is far away.

Imports viewer.camera.

    screen_size_culling  which objects are too small to add to the picture.
    occlusion_culling  OcclusionCuller: which objects are hidden behind others.
    back_face_culling  OutwardMeshes: which objects hide all of their back faces themselves.
    detail_levels      DetailLevels: coarser triangles over the same vertices, for objects that are drawn small.
    level_choice       choose each object's level.
"""
