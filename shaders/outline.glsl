// Outlines of selected or hovered objects, around each of them and between two that touch. A line has a dark rim on
// both sides, so that it is seen on any colour. Where the object is hidden, the line is thinner and fainter. The steps
// to it are programs of their own, of which the last has no define:
//   TILES    draws for each tile of TILE x TILE pixels the least and the greatest number, and the kinds of objects
//   ROWS     draws for each tile which kind of object each pixel finds nearest in its row, and how far away
//   NEAREST  draws the same for all rows, for the halves of tiles: of what is nearest in its row the nearest
// Lines are drawn in blocks of tiles. One that has but a single number in reach is not looked at.

const int TILE = 4;   // pixels a side; as in viewer/rendering/passes/viewport_target.py
const int BLOCK = 2;  // tiles a side; the same

#if defined VERTEX_SHADER

#if defined TILES || defined ROWS || defined NEAREST

in vec2 in_corner;
void main() { gl_Position = vec4(in_corner, 0.0, 1.0); }

#else

uniform sampler2D tiles;
uniform int reach;  // pixels from an object to the end of the line around it

// A point for each block, as large as that; it is nowhere where it is not needed. The viewport has whole blocks.
void main() {
    ivec2 size = (textureSize(tiles, 0) + BLOCK - 1) / BLOCK;
    ivec2 block = ivec2(gl_VertexID % size.x, gl_VertexID / size.x);
    int around = (reach + TILE - 1) / TILE;
    ivec2 first = max(block * BLOCK - around, ivec2(0));
    ivec2 last = min(block * BLOCK + BLOCK - 1 + around, textureSize(tiles, 0) - 1);
    vec2 range = texelFetch(tiles, first, 0).rg;
    for (int y = first.y; y <= last.y; ++y) {
        for (int x = first.x; x <= last.x; ++x) {
            vec2 other = texelFetch(tiles, ivec2(x, y), 0).rg;
            range = vec2(min(range.x, other.x), max(range.y, other.y));
        }
    }
    vec2 place = (vec2(block) + 0.5) / vec2(size);
    gl_Position = range.x != range.y ? vec4(place * 2.0 - 1.0, 0.0, 1.0) : vec4(2.0, 2.0, 2.0, 1.0);
    gl_PointSize = float(BLOCK * TILE);
}

#endif

#elif defined FRAGMENT_SHADER

// A kind of object is two bits, of which the lower is set where it is hidden, and the higher unless it is active.
const uint HIDDEN = 1u;
const uint INACTIVE = 2u;

#if !defined ROWS && !defined NEAREST

// 0 for none, else twice the object's number, plus 1 for the active object; negative where it is hidden.
uniform sampler2D objects;
uniform ivec2 objects_size;  // of the lower left part that has them, pixels; the picture may be larger
uniform vec2 objects_per_pixel;

// The number at a pixel of the picture.
float object_at(ivec2 place) {
    ivec2 there = ivec2(vec2(place) * objects_per_pixel);
    return texelFetch(objects, clamp(there, ivec2(0), objects_size - 1), 0).r;
}

float is_active(float object) { return 2.0 * fract(0.5 * object); }

#else

uniform int reach;  // pixels

#endif

// What is found is four times the distance in pixels, or, over several rows, its square, plus the kind: of two that
// are equally near, the active one is less. A row has a byte for each pixel of a tile, and then two.
const uint NOTHING = 255u;
const uint NOTHING_NEAR = 65535u;

#if defined TILES

layout(location = 0) out vec2 out_range;
layout(location = 1) out uvec4 out_kinds;  // a byte for each pixel, a component for each row; or NOTHING

// Constant bounds let drivers unroll the loops.
void main() {
    ivec2 first = ivec2(gl_FragCoord.xy) * TILE;
    out_range = vec2(abs(object_at(first)));
    out_kinds = uvec4(0u);
    for (int y = 0; y < TILE; ++y) {
        for (int x = 0; x < TILE; ++x) {
            float object = object_at(first + ivec2(x, y));
            out_range = vec2(min(out_range.x, abs(object)), max(out_range.y, abs(object)));
            uint kind = (object < 0.0 ? HIDDEN : 0u) + (is_active(object) > 0.0 ? 0u : INACTIVE);
            out_kinds[y] |= (object == 0.0 ? NOTHING : kind) << (8 * x);
        }
    }
}

#elif defined ROWS

uniform usampler2D kinds;
out uvec4 out_rows;  // a byte for each pixel, a component for each row

void main() {
    ivec2 tile = ivec2(gl_FragCoord.xy);
    int around = (reach + TILE - 1) / TILE;
    int last = min(tile.x + around, textureSize(kinds, 0).x - 1);
    uvec4 best[TILE];  // for each column
    for (int column = 0; column < TILE; ++column) best[column] = uvec4(NOTHING);
    for (int x = max(tile.x - around, 0); x <= last; ++x) {
        uvec4 there = texelFetch(kinds, ivec2(x, tile.y), 0);
        for (int other = 0; other < TILE; ++other) {
            uvec4 kind = (there >> uint(8 * other)) & 255u;
            for (int column = 0; column < TILE; ++column) {
                uint distance = uint(abs((x - tile.x) * TILE + other - column));
                best[column] = min(best[column], kind + 4u * distance);  // NOTHING and more is not less than NOTHING
            }
        }
    }
    out_rows = best[0] | (best[1] << 8u) | (best[2] << 16u) | (best[3] << 24u);
}

#elif defined NEAREST

uniform usampler2D rows;
out uvec4 out_nearest;  // two bytes for each pixel of half a tile, a component for each row

void main() {
    ivec2 half_tile = ivec2(gl_FragCoord.xy);
    ivec2 tile = ivec2(half_tile.x / 2, half_tile.y);
    uvec2 places = uvec2(0u, 8u) + uint(half_tile.x % 2) * 16u;
    int around = (reach + TILE - 1) / TILE;
    int last = min(tile.y + around, textureSize(rows, 0).y - 1);
    uvec2 best[TILE];  // for each row
    for (int row = 0; row < TILE; ++row) best[row] = uvec2(NOTHING_NEAR);
    for (int y = max(tile.y - around, 0); y <= last; ++y) {
        uvec4 there = texelFetch(rows, ivec2(tile.x, y), 0);
        for (int other = 0; other < TILE; ++other) {
            uvec2 found = (uvec2(there[other]) >> places) & 255u;
            uvec2 missing = uvec2(equal(found, uvec2(NOTHING))) * NOTHING_NEAR;
            uvec2 across = found >> 2u;
            uvec2 square = ((across * across) << 2u) + (found & 3u);
            for (int row = 0; row < TILE; ++row) {
                int down = (y - tile.y) * TILE + other - row;
                uvec2 here = square + uint(4 * down * down);
                best[row] = min(best[row], here | missing);
            }
        }
    }
    for (int row = 0; row < TILE; ++row) out_nearest[row] = best[row].x | (best[row].y << 16u);
}

#else

uniform usampler2D nearest;
uniform vec3 color;
uniform vec3 active_color;
uniform vec2 width;         // pixels; of what is seen, and of what is hidden
uniform vec2 rim;           // pixels, on either side; the same
uniform int reach;          // pixels from an object to the end of the line around it
uniform int reach_between;  // the same for a line between two objects
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

// For a pixel that has none. Instead of the object's number there is one of its sign, which is odd if that is.
Nearest object_around(ivec2 here) {
    uint two = texelFetch(nearest, here / ivec2(TILE / 2, TILE), 0)[here.y % TILE];
    uint found = (here.x % 2 == 0 ? two : two >> 16u) & NOTHING_NEAR;
    if (found == NOTHING_NEAR) return Nearest(0.0, 1e6);
    float object = (found & INACTIVE) == 0u ? 1.0 : 2.0;
    return Nearest((found & HIDDEN) == 0u ? object : -object, float(found >> 2u));
}

void main() {
    ivec2 here = ivec2(gl_FragCoord.xy);
    float here_is = object_at(here);
    float own = abs(here_is);
    Nearest found = object_beside(here, own);
    if (own == 0.0) found = object_around(here);
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
