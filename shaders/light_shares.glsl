// Makes shares of light of the sums of light_visibility.glsl. Ambient light is the mean over sixteen neighbours on
// about the same surface, each of which saw other directions. A surface that faces away from the key light has the
// share of those beside it, so that it does not darken them when shares are interpolated.
#include "full_screen.glsl"

#if defined FRAGMENT_SHADER

uniform sampler2D sums;
uniform float count;          // of samples
uniform float radius;         // of ambient occlusion, world units; 0 for none
uniform vec2 dimming;         // strengths of ambient occlusion and shadow
uniform float fade_distance;  // of the ground
// Shares of ambient light and of the key light; 1 where another surface is near; how dark the ground is, as a share of
// the background's sRGB, also a little beyond its borders.
layout(location = 0) out vec4 out_light;
layout(location = 1) out float out_depth;  // along the view, negative on the ground, 0 where nothing is

const float DARKEST = 0.9;   // the opacity of a ground that no light reaches
const float AMBIENT = 0.35;  // share of the ambient light in all of it

float darkness(vec2 shares, float depth) {
    float fade = 1.0 - smoothstep(0.1, 1.0, abs(depth) / fade_distance);
    float dark = DARKEST * fade * (1.0 - mix(shares.y, shares.x, AMBIENT));
    return 1.0 - pow(1.0 - dark, 1.0 / 2.4);
}

// Whether depths of three places in a row do not go on evenly.
bool bends(float before, float here, float after) {
    return abs(before + after - 2.0 * here) > 0.25 * min(abs(before - here), abs(after - here)) + 4e-3 * abs(here);
}

float depth_at(ivec2 texel) {
    vec4 found = texelFetch(sums, clamp(texel, ivec2(0), textureSize(sums, 0) - 1), 0);
    return found.z != 0.0 ? found.z / count : 1e30;
}

void main() {
    ivec2 here = ivec2(gl_FragCoord.xy), last = textureSize(sums, 0) - 1;
    vec4 found = texelFetch(sums, here, 0);
    float depth = found.z / count, sum = 0.0, weights = 0.0, grounds = 0.0;
    vec3 ground = vec3(0.0);  // ambient and key light, and ambient light of a plane
    vec2 facing = vec2(0.0);
    float close = 0.25 * radius + 1e-5 * abs(depth);
    for (int i = 0; i < 16; ++i) {
        vec4 other = texelFetch(sums, clamp(here + ivec2(i & 3, i >> 2) - 2, ivec2(0), last), 0);
        float weight = other.z != 0.0 && abs(other.z / count - depth) < close ? 1.0 : 0.0;
        sum += weight * other.x;
        weights += weight * other.w;
        if (other.y >= 0.0 && other.z != 0.0) facing += vec2(other.y / count, 1.0);
        float is_ground = other.z < 0.0 ? 1.0 : 0.0;
        ground += is_ground * vec3(other.x, max(other.y, 0.0) / count, other.w);
        grounds += is_ground;
    }
    float ambient = weights > 0.0 ? max(sum / weights, 0.0) : 1.0;  // angles are not exact
    ambient *= sqrt(ambient);  // the few steps miss a part of what occludes
    float key = found.y >= 0.0 ? found.y / count : facing.y > 0.0 ? facing.x / facing.y : 1.0;
    vec2 shares = mix(vec2(1.0), min(vec2(ambient, key), 1.0), dimming);
    bool is_border = bends(depth_at(here - ivec2(1, 0)), depth, depth_at(here + ivec2(1, 0)))
        || bends(depth_at(here - ivec2(0, 1)), depth, depth_at(here + ivec2(0, 1)));
    float dark = 0.0;
    if (depth < 0.0) dark = darkness(shares, depth);
    else if (grounds > 0.0)
        dark = darkness(mix(vec2(1.0), vec2(ground.x / max(ground.z, 1e-6), ground.y / grounds), dimming), depth);
    out_light = vec4(shares, is_border ? 1.0 : 0.0, dark);
    out_depth = depth;
}

#endif
