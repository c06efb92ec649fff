// Lines wider than a pixel: a rectangle around each, and one more at either end, where it is round. Part of mesh.glsl
// and lines.glsl where WIDE is defined. What the vertex stage hands on has other names there, as a geometry stage needs
// a name for what it takes and one for what it makes.

#if defined VERTEX_SHADER

#define color end_color
#define emission end_emission
#define uv end_uv
#define layers end_layers
#define object end_object
#define number end_number
#define number_color end_number_color
#define position end_position
#define distance_ratio end_distance_ratio

#elif defined GEOMETRY_SHADER

layout(lines) in;
layout(triangle_strip, max_vertices = 8) out;

uniform vec2 picture_size;  // pixels
uniform float line_width;   // pixels
noperspective out vec2 beside;  // pixels from the line's beginning: along it, and across
flat out float line_length;     // pixels

#if defined OBJECTS || defined WITH_IDS
flat in float end_object[];
flat out float object;
#endif
#if defined MODE
in vec3 end_position[];
out vec3 position;
#if defined GBUFFER
flat in float end_number[];
flat out float number;
#elif defined OBJECT_IDS || defined MATERIAL_IDS
flat in vec3 end_number_color[];
flat out vec3 number_color;
#endif
#elif !defined EDGES && !defined OBJECTS
#if defined COLORED
in vec4 end_color[];
out vec4 color;
#else
flat in vec4 end_color[];
flat out vec4 color;
#endif
#if defined EMISSIVE
flat in vec3 end_emission[];
flat out vec3 emission;
#endif
#if defined TEXTURED
in vec2 end_uv[];
out vec2 uv;
flat in vec2 end_layers[];
flat out vec2 layers;
#endif
#endif
#if defined TRANSLUCENT
in float end_distance_ratio[];
out float distance_ratio;
#endif
#if defined SECTION
in vec3 end_relative[];
#endif

// Hands on what belongs to a place of the line, a share of its length. No output keeps its value after a vertex.
void hand_on(float share) {
#if defined OBJECTS || defined WITH_IDS
    object = end_object[1];
#endif
#if defined MODE
    position = mix(end_position[0], end_position[1], share);
#if defined GBUFFER
    number = end_number[1];
#elif defined OBJECT_IDS || defined MATERIAL_IDS
    number_color = end_number_color[1];
#endif
#elif !defined EDGES && !defined OBJECTS
#if defined COLORED
    color = mix(end_color[0], end_color[1], share);
#else
    color = end_color[1];
#endif
#if defined EMISSIVE
    emission = end_emission[1];
#endif
#if defined TEXTURED
    uv = mix(end_uv[0], end_uv[1], share);
    layers = end_layers[1];
#endif
#endif
#if defined TRANSLUCENT
    distance_ratio = mix(end_distance_ratio[0], end_distance_ratio[1], share);
#endif
#if defined SECTION
    cut_away(mix(end_relative[0], end_relative[1], share));
#endif
}

void main() {
    vec4 begin = gl_in[0].gl_Position, end = gl_in[1].gl_Position;
    // Of a line through the near plane the part behind it is cut off: it has no place in the picture.
    vec2 before = vec2(begin.w - begin.z, end.w - end.z);
    if (before.x < 0.0 && before.y < 0.0) return;
    float cut = before.x / (before.x - before.y);
    vec2 shares = vec2(before.x < 0.0 ? cut : 0.0, before.y < 0.0 ? cut : 1.0);
    vec4 ends[2] = vec4[2](mix(begin, end, shares.x), mix(begin, end, shares.y));
    vec2 span = (ends[1].xy / ends[1].w - ends[0].xy / ends[0].w) * 0.5 * picture_size;
    float pixels = length(span);
    vec2 along = pixels > 1e-6 ? span / pixels : vec2(1.0, 0.0);
    float radius = 0.5 * line_width;
    for (int corner = 0; corner < 8; ++corner) {
        int number_of_end = corner / 4;
        float ahead = corner < 2 ? -radius : corner < 6 ? 0.0 : radius;
        float aside = corner % 2 == 0 ? -radius : radius;
        vec4 place = ends[number_of_end];
        vec2 offset = along * ahead + vec2(-along.y, along.x) * aside;
        place.xy += offset / (0.5 * picture_size) * place.w;
        beside = vec2(number_of_end == 0 ? ahead : pixels + ahead, aside);
        line_length = pixels;
        hand_on(shares[number_of_end]);
        place_in_clip(place);
        EmitVertex();
    }
    EndPrimitive();
}

#elif defined FRAGMENT_SHADER

uniform float line_width;
noperspective in vec2 beside;
flat in float line_length;

void cut_shape() {
    // Where the sides are is left to the rectangle: each of several samples of a pixel lies inside of it or not.
    float beyond = max(-beside.x, beside.x - line_length);
    if (beyond > 0.0 && beyond * beyond + beside.y * beside.y > 0.25 * line_width * line_width) discard;
}

#endif
