// Draws a picture, or its lower left part, over a viewport: as it is, or enlarged by the texture's filter.
//   ENCODED  the picture is a sum in linear light, of which the weighted part becomes sRGB

#if defined VERTEX_SHADER

in vec2 in_corner;
void main() { gl_Position = vec4(in_corner, 0.0, 1.0); }

#elif defined FRAGMENT_SHADER

uniform sampler2D source;
uniform ivec2 corner;  // lower left of the viewport, pixels
uniform vec2 scale;    // pixels of the source to one that is drawn
uniform vec2 shown;    // width and height of the part that is drawn, pixels of the source
#if defined ENCODED
uniform float weight;
#endif
out vec4 out_color;

void main() {
    // Half a pixel from the part's border the filter does not reach beyond it.
    vec2 place = clamp((gl_FragCoord.xy - vec2(corner)) * scale, vec2(0.5), shown - 0.5);
    out_color = texture(source, place / vec2(textureSize(source, 0)));
#if defined ENCODED
    vec3 light = out_color.rgb * weight;
    vec3 curve = 1.055 * pow(light, vec3(1.0 / 2.4)) - 0.055;
    out_color.rgb = mix(curve, light * 12.92, lessThanEqual(light, vec3(0.0031308)));
#endif
}

#endif
