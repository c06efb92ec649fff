// A quiet vertical gradient behind everything; or the environment, if ENVIRONMENT is defined.
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

void main() {
#if defined ENVIRONMENT
    direction = vec3(in_corner * half_size, -1.0);
#else
    up = in_corner.y * 0.5 + 0.5;
#endif
    place_in_clip(vec4(in_corner, 0.0, 1.0));
}

#elif defined FRAGMENT_SHADER

out vec4 out_color;

#if defined ENVIRONMENT

#include "environment.glsl"

in vec3 direction;

void main() {
    write_depth();
    out_color = vec4(srgb_from_linear(with_highlights_rolled_off(environment_light(direction, 0.0))), 1.0);
}

#else

uniform vec3 bottom;  // sRGB, and so is the gradient
uniform vec3 top;
in float up;

void main() {
    write_depth();
    out_color = vec4(mix(bottom, top, up), 1.0);
}

#endif
#endif
