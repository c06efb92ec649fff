// Draws a picture over a part of another program's framebuffer.
//   TRANSPARENT  the picture has no background: its light is multiplied by its opacity
//   LINEAR       the framebuffer takes linear light
//   DEPTH        with the depths of what is opaque; FARTHEST_ONE: 1 is the farthest there, not 0
#include "common.glsl"
#include "full_screen.glsl"

#if defined FRAGMENT_SHADER

uniform sampler2D picture;  // sRGB, as it is stored
uniform ivec2 corner;       // lower left of the part, pixels
#if defined DEPTH
uniform sampler2D depths;  // 0 is the farthest
uniform vec2 depth_scale;  // their pixels to one of the picture
#endif
out vec4 out_color;

void main() {
    ivec2 pixel = ivec2(gl_FragCoord.xy) - corner;
    // Not texelFetch, which converts sRGB whatever the texture says.
    vec4 color = texture(picture, (vec2(pixel) + 0.5) / vec2(textureSize(picture, 0)));
#if !defined TRANSPARENT
    color.a = 1.0;
#endif
#if defined LINEAR
    color.rgb = linear_from_srgb(color.rgb);
#elif defined TRANSPARENT
    color.rgb = srgb_from_linear(linear_from_srgb(color.rgb) / max(color.a, 1e-6)) * color.a;
#endif
    out_color = color;
#if defined DEPTH
    float depth = texelFetch(depths, ivec2((vec2(pixel) + 0.5) * depth_scale), 0).r;
#if defined FARTHEST_ONE
    depth = 1.0 - depth;
#endif
    gl_FragDepth = depth;
#endif
}

#endif
