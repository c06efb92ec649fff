// Depth peeling: of translucent surfaces, only those pass that lie behind the layer that was drawn last. mesh.glsl
// includes this where PEEL is defined; viewer/rendering/passes/depth_peeling.py draws the layers.
//   TRANSLUCENT  all of them, which are tested against the depth of the opaque scene; else the next layer, whose depth
//                is found in a depth buffer of its own

uniform sampler2D last_layer;  // depth of the layer that was drawn last, at each pixel
#if !defined TRANSLUCENT
uniform sampler2D opaque_depth;
#endif

void peel() {
    float depth = fragment_depth();
    if (depth >= texelFetch(last_layer, ivec2(gl_FragCoord.xy), 0).r) discard;
#if !defined TRANSLUCENT
    if (depth <= texelFetch(opaque_depth, ivec2(gl_FragCoord.xy), 0).r) discard;
#endif
}
