// Ambient occlusion from the depths of a picture. Part of light_visibility.glsl.
//
// In some planes through the line of sight the two horizons are found, by steps over the picture, up to which
// neighbouring surfaces hide the sky; the light between them, weighted by its cosine, is known in closed form.
// Source: Jimenez, Wu, Pesce and Jarabo, "Practical Real-Time Strategies for Accurate Indirect Occlusion" (2016).

uniform vec2 sample_number;  // of this sample, and how many there are
uniform sampler2D depths;    // reversed, of clip space; where nothing is they are of the far plane
uniform vec4 from_clip;      // from them to depths along the view: (x * depth + y) / (z * depth + w)
uniform float radius;        // up to which surfaces occlude, world units
uniform float longest_walk;  // pixels

// Planes of a sample at a pixel; sixteen neighbours have others, and light_shares.glsl takes their mean
const int SLICES = 1;
const int FEWEST_STEPS = 3, MOST_STEPS = 8;
const float STEP_PIXELS = 12.0;  // in long walks fewer steps than one in so many leave stripes
const float THICKNESS = 0.3;  // what lies before a surface hides less the farther before it: objects are not endless

// Within 0.01 rad: a polynomial of Lagarde, "Inverse trigonometric functions GPU optimization" (2014).
float arc_cosine(float x) {
    float magnitude = abs(x);
    float angle = (-0.156583 * magnitude + 1.570796) * sqrt(1.0 - min(magnitude, 1.0));
    return x < 0.0 ? 3.1415927 - angle : angle;
}

// The cosine of the horizon on one side of a plane, against the direction to the eye.
float horizon(vec3 place, vec3 eye, vec2 along, float pixels, float phase, float least) {
    float found = least, falloff = 1.6 / (radius * radius);
    int steps = clamp(int(pixels / STEP_PIXELS), FEWEST_STEPS, MOST_STEPS);
    for (int i = 0; i < steps; ++i) {
        float share = (float(i) + phase) / float(steps);
        vec2 texel = floor(gl_FragCoord.xy + along * max(share * share * pixels, 1.0 + float(i)));
        vec2 inside = clamp(texel, vec2(0.0), vec2(picture_size - 1));  // beyond the picture there is nothing
        float clip_depth = texelFetch(depths, ivec2(inside), 0).r;
        float depth = (clip_depth * from_clip.x + from_clip.y) / (clip_depth * from_clip.z + from_clip.w);
        vec3 way = view_place(texel, depth) - place;
        float before = max(dot(way, eye), 0.0), square = dot(way, way);
        float cosine = dot(way, eye) * inversesqrt(max(square, 1e-30));
        // What is farther away hides less, and nothing from the radius on.
        float weight = clamp(1.6 - falloff * (square + THICKNESS * before * before), 0.0, 1.0);
        weight = texel == inside ? weight : 0.0;
        found = max(found, mix(least, cosine, weight));
    }
    return found;
}

// The ambient light that reaches a place, with a unit normal, both on the view's axes, and how much would reach it if
// nothing occluded it: in one plane less or more than 1, which is the mean over all of them.
vec2 ambient_share(vec3 place, vec3 normal, float pixels_per_unit) {
    float pixels = min(radius * pixels_per_unit, longest_walk);
    if (pixels < 1.5) return vec2(1.0);
    vec3 eye = is_parallel ? vec3(0.0, 0.0, 1.0) : normalize(-place);
    ivec2 here = ivec2(gl_FragCoord.xy);
    float turn = (sample_number.x + float(((here.x + here.y & 3) << 2) + (here.x & 3)) / 16.0) / sample_number.y;
    float phase = fract(float(here.y - here.x & 3) / 4.0 + 0.618034 * sample_number.x);
    vec2 sum = vec2(0.0);
    for (int i = 0; i < SLICES; ++i) {
        float angle = 3.1415927 * (float(i) + turn) / float(SLICES);
        vec2 along = vec2(cos(angle), sin(angle));
        // The normal's part in the plane, and its angle from the line of sight.
        vec3 across = normalize(cross(vec3(along, 0.0), eye));
        vec3 in_plane = normal - dot(normal, across) * across;
        float share = max(length(in_plane), 1e-6);
        vec3 tangent = cross(eye, across);
        float cosine = clamp(dot(in_plane, eye) / share, -1.0, 1.0);
        float turned = arc_cosine(cosine) * (dot(in_plane, tangent) < 0.0 ? -1.0 : 1.0);
        float sine = sin(turned);
        // The surface's own horizons are a quarter turn from its normal: cos(turned +- pi / 2).
        float right = arc_cosine(horizon(place, eye, along, pixels, phase, -sine));
        float left = -arc_cosine(horizon(place, eye, -along, pixels, phase, sine));
        right = turned + min(right - turned, 1.5707963);
        left = turned + max(left - turned, -1.5707963);
        float light = 2.0 * (left + right) * sine - cos(2.0 * left - turned) - cos(2.0 * right - turned);
        sum += share * vec2(0.5 * cosine + 0.25 * light, cosine + turned * sine);
    }
    return sum / float(SLICES);
}
