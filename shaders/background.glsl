// A quiet vertical gradient behind everything.
#include "depth.glsl"

#if defined VERTEX_SHADER

in vec2 in_corner;
out float up;
void main() {
    up = in_corner.y * 0.5 + 0.5;
    place_in_clip(vec4(in_corner, 0.0, 1.0));
}

#elif defined FRAGMENT_SHADER

uniform vec3 bottom;  // sRGB, and so is the gradient
uniform vec3 top;
in float up;
out vec4 out_color;
void main() {
    write_depth();
    out_color = vec4(mix(bottom, top, up), 1.0);
}

#endif
