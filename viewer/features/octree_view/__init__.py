"""The octree seen at work: its nodes in the picture, a panel that changes it, another tree beside it.

Pictures without a window have the cells, too, by `render(scene, octree=True)`.
Imports viewer.app.contribution, viewer.commands, viewer.ui, and the front of `web`.

    cells         SceneCells: the cells of a scene's octree; the one of an object.
    display       OctreeDisplay: which cells are drawn, and their colours.
    walk          Walk: how the tree is asked, step by step: a cull, a ray.
    player        WalkPlayer: a walk in slow motion, over pictures.
    decoration    OctreeCells: the cells in the pictures of a view.
    walks         the commands of walks.
    words         what the words on the panel mean.
    command_line  the option --octree.
    panel       OctreePanel: cells that are drawn, settings, another tree; CellFoldout: the cell of an object.
    comparison  TreeComparison: another octree over the same objects, and what its queries cost.
    browser     the cells in browsers.
    feature     what the feature adds to a window, and its commands.
"""
