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

// Instances: rows of 256, four texels each, as viewer/frame/frame.py packs them.
struct Instance {
    mat3 linear;       // upper left of relative_from_mesh
    vec3 translation;
    int material;      // -1: the mesh's own
    bool is_active;    // the object that was selected last
};

Instance fetch_instance(sampler2D instances, int index) {
    ivec2 texel = ivec2((index & 255) * 4, index >> 8);
    vec4 x = texelFetch(instances, texel, 0);
    vec4 y = texelFetch(instances, texel + ivec2(1, 0), 0);
    vec4 z = texelFetch(instances, texel + ivec2(2, 0), 0);
    vec2 other = texelFetch(instances, texel + ivec2(3, 0), 0).xy;
    return Instance(transpose(mat3(x.xyz, y.xyz, z.xyz)), vec3(x.w, y.w, z.w), int(other.x), other.y > 0.5);
}
