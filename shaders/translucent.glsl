// Blends the gathered translucent surfaces over the opaque scene, in linear light. Weighted blended order-independent
// transparency: McGuire and Bavoil, "Weighted Blended Order-Independent Transparency", Journal of Computer Graphics
// Techniques 2013. PLAIN: of pictures with one sample a pixel.
#include "full_screen.glsl"

#if defined FRAGMENT_SHADER

#if defined PLAIN
#define SAMPLER sampler2D
const int samples = 1;
#else
#define SAMPLER sampler2DMS
uniform int samples;
#endif
uniform SAMPLER opaque;   // linear, as the format converts it; multiplied by its opacity, where no background is yet
uniform SAMPLER light;    // sum of weighted colours, linear; alpha: share of the light from behind that passes
uniform SAMPLER weights;  // sum of weights
out vec4 out_color;

void main() {
    ivec2 here = ivec2(gl_FragCoord.xy);
    vec4 sum = vec4(0.0);
    float least = 1.0;
    for (int i = 0; i < samples; ++i) {
        vec4 translucent = texelFetch(light, here, i);
        vec4 color = texelFetch(opaque, here, i);
        if (translucent.a < 1.0)
            color = mix(vec4(translucent.rgb / max(texelFetch(weights, here, i).r, 1e-6), 1.0), color, translucent.a);
        least = min(least, translucent.a);
        sum += color;
    }
    if (least == 1.0) discard;
    out_color = sum / float(samples);
}

#endif
