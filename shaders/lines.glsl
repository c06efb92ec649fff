// Thin lines and see-through faces, blended: octree cells (CELLS defined), shapes around objects (SHAPES), or one
// colour. With WIDE and COLORED lines are wider than a pixel.
#include "common.glsl"
#include "depth.glsl"
#if defined WIDE
#include "wide.glsl"
#endif

#if defined VERTEX_SHADER

uniform mat4 clip_from_relative;
uniform vec2 seen_luminance;  // bounds between which a colour stands out from the background
in vec3 in_corner;
#if defined CELLS
in vec3 in_center;
in float in_half_size;
in vec4 in_color;  // sRGB, and opacity
#elif defined SHAPES
in vec3 in_tint;  // sRGB
in vec3 in_x;     // axes of the shape, and its centre
in vec3 in_y;
in vec3 in_z;
in vec3 in_center;
#else
uniform vec4 line_color;
#endif
out vec4 color;  // linear, and opacity

// The linear colour of an sRGB one, made to stand out.
vec3 seen(vec3 color) {
    return within_luminance(linear_from_srgb(color), seen_luminance);
}

void main() {
#if defined CELLS
    color = vec4(seen(in_color.rgb), in_color.a);
    place_in_clip(clip_from_relative * vec4(in_center + in_corner * in_half_size, 1.0));
#elif defined SHAPES
    color = vec4(seen(in_tint), 0.85);
    vec3 relative = in_center + in_corner.x * in_x + in_corner.y * in_y + in_corner.z * in_z;
    place_in_clip(clip_from_relative * vec4(relative, 1.0));
#else
    color = vec4(seen(line_color.rgb), line_color.a);
    place_in_clip(clip_from_relative * vec4(in_corner, 1.0));
#endif
}

#elif defined FRAGMENT_SHADER

in vec4 color;
out vec4 out_color;
void main() {
#if defined WIDE
    cut_shape();
#endif
    write_depth();
    out_color = color;
}

#endif
