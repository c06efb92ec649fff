// Meshes. Without a define: triangles, lit, in the colours of their materials. With one of these:
//   FAST          the same in a simpler light, for pictures that move
//   UNLIT         lines and points, which have no surface for light to fall on
//   EDGES         edges of polygons, in one colour
//   OBJECTS       the id of each object, negative where the scene hides it, for outline.glsl
//   MODE          a way of seeing that needs no material; one more define of modes.glsl says which
// And besides:
//   AT_CORNERS    with FAST: light is calculated at the corners of triangles alone, by a geometry stage
//   WITH_IDS      the id of each object, as OBJECTS draws it, into a second target, but never negative
//   IN_FRONT      with OBJECTS: the depth test leaves nothing that the scene hides
//   DOTS          a point at the centre of each object in place of its mesh
//   TEXTURED      some material has a texture of colours
//   MAPPED        some material has another map: normals, roughness and metal, occlusion
//   SINGLE_SIDED  some material shows only the front sides of its triangles
//   TURNED        some texture is turned, or lies otherwise than the others of its material
//   SECOND_UVS    with TURNED: some texture is looked up by the second set of texture coordinates
//   WRAPPED       some texture is not repeated beyond its borders
//   EMISSIVE      some material shines by itself
//   COATED        some material has a clear coat, or mirrors otherwise than glass does
//   METALS        with FAST: some material is a metal that mirrors
//   SMOOTH        some vertex has a normal; without it every triangle is shaded in its own direction
//   COLORED       some vertex has a colour
//   OPAQUE_PARTS  only the opaque parts of translucent objects, such as the leaf in a picture of a leaf
//   TRANSLUCENT   the other parts of them, gathered for translucent.glsl
//   PEEL          only what is behind the last layer of peel.glsl; without TRANSLUCENT the next layer, whose colours
//                 are multiplied by their opacity
//   WIREFRAME       colours of lines that stand out from the background, also of materials that somebody chose
//   WIDE          lines of more than a pixel, by a geometry stage
//   ROUND         round points
//   SHADOW_CASTER        with UNLIT: what is as opaque as least_opacity alone, which casts a shadow
//   IRRADIANCE    nine colours, of a built-in environment, for light.glsl
//   RECEIVED_LIGHT  light is dimmed by shadows and ambient occlusion
//   RECEIVED_SHADOW light is dimmed by shadows alone
//   XRAY          everything translucent, least where surfaces face the eye
//   SECTION       planes cut something away
//   CAP           faces where they cut objects open
#include "common.glsl"
#include "depth.glsl"

#if defined SECTION || (defined CAP && defined FRAGMENT_SHADER)
#include "section.glsl"
#endif

#if defined WIDE
#include "wide.glsl"
#elif defined AT_CORNERS
#include "fast.glsl"
#endif

#if defined VERTEX_SHADER

// Four texels each, by node id, as viewer/frame/instances.py packs them.
uniform sampler2D instances;
// By mesh id: the only node that shows the mesh, or -1 where several do.
uniform isampler2D lone_nodes;
uniform vec3 camera_high;  // the camera's place in the world is the sum of these two
uniform vec3 camera_low;

// Where the first of so many texels of something lies, in a texture of rows.
ivec2 first_texel(int number, int texels) {
    uint per_row = uint(TEXELS_PER_ROW / texels);
    return ivec2(uint(number) % per_row * uint(texels), uint(number) / per_row);
}

#include "materials.glsl"

uniform mat4 clip_from_relative;
uniform mat3 view_from_relative;
uniform float point_size;  // pixels
#if defined TRANSLUCENT
uniform float focus_distance;
out float distance_ratio;  // from the eye, along the view; 1 where the camera looks at
#endif
in uint in_node;  // one for each instance, or dot
#if !defined DOTS
in vec3 in_position;
in uint in_mesh;
#endif
#if defined WITH_IDS
uniform sampler2D active_nodes;  // by node id: 1 for the objects that were selected last
flat out float object;
#endif
#if defined OBJECTS
uniform bool is_active;  // the objects that were selected last
flat out float object;
#elif !defined EDGES
in uint in_material;
#if defined MODE
#include "modes.glsl"
#endif
#if !defined UNLIT || defined MODE
out vec3 position;  // view axes about the camera
#endif
#if defined SMOOTH
in vec2 in_normal;  // on the square of an octahedron; outside of it where the triangle is to be shaded flat
out vec4 normal;  // as `position`; w is 0 where the triangle is to be shaded flat
#endif
#endif

#if defined SINGLE_SIDED
#if defined OBJECTS
in uint in_material;
#endif
flat out float shown_side;  // 0: both; 1: the front; -1: the front of a mirrored instance, whose windings are reversed
#endif

// -1 where an instance is mirrored: its front is the front of its mesh all the same.
float winding_of(mat3 axes) {
    vec3 sizes = max(abs(axes[0]), max(abs(axes[1]), abs(axes[2])));
    axes /= max(sizes.x, max(sizes.y, sizes.z));
    return dot(cross(axes[0], axes[1]), axes[2]) < 0.0 ? -1.0 : 1.0;
}

// The normal, of any length, that viewer/rendering/resources/gpu_meshes.py has folded onto a square.
vec3 normal_from_octahedral(vec2 place) {
    float z = 1.0 - abs(place.x) - abs(place.y);
    float fold = min(z, 0.0);
    return vec3(place + vec2(place.x < 0.0 ? -fold : fold, place.y < 0.0 ? -fold : fold), z);
}

struct Instance {
    mat3 linear;  // upper left of relative_from_mesh
    vec3 translation;
    int material;  // -1: the mesh's own
};

Instance fetch_instance(int node) {
    ivec2 texel = first_texel(node, 4);
    vec4 x = texelFetch(instances, texel, 0);
    vec4 y = texelFetch(instances, texel + ivec2(1, 0), 0);
    vec4 z = texelFetch(instances, texel + ivec2(2, 0), 0);
    vec4 other = texelFetch(instances, texel + ivec2(3, 0), 0);
    // Far from the world's origin the high parts cancel exactly, and what is left is small. Nothing may be reordered.
    PRECISE vec3 high = ROUNDED(vec3(x.w, y.w, z.w) - camera_high);
    PRECISE vec3 low = ROUNDED(other.xyz - camera_low);
    PRECISE vec3 translation = high + low;
    return Instance(transpose(mat3(x.xyz, y.xyz, z.xyz)), translation, int(other.w));
}

void main() {
#if defined DOTS
    int node = int(in_node);
    vec3 relative = fetch_instance(node).translation;
#else
    int node = texelFetch(lone_nodes, first_texel(int(in_mesh), 1), 0).r;
    if (node < 0) node = int(in_node);
    Instance instance = fetch_instance(node);
    vec3 relative = instance.linear * in_position + instance.translation;
#endif
    place_in_clip(clip_from_relative * vec4(relative, 1.0));
#if defined SECTION
    cut_away(relative);
#endif
#if defined OBJECTS
    object = float(node * 2 + 2 + int(is_active));  // exact up to eight million nodes
#elif defined WITH_IDS
    object = float(node * 2 + 2) + texelFetch(active_nodes, first_texel(node, 1), 0).r;
#endif
#if defined SINGLE_SIDED
    int number_of_material = instance.material >= 0 ? instance.material : int(in_material);
    ivec2 with_side = first_texel(number_of_material, TEXELS_PER_MATERIAL) + ivec2(5, 0);
    shown_side = texelFetch(materials, with_side, 0).x < FRONT_ALONE ? 0.0 : winding_of(instance.linear);
#endif
#if defined EDGES || defined OBJECTS || defined UNLIT
    gl_PointSize = point_size;
#endif
#if defined TRANSLUCENT
    distance_ratio = -(view_from_relative * relative).z / focus_distance;
#endif
#if !defined EDGES && !defined OBJECTS
    int material = instance.material >= 0 ? instance.material : int(in_material);
#if defined OBJECT_IDS
    number_color = color_of_number(node);
#elif defined MATERIAL_IDS
    number_color = color_of_number(material);
#elif defined GBUFFER
    number = float(node + 1);
#elif defined UV
    uv = in_uv;
#elif defined FACING
    winding = winding_of(instance.linear);
#endif
#if !defined MODE
    look_up_material(material);
#endif
#if !defined UNLIT || defined MODE
    position = view_from_relative * relative;
#endif
#if defined SMOOTH
    // The cofactor matrix keeps normals upright under any scale, and needs no inverse.
    mat3 m = instance.linear;
    mat3 cofactor = mat3(cross(m[1], m[2]), cross(m[2], m[0]), cross(m[0], m[1]));
    vec3 turned = cofactor * normal_from_octahedral(in_normal);
    float largest = max(max(abs(turned.x), abs(turned.y)), abs(turned.z));
    bool is_flat = largest == 0.0 || in_normal.x > 1.0;
    normal = is_flat ? vec4(0.0) : vec4(view_from_relative * (turned / largest), 1.0);
#endif
#endif
}

#elif defined FRAGMENT_SHADER

#if defined ROUND
void cut_shape() {
    vec2 place = 2.0 * gl_PointCoord - 1.0;
    if (dot(place, place) > 1.0) discard;
}
#elif defined SINGLE_SIDED && !defined AT_CORNERS
flat in float shown_side;
void cut_shape() {
    if (shown_side * (gl_FrontFacing ? 1.0 : -1.0) < 0.0) discard;
}
#elif !defined WIDE
void cut_shape() {}
#endif

#if defined PEEL
#include "peel.glsl"
#endif

#if defined TRANSLUCENT
layout(location = 0) out vec4 out_light;
layout(location = 1) out float out_weight;
in float distance_ratio;
#elif defined WITH_IDS
layout(location = 0) out vec4 out_color;
layout(location = 1) out float out_object;
flat in float object;
#elif !defined OBJECTS && !defined GBUFFER
out vec4 out_color;
#endif

void write_number() {
#if defined WITH_IDS
    out_object = object;
#endif
}

#if defined OBJECTS

#if !defined IN_FRONT
uniform sampler2D scene_depth;      // of what is opaque
uniform vec2 scene_depth_per_pixel;  // pixels of it
#endif
flat in float object;
out float out_object;
void main() {
    out_object = object;
#if !defined IN_FRONT
    // Another matrix moves these fragments nearer than those of the scene; a steep surface has other depths beside.
    float depth = fragment_depth();
    float before = texelFetch(scene_depth, ivec2(gl_FragCoord.xy * scene_depth_per_pixel), 0).r;
    if (depth + fwidth(depth) < before) out_object = -object;
#endif
    cut_shape();  // beside what is discarded there are no derivatives any more
    write_depth();
}

#elif defined EDGES

const vec4 EDGE_COLOR = vec4(0.0015, 0.0015, 0.0023, 0.85);  // linear, and opacity
void main() {
    cut_shape();
    write_depth();
#if defined PEEL
    peel();
    out_color = vec4(EDGE_COLOR.rgb * EDGE_COLOR.a, EDGE_COLOR.a);
#else
    out_color = EDGE_COLOR;
#endif
}

#else

#if defined SHADOW_CASTER
uniform float least_opacity;
#endif
const float OPAQUE = 254.5 / 255.0;

#if !defined GBUFFER
// Writes a fragment's linear colour and its opacity.
void write(vec3 color, float opacity) {
    cut_shape();
    write_depth();
    write_number();
#if defined PEEL
    peel();
#endif
#if defined TRANSLUCENT || defined PEEL
    if (opacity >= OPAQUE || opacity <= 0.0) discard;
#endif
#if defined TRANSLUCENT
    // A nearer surface weighs more: of two half transparent ones a tenth of the distance apart, about twice as much.
    // The limits keep the sums of many surfaces within half floats.
    float weight = opacity * clamp(pow(max(distance_ratio, 1e-3), -8.0), 5e-3, 50.0);
    out_light = vec4(min(color, 1.0) * weight, opacity);
    out_weight = weight;
#elif defined PEEL
    out_color = vec4(min(color, 1.0) * opacity, opacity);
#else
#if defined SHADOW_CASTER
    if (opacity < least_opacity) discard;
#elif defined OPAQUE_PARTS
    if (opacity < OPAQUE) discard;
#endif
#if !defined IS_ENCODED
    color = srgb_from_linear(color);
#endif
    out_color = vec4(color, 1.0);
#endif
}
#endif

#if (!defined UNLIT || defined MODE) && !defined AT_CORNERS
in vec3 position;
#endif

#if !defined UNLIT && !defined AT_CORNERS

#if defined SMOOTH
in vec4 normal;
#endif

// The normal, of any length, of the triangle's side that is seen.
vec3 seen_facet() { return cross(dFdx(position), dFdy(position)); }

// The surface's unit normal on the side that is seen.
vec3 seen_normal() {
    vec3 facet = seen_facet();
    vec3 n = facet;
#if defined SMOOTH
    // Both sides are lit: files disagree about winding.
    if (normal.w > 0.5) n = dot(normal.xyz, facet) < 0.0 ? -normal.xyz : normal.xyz;
#endif
    return n * inversesqrt(max(dot(n, n), 1e-30));
}

#endif

#if !defined UNLIT && !defined GBUFFER
#include "received_light.glsl"
#include "light.glsl"
#endif

#if defined MODE

#include "modes.glsl"

#if !defined GBUFFER
void main() {
#if defined CLAY
    receive_light(-position.z);
#endif
    cut_shape();
    write_depth();
    write_number();
    out_color = vec4(seen_color(), 1.0);
}
#endif

#elif defined IS_ENCODED

VARYING in vec4 shade;
void main() { write(shade.rgb, shade.a); }

#else

#include "materials.glsl"

#if defined UNLIT

void main() {
    vec4 surface = surface_color();
    write(surface.rgb + glow_color(), surface.a);
}

#else

#if defined AT_CORNERS
VARYING in vec3 light;

void main() {
    vec4 base = surface_color();
    vec3 lit = gloss.z < 0.0 ? base.rgb : lit_matt(base.rgb, gloss, light);
    write(lit + glow_color(), base.a);
}

#elif defined FAST

void main() {
    vec3 n = seen_normal();
    vec4 base = surface_color();
    vec3 lit = gloss.z < 0.0 ? base.rgb : lit_matt(base.rgb, gloss, light_on(n, position, gloss));
#if defined XRAY
    base.a *= xray_share(n);
#endif
    write(lit + glow_color(), base.a);
}

#else

void main() {
    receive_light(-position.z);
    vec3 n = seen_normal();
    vec4 base = surface_color();
    float metallic = max(gloss.z, 0.0);
    float roughness = gloss.y;
    float occlusion = 1.0;
#if defined COATED
    Coat clear = Coat(n, coat.x, coat.y);
#endif
#if defined MAPPED
    if (maps.z > -0.5) {
        vec3 surface = map_at(maps.z, uv_of(PLACE_OF_SURFACE, maps.z));
        roughness *= surface.g;
        metallic *= surface.b;
    }
    if (maps.w > -0.5) occlusion = mix(1.0, map_at(maps.w, uv_of(PLACE_OF_OCCLUSION, maps.w)).r, occlusion_strength);
    n = bent_normal(n);
#if defined COATED
    if (coat.z > -0.5) {
        vec3 surface = map_at(coat.z, uv_of(PLACE_OF_CLEARCOAT, coat.z));
        clear.share *= surface.r;
        clear.roughness *= surface.g;
    }
#endif
#endif
#if defined COATED
    vec4 mirrored = mirrored_shares();
    Surface surface = Surface(n, base.rgb, mirrored.rgb, mirrored.a, metallic, roughness, occlusion);
    vec3 lit = reflected_light(surface, clear);
#else
    // What mirrors less than glass was meant as a highlight alone, and has less of a rim, too.
    float rim = min(25.0 * gloss.x, 1.0);
    vec3 lit = reflected_light(Surface(n, base.rgb, gloss.x, rim, metallic, roughness, occlusion));
#endif
    lit = gloss.z < 0.0 ? base.rgb : with_highlights_rolled_off(lit);
#if defined XRAY
    base.a *= xray_share(n);
#endif
    write(lit + glow_color(), base.a);
}

#endif
#endif
#endif
#endif
#endif
