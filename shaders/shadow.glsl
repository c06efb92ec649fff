// Shadow of the key light, looked up in maps of the depths that it sees. Part of light_visibility.glsl.
//
// Each map is drawn for another point of the light's disc: the mean over all of them has soft borders, and as their
// texels lie otherwise, smooth ones. They are the SHADOW_TILES x SHADOW_TILES tiles of one texture. Depth is 1 nearest
// to the light.

uniform sampler2D shadow_maps;
uniform mat4 shadow_from_relative[SHADOW_TILES * SHADOW_TILES];  // to texels of a tile, and depths from 0 to 1
// Of a unit normal: by how much depths of its plane fall from texel to texel, times z, which is how far it faces the
// light.
uniform mat3 slopes_from_normal[SHADOW_TILES * SHADOW_TILES];
uniform vec3 to_light;       // the middle of the disc, relative
uniform float shadow_slack;  // difference of depths that is none: a texel at the foot of a lit wall shows the wall

// The share of the light that reaches a place on a facet, given by its unit normal, both relative; below 0 where it
// faces away, which is dark in any case.
float lit_share(vec3 place, vec3 facet) {
    float facing = dot(facet, to_light), lit = 0.0;
    int side = textureSize(shadow_maps, 0).x / SHADOW_TILES;
    for (int i = 0; i < SHADOW_TILES * SHADOW_TILES; ++i) {
        vec3 found = (shadow_from_relative[i] * vec4(place, 1.0)).xyz;
        ivec2 texel = clamp(ivec2(found.xy), ivec2(0), ivec2(side - 1));
        // The facet's plane where the texel's middle is, which keeps it out of its own shadow (Isidoro, "Shadow
        // Mapping: GPU-based Tips and Techniques", GDC 2006).
        vec3 slopes = slopes_from_normal[i] * facet;
        float depth = found.z + dot(found.xy - vec2(texel) - 0.5, slopes.xy) / max(slopes.z, 0.02);
        texel += side * ivec2(i % SHADOW_TILES, i / SHADOW_TILES);
        lit += max(depth + shadow_slack, 0.0) >= texelFetch(shadow_maps, texel, 0).r ? 1.0 : 0.0;
    }
    // In grazing light depths are not exact.
    return facing <= 0.0 ? -1.0 : mix(1.0, lit / float(SHADOW_TILES * SHADOW_TILES), smoothstep(0.0, 0.2, facing));
}
