// The light that comes from all around, blurred by the roughness of what mirrors it. Included by light.glsl and
// background.glsl.

uniform sampler3D mirrored;  // on the square of an octahedron, by roughness
uniform vec3 texel;          // one over its texels along each axis
uniform mat3 environment_from_view;

// The environment's light from a direction on the view's axes.
vec3 environment_light(vec3 direction, float roughness) {
    vec3 d = environment_from_view * direction;
    d /= abs(d.x) + abs(d.y) + abs(d.z);
    float fold = max(-d.y, 0.0);
    vec2 place = d.xz + vec2(d.x < 0.0 ? -fold : fold, d.z < 0.0 ? -fold : fold);
    // The middles of the first and the last texel lie on the borders.
    return texture(mirrored, vec3(0.5 + 0.5 * place, roughness) * (1.0 - texel) + 0.5 * texel).rgb;
}
