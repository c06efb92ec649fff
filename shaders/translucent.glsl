// Blends the gathered translucent surfaces over the opaque scene, in linear light. Weighted blended order-independent
// transparency: McGuire and Bavoil, "Weighted Blended Order-Independent Transparency", Journal of Computer Graphics
// Techniques 2013. PLAIN: of pictures with one sample a pixel.

#if defined VERTEX_SHADER

in vec2 in_corner;
void main() { gl_Position = vec4(in_corner, 0.0, 1.0); }

#elif defined FRAGMENT_SHADER

#if defined PLAIN
#define SAMPLER sampler2D
const int samples = 1;
#else
#define SAMPLER sampler2DMS
uniform int samples;
#endif
uniform SAMPLER opaque;   // linear, as the format converts it
uniform SAMPLER light;    // sum of weighted colours, linear; alpha: share of the light from behind that passes
uniform SAMPLER weights;  // sum of weights
out vec4 out_color;

void main() {
    ivec2 here = ivec2(gl_FragCoord.xy);
    vec3 sum = vec3(0.0);
    float least = 1.0;
    for (int i = 0; i < samples; ++i) {
        vec4 translucent = texelFetch(light, here, i);
        vec3 color = texelFetch(opaque, here, i).rgb;
        if (translucent.a < 1.0)
            color = mix(translucent.rgb / max(texelFetch(weights, here, i).r, 1e-6), color, translucent.a);
        least = min(least, translucent.a);
        sum += color;
    }
    if (least == 1.0) discard;
    out_color = vec4(sum / float(samples), 1.0);
}

#endif
