"""What `octoscope bench` runs: each answer asserted, then competitors take turns in one process.

Imports everything but viewer.cli.

    harness         let competitors take turns; medians and ratios.
    octree          the suite of the octree: the three files below.
    octree_asking   queries.
    octree_culling  culling.
    octree_editing  insert, remove, move.
    spheres         the sets of spheres that are measured.
    frame           the stages of a frame, with culling and without.
    load            reading OBJ files, beside other readers.
    obj_files       the OBJ files that are read.
    pick            casting rays, beside other ray casters.
    freeze          how long a window stands still: edits of 100,000 objects.
    freeze_acts     the acts that are timed.
    freeze_window     the window that they are done in.
"""
