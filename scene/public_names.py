"""The public names of scenes, nodes and hits, and what other names that people guess are called here."""

from __future__ import annotations

DISTANCE = (
    "numpy.linalg.norm(a - b) of two points, such as the origins node.world_from_local[:3, 3], or the middles of "
    "node.bounds"
)
VERTEX_COLORS = "node.mesh = dataclasses.replace(node.mesh, colors=colors) sets those of vertices"
SMOOTH = "octoscope.History(scene).do(octoscope.editing.smooth_by_angle(scene, nodes))"
SCENE = (
    *("add_instances", "add_material", "add_mesh", "add_node", "add_nodes", "alive", "bookmarks", "bounds"),
    *("color_scales", "copy", "cull", "cursor", "delete", "find", "hidden", "ids", "index", "labels"),
    *("length_decimals", "length_unit"),
    *("material_overrides", "materials", "measurements", "mesh_ids", "meshes", "names", "nodes", "objects", "parents"),
    *("query_box", "query_sphere", "raycast", "raycast_all", "raycast_many", "report", "rotations"),
    *("row_count", "scales", "set_colors", "set_hidden", "set_materials", "set_meshes", "set_names"),
    *("set_parents", "set_rotations", "set_scalars", "set_scales", "set_translations", "set_unselectable"),
    *("set_vertices", "set_world_from_local", "sources", "to_html", "translations", "tree", "unselectable"),
    *("up_axis", "world_from_local"),
)
# Names of shapes that people guess, and of our primitives.
_SHAPES = {name: name for name in ("cone", "cube", "cylinder", "plane", "sphere", "torus")} | {
    "ball": "sphere",
    "box": "cube",
    "icosphere": "sphere",
    "quad": "plane",
}
SCENE_GUESSES = {
    **{
        f"add_{guess}": f"octoscope.History(scene).do(octoscope.editing.add_primitive(scene, {shape!r})), "
        "or scene.add_mesh(name, mesh) with one of trimesh.creation"
        for guess, shape in _SHAPES.items()
    },
    **dict.fromkeys(
        ("background", "camera", "light"),
        "a picture has it: octoscope.render(scene, camera=..., light=...); scene.bookmarks keep cameras",
    ),
    **dict.fromkeys(("box", "in_box", "query_aabb"), "scene.query_box(lower, upper)"),
    **dict.fromkeys(("closest", "in_sphere", "nearest", "within"), "scene.query_sphere(center, radius)"),
    "distance": DISTANCE,
    **dict.fromkeys(("clone", "snapshot", "subset"), "scene.copy(), and scene.copy(nodes) of some alone"),
    **dict.fromkeys(
        ("add_file", "add_scene", "append", "extend", "import_file", "load", "merge"),
        "octoscope.load([path, other]) opens several files into one scene; "
        "scene.add_mesh(name, node.mesh, material=node.material) takes an object of another",
    ),
    **dict.fromkeys(("clear_scalars", "remove_scalars"), "scene.set_scalars(node, None)"),
    "clear": "scene.delete(scene.nodes)",
    "set_vectors": "arrows are a node below that of scene.add_mesh(name, points, vectors=vectors): delete and add them",
    "set_vertex_colors": VERTEX_COLORS,
    "set_normals": "scene.set_vertices(node, node.mesh.vertices, normals=normals)",
    **dict.fromkeys(("compute_normals", "smooth"), SMOOTH),
    **dict.fromkeys(("set_points", "update_coordinates", "update_vertices"), "it is called set_vertices"),
    **dict.fromkeys(("set_mesh", "update_mesh"), "set node.mesh = mesh, or scene.set_vertices(node, vertices)"),
    **dict.fromkeys(("set_matrices", "set_transforms", "set_transform"), "scene.set_world_from_local(nodes, matrices)"),
    "graph": "scene.nodes, and parent and children of each; print(scene) shows the tree",
    "group": "octoscope.History(scene).do(octoscope.editing.group(scene, nodes))",
    "octree": "it is called index; scene.cull, query_box, query_sphere and raycast ask it",
    "print_tree": "print(scene)",
    "select": "a window has a selection: octoscope.Window(scene).selection",
    "selection": "a window has it: octoscope.Window(scene).selection",
    "walk": "for node in scene, or node.descendants",
    **dict.fromkeys(("ray", "ray_pick", "raycasts"), "scene.raycast(origin, direction), or raycast_many of arrays"),
    **dict.fromkeys(("frustum", "in_frustum"), "scene.cull(frustum)"),
    **dict.fromkeys(("collisions", "intersections", "overlapping"), "octoscope.find_overlaps(scene)"),
    "history": "octoscope.History(scene), or that of a window",
    **dict.fromkeys(("remove_actor", "remove_mesh", "remove_node"), "scene.delete(nodes)"),
    "add_copies": "scene.add_instances(name, node, translations)",
    "add_lines": "lines are read from files alone; scene.add_mesh(name, points, vectors=vectors) has arrows",
    "from_trimesh": "scene.add_mesh(name, mesh) for each mesh",
    "nodes_in": "scene.cull(frustum)",
    "query": "scene.query_box, query_sphere, cull and raycast; scene.find(name)",
    "add": "add_mesh, add_node or add_instances",
    "add_group": "scene.add_node(name) is a group; others get it as their parent",
    "add_points": "scene.add_mesh(name, points): without faces it is a cloud of points",
    "add_trimesh": "scene.add_mesh(name, mesh)",
    "center": "it is the mean of scene.bounds()",
    "children": "scene.nodes; those at the top have no parent",
    "export": "octoscope.save(scene, path)",
    "extents": "lower, upper = scene.bounds(); upper - lower",
    "find_all": "scene.find(text or pattern) finds all",
    "geometry": "scene.objects, and the mesh of each",
    "get": "scene[name], and name in scene",
    "hide": "set node.hidden = True, or scene.set_hidden(nodes, True)",
    "measure": "octoscope.measure(scene, nodes)",
    "node": "scene[id] is the node of an id",
    "overlaps": "octoscope.find_overlaps(scene)",
    "pick": "scene.raycast(*camera.ray_through_pixel(pixel, size))",
    "redo": "a History of the scene has undo and redo",
    "remove": "scene.delete(nodes)",
    "render": "octoscope.render(scene, size)",
    "root": "node.parent is None at the top, where there may be several nodes",
    "save": "octoscope.save(scene, path)",
    "screenshot": "octoscope.render(scene, size).save(path)",
    "set_visible": "scene.set_hidden(nodes, hidden)",
    "show": "octoscope.show(scene)",
    "to_trimesh": "node.mesh.to_trimesh() of each node in scene.objects",
    "undo": "a History of the scene has undo and redo",
    "visible": "scene.cull(frustum)",
}

NODE = (
    *("alive", "bounds", "children", "color", "descendants", "hidden", "id", "material", "mesh", "mesh_id", "name"),
    *("parent", "path", "rotate", "rotation", "scale", "scene", "translation", "unselectable", "world_from_local"),
)
NODE_GUESSES = {
    **dict.fromkeys(("distance", "distance_to"), DISTANCE),
    **dict.fromkeys(("export", "save"), "octoscope.save(scene.copy(node), path)"),
    **dict.fromkeys(("local_matrix", "matrix_local"), "its parts are node.translation, rotation and scale"),
    **dict.fromkeys(("apply_transform", "set_matrix", "transform_matrix"), "set node.world_from_local = matrix"),
    "render": "octoscope.render(scene.copy(node), size)",
    **dict.fromkeys(("geometry", "geometries"), "it is called mesh"),
    **dict.fromkeys(("set_colors", "set_material"), "set node.color, node.material"),
    **dict.fromkeys(("colors", "vertex_colors"), f"node.mesh.colors; {VERTEX_COLORS}"),
    "smooth": SMOOTH,
    "world_bounds": "it is called bounds",
    "world_transform": "it is called world_from_local",
    "aabb": "it is called bounds",
    "bounding_box": "it is called bounds",
    "bounding_sphere": "scene.world_spheres[node.id]",
    "location": "it is called translation",
    "matrix_world": "it is called world_from_local",
    "quaternion": "it is called rotation",
    "rename": "set node.name",
    "set_color": "set node.color",
    "set_name": "set node.name",
    "world_matrix": "it is called world_from_local",
    "centroid": "node.mesh.to_trimesh().centroid, or the mean of node.bounds",
    "colormap": "scene.set_scalars(node, scalars, colormap=name)",
    "copy": "scene.add_instances(name, node, translations), or octoscope.editing.duplicate(scene, node)",
    "duplicate": "scene.add_instances(name, node, translations), or octoscope.editing.duplicate(scene, node)",
    "is_deleted": "node.alive, which is its opposite",
    "is_hidden": "it is called hidden",
    "is_watertight": "octoscope.measure(scene, node).is_watertight",
    "local_from_world": "numpy.linalg.inv(node.world_from_local)",
    "overlaps": "octoscope.find_overlaps(scene, nodes)",
    "rotation_degrees": "node.rotate(degrees, axis) turns; node.rotation is a quaternion x, y, z, w",
    "rotation_euler": "node.rotate(degrees, axis) turns; node.rotation is a quaternion x, y, z, w",
    "set_parent": "set node.parent; None is the top",
    "world_position": "node.world_from_local[:3, 3]",
    "ancestors": "follow node.parent up to None",
    "area": "octoscope.measure(scene, node).area",
    "center": "it is the mean of node.bounds",
    "colour": "it is called color",
    "delete": "scene.delete(node)",
    "euler": "node.rotate(degrees, axis) turns; node.rotation is a quaternion x, y, z, w",
    "extents": "lower, upper = node.bounds; upper - lower",
    "faces": "node.mesh.faces",
    "hide": "set node.hidden = True",
    "is_visible": "node.hidden is the flag of the node itself",
    "matrix": "node.world_from_local, which can be set; in the parent's frame, node.translation, rotation and scale",
    "move": "set node.translation += (x, y, z)",
    "opacity": "set node.color = (red, green, blue, opacity)",
    "position": "node.translation, in the parent's frame; node.world_from_local[:3, 3] in the world",
    "remove": "scene.delete(node)",
    "rotate_x": "node.rotate(degrees, 'x')",
    "rotate_y": "node.rotate(degrees, 'y')",
    "rotate_z": "node.rotate(degrees, 'z')",
    "rotation_deg": "node.rotate(degrees, axis) turns; node.rotation is a quaternion x, y, z, w",
    "scalars": "scene.set_scalars(node, scalars)",
    "set_scalars": "scene.set_scalars(node, scalars)",
    "show": "set node.hidden = False",
    "size": "lower, upper = node.bounds; upper - lower",
    "to_trimesh": "node.mesh.to_trimesh()",
    "transform": "node.world_from_local, which can be set; node.translation, rotation and scale in the parent's frame",
    "translate": "set node.translation += (x, y, z)",
    "triangle_count": "len(node.mesh.faces)",
    **dict.fromkeys(("points", "vertices"), "node.mesh.vertices; scene.set_vertices(node, vertices) moves them"),
    "visible": "set node.hidden, which is its opposite",
    "volume": "octoscope.measure(scene, node).volume",
}

NODES = (*("count", "ids", "index", "scene"),)
NODES_GUESSES = {
    **dict.fromkeys(("name",), "scene.names[nodes]"),
    **dict.fromkeys(
        ("position", "translation"), "scene.set_translations(nodes, translations), scene.translations[nodes]"
    ),
    "rotation": "scene.set_rotations(nodes, rotations), scene.rotations[nodes]",
    "scale": "scene.set_scales(nodes, scales), scene.scales[nodes]",
    "translate": "scene.set_translations(nodes, scene.translations[nodes] + (x, y, z))",
    "world_from_local": "scene.set_world_from_local(nodes, matrices), scene.world_from_local[nodes]",
    **dict.fromkeys(("export", "save"), "octoscope.save(scene.copy(nodes), path)"),
    "delete": "scene.delete(nodes)",
    "mesh": "[node.mesh for node in nodes], scene.mesh_ids[nodes]",
    "bounds": "scene.bounds(nodes)",
    "color": "scene.set_colors(nodes, colors)",
    "colors": "scene.set_colors(nodes, colors)",
    "hidden": "scene.set_hidden(nodes, hidden), scene.hidden[nodes]",
    "names": "scene.names[nodes]",
    "positions": "scene.set_translations(nodes, translations), scene.translations[nodes]",
    "rotations": "scene.set_rotations(nodes, rotations), scene.rotations[nodes]",
    "scales": "scene.set_scales(nodes, scales), scene.scales[nodes]",
    "translations": "scene.set_translations(nodes, translations), scene.translations[nodes]",
    "visible": "scene.set_hidden(nodes, hidden), scene.hidden[nodes]",
}

HIT = (*("barycentric", "node", "normal", "point", "t", "triangle", "uv"),)
HIT_GUESSES = {
    "object": "it is called node",
    "distance": "it is called t",
    "face": "it is called triangle",
    "position": "it is called point",
}

RAY_HITS = ("barycentric", "nodes", "t", "triangles")
RAY_HITS_GUESSES = {
    **dict.fromkeys(
        ("locations", "point", "points", "positions"), "origins + hits.t[:, None] * directions of unit length"
    ),
    **dict.fromkeys(("distance", "distances"), "it is called t"),
    **dict.fromkeys(("face", "faces", "triangle"), "it is called triangles"),
    **dict.fromkeys(
        ("ids", "node", "objects"), "hits.nodes are ids, -1 for a miss; scene[hits.nodes[hits.nodes >= 0]]"
    ),
    **dict.fromkeys(("hit", "is_hit", "mask"), "hits.nodes >= 0"),
    "normals": "scene.raycast has the normal of one hit",
}
RAY_ARGUMENTS = {
    **dict.fromkeys(("distance", "far", "length", "max_distance", "max_dist", "tmax"), "it is called t_max"),
    **dict.fromkeys(("all", "every", "multiple_hits"), "scene.raycast_all(origin, direction) returns every triangle"),
    **dict.fromkeys(("ignore", "mask"), "among=nodes, which count"),
    **dict.fromkeys(("nodes", "objects"), "it is called among"),
    "cull_backfaces": "it is back_faces=False",
}

EDITING_GUESSES = {
    **dict.fromkeys(
        ("move", "set_translation", "translate"),
        "change_nodes(scene, nodes, translation=...), set_world(scene, nodes, translation=...) in the world, "
        " or transform(scene, nodes, matrix)",
    ),
    **dict.fromkeys(
        ("rotate", "set_rotation"),
        "change_nodes(scene, nodes, rotation=(x, y, z, w)), or transform(scene, nodes, matrix, pivot=point)",
    ),
    **dict.fromkeys(
        ("scale", "set_scale"), "change_nodes(scene, nodes, scale=...), or transform(scene, nodes, matrix)"
    ),
    **dict.fromkeys(("hide", "set_hidden", "show"), "change_nodes(scene, nodes, hidden=True)"),
    **dict.fromkeys(("copy", "instance"), "it is called duplicate"),
    **dict.fromkeys(("remove", "remove_node"), "it is called delete"),
    **dict.fromkeys(("rename", "set_name"), "change_nodes(scene, nodes, name=...)"),
    **dict.fromkeys(
        ("color", "recolor", "set_color", "set_colors"), "scene.set_colors(nodes, colors), which cannot be undone"
    ),
    **dict.fromkeys(("do", "redo", "undo"), "a History of the scene has do, undo and redo"),
    "set_matrix": "transform(scene, nodes, matrix), or set node.world_from_local, which cannot be undone",
    "set_parent": "it is called reparent",
    "add_node": "scene.add_node(name), which cannot be undone; group(scene, nodes) can",
    "simplify": "it is called decimate",
    **dict.fromkeys(("merge_vertices", "merge_by_distance", "remove_doubles"), "it is called weld"),
    **dict.fromkeys(("fix_normals", "fix_winding", "recalculate_outside"), "it is called face_outward"),
}
