// Gathers what light_shares.glsl has made at four places beside each other, so that received_light.glsl finds sixteen
// of them in eight texels: a software renderer takes as long for a texel of one number as for one of four.
#include "full_screen.glsl"

#if defined FRAGMENT_SHADER

uniform sampler2D light;
uniform sampler2D depths;
// Of columns x - 1 to x + 2; what lies outside is as the border is.
layout(location = 0) out vec4 out_depths;
layout(location = 1) out vec4 out_shares;  // in steps of 8 bits: that of ambient light, times 256, and of the key light

void main() {
    ivec2 here = ivec2(gl_FragCoord.xy);
    int last = textureSize(light, 0).x - 1;
    for (int i = 0; i < 4; ++i) {
        ivec2 texel = ivec2(clamp(here.x - 1 + i, 0, last), here.y);
        vec2 steps = floor(255.0 * texelFetch(light, texel, 0).xy + 0.5);
        out_depths[i] = texelFetch(depths, texel, 0).r;
        out_shares[i] = 256.0 * steps.x + steps.y;
    }
}

#endif
