"""Make 3D Tiles of files: spread over the cells of an octree, on disk where they do not fit in memory.

Files become pieces of geometry on disk, with what is said of their objects (sources). The elements of the pieces are
distributed to cells that fit in memory (buckets). A bucket's elements become leaves, and coarser tiles above them; then
those above all buckets are made, level by level (cutting).

Imports scene.loading, scene.formats and below.

    tiling      write_tiles: from files to a folder of tiles; its report.
    sources     read files piece by piece.
    pieces      geometry on disk, and what all workers know of the tileset.
    buckets     choose the buckets and distribute elements to them.
    cutting     make the tiles of a bucket, and those above buckets.
    workers     Workers: run the stages' functions on several processes.
    cluster     Cluster: run them on a cluster of Dask.
    finished_jobs  FinishedJobs: what is done, so that the same command goes on from there.
    new_folder  a folder that appears whole or not at all.
"""
