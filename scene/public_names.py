"""The public names of scenes, nodes and hits, and what other names that people guess are called here."""

from __future__ import annotations

SCENE = (
    *("add_instances", "add_material", "add_mesh", "add_node", "add_nodes", "alive", "bookmarks", "bounds"),
    *("color_scales", "cull", "delete", "find", "hidden", "ids", "index", "material_overrides", "materials"),
    *("measurements", "mesh_ids", "meshes", "names", "nodes", "objects", "parents", "raycast", "raycast_all"),
    *("raycast_many", "report", "rotations", "row_count", "scales", "set_colors", "set_hidden", "set_materials"),
    *("set_meshes", "set_names", "set_parents", "set_rotations", "set_scalars", "set_scales", "set_translations"),
    *("set_unselectable", "sources", "translations", "tree", "unselectable", "up_axis", "world_from_local"),
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
    "add_copies": "scene.add_instances(name, node, translations)",
    "add_lines": "lines are read from files alone; scene.add_mesh(name, points, vectors=vectors) has arrows",
    "from_trimesh": "scene.add_mesh(name, mesh) for each mesh",
    "nodes_in": "scene.cull(frustum)",
    "query": "scene.cull(frustum), scene.raycast(origin, direction), scene.find(name)",
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
    "matrix": "node.world_from_local; its parts are translation, rotation and scale",
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
    "transform": "node.world_from_local; its parts are translation, rotation and scale",
    "translate": "set node.translation += (x, y, z)",
    "triangle_count": "len(node.mesh.faces)",
    "vertices": "node.mesh.vertices",
    "visible": "set node.hidden, which is its opposite",
    "volume": "octoscope.measure(scene, node).volume",
}

NODES = (*("count", "ids", "index", "scene"),)
NODES_GUESSES = {
    "delete": "scene.delete(nodes)",
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
HIT_GUESSES = {"distance": "it is called t", "face": "it is called triangle", "position": "it is called point"}
