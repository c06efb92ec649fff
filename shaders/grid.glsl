// The ground where it is seen from below, before all of the scene: a level grid, drawn on one large quad above the
// camera. Seen from above it is a part of background.glsl.
#include "depth.glsl"

#if defined VERTEX_SHADER

uniform mat4 clip_from_upright;
uniform float height;
uniform float reach;  // half the width of the quad
in vec2 in_corner;
out vec2 relative;  // upright x and z

void main() {
    relative = in_corner * reach;
    place_in_clip(clip_from_upright * vec4(relative.x, height, relative.y, 1.0));
}

#elif defined FRAGMENT_SHADER

#include "ground.glsl"

in vec2 relative;
out vec4 out_color;

void main() {
    write_depth();
    out_color = vec4(line_color, ground_cover(relative));
}

#endif
