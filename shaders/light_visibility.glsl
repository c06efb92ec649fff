// Adds a sample of the share of light that reaches the surface at each pixel: ambient light and the key light. The sum
// of many is smooth; light_shares.glsl makes shares of it, which received_light.glsl reads.
//   SHADOW     the key light is kept off by what casts shadows
//   OCCLUSION  ambient light is kept off by what is near
#include "full_screen.glsl"

#if defined FRAGMENT_SHADER

uniform sampler2D surfaces;  // normals of triangles, relative; depth along the view, 0 where nothing is
uniform ivec2 picture_size;
uniform vec2 range;  // depths along the view, of what gets this sample; others are discarded
uniform vec4 lens;  // half of the picture's width and height at w = 1; w is z * depth + w
uniform bool is_parallel;
uniform mat3 relative_from_view;
uniform mat3 upright_from_view;
// The ground, on which shadows fall, too: the camera's height above it, negative if there is none, and the part of it
// that light may be kept off, lower and upper x and z, upright.
uniform float height_above_ground;
uniform vec4 ground_part;
// Ambient; key; depth, which tells surfaces apart, and is negative on the ground; ambient of a plane
out vec4 out_light;

// A place on the view's axes.
vec3 view_place(vec2 texel, float depth) {
    vec2 half_sizes = ((2.0 * texel + 1.0) / vec2(picture_size) - 1.0) * lens.xy;
    return vec3(half_sizes * (lens.z * depth + lens.w), -depth);
}

#if defined SHADOW
#include "shadow.glsl"
#endif
#if defined OCCLUSION
#include "ambient_occlusion.glsl"
#endif

void main() {
    vec2 texel = floor(gl_FragCoord.xy);
    vec4 surface = texelFetch(surfaces, ivec2(texel), 0);
    vec3 normal = surface.xyz;
    float depth = surface.w;
    bool is_ground = false;
    if (height_above_ground > 0.0) {
        // A place on the line of sight is linear in its depth, and so is its height.
        vec3 first = upright_from_view * view_place(texel, 0.0);
        vec3 further = upright_from_view * view_place(texel, 1.0) - first;
        float to_ground = (-height_above_ground - first.y) / further.y;
        // A floor that lies on the ground is no ground.
        if (to_ground > 0.0 && (depth == 0.0 || to_ground < 0.999 * depth)) {
            vec2 found = (first + to_ground * further).xz;
            if (all(greaterThan(found, ground_part.xy)) && all(lessThan(found, ground_part.zw))) {
                depth = to_ground;
                is_ground = true;
                normal = relative_from_view * (vec3(0.0, 1.0, 0.0) * upright_from_view);
            }
        }
    }
    if (depth == 0.0 || depth <= range.x || depth > range.y) discard;
    vec3 place = view_place(texel, depth);
    out_light = vec4(1.0, 1.0, is_ground ? -depth : depth, 1.0);
#if defined OCCLUSION
    float pixels_per_unit = float(picture_size.y) / (2.0 * lens.y * (lens.z * depth + lens.w));
    out_light.xw = ambient_share(place, normal * relative_from_view, pixels_per_unit);
#endif
#if defined SHADOW
    out_light.y = lit_share(relative_from_view * place, normal);
#endif
}

#endif
