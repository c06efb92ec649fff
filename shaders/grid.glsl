// The ground: a level grid that fades with distance, drawn on one large quad under the camera.
#include "depth.glsl"

#if defined VERTEX_SHADER

uniform mat4 clip_from_upright;
uniform float height;
uniform float fade_distance;
in vec2 in_corner;
out vec2 relative;  // upright x and z

void main() {
    relative = in_corner * fade_distance;
    place_in_clip(clip_from_upright * vec4(relative.x, height, relative.y, 1.0));
}

#elif defined FRAGMENT_SHADER

uniform float cell_size;
uniform vec2 phase;  // the camera's position within ten cells; keeps numbers small far from the origin
uniform float fade_distance;
uniform float line_width;  // pixels
uniform vec3 color;  // linear
in vec2 relative;
out vec4 out_color;

// The share of a pixel that lines cover which are `period` world units apart. Lines closer than a few pixels fade out.
float lines(float period, vec2 pixels_per_unit) {
    vec2 pixels = period * pixels_per_unit;
    vec2 distance_in_pixels = abs(fract((relative + phase) / period - 0.5) - 0.5) * pixels;
    vec2 cover = clamp(0.5 + 0.5 * line_width - distance_in_pixels, 0.0, 1.0) * clamp(0.4 * pixels - 1.0, 0.0, 1.0);
    return max(cover.x, cover.y);
}

void main() {
    float fade = 1.0 - smoothstep(0.1, 1.0, length(relative) / fade_distance);
    vec2 pixels_per_unit = 1.0 / max(fwidth(relative), vec2(1e-9 * cell_size));
    float cover = max(0.28 * lines(cell_size, pixels_per_unit), 0.55 * lines(cell_size * 10.0, pixels_per_unit));
    write_depth();
    out_color = vec4(color, cover * fade);
}

#endif
