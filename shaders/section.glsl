// The planes of a section, which OpenGL clips by: exact along the cut, also between the samples of a pixel. Part of
// mesh.glsl where SECTION is defined. Every stage that places vertices calls cut_away.

#if defined VERTEX_SHADER && defined WIDE

out vec3 end_relative;  // for the geometry stage, which calls cut_away
void cut_away(vec3 relative) { end_relative = relative; }

#elif defined VERTEX_SHADER || defined GEOMETRY_SHADER

const int MOST_PLANES = 6;          // as in viewer/frame/section.py
uniform vec4 section[MOST_PLANES];  // about the camera: inside is n . p + d >= 0
out float gl_ClipDistance[MOST_PLANES];

void cut_away(vec3 relative) {
    for (int i = 0; i < MOST_PLANES; ++i) gl_ClipDistance[i] = dot(section[i].xyz, relative) + section[i].w;
}

#endif
