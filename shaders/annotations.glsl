// Line segments with round ends, or (LABELS defined) pictures of texts, over the finished picture; in pixels, y down.

#if defined VERTEX_SHADER

uniform vec2 picture_size;
in vec2 in_corner;  // of the quad, -1 or 1

#if defined LABELS
in vec4 in_rectangle;  // left, top, width, height
in vec2 in_texel;      // of its picture's top left
out vec2 texel;
#else
uniform float rim;  // pixels that a segment is drawn wider, on each side
in vec4 in_segment;
in float in_width;
in vec3 in_color;
flat out vec4 segment;
flat out float radius;
flat out vec3 color;
#endif

void main() {
#if defined LABELS
    vec2 part = in_corner * 0.5 + 0.5;
    vec2 place = in_rectangle.xy + part * in_rectangle.zw;
    texel = in_texel + part * in_rectangle.zw;
#else
    segment = in_segment;
    radius = in_width * 0.5 + rim;
    color = in_color;
    // A quad about the segment, with room for its round ends and a pixel of smooth edge.
    vec2 along = in_segment.zw - in_segment.xy;
    float span = length(along);
    along = span > 0.0 ? along / span : vec2(1.0, 0.0);
    vec2 across = vec2(-along.y, along.x);
    vec2 place = (in_segment.xy + in_segment.zw) * 0.5 + in_corner.x * along * (span * 0.5 + radius + 1.0)
        + in_corner.y * across * (radius + 1.0);
#endif
    gl_Position = vec4(place / picture_size * vec2(2.0, -2.0) + vec2(-1.0, 1.0), 0.0, 1.0);
}

#elif defined FRAGMENT_SHADER

out vec4 out_color;

#if defined LABELS
uniform sampler2D pictures;
in vec2 texel;
void main() { out_color = texelFetch(pictures, ivec2(texel), 0); }
#else
uniform float height;
uniform vec4 rim_color;
uniform float rim;
flat in vec4 segment;
flat in float radius;
flat in vec3 color;

void main() {
    vec2 place = vec2(gl_FragCoord.x, height - gl_FragCoord.y);
    vec2 along = segment.zw - segment.xy;
    // Distance from the nearest point of the segment's axis; a pixel at the edge is covered in part.
    float square = dot(along, along);
    float part = square > 0.0 ? clamp(dot(place - segment.xy, along) / square, 0.0, 1.0) : 0.0;
    float outside = length(place - segment.xy - part * along) - radius;
    float cover = clamp(0.5 - outside, 0.0, 1.0);
    if (cover == 0.0)
        discard;
    out_color = rim > 0.0 ? vec4(rim_color.rgb, rim_color.a * cover) : vec4(color, cover);
}
#endif

#endif
