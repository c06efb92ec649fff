"""A web page of one file that shows a scene in any browser, without a network.

The page holds the scene as a GLB, packed, and a script: page.js, which `make page` bundles of source/ and three.js. A
test holds the two together, and the bundle lies here so that neither a checkout nor an installed package needs npm.

Imports scene.formats.gltf and what scene.formats may.

    format    the ending of a page, and its writer.
    writer    write_page.
    look      PageLook: camera, light and background of a page; usual_look.json has those of a window that is opened.
    contents  what the page shows beside the objects: bookmarks, measurements, cells of the octree.
    packing   the GLB and all else as few bytes.
    page.html, page.css  the page and its style.
    source/   the modules of its script.
"""
