// The vertices of a program whose fragments are all pixels.
#if defined VERTEX_SHADER
in vec2 in_corner;
void main() { gl_Position = vec4(in_corner, 0.0, 1.0); }
#endif
