// Draws a picture, or its lower left part, over a viewport: as it is, or enlarged by the texture's filter.
//   WEIGHTED  the picture is a sum, of which a part is drawn
#include "full_screen.glsl"

#if defined FRAGMENT_SHADER

uniform sampler2D source;
uniform ivec2 corner;  // lower left of the viewport, pixels
uniform vec2 scale;    // pixels of the source to one that is drawn
uniform vec2 shown;    // width and height of the part that is drawn, pixels of the source
#if defined WEIGHTED
uniform float weight;
#endif
out vec4 out_color;

void main() {
    // Half a pixel from the part's border the filter does not reach beyond it.
    vec2 place = clamp((gl_FragCoord.xy - vec2(corner)) * scale, vec2(0.5), shown - 0.5);
    out_color = texture(source, place / vec2(textureSize(source, 0)));
#if defined WEIGHTED
    out_color *= weight;
#endif
}

#endif
