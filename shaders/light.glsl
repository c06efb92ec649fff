// Light on a surface: a key light, and an environment from all around. Part of mesh.glsl; directions are on the view's
// axes.
//
// A surface mirrors with the distribution of GGX (Walter et al., "Microfacet Models for Refraction through Rough
// Surfaces", 2007). No energy is lost or made: what a rough surface mirrors several times is added (Lagarde and
// Golubev, "The Road toward Unified Rendering with Unity's High Definition Render Pipeline", 2018), and what is not
// mirrored is what matt colour can scatter.

#include "environment.glsl"

// By polynomials of the normal, as viewer/frame/look/environment.py has them. Those of built-in environments are
// constants: a software renderer checks the place of each uniform number whenever it reads it, which took a tenth to a
// sixth of the time of drawing. Of panoramas there is no end, and each would be another program.
#if defined IRRADIANCE
const vec3 irradiance[9] = vec3[9](IRRADIANCE);
#else
uniform vec3 irradiance[9];
#endif
uniform bool is_parallel;  // the projection
// The key light is where viewer/frame/look/lighting.py has it.
uniform vec3 key_direction;  // towards it
uniform float key_light;     // its strength

const vec3 KEY_COLOR = vec3(0.76, 0.73, 0.67);  // of a white matt surface that faces it
const float KEY_SOFTNESS = 0.06;  // added to the square of the roughness: the light is no point
const float HORIZON = 2.0;  // steepness with which reflections from behind a triangle fade

#if defined COATED
#define SHARE vec3  // red, green, blue
#else
#define SHARE float
#endif

struct Surface {
    vec3 normal;      // of length 1, on the side that is seen
    vec3 color;
    SHARE gloss;      // the share of light that is mirrored straight back where it is no metal
    float rim;        // the same at a grazing angle
    float metallic;   // 0 to 1
    float roughness;  // 0 to 1
    float occlusion;  // the share of the environment's light that its own map lets through
};

// The direction from a place, on the view's axes about the camera, to the eye.
vec3 to_eye(vec3 place) { return is_parallel ? vec3(0.0, 0.0, 1.0) : normalize(-place); }

// The environment's light on a white matt surface with this unit normal.
vec3 ambient_light(vec3 normal) {
    vec3 n = environment_from_view * normal;
    vec3 light = irradiance[0] + irradiance[1] * n.y + irradiance[2] * n.z + irradiance[3] * n.x
        + irradiance[4] * (n.x * n.y) + irradiance[5] * (n.y * n.z) + irradiance[6] * (3.0 * n.z * n.z - 1.0)
        + irradiance[7] * (n.x * n.z) + irradiance[8] * (n.x * n.x - n.y * n.y);
    return max(light, 0.0);
}

// All light on a white matt surface.
vec3 diffuse_light(vec3 n) {
    vec3 key = KEY_COLOR * (key_light * max(dot(n, key_direction), 0.0));
    return ambient_light(n) * ambient_visibility() + key * key_light_visibility();
}

#if defined XRAY
// The share of its opacity that a surface has: less where it faces the eye.
float xray_share(vec3 n) {
    float away = 1.0 - max(n.z, 0.0);
    return mix(0.12, 0.6, away * away);
}
#endif

#if defined FAST

// The light on a place with this unit normal, or what is seen of it.
vec3 light_on(vec3 n, vec3 place, vec3 gloss) {
    vec3 light = diffuse_light(n);
#if defined METALS
    // Smooth metal mirrors what lies in one direction; the key light on it is seen in few places.
    float mirrored = max(gloss.z, 0.0) * (1.0 - gloss.y);
    if (mirrored > 0.0) {
        vec3 mirrored_from = reflect(-to_eye(place), n);
        light = mix(light, ambient_light(mirrored_from) * ambient_visibility(), mirrored);
    }
#endif
    return light;
}

// The light that a surface sends to the eye as if what it mirrors came from all directions, in about the brightness
// that it has with full light. Gloss is that of mesh.glsl.
vec3 lit_matt(vec3 color, vec3 gloss, vec3 light) {
    vec3 matt = mix(mix(color, vec3(1.0), 0.6 * gloss.x), 0.7 * color, gloss.z);
    return with_highlights_rolled_off(matt * light);
}

#else

// The share of even light from all around that a surface mirrors: as factors of what it mirrors straight back and at a
// grazing angle. After Karis, "Physically Based Shading on Mobile" (2014), with a power in place of an exponential.
vec2 mirrored_share(float facing, float roughness) {
    vec4 r = roughness * vec4(-1.0, -0.0275, -0.572, 0.022) + vec4(1.0, 0.0425, 1.04, -0.04);
    float rim = 1.0 - facing;
    rim *= rim;
    float bend = min(r.x * r.x, rim * rim * rim) * r.x + r.y;
    return vec2(-1.04, 1.04) * bend + r.zw;
}

float brightest(float share) { return share; }
float brightest(vec3 share) { return max(share.r, max(share.g, share.b)); }

// The environment's light from where a surface with this normal mirrors it.
vec3 mirrored_light(vec3 n, vec3 eye, float roughness) {
    vec3 mirrored_from = 2.0 * dot(n, eye) * n - eye;
    vec3 seen = environment_light(mirrored_from, roughness);
#if defined SMOOTH
    // A smoothed normal would mirror what is behind the triangle.
    vec3 facet = seen_facet();
    seen *= clamp(1.0 + HORIZON * dot(mirrored_from, facet) * inversesqrt(max(dot(facet, facet), 1e-30)), 0.0, 1.0);
#endif
    return seen;
}

// The key light as a surface that mirrors all of it sends it to the eye, over the cosine `n_key`.
float glint_of(float n_key, float facing, float to_halfway, float roughness) {
    float n_halfway = (n_key + facing) * to_halfway;
    float alpha = min(roughness * roughness + KEY_SOFTNESS, 1.0);
    float width = min(n_halfway * n_halfway, 1.0) * (alpha * alpha - 1.0) + 1.0;
    // The distribution times pi, and Hammon's approximation of Smith's shadowing ("PBR Diffuse Lighting for GGX+Smith
    // Microsurfaces", 2017) over four cosines.
    return 0.5 * alpha * alpha / (width * width * mix(2.0 * n_key * facing, n_key + facing, alpha));
}

#if defined COATED

// A clear coat; what it mirrors is that of glass.
struct Coat {
    vec3 normal;      // of length 1, on the side that is seen
    float share;      // of the surface that it covers
    float roughness;  // 0 to 1
};

const float COAT_GLOSS = 0.04;

// Puts a coat over a surface: less of the surface's light comes to the eye, as much as the coat mirrors (as in glTF's
// KHR_materials_clearcoat).
//   ambient   the environment's light from the surface to the eye
//   key       the key light's
//   rim       Schlick's fifth power for the key light
void put_coat(Coat coat, vec3 eye, float to_halfway, float rim, inout vec3 ambient, inout vec3 key) {
    if (coat.share <= 0.0) return;
    vec3 n = coat.normal;
    float facing = clamp(dot(n, eye), 1e-3, 1.0);
    vec2 share = mirrored_share(facing, coat.roughness);
    float lack = 1.0 / (share.x + share.y) - 1.0;
    float again = 1.0 + COAT_GLOSS * lack;
    float mirrored = coat.share * (COAT_GLOSS * share.x + share.y) * again;
    ambient = mix(ambient, mirrored_light(n, eye, coat.roughness), mirrored);
    float n_key = max(dot(n, key_direction), 0.0);
    float glint = glint_of(n_key, facing, to_halfway, coat.roughness) * mix(COAT_GLOSS, 1.0, rim) * again;
    key = key * (1.0 - mirrored) + KEY_COLOR * (key_light * n_key * coat.share * glint);
}

#endif

// The light that a surface sends to the eye, with a coat if there are COATED ones.
#if defined COATED
vec3 reflected_light(Surface surface, Coat coat) {
#else
vec3 reflected_light(Surface surface) {
#endif
    vec3 n = surface.normal;
    vec3 eye = to_eye(position);
    float facing = clamp(dot(n, eye), 1e-3, 1.0);

    vec2 share = mirrored_share(facing, surface.roughness);
    // What the share lacks of 1 is mirrored again by the surface, and comes out tinted once more.
    float lack = 1.0 / (share.x + share.y) - 1.0;
    SHARE plain_share = (surface.gloss * share.x + surface.rim * share.y) * (1.0 + surface.gloss * lack);
    vec3 metal_share = (surface.color * share.x + share.y) * (1.0 + surface.color * lack);
    vec3 share_mirrored = mix(vec3(plain_share), metal_share, surface.metallic);
    vec3 matt = surface.color * ((1.0 - surface.metallic) * (1.0 - brightest(plain_share)));
    vec3 ambient = matt * ambient_light(n) + share_mirrored * mirrored_light(n, eye, surface.roughness);

    float n_key = max(dot(n, key_direction), 0.0);
    float eye_key = dot(eye, key_direction);
    float to_halfway = inversesqrt(max(2.0 + 2.0 * eye_key, 1e-6));
    float glint = glint_of(n_key, facing, to_halfway, surface.roughness);
    float rim = 1.0 - (1.0 + eye_key) * to_halfway;  // to the fifth
    rim *= (rim * rim) * (rim * rim);
    vec3 mirror = mix(vec3(surface.gloss), surface.color, surface.metallic);
    float mirror_rim = mix(surface.rim, 1.0, surface.metallic);
    vec3 glints = glint * mix(mirror, vec3(mirror_rim), rim) * (1.0 + mirror * lack);
    vec3 key = KEY_COLOR * (key_light * n_key) * (matt + glints);

#if defined COATED
    put_coat(coat, eye, to_halfway, rim, ambient, key);
#endif
    return ambient * (surface.occlusion * ambient_visibility()) + key * key_light_visibility();
}

#endif
