// Shared by the programs. Colours are lit in linear light and written as sRGB.
// "relative" is the world's axes about the camera's position.

// Gamma 2 in place of the exact curve: the two conversions cancel, and a square root is cheap for a software renderer.
vec3 linear_from_srgb(vec3 color) { return color * color; }
vec3 srgb_from_linear(vec3 color) { return sqrt(color); }

// Makes a linear colour lighter or darker until its relative luminance lies between two bounds.
vec3 within_luminance(vec3 color, vec2 bounds) {
    float luminance = dot(color, vec3(0.2126, 0.7152, 0.0722));
    if (luminance < bounds.x) return mix(color, vec3(1.0), (bounds.x - luminance) / (1.0 - luminance));
    return luminance > bounds.y ? color * (bounds.y / luminance) : color;
}
