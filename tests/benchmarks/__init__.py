"""The suites of `make bench`: each answer is checked, then competitors take turns in one process.

harness         measure competitors in turn; medians and ratios.
start           whole programs, from the command to its end, beside other viewers.
octree          the suite of the octree: the four files below.
octree_queries  rays, boxes, balls, pairs.
octree_culling  culling.
octree_editing  insert, remove, move, memory, compiling.
octree_grids    the same questions to three kinds of grids, which are made here, and a k-d tree.
spheres         the sets of spheres and the cameras for them.
kernels         kernels of these suites.
frame           frames while the camera moves: both ways of drawing, culling, everything selected.
bare_program    its rival, which draws one buffer of triangles and knows nothing else.
frame_quality   pictures in each quality, and refined ones.
frame_hidden    a city behind a wall.
canvas          pictures of a canvas from moving cameras, beside PyVista's plotter.
load            reading OBJ files.
obj_files       the OBJ files that are read.
pick            casting rays.
freeze          how long the window does not respond: opening, saving, reloading files.
freeze_edits    the same for edits of 100,000 objects.
freeze_window   the window in which this is measured.
tiles_cost      by itself: what making 3D Tiles costs, and the plot of docs/tiles.md.
"""
