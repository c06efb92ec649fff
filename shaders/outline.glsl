// Outlines of selected or hovered objects, around each of them and between two that touch. A line has a dark rim on
// both sides, so that it is seen on any colour. Where the object is hidden, the line is thinner and fainter. The steps
// to it are programs of their own, of which the last has no define:
//   TILES  draws for each tile of TILE x TILE pixels the kinds of objects, and what lines between two of them need
//   ROWS   draws for each tile which kind of object each pixel finds nearest in its row, and how far away
//   LINES  draws the same for all rows, for the halves of tiles: of what is nearest in its row the nearest; and adds
//          what lines between two objects need
// Lines are drawn in blocks of BLOCK x BLOCK tiles. One that has no line is not looked at.

// A line at a pixel is two bytes: a kind of object; from bit 2 on, the square of the distance to the nearest other
// object, in pixels; and two more bits. A kind is two bits, of which the lower is set where it is hidden, and the
// higher unless it is active.
const uint HIDDEN = 1u;
const uint INACTIVE = 2u;
const uint SQUARE = 4095u;
const uint IS_BETWEEN = 1u << 14;  // the pixel has an object, too
const uint IS_BESIDE = 1u << 15;   // the line between both lies in the other one
const uint NO_LINE = 65535u;

#if defined VERTEX_SHADER

#if defined TILES || defined ROWS || defined LINES

in vec2 in_corner;
void main() { gl_Position = vec4(in_corner, 0.0, 1.0); }

#else

uniform usampler2D lines;

// A point for each block, as large as that; it is nowhere where it is not needed. The viewport has whole blocks.
void main() {
    ivec2 tiles = textureSize(lines, 0) / ivec2(2, 1);
    ivec2 size = (tiles + BLOCK - 1) / BLOCK;
    ivec2 block = ivec2(gl_VertexID % size.x, gl_VertexID / size.x);
    ivec2 first = block * BLOCK * ivec2(2, 1), last = min((block + 1) * BLOCK, tiles) * ivec2(2, 1) - 1;
    uvec4 all_bits = uvec4(~0u);
    for (int y = first.y; y <= last.y; ++y) {
        for (int x = first.x; x <= last.x; ++x) all_bits &= texelFetch(lines, ivec2(x, y), 0);
    }
    vec2 place = (vec2(block) + 0.5) / vec2(size);
    gl_Position = all_bits != uvec4(~0u) ? vec4(place * 2.0 - 1.0, 0.0, 1.0) : vec4(2.0, 2.0, 2.0, 1.0);
    gl_PointSize = float(BLOCK * TILE);
}

#endif

#elif defined FRAGMENT_SHADER

#if defined TILES

// 0 for none, else twice the object's number, plus 1 for the active object; negative where it is hidden.
uniform sampler2D objects;
uniform ivec2 objects_size;  // of the lower left part that has them, pixels; the picture may be larger
uniform vec2 objects_per_pixel;
uniform int reach_between;  // pixels from an object to the end of the line in it between it and another
layout(location = 0) out uvec4 out_kinds;    // a byte for each pixel, a component for each row; NOTHING: no object
layout(location = 1) out uvec4 out_between;  // the same for the line between two objects; 0: there is none

#else

uniform int reach;  // pixels from an object to the end of the line around it

#endif

// What is found around objects is four times the distance in pixels, or, over several rows, its square, plus the kind:
// of two that are equally near, the active one is less. A row has a byte for each pixel of a tile.
const uint NOTHING = 255u;
// A line between two objects is a byte, too: the kind, IS_BESIDE_SHORT for IS_BESIDE, and NEAR_SQUARE times the square.
const uint IS_BESIDE_SHORT = 4u;
const uint NEAR_SQUARE = 8u;

#if defined TILES

// The number at a pixel of the picture.
float object_at(ivec2 place) {
    ivec2 there = ivec2(vec2(place) * objects_per_pixel);
    return texelFetch(objects, clamp(there, ivec2(0), objects_size - 1), 0).r;
}

vec4 is_active(vec4 object) { return 2.0 * fract(0.5 * object); }

// A number for each pixel of a row to a byte for each of them.
uint bytes_of(uvec4 numbers) { return numbers.x | numbers.y << 8u | numbers.z << 16u | numbers.w << 24u; }

// Looks at one more pixel beside each pixel of a row; of the objects found the active one is taken.
void look(vec4 object, vec4 own, inout vec4 other) {
    bvec4 is_other = notEqual(vec4(notEqual(object, vec4(0.0))) * vec4(notEqual(abs(object), own)), vec4(0.0));
    bvec4 is_better = notEqual(vec4(equal(other, vec4(0.0))) + is_active(object), vec4(0.0));
    other = mix(other, object, vec4(is_other) * vec4(is_better));
}

// The lines between the objects at the pixels of a row, `here`, and others at a distance; 0 where there is none.
uvec4 between(vec4 here, vec4 other, uint square) {
    vec4 is_line = vec4(notEqual(here, vec4(0.0))) * vec4(notEqual(other, vec4(0.0)));
    vec4 is_hidden = vec4(lessThan(other, vec4(0.0))) * vec4(lessThan(here, vec4(0.0)));
    uvec4 bits = uvec4(is_hidden) * HIDDEN + uvec4(equal(is_active(here) + is_active(other), vec4(0.0))) * INACTIVE;
    bits += uvec4(lessThan(abs(here), abs(other))) * IS_BESIDE_SHORT;
    return (bits + square * NEAR_SQUARE) * uvec4(is_line);
}

// The same at one pixel, for others that are farther away than a pixel.
uint farther_between(ivec2 place) {
    float here = object_at(place);
    float other = 0.0;
    int nearest = 1000;
    int last = here == 0.0 ? 0 : reach_between;
    for (int ring = 2; ring <= last; ++ring) {  // squares, until none can be nearer
        if (ring * ring > nearest) break;
        for (int i = -ring; i < ring; ++i) {
            ivec2 corners[4] = ivec2[4](ivec2(i, -ring), ivec2(ring, i), ivec2(-i, ring), ivec2(-ring, -i));
            for (int k = 0; k < 4; ++k) {
                float object = object_at(place + corners[k]);
                int square = ring * ring + i * i;
                bool is_better = square < nearest || (square == nearest && is_active(vec4(object)).x > 0.0);
                if (object != 0.0 && abs(object) != abs(here) && is_better) {
                    other = object;
                    nearest = square;
                }
            }
        }
    }
    bool is_in_reach = float(nearest) < (float(reach_between) + 0.5) * (float(reach_between) + 0.5);
    return is_in_reach ? between(vec4(here), vec4(other), uint(nearest)).x : 0u;
}

// Constant bounds let drivers unroll the loops.
void main() {
    ivec2 first = ivec2(gl_FragCoord.xy) * TILE;
    vec4 rows[TILE + 2];  // and one below and one above
    for (int y = 0; y < TILE + 2; ++y) {
        for (int x = 0; x < TILE; ++x) rows[y][x] = object_at(first + ivec2(x, y - 1));
    }
    for (int y = 0; y < TILE; ++y) {
        vec4 here = rows[y + 1], own = abs(here), other = vec4(0.0);
        look(vec4(here.yzw, object_at(first + ivec2(TILE, y))), own, other);
        look(vec4(object_at(first + ivec2(-1, y)), here.xyz), own, other);
        look(rows[y + 2], own, other);
        look(rows[y], own, other);
        out_between[y] = bytes_of(between(here, other, 1u));
        uvec4 kind = uvec4(lessThan(here, vec4(0.0))) * HIDDEN + uvec4(equal(is_active(here), vec4(0.0))) * INACTIVE;
        out_kinds[y] = bytes_of(kind | uvec4(equal(here, vec4(0.0))) * NOTHING);
    }
    // Most lines reach no farther than a pixel.
    for (int pixel = 0; pixel < (reach_between > 1 ? TILE * TILE : 0); ++pixel) {
        uint shift = uint(8 * (pixel % TILE));
        uvec4 is_row = uvec4(equal(ivec4(pixel / TILE), ivec4(0, 1, 2, 3)));
        uvec4 found = is_row * (farther_between(first + ivec2(pixel % TILE, pixel / TILE)) << shift);
        bool is_found = (out_between & is_row * (NOTHING << shift)) != uvec4(0u);
        if (!is_found) out_between |= found;
    }
}

#elif defined ROWS

uniform usampler2D kinds;
out uvec4 out_rows;  // a byte for each pixel, a component for each row

void main() {
    ivec2 tile = ivec2(gl_FragCoord.xy);
    int around = (reach + TILE - 1) / TILE;
    uvec4 best[TILE];  // for each column
    // From the left and from the right: what was found before is a pixel farther away at each step.
    uvec4 found = uvec4(NOTHING);
    for (int x = max(tile.x - around, 0); x <= tile.x; ++x) {
        uvec4 there = texelFetch(kinds, ivec2(x, tile.y), 0);
        for (int column = 0; column < TILE; ++column) {
            found = min(found + 4u, (there >> uint(8 * column)) & 255u);  // NOTHING and more is not less than NOTHING
            best[column] = found;
        }
    }
    found = uvec4(NOTHING);
    for (int x = min(tile.x + around, textureSize(kinds, 0).x - 1); x >= tile.x; --x) {
        uvec4 there = texelFetch(kinds, ivec2(x, tile.y), 0);
        for (int column = TILE - 1; column >= 0; --column) {
            found = min(found + 4u, (there >> uint(8 * column)) & 255u);
            if (x == tile.x) best[column] = min(best[column], found);
        }
    }
    out_rows = best[0] | (best[1] << 8u) | (best[2] << 16u) | (best[3] << 24u);
}

#elif defined LINES

uniform usampler2D rows;
uniform usampler2D between;
out uvec4 out_lines;  // two bytes for each pixel of half a tile, a component for each row

void main() {
    ivec2 half_tile = ivec2(gl_FragCoord.xy);
    ivec2 tile = ivec2(half_tile.x / 2, half_tile.y);
    uvec2 places = uvec2(0u, 8u) + uint(half_tile.x % 2) * 16u;
    int around = (reach + TILE - 1) / TILE;
    int last = min(tile.y + around, textureSize(rows, 0).y - 1);
    uvec2 best[TILE];  // for each row
    for (int row = 0; row < TILE; ++row) best[row] = uvec2(NO_LINE);
    for (int y = max(tile.y - around, 0); y <= last; ++y) {
        uvec4 there = texelFetch(rows, ivec2(tile.x, y), 0);
        for (int other = 0; other < TILE; ++other) {
            uvec2 found = (uvec2(there[other]) >> places) & 255u;
            uvec2 missing = uvec2(equal(found, uvec2(NOTHING))) * NO_LINE;
            uvec2 across = found >> 2u;
            uvec2 square = ((across * across) << 2u) + (found & 3u);
            for (int row = 0; row < TILE; ++row) {
                int down = (y - tile.y) * TILE + other - row;
                uvec2 here = square + uint(4 * down * down);
                best[row] = min(best[row], here | missing);
            }
        }
    }
    uvec4 beside = texelFetch(between, tile, 0);
    for (int row = 0; row < TILE; ++row) {
        uvec2 line = best[row];
        line |= uvec2(greaterThanEqual(line, uvec2(4 * (reach + 1) * (reach + 1)))) * NO_LINE;
        uvec2 found = (uvec2(beside[row]) >> places) & 255u;
        uvec2 line_between = IS_BETWEEN | found & 3u | (found / IS_BESIDE_SHORT & 1u) * IS_BESIDE;
        line_between |= found / NEAR_SQUARE << 2u | uvec2(equal(found, uvec2(0u))) * NO_LINE;
        // A pixel that finds something less than a pixel away has an object itself.
        uvec2 has_object = uvec2(lessThan(best[row], uvec2(4u)));
        line = has_object * line_between + (1u - has_object) * line;
        out_lines[row] = line.x | line.y << 16u;
    }
}

#else

uniform usampler2D lines;
uniform vec3 color;
uniform vec3 active_color;
uniform vec2 width;  // pixels; of what is seen, and of what is hidden
uniform vec2 rim;    // pixels, on either side; the same
uniform float hidden_opacity;
out vec4 out_color;

const vec4 RIM_COLOR = vec4(0.03, 0.03, 0.04, 0.75);

void main() {
    ivec2 here = ivec2(gl_FragCoord.xy);
    uint two = texelFetch(lines, here / ivec2(TILE / 2, TILE), 0)[here.y % TILE];
    uint found = (here.x % 2 == 0 ? two : two >> 16u) & NO_LINE;
    if (found == NO_LINE) discard;
    float nearest = sqrt(float(found >> 2u & SQUARE));
    bool is_between = (found & IS_BETWEEN) != 0u;
    bool is_hidden = (found & HIDDEN) != 0u;
    float line_width = is_hidden ? width.y : width.x;
    float rim_width = is_hidden ? rim.y : rim.x;
    // A line around an object lies wholly outside of it. A line between two objects is half as wide and lies in one of
    // them, with a rim in the other, so that many small selected objects can still be seen.
    float half_width = is_between ? 0.25 * line_width : 0.5 * line_width;
    float middle = is_between ? half_width : rim_width + half_width;
    // Pixels from the border between the two, positive on the side that the line lies on.
    float from_border = (found & IS_BESIDE) != 0u ? 0.5 - nearest : nearest - 0.5;
    float beside = abs(from_border - middle) - half_width;  // pixels from the line's edge, outwards
    float line = clamp(0.5 - beside, 0.0, 1.0);
    float whole = clamp(rim_width + 0.5 - beside, 0.0, 1.0);
    vec3 line_color = (found & INACTIVE) == 0u ? active_color : color;
    out_color = vec4(mix(RIM_COLOR.rgb, line_color, line), whole * mix(RIM_COLOR.a, 1.0, line));
    if (is_hidden) out_color.a *= hidden_opacity;
}

#endif
#endif
