// The planes of a section, which OpenGL clips by: exact along the cut, also between the samples of a pixel. Part of
// mesh.glsl where SECTION or CAP is defined. Every stage that places vertices calls cut_away.

#if defined VERTEX_SHADER && defined GEOMETRY_STAGE

out vec3 end_relative;  // for the geometry stage, which calls cut_away
void cut_away(vec3 relative) { end_relative = relative; }

#elif defined VERTEX_SHADER || defined GEOMETRY_SHADER

uniform vec4 section[MOST_PLANES];  // about the camera: inside is n . p + d >= 0
out float gl_ClipDistance[MOST_PLANES];

void cut_away(vec3 relative) {
    for (int i = 0; i < MOST_PLANES; ++i) gl_ClipDistance[i] = dot(section[i].xyz, relative) + section[i].w;
}

#elif defined FRAGMENT_SHADER

uniform vec2 picture_size;  // pixels

// The share of its colour that a face has where an object is cut open: slanting lines, as in a technical drawing.
float hatching() {
    float spacing = picture_size.y / 60.0;
    float line = abs(fract((gl_FragCoord.x + gl_FragCoord.y) / spacing) - 0.5);  // 0 in its middle
    return mix(0.55, 0.9, smoothstep(0.1, 0.1 + 1.5 / spacing, line));
}

#endif
