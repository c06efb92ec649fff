// The simpler light of moving pictures at the corners of triangles: a geometry stage calculates it once for a flat
// triangle, and for each corner of a smooth one. For each pixel it would take a software renderer as long as the rest
// of a picture, unless triangles are smaller than pixels. Part of mesh.glsl where AT_CORNERS is defined. What the
// vertex stage hands on has other names there, as in wide.glsl.

// Where colours differ within a triangle by more than those of its corners, light is handed on alone, and the fragment
// stage multiplies both; else what is handed on is the colour of the display, or linear light for translucent.glsl.
#if !defined TEXTURED && !defined CAP
#define IS_ENCODED
#endif

// Of what is different at the corners.
#if defined SMOOTH || defined COLORED
#define VARYING
#else
#define VARYING flat
#endif

#if defined VERTEX_SHADER

#define color corner_color
#define emission corner_emission
#define uv corner_uv
#define plain_uv corner_plain_uv
#define second_uv corner_second_uv
#define material_texel corner_material_texel
#define layers corner_layers
#define position corner_position
#define normal corner_normal
#define gloss corner_gloss
#define object corner_object
#define shown_side corner_shown_side
#define distance_ratio corner_distance_ratio

#elif defined GEOMETRY_SHADER

layout(triangles) in;
layout(triangle_strip, max_vertices = 3) out;

#include "received_light.glsl"
#include "light.glsl"

in vec3 corner_position[];
#if defined SMOOTH
in vec4 corner_normal[];
#endif
#if defined COLORED
in vec4 corner_color[];
#else
flat in vec4 corner_color[];
#endif
flat in vec3 corner_gloss[];
#if defined WITH_IDS
flat in float corner_object[];
flat out float object;
#endif
#if defined SINGLE_SIDED
flat in float corner_shown_side[];
#endif
#if defined EMISSIVE
flat in vec3 corner_emission[];
#endif
#if defined TRANSLUCENT
in float corner_distance_ratio[];
out float distance_ratio;
#endif
#if defined SECTION
in vec3 end_relative[];
#endif
#if defined TEXTURED
in vec2 corner_uv[];
flat in vec2 corner_layers[];
out vec2 uv;
flat out vec2 layers;
#if defined TURNED
in vec2 corner_plain_uv[];
flat in ivec2 corner_material_texel[];
out vec2 plain_uv;
flat out ivec2 material_texel;
#if defined SECOND_UVS
in vec2 corner_second_uv[];
out vec2 second_uv;
#endif
#endif
#endif
#if !defined IS_ENCODED
VARYING out vec3 light;
VARYING out vec4 color;
flat out vec3 gloss;
#if defined EMISSIVE
flat out vec3 emission;
#endif
#else
VARYING out vec4 shade;  // and opacity
#endif

// The light on a corner, or what is seen of it, where it has this unit normal; and its opacity.
vec4 seen_at(int corner, vec3 n) {
    vec4 surface = corner_color[corner];
#if defined XRAY
    surface.a *= xray_share(n);
#endif
    vec3 light_here = light_on(n, corner_position[corner], corner_gloss[corner]);
#if !defined IS_ENCODED
    return vec4(light_here, surface.a);
#else
    vec3 gloss_here = corner_gloss[corner];
    vec3 lit = gloss_here.z < 0.0 ? surface.rgb : lit_matt(surface.rgb, gloss_here, light_here);
#if defined EMISSIVE
    lit += no_brighter_than_white(corner_emission[corner]);
#endif
#if !defined TRANSLUCENT
    lit = srgb_from_linear(lit);
#endif
    return vec4(lit, surface.a);
#endif
}

void main() {
    // Of about the length 1, so that the square of no product is too small or too large for a number.
    vec3 along = corner_position[1] - corner_position[0], across = corner_position[2] - corner_position[0];
    vec3 sizes = max(abs(along), abs(across));
    float size = max(sizes.x, max(sizes.y, sizes.z));
    vec3 facet = cross(along / size, across / size);
    facet *= inversesqrt(max(dot(facet, facet), 1e-30));
    float seen_side = dot(facet, to_eye(corner_position[0]));
#if defined SINGLE_SIDED
    if (corner_shown_side[2] * seen_side < 0.0) return;
#endif
    // Both sides are lit: files disagree about winding.
    if (seen_side < 0.0) facet = -facet;
    vec4 seen = seen_at(2, facet);  // outputs have to be written anew for each corner
    for (int corner = 0; corner < 3; ++corner) {
#if defined WITH_IDS
        object = corner_object[2];
#endif
#if defined SMOOTH || defined COLORED
        vec3 n = facet;
#if defined SMOOTH
        vec4 given = corner_normal[corner];
        if (given.w > 0.5) n = normalize(dot(given.xyz, facet) < 0.0 ? -given.xyz : given.xyz);
#endif
        seen = seen_at(corner, n);
#endif
#if !defined IS_ENCODED
        light = seen.rgb;
        color = vec4(corner_color[corner].rgb, seen.a);
        gloss = corner_gloss[2];
#if defined EMISSIVE
        emission = corner_emission[2];
#endif
#else
        shade = seen;
#endif
#if defined TEXTURED
        uv = corner_uv[corner];
        layers = corner_layers[2];
#if defined TURNED
        plain_uv = corner_plain_uv[corner];
        material_texel = corner_material_texel[2];
#if defined SECOND_UVS
        second_uv = corner_second_uv[corner];
#endif
#endif
#endif
#if defined TRANSLUCENT
        distance_ratio = corner_distance_ratio[corner];
#endif
#if defined SECTION
        cut_away(end_relative[corner]);
#endif
        place_in_clip(gl_in[corner].gl_Position);
        EmitVertex();
    }
    EndPrimitive();
}

#endif
