// The ways of seeing that need no material, by the define that viewer/frame/look/shading.py names. Part of mesh.glsl.
// A fragment's colour is seen_color(), as it comes to the display. GBUFFER writes numbers in place of colours.

#if defined VERTEX_SHADER

#if defined OBJECT_IDS || defined MATERIAL_IDS
flat out vec3 number_color;

// Different colours for different numbers, also for neighbours: the multiples of irrational numbers are spread evenly
// over the circle of hues, and over some saturations and values (Roberts, "The Unreasonable Effectiveness of
// Quasirandom Sequences", 2018). Whole numbers of 32 bits keep them exact.
vec3 color_of_number(int number) {
    vec3 place = vec3(uint(number + 1) * uvec3(2654435769u, 2882110345u, 2360945575u) >> 8) / 16777216.0;
    vec3 hue = clamp(abs(fract(place.x + vec3(0.0, 2.0 / 3.0, 1.0 / 3.0)) * 6.0 - 3.0) - 1.0, 0.0, 1.0);
    return mix(0.6, 1.0, place.y) * mix(vec3(1.0), hue, mix(0.5, 0.95, place.z));
}
#endif
#if defined GBUFFER
flat out float number;
#endif
#if defined FACING
flat out float winding;  // -1 where an instance is mirrored: its front is the front of its mesh all the same
#endif
#if defined UV
in vec2 in_uv;
out vec2 uv;
#endif

#elif defined FRAGMENT_SHADER

#if defined GBUFFER

layout(location = 0) out vec4 out_surface;  // normal of the side that is seen, world, or 0; depth along the view
layout(location = 1) out float out_number;  // of the node, plus 1: exact up to sixteen million
uniform mat3 relative_from_view;
flat in float number;

void main() {
    cut_shape();
    write_depth();
#if defined UNLIT
    out_surface = vec4(vec3(0.0), -position.z);
#else
    out_surface = vec4(relative_from_view * seen_normal(), -position.z);
#endif
    out_number = number;
}

#elif defined OBJECT_IDS || defined MATERIAL_IDS

flat in vec3 number_color;
vec3 seen_color() { return number_color; }

#elif defined DEPTH

uniform vec2 seen_depths;  // of the nearest and the farthest object, along the view
vec3 seen_color() { return vec3((seen_depths.y + position.z) / (seen_depths.y - seen_depths.x)); }

#elif defined CLAY

vec3 seen_color() { return srgb_from_linear(0.62 * diffuse_light(seen_normal())); }

#elif defined NORMALS

uniform mat3 relative_from_view;
vec3 seen_color() { return 0.5 + 0.5 * (relative_from_view * seen_normal()); }

#else

// Light from the eye, which leaves the darkest parts visible.
float headlight() { return 0.45 + 0.55 * max(dot(seen_normal(), to_eye(position)), 0.0); }

#if defined FACING

flat in float winding;

vec3 seen_color() {
    float side = (gl_FrontFacing ? 1.0 : -1.0) * winding;  // softpipe compares gl_FrontFacing with a bool wrongly
    return (side > 0.0 ? vec3(0.28, 0.45, 0.90) : vec3(0.90, 0.24, 0.20)) * headlight();
}

#elif defined UV

in vec2 uv;

vec3 seen_color() {
    vec2 squares = 8.0 * uv;
    vec2 width = max(fwidth(squares), vec2(1e-6));
    if (fwidth(uv) == vec2(0.0)) return vec3(0.45) * headlight();  // no texture coordinates
    // The mean over a pixel of a wave of 1 and -1: Quilez, "Filtering the checkerboard pattern" (2016).
    vec2 before = abs(fract((squares - 0.5 * width) * 0.5) - 0.5);
    vec2 after = abs(fract((squares + 0.5 * width) * 0.5) - 0.5);
    vec2 wave = 2.0 * (before - after);
    float checker = 0.5 - 0.5 * clamp(wave.x / width.x, -1.0, 1.0) * clamp(wave.y / width.y, -1.0, 1.0);
    return mix(0.45, 1.0, checker) * vec3(0.25 + 0.75 * fract(uv), 0.55) * headlight();
}

#elif defined MATCAP

uniform vec4 dark;       // and share of the reflected horizon
uniform vec4 bright;     // and number of stripes
uniform vec4 highlight;  // and exponent
uniform vec4 rim;        // and exponent

vec3 seen_color() {
    // Axes about the line of sight, so that a sphere looks the same wherever in the picture it is.
    vec3 eye = to_eye(position);
    vec3 right = normalize(vec3(eye.z, 0.0, -eye.x));
    vec3 normal = seen_normal();
    vec3 n = vec3(dot(right, normal), dot(cross(eye, right), normal), clamp(dot(eye, normal), 0.0, 1.0));
    float lit = 0.5 + 0.5 * dot(n, KEY_DIRECTION);
    vec3 color = mix(dark.rgb, bright.rgb, lit * lit);
    float height = 2.0 * n.y * n.z;  // of the direction that is reflected: 1 above, -1 below
    float horizon = mix(0.30, 1.25, smoothstep(-0.12, 0.10, height)) - 0.45 * max(height, 0.0);
    color *= mix(1.0, horizon, dark.a);
    if (bright.a > 0.0) {
        float wave = sin(3.14159265 * bright.a * height);
        color *= mix(0.08, 1.0, clamp(0.5 + 0.5 * wave / max(fwidth(wave), 1e-4), 0.0, 1.0));
    }
    float facing = max(dot(n, vec3(-0.2247, 0.3246, 0.9188)), 0.0);
    color += highlight.rgb * pow(facing, highlight.a) + rim.rgb * pow(1.0 - n.z, rim.a);
    return min(color, 1.0);
}

#endif
#endif
#endif
