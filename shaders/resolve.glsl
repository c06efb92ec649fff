// Draws the mean of the samples at each pixel of a picture, of which there are SAMPLES; in linear light, as both it and
// what is drawn into are read and written.
//   TAKE  one of the samples, and its depth, instead
#include "full_screen.glsl"

#if defined FRAGMENT_SHADER

uniform sampler2DMS source;
#if defined TAKE
uniform sampler2DMS depths;
uniform int number;
#endif
out vec4 out_color;

void main() {
    ivec2 pixel = ivec2(gl_FragCoord.xy);
#if defined TAKE
    out_color = texelFetch(source, pixel, number);
    gl_FragDepth = texelFetch(depths, pixel, number).r;
#else
    vec4 sum = vec4(0.0);
    for (int i = 0; i < SAMPLES; ++i) sum += texelFetch(source, pixel, i);
    out_color = sum / float(SAMPLES);
#endif
}

#endif
