// The outline of the selection, or of what is hovered over: pixels outside its silhouette with a silhouette pixel near.

#if defined VERTEX_SHADER

in vec2 in_corner;
void main() { gl_Position = vec4(in_corner, 0.0, 1.0); }

#elif defined FRAGMENT_SHADER

uniform sampler2D silhouette;
uniform vec3 color;
uniform float width;  // pixels
out vec4 out_color;

void main() {
    ivec2 here = ivec2(gl_FragCoord.xy);
    ivec2 last = textureSize(silhouette, 0) - 1;
    if (texelFetch(silhouette, here, 0).r > 0.5) discard;
    float nearest = 1e9;
    int reach = int(ceil(width + 0.5));
    for (int y = -reach; y <= reach; ++y)
        for (int x = -reach; x <= reach; ++x)
            if (texelFetch(silhouette, clamp(here + ivec2(x, y), ivec2(0), last), 0).r > 0.5)
                nearest = min(nearest, length(vec2(x, y)));
    float cover = clamp(width + 0.5 - nearest, 0.0, 1.0);
    if (cover <= 0.0) discard;
    out_color = vec4(color, cover);
}

#endif
