// What the stages of mesh.glsl look up of materials: the vertex stage numbers, the fragment stage textures.

#if defined VERTEX_SHADER

// By number, as viewer/rendering/resources/gpu_scene.py packs them; in each texel:
//   0  linear colour and opacity
//   1  share that is mirrored, roughness, metallic (-1: unlit), place of the texture (-2: a colour that nobody chose)
//   2  emission, place of its texture
//   3  scale and offset of texture coordinates
//   4  places of maps: of normals, after it their scale, of surfaces, of occlusion
//   5  strength of occlusion, plus FRONT_ALONE where only front sides are seen; clear coat, its roughness, place of its
//      map
//   6  share that is mirrored straight back, in colour, and at a grazing angle
//   7  place of their texture; 1 where what is mirrored at a grazing angle follows its brightness, too
//   FIRST_LINEAR and on, for TURNED textures in the order of PLACE_OF_...: matrices for texture coordinates
//   FIRST_OFFSETS and on: their offsets, two a texel
// A place is -1 where there is no texture. ON_SECOND_UVS is added to it for a texture that is looked up by the second
// set of texture coordinates, and WRAP_STEP times what is beyond its borders: along u, and three times as much along v;
// 0 if it is repeated, 1 if its border goes on, 2 if it is mirrored.
uniform sampler2D materials;

#if !defined EDGES && !defined OBJECTS && !defined MODE
#if defined UNLIT
uniform vec2 seen_luminance;  // bounds between which a colour stands out from the background
#endif
#if defined EMISSIVE
flat out vec3 emission;  // linear
#endif
#if defined COLORED
in vec4 in_color;  // sRGB, and opacity
out vec4 color;  // linear, and opacity
#else
flat out vec4 color;
#endif
#if defined TEXTURED || defined MAPPED
in vec2 in_uv;
out vec2 uv;
#if defined TURNED && !defined UNLIT
out vec2 plain_uv;
flat out ivec2 material_texel;
#if defined SECOND_UVS
in vec2 in_second_uv;
out vec2 second_uv;
#endif
#endif
#endif
#if defined TEXTURED
flat out vec2 layers;  // of colour and emission
#endif
#if defined MAPPED
flat out vec4 maps;  // place of normals, their scale, places of surface and occlusion
flat out float occlusion_strength;
#endif
#if defined COATED
flat out vec4 dielectric;
flat out vec3 coat;
flat out vec2 mirror_map;
#endif
#if !defined UNLIT
flat out vec3 gloss;  // share that is mirrored straight back; roughness; metallic, or -1 for unlit
#endif

// Sets all that is handed over of a material.
void look_up_material(int material) {
    ivec2 texel = first_texel(material, TEXELS_PER_MATERIAL);
    vec4 surface = texelFetch(materials, texel, 0);
    color = surface;
#if defined COLORED
    color *= vec4(linear_from_srgb(in_color.rgb), in_color.a);
#endif
    vec4 shine = texelFetch(materials, texel + ivec2(1, 0), 0);
#if defined UNLIT
    bool is_chosen = shine.w > -1.5;
#if defined COLORED
    is_chosen = is_chosen || in_color.rgb != vec3(1.0);
#endif
#if defined WIREFRAME
    is_chosen = false;
#endif
    if (!is_chosen) color.rgb = within_luminance(color.rgb, seen_luminance);
#endif
    vec4 glow = texelFetch(materials, texel + ivec2(2, 0), 0);
#if defined EMISSIVE
    emission = glow.rgb;
#endif
#if defined TEXTURED || defined MAPPED
#if defined TURNED
    uv = mat2(texelFetch(materials, texel + ivec2(FIRST_LINEAR, 0), 0)) * in_uv;
    uv += texelFetch(materials, texel + ivec2(FIRST_OFFSETS, 0), 0).xy;
#if !defined UNLIT
    plain_uv = in_uv;
    material_texel = texel;
#if defined SECOND_UVS
    second_uv = in_second_uv;
#endif
#endif
#else
    vec4 placement = texelFetch(materials, texel + ivec2(3, 0), 0);
    uv = in_uv * placement.xy + placement.zw;
#endif
#endif
#if defined TEXTURED
    layers = vec2(shine.w, glow.w);
#endif
#if defined MAPPED
    maps = texelFetch(materials, texel + ivec2(4, 0), 0);
    occlusion_strength = texelFetch(materials, texel + ivec2(5, 0), 0).x;
    if (occlusion_strength >= FRONT_ALONE) occlusion_strength -= FRONT_ALONE;
#endif
#if defined COATED
    coat = texelFetch(materials, texel + ivec2(5, 0), 0).yzw;
    dielectric = texelFetch(materials, texel + ivec2(6, 0), 0);
    mirror_map = texelFetch(materials, texel + ivec2(7, 0), 0).xy;
#endif
#if !defined UNLIT
    gloss = shine.xyz;
#endif
}
#endif

#elif defined FRAGMENT_SHADER

#if defined AT_CORNERS
VARYING in vec4 color;
#elif defined COLORED
in vec4 color;
#else
flat in vec4 color;
#endif
#if defined EMISSIVE
flat in vec3 emission;
#endif
#if defined TEXTURED || defined MAPPED
in vec2 uv;  // of colours; of all textures, unless some are TURNED
#if defined TURNED && !defined UNLIT
uniform sampler2D materials;
in vec2 plain_uv;
flat in ivec2 material_texel;
#if defined SECOND_UVS
in vec2 second_uv;
#endif

// The texture coordinates of one of PLACE_OF_..., by the place of its texture.
vec2 uv_of(int map, float place) {
    mat2 linear = mat2(texelFetch(materials, material_texel + ivec2(FIRST_LINEAR + map, 0), 0));
    vec4 offsets = texelFetch(materials, material_texel + ivec2(FIRST_OFFSETS + map / 2, 0), 0);
    vec2 own = plain_uv;
#if defined SECOND_UVS
    if (fract(place) >= ON_SECOND_UVS) own = second_uv;
#endif
    return linear * own + (map % 2 == 0 ? offsets.xy : offsets.zw);
}
#else
vec2 uv_of(int map, float place) { return uv; }
#endif
#endif
#if defined TEXTURED || defined MAPPED
#if defined WRAPPED
// A texture coordinate, brought into 0 to 1; `border` is how near to 0 and 1 the other side would be mixed in.
float wrapped(int kind, float coordinate, float border) {
    if (kind == 0) return coordinate;
    if (kind == 2) coordinate = 1.0 - abs(coordinate - 2.0 * floor(0.5 * coordinate) - 1.0);
    return clamp(coordinate, border, 1.0 - border);
}

// A texel at `where`, coordinates and layer, of the texture of a place. The arrays themselves are repeated.
vec4 texel_of(sampler2DArray layers_of, float place, vec3 where) {
    vec2 across = dFdx(where.xy);
    vec2 down = dFdy(where.xy);
    vec2 border = min(max(0.5 / vec2(textureSize(layers_of, 0).xy), max(abs(across), abs(down))), 0.5);
    int kinds = int(mod(place, ON_SECOND_UVS) / WRAP_STEP + 0.5);
    vec2 inside = vec2(wrapped(kinds % 3, where.x, border.x), wrapped(kinds / 3, where.y, border.y));
    return textureGrad(layers_of, vec3(inside, where.z), across, down);
}
#else
vec4 texel_of(sampler2DArray layers_of, float place, vec3 where) { return texture(layers_of, where); }
#endif
#endif
#if defined TEXTURED
uniform sampler2DArray textures_0;  // for each size of layers one; there are ARRAYS of them
uniform sampler2DArray textures_1;
uniform sampler2DArray textures_2;
uniform sampler2DArray textures_3;
flat in vec2 layers;

// A texel of a texture at a place: the number of an array, plus MOST_ARRAYS times the layer.
vec4 texel_at(float place, vec2 coordinates) {
    int number = int(place) % MOST_ARRAYS;
    vec3 where = vec3(coordinates, float(int(place) / MOST_ARRAYS));
    // The place is the same for a whole triangle: its derivatives hold.
#if ARRAYS > 1
    if (number == 1) return texel_of(textures_1, place, where);
#endif
#if ARRAYS > 2
    if (number == 2) return texel_of(textures_2, place, where);
#endif
#if ARRAYS > 3
    if (number == 3) return texel_of(textures_3, place, where);
#endif
    return texel_of(textures_0, place, where);
}
#endif

vec4 surface_color() {
    vec4 surface = color;
#if defined TEXTURED
    if (layers.x > -0.5) surface *= texel_at(layers.x, uv);
#endif
#if defined CAP
    surface.rgb *= hatching();
#endif
    return surface;
}

vec3 glow_color() {
#if defined EMISSIVE
#if defined TEXTURED
    if (layers.y > -0.5) {
        vec2 coordinates = uv_of(PLACE_OF_EMISSION, layers.y);
        return no_brighter_than_white(emission * texel_at(layers.y, coordinates).rgb);
    }
#endif
    return no_brighter_than_white(emission);
#else
    return vec3(0.0);
#endif
}

#if !defined UNLIT

flat in vec3 gloss;
#if defined COATED
flat in vec4 dielectric;  // shares that are mirrored where it is no metal: straight back, and at a grazing angle
flat in vec3 coat;        // share under a clear coat, its roughness, place of its map
flat in vec2 mirror_map;  // as in texel 7

// The shares that are mirrored, with their texture.
vec4 mirrored_shares() {
#if defined TEXTURED
    if (mirror_map.x > -0.5) {
        vec4 texel = texel_at(mirror_map.x, uv_of(PLACE_OF_SPECULAR, mirror_map.x));
        float rim = mirror_map.y > 0.5 ? max(texel.r, max(texel.g, texel.b)) : 1.0;
        return dielectric * vec4(texel.rgb, rim) * texel.a;
    }
#endif
    return dielectric;
}
#endif

#if defined MAPPED
uniform sampler2DArray maps_0;  // as textures_0; there are MAP_ARRAYS of them
uniform sampler2DArray maps_1;
uniform sampler2DArray maps_2;
uniform sampler2DArray maps_3;
flat in vec4 maps;
flat in float occlusion_strength;

// The same as texel_at, of a map.
vec3 map_at(float place, vec2 coordinates) {
    int number = int(place) % MOST_ARRAYS;
    vec3 where = vec3(coordinates, float(int(place) / MOST_ARRAYS));
#if MAP_ARRAYS > 1
    if (number == 1) return texel_of(maps_1, place, where).rgb;
#endif
#if MAP_ARRAYS > 2
    if (number == 2) return texel_of(maps_2, place, where).rgb;
#endif
#if MAP_ARRAYS > 3
    if (number == 3) return texel_of(maps_3, place, where).rgb;
#endif
    return texel_of(maps_0, place, where).rgb;
}

// A unit normal bent as the material's map says. The directions in which u and v grow follow from derivatives, so that
// vertices need none: Schüler, "Followup: Normal Mapping Without Precomputed Tangents" (2013).
vec3 bent_normal(vec3 n) {
#if defined CAP
    return n;  // all of it has the texture coordinates of one point: it has no directions in which they grow
#endif
    if (maps.x < -0.5) return n;
    vec2 coordinates = uv_of(PLACE_OF_NORMAL, maps.x);
    vec3 bend = 2.0 * map_at(maps.x, coordinates) - 1.0;
    bend.xy *= maps.y;
    vec3 across = cross(dFdy(position), n);
    vec3 along = cross(n, dFdx(position));
    vec2 uv_x = dFdx(coordinates);
    vec2 uv_y = dFdy(coordinates);
    vec3 toward_u = across * uv_x.x + along * uv_y.x;
    vec3 toward_v = across * uv_x.y + along * uv_y.y;
    float longest = max(dot(toward_u, toward_u), dot(toward_v, toward_v));
    if (longest == 0.0) return n;  // no texture coordinates
    return normalize((toward_u * bend.x + toward_v * bend.y) * inversesqrt(longest) + n * max(bend.z, 0.01));
}
#endif

#endif

#endif
