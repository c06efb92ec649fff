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
    *("properties", "properties_at", "query_box", "query_sphere", "raycast", "raycast_all", "raycast_many", "report"),
    *("rotations", "row_count", "scales", "set_colors", "set_hidden", "set_materials", "set_meshes", "set_names"),
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
    **dict.fromkeys(("in_box", "query_aabb"), "scene.query_box(lower, upper)"),
    **dict.fromkeys(("closest", "in_sphere", "nearest", "within"), "scene.query_sphere(center, radius)"),
    **dict.fromkeys(("frustum", "in_frustum", "nodes_in", "visible"), "scene.cull(frustum)"),
    **dict.fromkeys(("pick", "ray"), "scene.raycast(*camera.ray_through_pixel(pixel, size)), or any other ray"),
    **dict.fromkeys(("collisions", "intersections", "overlaps"), "octoscope.find_overlaps(scene)"),
    "distance": DISTANCE,
    **dict.fromkeys(("clone", "snapshot", "subset"), "scene.copy(), and scene.copy(nodes) of some alone"),
    **dict.fromkeys(
        ("add_file", "add_scene", "append", "extend", "import_file", "load", "merge"),
        "octoscope.load([path, other]) opens several files into one scene; "
        "scene.add_mesh(name, node.mesh, material=node.material) takes an object of another",
    ),
    "clear_scalars": "scene.set_scalars(node, None)",
    "set_vectors": "arrows are a node below that of scene.add_mesh(name, points, vectors=vectors): delete and add them",
    "set_vertex_colors": VERTEX_COLORS,
    "set_normals": "scene.set_vertices(node, node.mesh.vertices, normals=normals)",
    **dict.fromkeys(("compute_normals", "smooth"), SMOOTH),
    **dict.fromkeys(("set_points", "update_coordinates", "update_vertices"), "it is called set_vertices"),
    **dict.fromkeys(("set_mesh", "update_mesh"), "set node.mesh = mesh, or scene.set_vertices(node, vertices)"),
    **dict.fromkeys(("set_matrices", "set_transforms", "set_transform"), "scene.set_world_from_local(nodes, matrices)"),
    **dict.fromkeys(
        ("children", "graph", "root"), "scene.nodes, of which those at the top have no parent; print(scene)"
    ),
    **dict.fromkeys(("add_group", "group"), "scene.add_node(name) is a group; others get it as their parent"),
    "octree": "it is called index; scene.cull, query_box, query_sphere and raycast ask it",
    **dict.fromkeys(("select", "selection"), "a window has a selection: octoscope.Window(scene).selection"),
    **dict.fromkeys(("history", "redo", "undo"), "octoscope.History(scene) has undo and redo"),
    **dict.fromkeys(("clear", "remove", "remove_actor", "remove_mesh", "remove_node"), "scene.delete(nodes)"),
    "add_copies": "scene.add_instances(name, node, translations)",
    "add_lines": "lines are read from files alone; scene.add_mesh(name, points, vectors=vectors) has arrows",
    "add_points": "scene.add_mesh(name, points): without faces it is a cloud of points",
    **dict.fromkeys(("add_trimesh", "from_trimesh"), "scene.add_mesh(name, mesh) for each mesh"),
    **dict.fromkeys(("geometry", "to_trimesh"), "node.mesh.to_trimesh() of each node in scene.objects"),
    **dict.fromkeys(("center", "extents"), "lower, upper = scene.bounds(), of which it is the mean or the difference"),
    **dict.fromkeys(("get", "node"), "scene[name], scene[id], and name in scene"),
    **dict.fromkeys(("hide", "set_visible"), "set node.hidden = True, or scene.set_hidden(nodes, True)"),
    "measure": "octoscope.measure(scene, nodes)",
    **dict.fromkeys(("export", "save"), "octoscope.save(scene, path)"),
    **dict.fromkeys(("render", "screenshot"), "octoscope.render(scene, size).save(path)"),
    "show": "octoscope.show(scene)",
}

NODE = (
    *("alive", "bounds", "children", "color", "descendants", "hidden", "id", "material", "mesh", "mesh_id", "name"),
    *("parent", "path", "rotate", "rotation", "scale", "scene", "translation", "unselectable", "world_from_local"),
)
NODE_GUESSES = {
    **dict.fromkeys(("distance", "distance_to"), DISTANCE),
    **dict.fromkeys(("export", "save"), "octoscope.save(scene.copy(node), path)"),
    **dict.fromkeys(("attributes", "metadata", "properties"), "scene.properties(node)"),
    "render": "octoscope.render(scene.copy(node), size)",
    **dict.fromkeys(
        ("local_matrix", "matrix", "transform"),
        "node.world_from_local, which can be set; node.translation, rotation and scale in the parent's frame",
    ),
    **dict.fromkeys(("apply_transform", "set_matrix"), "set node.world_from_local = matrix"),
    **dict.fromkeys(("matrix_world", "world_matrix", "world_transform"), "it is called world_from_local"),
    "local_from_world": "numpy.linalg.inv(node.world_from_local)",
    **dict.fromkeys(("geometry", "geometries"), "it is called mesh"),
    **dict.fromkeys(("opacity", "set_color", "set_colors"), "set node.color = (red, green, blue, opacity)"),
    "set_material": "set node.material",
    **dict.fromkeys(("colors", "vertex_colors"), f"node.mesh.colors; {VERTEX_COLORS}"),
    "smooth": SMOOTH,
    **dict.fromkeys(("aabb", "bounding_box", "world_bounds"), "it is called bounds"),
    **dict.fromkeys(
        ("center", "extents", "size"), "lower, upper = node.bounds, of which it is the mean or the difference"
    ),
    "bounding_sphere": "scene.world_spheres[node.id]",
    **dict.fromkeys(
        ("location", "position", "world_position"),
        "node.translation, in the parent's frame; node.world_from_local[:3, 3] in the world",
    ),
    **dict.fromkeys(("move", "translate"), "set node.translation += (x, y, z)"),
    **dict.fromkeys(
        ("euler", "quaternion", "rotate_x", "rotate_y", "rotate_z", "rotation_degrees", "rotation_euler"),
        "node.rotate(degrees, 'x') turns; node.rotation is a quaternion x, y, z, w",
    ),
    **dict.fromkeys(("rename", "set_name"), "set node.name"),
    "set_parent": "set node.parent; None is the top",
    "ancestors": "follow node.parent up to None",
    **dict.fromkeys(
        ("copy", "duplicate"),
        "scene.add_instances(name, node, translations), or octoscope.editing.duplicate(scene, node)",
    ),
    **dict.fromkeys(("delete", "remove"), "scene.delete(node)"),
    **dict.fromkeys(
        ("hide", "is_hidden", "is_visible", "show", "visible"), "set node.hidden, the flag of the node itself"
    ),
    **dict.fromkeys(("area", "is_watertight", "volume"), "it is one of octoscope.measure(scene, node)"),
    "overlaps": "octoscope.find_overlaps(scene, nodes)",
    **dict.fromkeys(("colormap", "scalars", "set_scalars"), "scene.set_scalars(node, scalars, colormap=name)"),
    **dict.fromkeys(("centroid", "to_trimesh"), "node.mesh.to_trimesh(), which has it"),
    **dict.fromkeys(("faces", "triangle_count"), "node.mesh.faces"),
    **dict.fromkeys(("points", "vertices"), "node.mesh.vertices; scene.set_vertices(node, vertices) moves them"),
}

NODES_GUESSES = {
    **{
        guess: f"scene.set_{column}(nodes, {column}), scene.{column}[nodes]"
        for guess, column in {
            **dict.fromkeys(("position", "positions", "translation", "translations"), "translations"),
            **dict.fromkeys(("rotation", "rotations"), "rotations"),
            **dict.fromkeys(("scale", "scales"), "scales"),
            **dict.fromkeys(("hidden", "visible"), "hidden"),
            **dict.fromkeys(("name", "names"), "names"),
            "world_from_local": "world_from_local",
        }.items()
    },
    "translate": "scene.set_translations(nodes, scene.translations[nodes] + (x, y, z))",
    **dict.fromkeys(("export", "save"), "octoscope.save(scene.copy(nodes), path)"),
    "delete": "scene.delete(nodes)",
    "mesh": "[node.mesh for node in nodes], scene.mesh_ids[nodes]",
    "bounds": "scene.bounds(nodes)",
    **dict.fromkeys(("color", "colors"), "scene.set_colors(nodes, colors)"),
}

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
