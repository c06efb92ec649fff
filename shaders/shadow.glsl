// Shadow of the key light, looked up in maps of the depths that it sees. Part of light_visibility.glsl.
//
// Each map is drawn for another point of the light's disc: the mean over all of them has soft borders. They are the
// SHADOW_TILES x SHADOW_TILES tiles of one texture. Depth is 1 nearest to the light.

uniform sampler2DShadow shadow_maps;  // a comparison is the mean of four texels
uniform mat4 shadow_from_relative[SHADOW_TILES * SHADOW_TILES];  // to places in a tile, and depths, from 0 to 1
uniform vec3 to_light;                // the middle of the disc, relative
uniform float shadow_texel;           // the side of a texel, world units

// The share of the light that reaches a place on a surface, both relative; below 0 where the surface faces away, which
// is dark in any case.
float lit_share(vec3 place, vec3 normal) {
    float facing = dot(normal, to_light);
    // A texel spans a part of a surface that is deeper the more it is turned away. Looking up a little in front of it
    // keeps the surface out of its own shadow: along the normal, by more the more it is turned away (Holbert, "Saying
    // Goodbye to Shadow Acne", GDC 2011), and a little towards the light.
    float turned = sqrt(max(1.0 - facing * facing, 0.0));
    vec4 before = vec4(place + shadow_texel * (1.6 * turned * normal + 0.8 * to_light), 1.0);
    float lit = 0.0;
    for (int i = 0; i < SHADOW_TILES * SHADOW_TILES; ++i) {
        vec3 found = (shadow_from_relative[i] * before).xyz;
        vec2 tile = vec2(i % SHADOW_TILES, i / SHADOW_TILES);
        vec2 texel = (tile + clamp(found.xy, 0.002, 0.998)) / float(SHADOW_TILES);
        lit += texture(shadow_maps, vec3(texel, min(found.z, 1.0)));
    }
    // Where interpolated normals face the light and triangles do not, the border between light and shade would be
    // jagged.
    return facing <= 0.0 ? -1.0 : mix(1.0, lit / float(SHADOW_TILES * SHADOW_TILES), smoothstep(0.0, 0.2, facing));
}
