// The lines of the ground, which fade with distance. Included by background.glsl and grid.glsl.

uniform float cell_size;
uniform vec2 phase;  // the camera's position within ten cells; keeps numbers small far from the origin
uniform float fade_distance;
uniform float line_width;  // pixels
uniform vec3 line_color;   // linear

// The share of a pixel that lines cover which are `period` world units apart. Lines closer than a few pixels fade out.
float lines(float period, vec2 relative, vec2 pixels_per_unit) {
    vec2 pixels = period * pixels_per_unit;
    vec2 distance_in_pixels = abs(fract((relative + phase) / period - 0.5) - 0.5) * pixels;
    vec2 cover = clamp(0.5 + 0.5 * line_width - distance_in_pixels, 0.0, 1.0) * clamp(0.4 * pixels - 1.0, 0.0, 1.0);
    return max(cover.x, cover.y);
}

// The share of its colour that the ground has in a pixel: at an upright x and z about the camera.
float ground_cover(vec2 relative) {
    float fade = 1.0 - smoothstep(0.1, 1.0, length(relative) / fade_distance);
    vec2 pixels_per_unit = 1.0 / max(fwidth(relative), vec2(1e-9 * cell_size));
    float fine = lines(cell_size, relative, pixels_per_unit);
    float coarse = lines(cell_size * 10.0, relative, pixels_per_unit);
    return max(0.28 * fine, 0.55 * coarse) * fade;
}
