// A quiet vertical gradient behind everything; or the environment, if ENVIRONMENT is defined.
//   RECEIVED_LIGHT  it is darker where the ground lies in shadow
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

#if defined RECEIVED_LIGHT
uniform sampler2D received_light;  // of light_blur.glsl
uniform vec2 picture_size;
float brightness() { return 1.0 - texture(received_light, gl_FragCoord.xy / picture_size).a; }
#else
float brightness() { return 1.0; }
#endif

#if defined ENVIRONMENT

#include "environment.glsl"

in vec3 direction;

void main() {
    write_depth();
    vec3 color = srgb_from_linear(with_highlights_rolled_off(environment_light(direction, 0.0)));
    out_color = vec4(brightness() * color, 1.0);
}

#else

uniform vec3 bottom;  // sRGB, and so is the gradient
uniform vec3 top;
in float up;

void main() {
    write_depth();
    out_color = vec4(brightness() * mix(bottom, top, up), 1.0);
}

#endif
#endif
