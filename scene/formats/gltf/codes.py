"""The numbers that glTF gives to types and modes."""

BYTE, UNSIGNED_BYTE, SHORT, UNSIGNED_SHORT, UNSIGNED_INT, FLOAT = 5120, 5121, 5122, 5123, 5125, 5126
COMPONENT_BYTES = {BYTE: 1, UNSIGNED_BYTE: 1, SHORT: 2, UNSIGNED_SHORT: 2, UNSIGNED_INT: 4, FLOAT: 4}
COMPONENT_TYPES = {BYTE: "i1", UNSIGNED_BYTE: "u1", SHORT: "<i2", UNSIGNED_SHORT: "<u2", UNSIGNED_INT: "<u4"}
COMPONENT_TYPES[FLOAT] = "<f4"
WIDTHS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4}

POINTS, LINES, LINE_LOOP, LINE_STRIP, TRIANGLES, TRIANGLE_STRIP, TRIANGLE_FAN = range(7)

GLB_MAGIC = b"glTF"
JSON_CHUNK, BINARY_CHUNK = 0x4E4F534A, 0x004E4942

TEXTURE_TRANSFORM, UNLIT = "KHR_texture_transform", "KHR_materials_unlit"  # extensions
EMISSIVE_STRENGTH, TRANSMISSION = "KHR_materials_emissive_strength", "KHR_materials_transmission"
CLEARCOAT, IOR, SPECULAR = "KHR_materials_clearcoat", "KHR_materials_ior", "KHR_materials_specular"
MESH_FEATURES, STRUCTURAL_METADATA = "EXT_mesh_features", "EXT_structural_metadata"

DRACO = "KHR_draco_mesh_compression"
MESHOPT = "EXT_meshopt_compression", "KHR_meshopt_compression"  # one content, two names
WEBP_TEXTURE = "EXT_texture_webp"
BASISU_TEXTURE = "KHR_texture_basisu"
GPU_INSTANCING, INSTANCE_FEATURES = "EXT_mesh_gpu_instancing", "EXT_instance_features"

FEATURE_IDS = "_FEATURE_ID_0"  # the attribute of EXT_mesh_features that is written and read

# Of a sampler: how an image goes on beyond its borders, by the words of Texture.
WRAP_CODES = {"repeat": 10497, "clamp": 33071, "mirror": 33648}

# Fields that Octoscope's own files have in "extras". In a mesh's: the centre that was subtracted from its positions.
CENTER = "octoscope_center"

# In a scene's: measurements and labels as in project files (scene/PROJECT.md), with the numbers of the file's nodes and
# points in their frames before a centre was subtracted.
MEASUREMENTS, LABELS = "octoscope_measurements", "octoscope_labels"

# In a camera's: the distance of what it looks at; and for an orthographic camera the angle of view with which a
# perspective one shows the same there.
DISTANCE, FOV_Y = "octoscope_distance", "octoscope_yfov"
