// Draws the depth of the farthest sample in each tile of TILE x TILE pixels, for viewer/frame/occlusion.py.
//   PLAIN  the depths have one sample a pixel

#if defined VERTEX_SHADER

in vec2 in_corner;
void main() { gl_Position = vec4(in_corner, 0.0, 1.0); }

#elif defined FRAGMENT_SHADER

const int TILE = 8;  // as in viewer/frame/occlusion.py

#if defined PLAIN
uniform sampler2D depths;
const int samples = 1;
#else
uniform sampler2DMS depths;
uniform int samples;
#endif
uniform ivec2 size;  // pixels
out float out_depth;

void main() {
    ivec2 first = ivec2(gl_FragCoord.xy) * TILE;
    ivec2 end = min(first + TILE, size);
    float farthest = 1.0;
    for (int y = first.y; y < end.y; ++y) {
        for (int x = first.x; x < end.x; ++x) {
            for (int i = 0; i < samples; ++i) farthest = min(farthest, texelFetch(depths, ivec2(x, y), i).r);
        }
    }
    out_depth = farthest;
}

#endif
