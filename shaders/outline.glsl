// Outlines of selected or hovered objects, around each of them and between two that touch. A line has a dark rim on
// both sides, so that it is seen on any colour. Where the object is hidden, the line is thinner and fainter. The steps
// to it are programs of their own:
//   TILES    draws the least and the greatest number in each tile of TILE x TILE pixels: most of the picture has
//            nothing but one number in reach, and is not looked at
//   ROWS     draws where in its row each pixel finds the nearest object, for lines around objects: of these nearest
//            ones, those of the rows above and below are all that such a line has to look at
//   AROUND   draws lines in tiles that are in part without an object
//   BETWEEN  draws lines in tiles that objects fill

const int TILE = 8;  // as in viewer/rendering/passes/viewport_target.py

#if defined VERTEX_SHADER

#if defined TILES

in vec2 in_corner;
void main() { gl_Position = vec4(in_corner, 0.0, 1.0); }

#else

uniform sampler2D tiles;
uniform int reach;  // pixels from an object to the end of the line around it

// A point for each tile, as large as that; it is nowhere where the tile is not needed. The viewport has whole tiles.
void main() {
    ivec2 size = textureSize(tiles, 0);
    ivec2 tile = ivec2(gl_VertexID % size.x, gl_VertexID / size.x);
    int around = (reach + TILE - 1) / TILE;
    ivec2 first = max(tile - around, ivec2(0));
    ivec2 last = min(tile + around, size - 1);
    vec2 own = texelFetch(tiles, tile, 0).rg;
    vec2 range = own;
    for (int y = first.y; y <= last.y; ++y) {
        for (int x = first.x; x <= last.x; ++x) {
            vec2 other = texelFetch(tiles, ivec2(x, y), 0).rg;
            range = vec2(min(range.x, other.x), max(range.y, other.y));
        }
    }
#if defined ROWS
    bool is_needed = range.x == 0.0;
#elif defined AROUND
    bool is_needed = own.x == 0.0;
#else
    bool is_needed = own.x != 0.0;
#endif
    vec2 place = (vec2(tile) + 0.5) / vec2(size);
    gl_Position = is_needed && range.x != range.y ? vec4(place * 2.0 - 1.0, 0.0, 1.0) : vec4(2.0, 2.0, 2.0, 1.0);
    gl_PointSize = float(TILE);
}

#endif

#elif defined FRAGMENT_SHADER

// 0 for none, else twice the object's number, plus 1 for the active object; negative where it is hidden.
uniform sampler2D objects;

#if defined TILES

out vec2 out_range;

// Constant bounds let drivers unroll the loops.
void main() {
    ivec2 first = ivec2(gl_FragCoord.xy) * TILE;
    ivec2 last = textureSize(objects, 0) - 1;
    float least = abs(texelFetch(objects, first, 0).r);
    float greatest = least;
    for (int y = 0; y < TILE; ++y) {
        for (int x = 0; x < TILE; ++x) {
            float object = abs(texelFetch(objects, min(first + ivec2(x, y), last), 0).r);
            least = min(least, object);
            greatest = max(greatest, object);
        }
    }
    out_range = vec2(least, greatest);
}

#else

float object_at(ivec2 place) {
    return texelFetch(objects, clamp(place, ivec2(0), textureSize(objects, 0) - 1), 0).r;
}

float is_active(float object) { return 2.0 * fract(0.5 * object); }

// A row's nearest object is kept in a byte: 0 for none, else twice the pixels to the right of it plus this, plus 1 for
// the active object.
const float MIDDLE = 128.0;

uniform int reach;  // pixels from an object to the end of the line around it

#if defined ROWS

out float out_nearest;

void main() {
    ivec2 here = ivec2(gl_FragCoord.xy);
    float best = 1e6;  // twice the distance, less for the active object
    float nearest = 0.0;
    for (int x = -reach; x <= reach; ++x) {
        float object = object_at(here + ivec2(x, 0));
        float order = 2.0 * abs(float(x)) - is_active(object);
        if (object != 0.0 && order < best) {
            best = order;
            nearest = MIDDLE + 2.0 * float(x) + is_active(object);
        }
    }
    out_nearest = nearest / 255.0;
}

#else

#if defined AROUND
uniform sampler2D rows;
#endif
uniform vec3 color;
uniform vec3 active_color;
uniform vec2 width;         // pixels; of what is seen, and of what is hidden
uniform vec2 rim;           // pixels, on either side; the same
uniform int reach_between;  // as `reach`, for a line between two objects
out vec4 out_color;

const vec4 RIM_COLOR = vec4(0.03, 0.03, 0.04, 0.75);
const float HIDDEN_OPACITY = 0.6;

// The nearest object other than that of a pixel: what `objects` has there, or 0 for none, and its distance.
struct Nearest {
    float object;
    float square;  // of pixels
};

// Looks at one more pixel; of equally near objects the active one is taken.
void look(ivec2 here, ivec2 offset, float own, inout Nearest nearest) {
    float object = object_at(here + offset);
    float square = float(offset.x * offset.x + offset.y * offset.y);
    bool is_preferred = square == nearest.square && is_active(object) > 0.0;
    bool is_other = object != 0.0 && abs(object) != own;
    if (is_other && (square < nearest.square || is_preferred)) nearest = Nearest(object, square);
}

// For a pixel that has an object.
Nearest object_beside(ivec2 here, float own) {
    Nearest nearest = Nearest(0.0, 1e6);
    // Most lines reach no farther than this. Without a loop that takes half the time where the processor draws.
    look(here, ivec2(1, 0), own, nearest);
    look(here, ivec2(-1, 0), own, nearest);
    look(here, ivec2(0, 1), own, nearest);
    look(here, ivec2(0, -1), own, nearest);
    for (int ring = 2; ring <= reach_between; ++ring) {  // squares, until none can be nearer
        if (float(ring * ring) > nearest.square) break;
        for (int i = -ring; i < ring; ++i) {
            look(here, ivec2(i, -ring), own, nearest);
            look(here, ivec2(ring, i), own, nearest);
            look(here, ivec2(-i, ring), own, nearest);
            look(here, ivec2(-ring, -i), own, nearest);
        }
    }
    return nearest;
}

#if defined AROUND

// For a pixel that has none.
Nearest object_around(ivec2 here) {
    float best = 1e6;  // twice the square of the distance, less for the active object
    ivec2 offset = ivec2(0);
    for (int y = -reach; y <= reach; ++y) {
        int row = clamp(here.y + y, 0, textureSize(rows, 0).y - 1);
        float nearest = round(255.0 * texelFetch(rows, ivec2(here.x, row), 0).r);
        float x = floor(0.5 * (nearest - MIDDLE));
        float order = 2.0 * (x * x + float(y * y)) - is_active(nearest);
        if (nearest > 0.0 && order < best) {
            best = order;
            offset = ivec2(x, y);
        }
    }
    if (best == 1e6) return Nearest(0.0, best);
    return Nearest(object_at(here + offset), float(offset.x * offset.x + offset.y * offset.y));
}

#endif

void main() {
    ivec2 here = ivec2(gl_FragCoord.xy);
    float here_is = object_at(here);
    float own = abs(here_is);
    Nearest found = object_beside(here, own);
#if defined AROUND
    if (own == 0.0) found = object_around(here);
#endif
    float limit = own == 0.0 ? float(reach) + 1.0 : float(reach_between) + 0.5;
    if (found.square >= limit * limit) discard;
    float other = abs(found.object);
    float nearest = sqrt(found.square);
    bool is_hidden = found.object < 0.0 && here_is <= 0.0;
    float line_width = is_hidden ? width.y : width.x;
    float rim_width = is_hidden ? rim.y : rim.x;
    // A line around an object lies wholly outside of it. A line between two objects is half as wide and lies in one of
    // them, with a rim in the other, so that many small selected objects can still be seen.
    float half_width = own == 0.0 ? 0.5 * line_width : 0.25 * line_width;
    float middle = own == 0.0 ? rim_width + half_width : half_width;
    // Pixels from the border between the two, positive on the side that the line lies on.
    float from_border = own < other && own != 0.0 ? 0.5 - nearest : nearest - 0.5;
    float beside = abs(from_border - middle) - half_width;  // pixels from the line's edge, outwards
    float line = clamp(0.5 - beside, 0.0, 1.0);
    float whole = clamp(rim_width + 0.5 - beside, 0.0, 1.0);
    vec3 line_color = is_active(own) + is_active(other) > 0.0 ? active_color : color;
    out_color = vec4(mix(RIM_COLOR.rgb, line_color, line), whole * mix(RIM_COLOR.a, 1.0, line));
    if (is_hidden) out_color.a *= HIDDEN_OPACITY;
}

#endif
#endif
#endif
