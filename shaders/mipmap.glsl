// Draws a layer of a texture array at half the size: the mean of two by two texels, in linear light where they are read
// and written as such.

#if defined VERTEX_SHADER

// Four corners of a strip, without a buffer.
void main() { gl_Position = vec4(ivec2(gl_VertexID & 1, gl_VertexID >> 1) * 2 - 1, 0.0, 1.0); }

#elif defined FRAGMENT_SHADER

uniform sampler2DArray source;  // whose base level is the one that is read
uniform int layer;
out vec4 out_color;

void main() {
    ivec3 first = ivec3(2 * ivec2(gl_FragCoord.xy), layer);
    vec4 sum = texelFetch(source, first, 0) + texelFetch(source, first + ivec3(1, 0, 0), 0);
    sum += texelFetch(source, first + ivec3(0, 1, 0), 0) + texelFetch(source, first + ivec3(1, 1, 0), 0);
    out_color = 0.25 * sum;
}

#endif
