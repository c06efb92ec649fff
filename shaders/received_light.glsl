// The shares of ambient light and of the key light that reach a surface, from 0 to 1, in fragment shaders. They are
// those of receive_light's last call.
//   RECEIVED_LIGHT  there is the result of light_blur.glsl; else nothing keeps light off

#if defined RECEIVED_LIGHT

uniform sampler2D received_light;   // as large as the picture, or smaller
uniform sampler2D received_depths;
uniform vec2 received_scale;        // their pixels to one of the picture

vec2 received_shares = vec2(1.0);

// Finds the shares at this pixel, of the surface at a depth along the view.
void receive_light(float depth) {
    vec2 place = gl_FragCoord.xy * received_scale;
    vec3 found = texture(received_light, place / vec2(textureSize(received_light, 0))).xyz;
    received_shares = found.xy;
    // Near a border there are several surfaces around this place: then it is the one that is nearest to this depth.
    ivec2 first = ivec2(floor(place - 0.5)), last = textureSize(received_light, 0) - 1;
    float least = 1e30;
    for (int i = 0; i < 4 && found.z > 0.0; ++i) {
        ivec2 texel = clamp(first + ivec2(i & 1, i >> 1), ivec2(0), last);
        float apart = abs(texelFetch(received_depths, texel, 0).r - depth);
        received_shares = apart < least ? texelFetch(received_light, texel, 0).xy : received_shares;
        least = min(least, apart);
    }
}

float ambient_visibility() { return received_shares.x; }
float key_light_visibility() { return received_shares.y; }

#else

void receive_light(float depth) {}
float ambient_visibility() { return 1.0; }
float key_light_visibility() { return 1.0; }

#endif
