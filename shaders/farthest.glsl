// Draws the depth of the farthest sample in each tile of TILE x TILE pixels, for OcclusionCuller
// (viewer/frame/detail/occlusion_culling.py).
//   SAMPLES  their number in a pixel, where there are several
//   TILE     pixels along a side of a tile
#include "full_screen.glsl"

#if defined FRAGMENT_SHADER

#if defined SAMPLES
uniform sampler2DMS depths;
#else
#define SAMPLES 1
uniform sampler2D depths;
#endif
uniform ivec2 size;  // pixels
out float out_depth;

// Constant bounds let drivers unroll the loops: a software renderer takes half the time.
void main() {
    ivec2 first = ivec2(gl_FragCoord.xy) * TILE;
    ivec2 last = size - 1;
    float farthest = 1.0;
    for (int y = 0; y < TILE; ++y) {
        for (int x = 0; x < TILE; ++x) {
            ivec2 pixel = min(first + ivec2(x, y), last);
            for (int i = 0; i < SAMPLES; ++i) farthest = min(farthest, texelFetch(depths, pixel, i).r);
        }
    }
    out_depth = farthest;
}

#endif
