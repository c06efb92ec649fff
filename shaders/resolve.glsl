// Draws the mean of the samples at each pixel of a picture, of which there are SAMPLES; in linear light, as both it and
// what is drawn into are read and written.

#if defined VERTEX_SHADER

in vec2 in_corner;
void main() { gl_Position = vec4(in_corner, 0.0, 1.0); }

#elif defined FRAGMENT_SHADER

uniform sampler2DMS source;
out vec4 out_color;

void main() {
    ivec2 pixel = ivec2(gl_FragCoord.xy);
    vec4 sum = vec4(0.0);
    for (int i = 0; i < SAMPLES; ++i) sum += texelFetch(source, pixel, i);
    out_color = sum / float(SAMPLES);
}

#endif
