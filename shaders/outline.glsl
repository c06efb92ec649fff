// Outlines of selected or hovered objects, around each of them and between two that touch. A line has a dark rim on
// both sides, so that it is seen on any colour. Where the object is hidden, the line is thinner and fainter.
//   TILES  draws the least and the greatest number in each tile of TILE x TILE pixels, so that pixels are only looked
//          at where numbers differ

const int TILE = 16;  // as in viewer/rendering/passes/viewport_target.py

#if defined VERTEX_SHADER

#if defined TILES

in vec2 in_corner;
void main() { gl_Position = vec4(in_corner, 0.0, 1.0); }

#else

uniform sampler2D tiles;
uniform vec2 picture_size;  // pixels
uniform int reach;          // pixels

const int CORNERS[6] = int[6](0, 1, 2, 2, 1, 3);

// Two triangles for each tile, which are nowhere where all tiles in reach have but one number.
void main() {
    ivec2 size = textureSize(tiles, 0);
    int number = gl_VertexID / 6;
    ivec2 tile = ivec2(number % size.x, number / size.x);
    int around = (reach + TILE - 1) / TILE;
    ivec2 first = max(tile - around, ivec2(0));
    ivec2 last = min(tile + around, size - 1);
    vec2 range = texelFetch(tiles, tile, 0).rg;
    for (int y = first.y; y <= last.y; ++y) {
        for (int x = first.x; x <= last.x; ++x) {
            vec2 other = texelFetch(tiles, ivec2(x, y), 0).rg;
            range = vec2(min(range.x, other.x), max(range.y, other.y));
        }
    }
    int corner = CORNERS[gl_VertexID % 6];
    vec2 place = vec2((tile + ivec2(corner & 1, corner >> 1)) * TILE) / picture_size;
    gl_Position = range.x == range.y ? vec4(2.0, 2.0, 2.0, 1.0) : vec4(place * 2.0 - 1.0, 0.0, 1.0);
}

#endif

#elif defined FRAGMENT_SHADER

// 0 for none, else twice the object's number, plus 1 for the active object; negative where it is hidden.
uniform sampler2D objects;

#if defined TILES

out vec2 out_range;

void main() {
    ivec2 first = ivec2(gl_FragCoord.xy) * TILE;
    ivec2 last = min(first + TILE, textureSize(objects, 0)) - 1;
    float least = abs(texelFetch(objects, first, 0).r);
    float greatest = least;
    for (int y = first.y; y <= last.y; ++y) {
        for (int x = first.x; x <= last.x; ++x) {
            float object = abs(texelFetch(objects, ivec2(x, y), 0).r);
            least = min(least, object);
            greatest = max(greatest, object);
        }
    }
    out_range = vec2(least, greatest);
}

#else

uniform vec3 color;
uniform vec3 active_color;
uniform vec2 width;    // pixels; of what is seen, and of what is hidden
uniform vec2 rim;      // pixels, on either side; the same
uniform int reach;     // pixels from an object to the end of the line around it
uniform int reach_between;  // the same for a line between two objects
out vec4 out_color;

const vec4 RIM_COLOR = vec4(0.03, 0.03, 0.04, 0.75);
const float HIDDEN_OPACITY = 0.6;

float object_at(ivec2 place) {
    return texelFetch(objects, clamp(place, ivec2(0), textureSize(objects, 0) - 1), 0).r;
}

// The nearest object other than `own` that was found: what `objects` has there, or 0 for none, and its distance.
struct Nearest {
    float object;
    float square;  // of pixels
};

// Looks at one more pixel; of equally near objects the active one is taken.
void look(ivec2 here, ivec2 offset, float own, inout Nearest nearest) {
    float object = object_at(here + offset);
    float square = float(offset.x * offset.x + offset.y * offset.y);
    bool is_preferred = square == nearest.square && mod(abs(object), 2.0) == 1.0;
    bool is_other = object != 0.0 && abs(object) != own;
    if (is_other && (square < nearest.square || is_preferred)) nearest = Nearest(object, square);
}

Nearest other_object(ivec2 here, float own, int radius) {
    Nearest nearest = Nearest(0.0, 1e6);
    // Most pixels that have an object search no farther than this. Without a loop that takes half the time where the
    // processor draws.
    look(here, ivec2(1, 0), own, nearest);
    look(here, ivec2(-1, 0), own, nearest);
    look(here, ivec2(0, 1), own, nearest);
    look(here, ivec2(0, -1), own, nearest);
    for (int ring = own == 0.0 ? 1 : 2; ring <= radius; ++ring) {  // squares, until none can be nearer
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

void main() {
    ivec2 here = ivec2(gl_FragCoord.xy);
    float here_is = object_at(here);
    float own = abs(here_is);
    Nearest found = other_object(here, own, own == 0.0 ? reach : reach_between);
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
    vec3 line_color = mod(own, 2.0) == 1.0 || mod(other, 2.0) == 1.0 ? active_color : color;
    out_color = vec4(mix(RIM_COLOR.rgb, line_color, line), whole * mix(RIM_COLOR.a, 1.0, line));
    if (is_hidden) out_color.a *= HIDDEN_OPACITY;
}

#endif
#endif
