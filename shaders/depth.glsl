// Depth as viewer/rendering/context/reversed_depth.py has it: in floats, 1 at the near plane and 0 at the far one. Clip
// space holds depths from 0 to w. Every shader that is tested against depth calls place_in_clip and write_depth.
//   FRAGMENT_DEPTH  OpenGL has no such clip space (before 4.5, and on macOS), and maps -w to w to half of the floats:
//                   each fragment writes its depth instead.

#if defined VERTEX_SHADER || defined GEOMETRY_SHADER
invariant gl_Position;  // the same triangles have the same depths in every program: some test whether they are equal
#endif

#if defined VERTEX_SHADER && defined GEOMETRY_STAGE

void place_in_clip(vec4 place) { gl_Position = place; }  // for the geometry stage, which calls the one below

#elif defined FRAGMENT_DEPTH

#if defined VERTEX_SHADER || defined GEOMETRY_SHADER
centroid out vec2 clip_zw;
void place_in_clip(vec4 place) {
    clip_zw = place.zw;
    gl_Position = vec4(place.xy, 2.0 * place.z - place.w, place.w);
}
#elif defined FRAGMENT_SHADER
// Several samples of a pixel get the same depth. Taken at the pixel's middle, where there may be no triangle, it would
// let the far side of a ball win at its silhouette.
centroid in vec2 clip_zw;
float fragment_depth() { return clip_zw.x / clip_zw.y; }
void write_depth() { gl_FragDepth = fragment_depth(); }
#endif

#else

#if defined VERTEX_SHADER || defined GEOMETRY_SHADER
void place_in_clip(vec4 place) { gl_Position = place; }
#elif defined FRAGMENT_SHADER
float fragment_depth() { return gl_FragCoord.z; }
void write_depth() {}
#endif

#endif
