// A quiet vertical gradient behind everything; or the environment, if ENVIRONMENT is defined.
//   RECEIVED_LIGHT  it is darker where the ground lies in shadow
//   GROUND          with the lines of the ground, seen from above
//   TRANSPARENT     it is not there: what is drawn is the ground alone, its light multiplied by its opacity
#include "common.glsl"
#include "depth.glsl"

#if defined VERTEX_SHADER

in vec2 in_corner;
#if defined ENVIRONMENT
uniform vec2 half_size;  // of the picture at a distance of 1
out vec3 direction;      // on the view's axes
#else
out float up;
#endif
#if defined GROUND
uniform mat3 ground_from_clip;
out vec3 ground;  // upright x and z about the camera, and 1, all by a factor that is not positive above the horizon
#endif

void main() {
#if defined GROUND
    ground = ground_from_clip * vec3(in_corner, 1.0);
#endif
#if defined ENVIRONMENT
    direction = vec3(in_corner * half_size, -1.0);
#else
    up = in_corner.y * 0.5 + 0.5;
#endif
    place_in_clip(vec4(in_corner, 0.0, 1.0));
}

#elif defined FRAGMENT_SHADER

out vec4 out_color;

#if defined RECEIVED_LIGHT
uniform sampler2D received_light;  // of light_shares.glsl
uniform vec2 picture_size;
float brightness() { return 1.0 - texture(received_light, gl_FragCoord.xy / picture_size).a; }
#else
float brightness() { return 1.0; }
#endif

#if defined ENVIRONMENT

#include "environment.glsl"

in vec3 direction;

vec3 color() { return srgb_from_linear(with_highlights_rolled_off(environment_light(direction, 0.0))); }

#else

uniform vec3 bottom;  // sRGB, and so is the gradient
uniform vec3 top;
in float up;

vec3 color() { return mix(bottom, top, up); }

#endif

#if defined GROUND

#include "ground.glsl"

in vec3 ground;

// The share of the pixel that lines of the ground cover.
float cover() {
    float share = ground_cover(ground.xy / max(ground.z, 1e-30));
    return ground.z > 0.0 ? share : 0.0;
}

#else

const vec3 line_color = vec3(0.0);
float cover() { return 0.0; }

#endif

void main() {
    write_depth();
    float share = cover();
#if defined TRANSPARENT
    // What passes is the light that a white background would have.
    float passing = (1.0 - share) * linear_from_srgb(vec3(brightness())).r;
    out_color = vec4(srgb_from_linear(share * line_color), 1.0 - passing);
#else
    // The lines are blended over it in linear light.
    vec3 behind = brightness() * color();
    out_color = vec4(share > 0.0 ? srgb_from_linear(mix(linear_from_srgb(behind), line_color, share)) : behind, 1.0);
#endif
}

#endif
