// Lit triangles with material colours, and (MASK defined) their bare silhouette.
#include "common.glsl"

#if defined VERTEX_SHADER

uniform sampler2D instances;
uniform sampler2D materials;  // rows of 256, four texels each: colour and opacity; specular, shininess; emission; texture layer or -1
uniform mat4 clip_from_relative;
uniform mat3 view_from_relative;
#if defined INDIRECT
in uint in_instance;  // counts from the draw's base instance
#define INSTANCE int(in_instance)
#else
uniform int first_instance;
#define INSTANCE (first_instance + gl_InstanceID)
#endif

in vec3 in_position;
#if !defined MASK
in vec4 in_normal;  // w is 0 where the triangle is to be shaded flat
in vec2 in_uv;
in uint in_material;
out vec3 position;  // and the normal below: view axes about the camera
out vec4 normal;
flat out vec4 color;  // linear, and opacity
flat out vec2 gloss;  // specular, shininess
flat out vec3 emission;  // linear
#if defined TEXTURED
out vec3 uv;  // and the layer
#endif
#endif

void main() {
    Instance instance = fetch_instance(instances, INSTANCE);
    vec3 relative = instance.linear * in_position + instance.translation;
    gl_Position = clip_from_relative * vec4(relative, 1.0);
#if !defined MASK
    position = view_from_relative * relative;
    // The cofactor matrix keeps normals upright under any scale, and needs no inverse.
    mat3 m = instance.linear;
    mat3 cofactor = mat3(cross(m[1], m[2]), cross(m[2], m[0]), cross(m[0], m[1]));
    vec3 turned = cofactor * in_normal.xyz;
    float largest = max(max(abs(turned.x), abs(turned.y)), abs(turned.z));
    normal = largest > 0.0 ? vec4(view_from_relative * (turned / largest), in_normal.w) : vec4(0.0);
    int material = instance.material >= 0 ? instance.material : int(in_material);
    ivec2 texel = ivec2((material & 255) * 4, material >> 8);
    vec4 surface = texelFetch(materials, texel, 0);
    color = vec4(linear_from_srgb(surface.rgb), surface.a);
    gloss = texelFetch(materials, texel + ivec2(1, 0), 0).xy;
    emission = linear_from_srgb(texelFetch(materials, texel + ivec2(2, 0), 0).rgb);
#if defined TEXTURED
    uv = vec3(in_uv, texelFetch(materials, texel + ivec2(3, 0), 0).x);
#endif
#endif
}

#elif defined FRAGMENT_SHADER

#if defined MASK

out vec4 out_color;
void main() { out_color = vec4(1.0); }

#else

uniform vec3 up;  // the world's, on the view's axes
in vec3 position;
in vec4 normal;
flat in vec4 color;
flat in vec2 gloss;
flat in vec3 emission;
#if defined TEXTURED
uniform sampler2DArray textures;
in vec3 uv;
#endif
out vec4 out_color;

// Lights are held by the camera, so that every side can be seen; only the sky stays above.
const vec3 KEY = vec3(-0.4130, 0.5965, 0.6883);
const vec3 FILL = vec3(0.8660, -0.1083, 0.4871);
const vec3 HALFWAY = vec3(-0.2247, 0.3246, 0.9188);  // between KEY and the eye

void main() {
    vec3 facet = cross(dFdx(position), dFdy(position));  // points at the camera on either side
    vec3 n = normal.w > 0.5 ? normal.xyz : facet;
    // Both sides are lit: files disagree about winding.
    n *= inversesqrt(max(dot(n, n), 1e-30)) * (dot(n, facet) < 0.0 ? -1.0 : 1.0);

    vec3 light = mix(vec3(0.13, 0.11, 0.10), vec3(0.30, 0.34, 0.40), 0.5 + 0.5 * dot(n, up));
    light += vec3(0.76, 0.73, 0.67) * max(dot(n, KEY), 0.0);
    light += vec3(0.10, 0.11, 0.14) * max(dot(n, FILL), 0.0);
    // Schlick's rational form of a power: the highlight needs no more.
    float facing = max(dot(n, HALFWAY), 0.0);
    float highlight = facing / (gloss.y - gloss.y * facing + facing);
    vec4 surface = color;
#if defined TEXTURED
    if (uv.z > -0.5) {  // the same for a whole triangle: its derivatives hold
        vec4 texel = texture(textures, uv);
        surface *= vec4(linear_from_srgb(texel.rgb), texel.a);
    }
#endif
    vec3 lit = surface.rgb * light + emission + gloss.x * 0.25 * highlight;
    out_color = vec4(srgb_from_linear(lit), surface.a);
}

#endif
#endif
