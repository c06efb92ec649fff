// The shares of ambient light and of the key light that reach a surface, from 0 to 1, in fragment shaders. They are
// those of receive_light's last call.
//   RECEIVED_LIGHT   there is the result of light_shares.glsl, for what is opaque
//   RECEIVED_SHADOW  there are shadow maps: for what is translucent, of which several surfaces are at a pixel
// Without either nothing keeps light off.

#if defined RECEIVED_LIGHT

uniform sampler2D received_light;  // as large as the picture, or smaller
uniform sampler2D received_row_depths;  // as light_rows.glsl has them
uniform sampler2D received_row_shares;
uniform vec2 received_scale;  // their pixels to one of the picture

const float DEPTH_TOLERANCE = 0.01;  // share of the depth

vec2 received_shares = vec2(1.0);

// Finds the shares at this pixel, of the surface at a depth along the view.
void receive_light(float depth) {
    vec2 place = gl_FragCoord.xy * received_scale;
    vec3 found = texture(received_light, place / vec2(textureSize(received_light, 0))).xyz;
    received_shares = found.xy;
    // Near a border there are several surfaces around this place: the nearer the depth of a neighbour is to that of
    // this one, the more it counts (Kopf et al., "Joint Bilateral Upsampling", 2007). The four around it may all be of
    // another surface, so there are sixteen. A software renderer goes both ways of an `if`, but leaves a loop early
    // whose end it does not know before.
    int count = found.z == 0.0 ? 0 : 4;
    place = max(place - 0.5, 0.0);
    vec2 first = floor(place), part = place - first;
    int last = textureSize(received_light, 0).y - 1;
    vec4 near = 1.0 - 0.5 * abs(vec4(-1.0, 0.0, 1.0, 2.0) - part.x);
    float scale = 1.0 / (DEPTH_TOLERANCE * depth);
    vec3 sum = vec3(0.0);
    for (int i = 0; i < count; ++i) {
        ivec2 texel = ivec2(int(first.x), clamp(int(first.y) + i - 1, 0, last));
        vec4 apart = (texelFetch(received_row_depths, texel, 0) - depth) * scale;
        vec4 weights = near * (1.0 - 0.5 * abs(float(i - 1) - part.y)) / (1e-3 + apart * apart);
        vec4 steps = texelFetch(received_row_shares, texel, 0);
        vec4 ambient = floor(steps * (1.0 / 256.0));
        sum += vec3(dot(weights, ambient), dot(weights, steps - 256.0 * ambient), dot(weights, vec4(255.0)));
    }
    if (count > 0) received_shares = sum.xy / sum.z;
}

float ambient_visibility() { return received_shares.x; }
float key_light_visibility() { return received_shares.y; }

#elif defined RECEIVED_SHADOW

#include "shadow.glsl"
uniform mat3 relative_from_view;
uniform float shadow_strength;

float received_key_light = 1.0;

// Finds the share of the key light at the fragment's `position`; ambient light is not kept off.
void receive_light(float depth) {
    float lit = lit_share(relative_from_view * position, relative_from_view * normalize(seen_facet()));
    received_key_light = mix(1.0, max(lit, 0.0), shadow_strength);
}

float ambient_visibility() { return 1.0; }
float key_light_visibility() { return received_key_light; }

#elif defined FAST

uniform vec2 mean_visibility;  // as viewer/frame/look/lighting.py has it
float ambient_visibility() { return mean_visibility.x; }
float key_light_visibility() { return mean_visibility.y; }

#else

void receive_light(float depth) {}
float ambient_visibility() { return 1.0; }
float key_light_visibility() { return 1.0; }

#endif
