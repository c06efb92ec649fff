// Shared by the programs. "relative" is the world's axes about the camera's position.
//
// A picture holds sRGB in 8 bits. What is opaque is lit in linear light and written as sRGB; what is blended over it is
// written as linear light, and OpenGL converts both it and the picture for the blending.

// IEC 61966-2-1, 0 to 1.
vec3 linear_from_srgb(vec3 color) {
    return mix(pow((color + 0.055) / 1.055, vec3(2.4)), color / 12.92, lessThanEqual(color, vec3(0.04045)));
}

// The same backwards, within a fifth of a step of 8 bits: a polynomial of the root, which is cheaper for a software
// renderer than a power.
vec3 srgb_from_linear(vec3 color) {
    vec3 root = sqrt(color);
    vec3 curve = (((-0.3095362 * root + 0.8426866) * root - 0.9447655) * root + 1.4478682) * root - 0.0370019;
    return mix(curve, color * 12.92, lessThanEqual(color, vec3(0.0031308)));
}

// Colours brighter than a display can show come near to its brightest ones in place of being cut off, and keep their
// hue and saturation; those up to 0.8 stay as they are. The shoulder of Khronos' PBR Neutral tone mapper (2024) alone.
vec3 with_highlights_rolled_off(vec3 color) {
    float peak = max(color.r, max(color.g, color.b));
    return peak <= 0.8 ? color : color * ((peak - 0.64) / (peak * (peak - 0.6)));
}

// Makes a linear colour that is brighter than a picture can be as bright as that, in its own hue.
vec3 no_brighter_than_white(vec3 color) { return color / max(1.0, max(color.r, max(color.g, color.b))); }

// Makes a linear colour lighter or darker until its relative luminance lies between two bounds, as Backdrop.seen does.
vec3 within_luminance(vec3 color, vec2 bounds) {
    float luminance = dot(color, vec3(0.2126, 0.7152, 0.0722));
    if (luminance < bounds.x) return mix(color, vec3(1.0), (bounds.x - luminance) / (1.0 - luminance));
    return luminance > bounds.y ? color * (bounds.y / luminance) : color;
}
