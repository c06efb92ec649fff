// Copies a viewport's picture, pixel for pixel, to its place in the whole.

#if defined VERTEX_SHADER

in vec2 in_corner;
void main() { gl_Position = vec4(in_corner, 0.0, 1.0); }

#elif defined FRAGMENT_SHADER

uniform sampler2D part;
uniform ivec2 corner;  // lower left, in the whole
out vec4 out_color;

void main() { out_color = texelFetch(part, ivec2(gl_FragCoord.xy) - corner, 0); }

#endif
